#include "components/mechanical/mass.h"

#include <gtest/gtest.h>

#include <cmath>

#include "components/hydraulic/cylinder.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

class MassTest : public testing::Test {
 protected:
  double Read(std::string_view name) { return harness.Read(mass, name); }

  ComponentHarness harness;
  Mass& mass = harness.Add<Mass>("load");
};

TEST_F(MassTest, SidesPushAgainstEachOther) {
  auto& a1 = harness.AttachTranslational(mass, "a");
  auto& a2 = harness.AttachTranslational(mass, "a");
  auto& b = harness.AttachTranslational(mass, "b");
  harness.Set(mass, "mass", 2);
  harness.Set(mass, "weight", 20);
  harness.Set(mass, "viscous_friction", 4);
  harness.SetStart(mass, "v", 0.5);
  EXPECT_FALSE(harness.Start().has_errors());
  a1.c = 100;
  a2.c = 30;
  b.c = 60;
  harness.Evaluate();
  EXPECT_DOUBLE_EQ(Read("force"), 100 + 30 - 60 - 20 - 2);
  EXPECT_DOUBLE_EQ(Read("acceleration"), 24);
  EXPECT_EQ(Read("v.ddt"), Read("acceleration"));
  EXPECT_EQ(Read("x.ddt"), 0.5);
}

TEST_F(MassTest, ImpedanceOfANeighbourResistsTheMotion) {
  auto& a = harness.AttachTranslational(mass, "a");
  auto& b = harness.AttachTranslational(mass, "b");
  harness.SetStart(mass, "v", 2);
  harness.Start();
  a.Zc = 3;
  b.Zc = 5;
  harness.Evaluate();
  EXPECT_EQ(Read("force"), -16);
}

TEST_F(MassTest, MotionCountsIntoTheNeighbours) {
  auto& a = harness.AttachTranslational(mass, "a");
  auto& b = harness.AttachTranslational(mass, "b");
  harness.Set(mass, "mass", 7);
  harness.SetStart(mass, "x", 0.3);
  harness.SetStart(mass, "v", -2);
  harness.Start();
  EXPECT_EQ(a.x, -0.3);
  EXPECT_EQ(a.v, 2);
  EXPECT_EQ(b.x, 0.3);
  EXPECT_EQ(b.v, -2);
  EXPECT_EQ(a.mass, 7);
  EXPECT_EQ(b.mass, 7);
}

TEST_F(MassTest, MovesTheMassesOfItsNeighboursAlong) {
  auto& a = harness.AttachTranslational(mass, "a");
  auto& b = harness.AttachTranslational(mass, "b");
  harness.Set(mass, "mass", 10000);
  a.added_mass = 500;
  harness.Start();
  a.c = 10500;
  harness.Evaluate();
  EXPECT_EQ(Read("acceleration"), 1);
  b.added_mass = 10500;
  harness.Evaluate();
  EXPECT_EQ(Read("acceleration"), 0.5);
}

TEST_F(MassTest, FallsFreely) {
  harness.Set(mass, "mass", 3);
  harness.Set(mass, "weight", 3 * 9.81);
  harness.Start();
  harness.Integrate(0, 0.01, 100);
  EXPECT_NEAR(Read("x"), -9.81 / 2, 1e-12);
  EXPECT_NEAR(Read("v"), -9.81, 1e-12);
}

TEST_F(MassTest, RestsOnAStopAndLeavesItWhenPulled) {
  auto& a = harness.AttachTranslational(mass, "a");
  harness.Set(mass, "weight", 10);
  harness.Set(mass, "x_min", -0.5);
  harness.Start();
  harness.Integrate(0, 0.01, 100);
  EXPECT_EQ(Read("x"), -0.5);
  EXPECT_EQ(Read("v"), 0);
  EXPECT_EQ(Read("acceleration"), 0);
  EXPECT_EQ(Read("force"), -10);
  a.c = 9;
  harness.Integrate(1, 0.01, 10);
  EXPECT_EQ(Read("x"), -0.5);
  a.c = 12;
  harness.Integrate(1.1, 0.01, 100);
  EXPECT_NEAR(Read("x"), -0.5 + 1, 1e-9);
}

TEST_F(MassTest, StopsAtTheUpperEndToo) {
  auto& a = harness.AttachTranslational(mass, "a");
  harness.Set(mass, "x_max", 0.25);
  harness.Start();
  a.c = 1;
  harness.Integrate(0, 0.01, 200);
  EXPECT_EQ(Read("x"), 0.25);
  EXPECT_EQ(Read("v"), 0);
}

TEST_F(MassTest, ReboundsWithTheRestitution) {
  harness.Set(mass, "x_min", 0);
  harness.Set(mass, "restitution", 0.5);
  harness.SetStart(mass, "x", 0.1);
  harness.SetStart(mass, "v", -2);
  harness.Start();
  harness.Integrate(0, 0.01, 20);
  EXPECT_EQ(Read("v"), 1);
  EXPECT_GT(Read("x"), 0);
}

TEST_F(MassTest, BouncesEndInRest) {
  harness.Set(mass, "weight", 9.81);
  harness.Set(mass, "x_min", 0);
  harness.Set(mass, "restitution", 0.5);
  harness.SetStart(mass, "x", 1);
  harness.Start();
  harness.Integrate(0, 0.01, 300);
  EXPECT_EQ(Read("x"), 0);
  EXPECT_EQ(Read("v"), 0);
}

TEST_F(MassTest, ObeysTheTravelOfItsNeighbours) {
  auto& a = harness.AttachTranslational(mass, "a");
  a.x_min = -0.2;  // into the neighbour at a: the mass may go up to +0.2
  harness.SetStart(mass, "v", 1);
  harness.Start();
  harness.Integrate(0, 0.01, 100);
  EXPECT_EQ(Read("x"), 0.2);
}

TEST_F(MassTest, TakesTheStartOfACylinder) {
  auto& cylinder = harness.Add<Cylinder>("cylinder");
  harness.Connect(cylinder, "rod", mass, "a");
  harness.SetStart(cylinder, "x", 1);
  EXPECT_FALSE(harness.Start().has_errors());
  EXPECT_EQ(Read("x"), 1);
  EXPECT_EQ(harness.Read(cylinder, "x"), 1);
  harness.SetStart(mass, "x", 1);
  EXPECT_FALSE(harness.Start().has_errors());
}

TEST_F(MassTest, ACylinderOnTheOtherSideCountsAgainstX) {
  auto& cylinder = harness.Add<Cylinder>("cylinder");
  harness.Connect(cylinder, "rod", mass, "b");
  harness.SetStart(cylinder, "x", 1);
  EXPECT_FALSE(harness.Start().has_errors());
  EXPECT_EQ(Read("x"), -1);
  EXPECT_EQ(harness.Read(cylinder, "x"), 1);
}

TEST_F(MassTest, RefusesAStartThatContradictsTheCylinder) {
  auto& cylinder = harness.Add<Cylinder>("cylinder");
  harness.Connect(cylinder, "rod", mass, "a");
  harness.SetStart(cylinder, "x", 1.25);
  harness.SetStart(mass, "x", 0.5);
  const Diagnostics diagnostics = harness.Start();
  ASSERT_EQ(diagnostics.error_count(), 1U);
  const Diagnostic& error = diagnostics.all()[0];
  EXPECT_EQ(error.path, "/load");
  for (const char* part : {"/cylinder", "0.5", "1.25"})
    EXPECT_NE(error.message.find(part), std::string::npos);
}

TEST_F(MassTest, RefusesTwoCylindersThatContradictEachOther) {
  auto& left = harness.Add<Cylinder>("left");
  auto& right = harness.Add<Cylinder>("right");
  harness.Connect(left, "rod", mass, "a");
  harness.Connect(right, "rod", mass, "b");
  harness.SetStart(left, "x", 1);
  harness.SetStart(right, "x", 1);
  const Diagnostics diagnostics = harness.Start();
  ASSERT_EQ(diagnostics.error_count(), 1U);
  for (const char* part : {"/left", "/right"}) {
    EXPECT_NE(diagnostics.all()[0].message.find(part), std::string::npos);
  }
}

TEST_F(MassTest, RefusesATravelWithoutRoomAndAStartOutside) {
  harness.Set(mass, "x_min", 1);
  EXPECT_EQ(harness.Start().error_count(), 1U);
  harness.Set(mass, "x_max", 0);
  EXPECT_EQ(harness.Start().error_count(), 1U);
  harness.Set(mass, "x_max", 2);
  harness.SetStart(mass, "x", 1.5);
  EXPECT_EQ(harness.Start().error_count(), 0U);
}

}  // namespace
}  // namespace davit
