#include "components/hydraulic/volume.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "components/hydraulic/orifice.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

class VolumeTest : public testing::TestWithParam<std::string> {
 protected:
  VolumeTest() { harness.Set(volume, "formulation", GetParam()); }

  ComponentHarness harness;
  Volume& volume = harness.Add<Volume>("volume");
  HydraulicBond& first = harness.AttachHydraulic(volume, "port");
  HydraulicBond& second = harness.AttachHydraulic(volume, "port");
};

INSTANTIATE_TEST_SUITE_P(Formulations, VolumeTest, testing::Values("pressure", "quantity"),
                         [](const auto& parameter) { return parameter.param; });

TEST_P(VolumeTest, StartsAtTheStartPressure) {
  harness.SetStart(volume, "p", 15.6e5);
  EXPECT_FALSE(harness.Start().has_errors());
  EXPECT_DOUBLE_EQ(harness.Read(volume, "p"), 15.6e5);
  EXPECT_EQ(first.p(), harness.Read(volume, "p"));
  EXPECT_EQ(second.p(), harness.Read(volume, "p"));
}

TEST_P(VolumeTest, SumsTheFlowsOfAllPorts) {
  harness.Start();
  first.q = 3e-4;
  second.q = -1e-4;
  harness.Evaluate();
  const double expected = GetParam() == "pressure" ? 1.6e9 / 0.01 * 2e-4 : 2e-4;
  EXPECT_NEAR(harness.Read(volume, GetParam() + ".ddt"), expected, 1e-12 * expected);
}

TEST_P(VolumeTest, RisesByBetaOverVTimesTheOil) {
  harness.SetStart(volume, "p", 1e5);
  harness.Set(volume, "volume", 0.0483);
  harness.Start();
  first.q = 479.52 / 6e4;
  harness.Integrate(0, 0.112939 / 10, 10);
  EXPECT_NEAR(harness.Read(volume, "p"), 300e5, 200);
}

TEST_P(VolumeTest, HalfAPeriodOfASineFlow) {
  harness.SetStart(volume, "p", 0);
  harness.Start();
  const double h = 1e-3;
  for (int n = 0; n < 500; ++n) {
    // The mean of the flow over the step, so that the sum is exact.
    constexpr double w = 2 * std::numbers::pi;
    first.q = 1e-4 * (std::cos(w * n * h) - std::cos(w * (n + 1) * h)) / (w * h);
    harness.Integrate(n * h, h, 1);
  }
  EXPECT_NEAR(harness.Read(volume, "p"), 5092958.18, 0.01);
}

TEST_P(VolumeTest, KeepsThePressureWhenItsStiffnessChanges) {
  harness.SetStart(volume, "p", 80e5);
  harness.Start();
  harness.Set(volume, "volume", 0.03);
  harness.Set(volume, "bulk_modulus", 1.2e9);
  harness.Apply(volume);
  harness.Evaluate();
  EXPECT_NEAR(harness.Read(volume, "p"), 80e5, 1e-6);
  first.q = 1e-4;
  harness.Integrate(0, 0.1, 1);
  EXPECT_NEAR(harness.Read(volume, "p"), 80e5 + 1.2e9 / 0.03 * 1e-5, 1e-6);
}

TEST_P(VolumeTest, RefusesTwoStartValues) {
  harness.SetStart(volume, "p", 1e5);
  harness.SetStart(volume, GetParam(), 0);
  const Diagnostics diagnostics = harness.Start();
  ASSERT_EQ(diagnostics.error_count(), 1U);
  EXPECT_NE(diagnostics.all()[0].message().find(GetParam()), std::string::npos);
}

TEST_P(VolumeTest, TakesTheStartOfItsState) {
  harness.SetStart(volume, GetParam(), 5e-4);
  harness.Start();
  EXPECT_DOUBLE_EQ(harness.Read(volume, "p"), GetParam() == "pressure" ? 5e-4 : 1.6e9 / 0.01 * 5e-4);
}

TEST(VolumeCavityTest, KeepsTheCavityVolume) {
  ComponentHarness harness;
  auto& volume = harness.Add<Volume>("volume");
  auto& bond = harness.AttachHydraulic(volume, "port");
  harness.Set(volume, "formulation", "quantity");
  harness.SetStart(volume, "p", 1e5);
  harness.Start();
  bond.q = -1e-4;
  harness.Integrate(0, 0.1, 10);
  EXPECT_EQ(harness.Read(volume, "p"), 0);
  EXPECT_LT(harness.Read(volume, "quantity"), 0);
  bond.q = 1e-4;
  harness.Integrate(1, 0.1, 10);
  EXPECT_NEAR(harness.Read(volume, "p"), 1e5, 1e-6);
}

TEST(VolumeBalanceTest, AnOrificeMovesOilWithoutLosingAny) {
  ComponentHarness harness;
  auto& left = harness.Add<Volume>("left");
  auto& right = harness.Add<Volume>("right");
  auto& orifice = harness.Add<Orifice>("orifice");
  harness.Connect(left, "port", orifice, "a");
  harness.Connect(orifice, "b", right, "port");
  for (Volume* volume : {&left, &right}) harness.Set(*volume, "formulation", "quantity");
  harness.Set(right, "volume", 0.03);
  harness.SetStart(left, "p", 200e5);
  harness.SetStart(right, "p", 0);
  harness.Start();
  const auto oil = [&] { return harness.Read(left, "quantity") + harness.Read(right, "quantity"); };
  const double before = oil();
  harness.Integrate(0, 1e-4, 5000);
  EXPECT_NEAR(oil(), before, 1e-15);
  // Level: both at the mean pressure, weighted by volume.
  EXPECT_NEAR(harness.Read(left, "p"), 50e5, 1);
  EXPECT_NEAR(harness.Read(right, "p"), 50e5, 1);
}

TEST(VolumeWithAirTest, IsAsSoftAsTheMixture) {
  // hydraulics.md 15.7, adiabatic, 1 % of air: gauge pressure and beta_e.
  const struct {
    double P, beta;
  } kPoints[] = {
      {1e5, 1.38798e7}, {5e5, 1.93033e8}, {10e5, 4.96314e8}, {50e5, 1.40237e9}, {300e5, 1.58968e9}};
  for (const auto& [P, beta] : kPoints) {
    ComponentHarness harness;
    Volume& volume = harness.Add<Volume>("volume");
    HydraulicBond& port = harness.AttachHydraulic(volume, "port");
    harness.Set(volume, "free_air", 0.01);
    harness.SetStart(volume, "p", P - 1e5);
    harness.Start();
    port.q = 1e-4;
    harness.Evaluate();
    EXPECT_NEAR(harness.Read(volume, "pressure.ddt"), beta / 0.01 * 1e-4, 1e-5 * beta / 0.01 * 1e-4) << P;
  }
}

TEST(VolumeWithAirTest, TakesTheVolumeThatTheMixtureLoses) {
  ComponentHarness harness;
  Volume& volume = harness.Add<Volume>("volume");
  HydraulicBond& port = harness.AttachHydraulic(volume, "port");
  harness.Set(volume, "free_air", 0.02);
  harness.SetStart(volume, "p", 0);
  harness.Start();
  // V p' = beta_e q: what is pressed in, at the pressure inside, makes ln of the relative volume fall by q
  // t/V.
  port.q = 1e-4;
  harness.Integrate(0, 1e-4, 30'000);
  const OilWithAir oil{.free_air = 0.02};
  const double p = harness.Read(volume, "p");
  EXPECT_GT(p, 10e5);
  EXPECT_NEAR(-std::log(oil.RelativeVolume(p + 1e5)), 1e-4 * 3 / 0.01, 1e-9);
}

TEST(VolumeWithAirTest, BothFormulationsHaveTheSameLaw) {
  // Pressed in and drawn out over a wide range; the oil moved is what V ln of the relative volume says.
  for (const char* formulation : {"pressure", "quantity"}) {
    ComponentHarness harness;
    Volume& volume = harness.Add<Volume>("volume");
    HydraulicBond& port = harness.AttachHydraulic(volume, "port");
    harness.Set(volume, "formulation", formulation);
    harness.Set(volume, "free_air", 0.02);
    harness.SetStart(volume, "p", 0);
    harness.Start();
    const OilWithAir oil{.free_air = 0.02};
    double moved = 0;
    for (const double q : {1e-4, -1.5e-4}) {
      port.q = q;
      harness.Integrate(0, 1e-4, 30'000);
      moved += 3 * q;
      EXPECT_NEAR(-std::log(oil.RelativeVolume(harness.Read(volume, "p") + 1e5)), moved / 0.01, 1e-8)
          << formulation;
    }
    EXPECT_LT(harness.Read(volume, "p"), -0.3e5);
    EXPECT_EQ(harness.Read(volume, "void_volume"), 0);
  }
}

class VolumeVoid : public VolumeTest {};

INSTANTIATE_TEST_SUITE_P(Formulations, VolumeVoid, testing::Values("pressure", "quantity"),
                         [](const auto& parameter) { return parameter.param; });

TEST_P(VolumeVoid, OpensAtTheVapourPressureAndIsFilledBeforeThePressureRises) {
  harness.SetStart(volume, "p", 1e5);
  harness.Start();
  const double least = GetParam() == "pressure" ? 100 - 1e5 : 0;
  const double to_least = (1e5 - least) / 1.6e9 * 0.01;
  first.q = -1e-3;
  harness.Integrate(0, 1e-4, 100);
  EXPECT_EQ(harness.Read(volume, "p"), least);
  EXPECT_EQ(first.p(), least);
  EXPECT_NEAR(harness.Read(volume, "void_volume"), 1e-5 - to_least, 1e-15);
  // A cavity is the same whatever oil is round it, and in whatever volume.
  harness.Set(volume, "bulk_modulus", 1.2e9);
  harness.Set(volume, "volume", 0.03);
  harness.Apply(volume);
  harness.Evaluate();
  EXPECT_NEAR(harness.Read(volume, "void_volume"), 1e-5 - to_least, 1e-15);
  first.q = 1e-3;
  harness.Integrate(0, 1e-4, 100);
  EXPECT_NEAR(harness.Read(volume, "p"), least + to_least * 1.2e9 / 0.03, 1e-3);
  EXPECT_EQ(harness.Read(volume, "void_volume"), 0);
}

}  // namespace
}  // namespace davit
