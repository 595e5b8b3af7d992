#include "components/hydraulic/restriction.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "tests/components/hydraulic/closed_forms.h"
#include "tests/components/hydraulic/random_network.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

class RestrictionTest : public testing::Test {
 protected:
  double FlowAt(double p_a, double p_b) {
    a.c = p_a;
    b.c = p_b;
    harness.Evaluate();
    return harness.Read(restriction, "q");
  }

  ComponentHarness harness;
  Restriction& restriction = harness.Add<Restriction>("restriction");
  HydraulicBond& a = harness.AttachHydraulic(restriction, "a");
  HydraulicBond& b = harness.AttachHydraulic(restriction, "b");
};

const std::array<const char*, 4> kLaws{"Turbulent", "LaminarTurbulent", "ShortTube", "AnnularGap"};

TEST_F(RestrictionTest, LevelsChooseTheLaw) {
  // 3 mm: hydraulics.md 15.3, whose last column is the plain root; d = 1e4 Pa lowers it by d^2/(4 dp^2).
  const double turbulent = 6.579385813e-5;
  for (const Level level : {Level::kIdeal, Level::kStandard}) {
    restriction.SetLevel(level);
    harness.Start();
    EXPECT_NEAR(FlowAt(1e5, 0), turbulent * (1 - 1e8 / 4 / 1e10), 2e-5 * turbulent);
  }
  restriction.SetLevel(Level::kAdvanced);
  harness.Start();
  EXPECT_NEAR(FlowAt(1e5, 0), 6.534503565e-5, 1e-14);
  EXPECT_NEAR(FlowAt(1, 0), 4.573686113e-8, 1e-17);
}

TEST_F(RestrictionTest, ShortTubeHasMerrittsCoefficient) {
  harness.Set(restriction, "law", "ShortTube");
  harness.Set(restriction, "length", 6e-3);
  harness.Start();
  const double A = std::numbers::pi / 4 * 9e-6;
  for (const double p : {1e3, 1e5, 1e7}) {
    const double q = FlowAt(p, 0);
    const double x = 4 * q / (std::numbers::pi * 32e-6 * 6e-3);  // D Re/L
    EXPECT_NEAR(q, ShortTubeDischargeCoefficient(x) * A * std::sqrt(2 * p / 861.8), 1e-9 * q) << p;
  }
}

TEST_F(RestrictionTest, AnnularGapLeaksAsTheReferenceTells) {
  // hydraulics.md 15.9: 283 mm, 10 um, land 0.2 m; a touching piston leaks 2.5 times as much.
  harness.Set(restriction, "law", "AnnularGap");
  harness.Set(restriction, "diameter", 0.283);
  harness.Set(restriction, "length", 0.2);
  harness.Start();
  const double G = 1.343286e-14;
  EXPECT_NEAR(FlowAt(1e7, 0), G * 1e7, 1e-6 * G * 1e7);
  harness.Set(restriction, "eccentricity", 10e-6);
  harness.Start();
  EXPECT_NEAR(FlowAt(1e7, 0), 2.5 * G * 1e7, 3e-6 * G * 1e7);
}

/// By the Reynolds numbers of the laws: K1 Cd^2, where K1/Re = 1/Cd^2, and 50 L/D; a gap by its smaller flow.
TEST_F(RestrictionTest, ShowsHowTheOilFlows) {
  ModeBase& regime = *restriction.declarations().modes.at(0);
  const auto regime_at = [&](double p_a, double p_b) {
    FlowAt(p_a, p_b);
    return regime.options()[regime.Classify()];
  };
  const auto Reynolds = [&] {
    return 4 * std::abs(harness.Read(restriction, "q")) / (std::numbers::pi * 3e-3 * 32e-6);
  };
  harness.Start();
  EXPECT_EQ(regime_at(1e5, 0), "Turbulent");
  for (const auto& [law, limit] :
       {std::pair{"LaminarTurbulent", 32 * 0.611 * 0.611}, {"ShortTube", 50 * 10e-3 / 3e-3}}) {
    harness.Set(restriction, "law", law);
    harness.Start();
    EXPECT_EQ(regime_at(0, 0), "Laminar");
    for (double p = 0.1; p < 1e7; p *= 1.3) {
      for (const double sign : {1.0, -1.0}) {
        regime.Set(0);
        const bool is_turbulent = regime_at(sign > 0 ? p : 0, sign > 0 ? 0 : p) == "Turbulent";
        EXPECT_EQ(is_turbulent, Reynolds() >= limit) << law << " " << p;
        regime.Set(1);  // no chatter: back from 0.9 of the limit on
        EXPECT_EQ(regime.options()[regime.Classify()] == "Turbulent", Reynolds() >= 0.9 * limit)
            << law << " " << p;
      }
    }
  }
  harness.Set(restriction, "law", "AnnularGap");
  harness.Set(restriction, "clearance", 0.5e-3);
  harness.Start();
  regime.Set(0);
  EXPECT_EQ(regime_at(1e3, 0), "Laminar");
  EXPECT_EQ(regime_at(300e5, 0), "Turbulent");
  harness.Set(restriction, "law", "Turbulent");
  harness.Set(restriction, "cavitation", "Nurick");
  harness.Set(restriction, "discharge_coefficient", 0.84);
  harness.Start();
  EXPECT_EQ(regime_at(100e5, 90e5), "Turbulent");
  EXPECT_EQ(regime_at(100e5, 0), "Cavitating");
  EXPECT_EQ(regime_at(0, 100e5), "Cavitating");
}

TEST_F(RestrictionTest, EachLawIsOddAndStopsAtEqualPressures) {
  for (const char* law : kLaws) {
    for (const char* cavitation : {"None", "Nurick"}) {
      harness.Set(restriction, "law", law);
      harness.Set(restriction, "cavitation", cavitation);
      harness.Start();
      EXPECT_EQ(FlowAt(5e6, 5e6), 0) << law;
      EXPECT_EQ(FlowAt(3e6, 1e6), -FlowAt(1e6, 3e6)) << law;
      EXPECT_GT(FlowAt(3e6, 1e6), 0) << law;
      EXPECT_EQ(a.q, -b.q);
    }
  }
}

TEST_F(RestrictionTest, PassesNothingWithoutAnOpening) {
  for (const char* law : kLaws) {
    for (const char* cavitation : {"None", "Nurick"}) {
      for (const double Zc : {0.0, 1e9}) {
        harness.Set(restriction, "law", law);
        harness.Set(restriction, "cavitation", cavitation);
        harness.Set(restriction, "diameter", 0);
        harness.Set(restriction, "clearance", 0);
        harness.Start();
        a.Zc = Zc;
        EXPECT_EQ(FlowAt(1e7, 0), 0) << law;
        EXPECT_EQ(FlowAt(0, 0), 0) << law;
      }
    }
  }
}

TEST_F(RestrictionTest, ACavitatingJetDoesNotDependOnThePressureBehindIt) {
  harness.Set(restriction, "cavitation", "Nurick");
  harness.Set(restriction, "discharge_coefficient", 0.84);
  harness.Start();
  const double A = std::numbers::pi / 4 * 9e-6;
  const double cavitating = 0.61 * A * std::sqrt(2 * (5e6 + 1e5 - 100) / 861.8);
  EXPECT_NEAR(FlowAt(5e6, 0), cavitating, 1e-12 * cavitating);
  EXPECT_EQ(FlowAt(5e6, 5e5), FlowAt(5e6, 0));
  // From where the limit meets the law, the law holds: 0.84^2 (P1 - P2) < 0.61^2 (P1 - Pv).
  const double whole = 0.84 * A * std::sqrt(2 * 2e6 / 861.8);
  EXPECT_NEAR(FlowAt(5e6, 3e6), whole, 1e-5 * whole);
  // Which is what the discharge coefficient of Nurick says.
  for (const double p_b : {0.0, 2e6, 2.5e6, 4e6}) {
    const double Cd = CavitatingDischargeCoefficient(5e6 + 1e5, p_b + 1e5, 100);
    const double q = Cd * A * std::sqrt(2 * (5e6 - p_b) / 861.8);
    EXPECT_NEAR(FlowAt(5e6, p_b), q, 1e-4 * q) << p_b;
  }
}

TEST_F(RestrictionTest, NothingComesFromASideWithoutPressure) {
  harness.Set(restriction, "cavitation", "Nurick");
  harness.Start();
  EXPECT_EQ(FlowAt(-1e5, -2e5), 0);
  EXPECT_TRUE(std::isfinite(FlowAt(-1e5 + 100, -1e12)));
}

RC_GTEST_FIXTURE_PROP(RestrictionTest, LawAndWavesHoldTogether, ()) {
  harness.Set(restriction, "law", *rc::gen::elementOf(kLaws));
  harness.Set(restriction, "diameter", RandomDecades(-4, -1));
  harness.Set(restriction, "length", RandomDecades(-3, 0));
  harness.Set(restriction, "clearance", RandomDecades(-6, -4));
  harness.Start();
  a = RandomNeighbour();
  b = RandomNeighbour();
  harness.Evaluate();
  const double q = harness.Read(restriction, "q");
  RC_ASSERT(a.q == -q);
  RC_ASSERT(b.q == q);
  const double dp = a.p() - b.p();
  const double rounding = RoundingOf(a, b);
  RC_ASSERT(std::abs(harness.Read(restriction, "dp") - dp) <= rounding);
  const auto law = [&](double drop) { return restriction.LawFlow(drop, 0); };
  const double slope = (law(dp + 1) - law(dp - 1)) / 2;
  // 1e-9: the Newton iterations of the tube and the gap end there, relative to the flow.
  RC_ASSERT(std::abs(q - law(dp)) <= 1e-9 * std::abs(q) + slope * (rounding + 1e-9 * std::abs(dp)));
}

RC_GTEST_FIXTURE_PROP(RestrictionTest, CavitationAndWavesHoldTogether, ()) {
  harness.Set(restriction, "law", *rc::gen::element("Turbulent", "LaminarTurbulent"));
  harness.Set(restriction, "cavitation", "Nurick");
  harness.Set(restriction, "diameter", RandomDecades(-4, -1));
  harness.Start();
  a = RandomNeighbour();
  b = RandomNeighbour();
  harness.Evaluate();
  const double q = harness.Read(restriction, "q");
  const double p_a = a.c + a.Zc * a.q, p_b = b.c + b.Zc * b.q;
  // The same pressures without impedances must give the same flow.
  const double same = restriction.FlowBetweenWaves({p_a, 0}, {p_b, 0});
  const double rounding = RoundingOf(a, b);
  const double above = restriction.FlowBetweenWaves({p_a + rounding, 0}, {p_b - rounding, 0});
  const double below = restriction.FlowBetweenWaves({p_a - rounding, 0}, {p_b + rounding, 0});
  RC_ASSERT(std::abs(q - same) <= 1e-10 * std::abs(q) + std::abs(above - below));
}

TEST_F(RestrictionTest, ContradictingGapsAreRefused) {
  harness.Set(restriction, "law", "AnnularGap");
  harness.Set(restriction, "eccentricity", 20e-6);
  EXPECT_NE(ToText(harness.Start().all().at(0)).find("eccentricity is larger than clearance"),
            std::string::npos);
  harness.Set(restriction, "clearance", 2e-3);
  EXPECT_NE(ToText(harness.Start().all().at(0)).find("clearance is larger than half the diameter"),
            std::string::npos);
}

}  // namespace
}  // namespace davit
