#include "components/hydraulic/single_acting_cylinder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "components/hydraulic/laws/telescope_stages.h"
#include "session/simulation.h"
#include "simulator/energy/energy_balance.h"
#include "tests/support/component_harness.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

double AreaOf(double diameter) { return std::numbers::pi / 4 * diameter * diameter; }

const std::vector<TelescopeStages::Stage> kThreeStages{
    {AreaOf(0.12), 0.3}, {AreaOf(0.1), 0.2}, {AreaOf(0.08), 0.4}};

TEST(TelescopeStagesTest, AllStagesOutSweepTheSumOfTheirVolumes) {
  const TelescopeStages stages(kThreeStages);
  double volume = 0;
  for (const TelescopeStages::Stage& stage : kThreeStages) volume += stage.area * stage.stroke;
  EXPECT_NEAR(stages.stroke(), 0.9, 1e-15);
  EXPECT_NEAR(stages.SweptVolume(stages.stroke()), volume, 1e-15 * volume / 1e-3);
  EXPECT_EQ(stages.SweptVolume(0), 0);
}

// Law: the area is the derivative of the volume, everywhere; central differences of a polynomial of the
// fourth degree have an error of h^2/6 of its third derivative, at most 12 change/width^2.
TEST(TelescopeStagesTest, TheAreaIsTheDerivativeOfTheVolume) {
  const TelescopeStages stages(kThreeStages);
  constexpr double h = 1e-5;
  const double width = TelescopeStages::kBlend * 0.2, change = AreaOf(0.12) - AreaOf(0.1);
  const double tolerance = h * h / 6 * 12 * change / (width * width) + 1e-16 / h;
  for (double x = -0.05; x < 0.95; x += 1.7e-4) {
    const double slope = (stages.SweptVolume(x + h) - stages.SweptVolume(x - h)) / (2 * h);
    EXPECT_NEAR(slope, stages.Area(x), tolerance) << x;
  }
  EXPECT_EQ(stages.Area(0.1), AreaOf(0.12));
  EXPECT_NEAR(stages.Area(0.4), AreaOf(0.1), 1e-17);
  EXPECT_NEAR(stages.Area(0.8), AreaOf(0.08), 1e-17);
}

class SingleActingCylinderTest : public testing::Test {
 protected:
  void Move(double x, double v) {
    rod.x = -x;
    rod.v = -v;
    harness.Evaluate();
  }
  double Read(std::string_view name) { return harness.Read(cylinder, name); }

  ComponentHarness harness;
  SingleActingCylinder& cylinder = harness.Add<SingleActingCylinder>("cylinder");
  HydraulicBond& a = harness.AttachHydraulic(cylinder, "a");
  TranslationalBond& rod = harness.AttachTranslational(cylinder, "rod");
};

TEST_F(SingleActingCylinderTest, EachStagePushesWithItsArea) {
  harness.Set(cylinder, "diameters", "120 100 80 mm");
  harness.Set(cylinder, "strokes", "0.3 0.2 0.4 m");
  harness.Set(cylinder, "spring_force", 500);
  harness.Set(cylinder, "spring_stiffness", 1000);
  ASSERT_FALSE(harness.Start().has_errors());
  a.c = 50e5;
  for (const auto& [x, d] : {std::pair(0.1, 0.12), {0.4, 0.1}, {0.8, 0.08}}) {
    Move(x, 0.05);
    EXPECT_NEAR(Read("force"), 50e5 * AreaOf(d) - 500 - 1000 * x, 1e-9) << x;
    EXPECT_NEAR(Read("q"), AreaOf(d) * 0.05, 1e-15) << x;
    EXPECT_EQ(a.q, -Read("q"));
    // What the oil brings in is what the rod and the spring take.
    EXPECT_NEAR(a.p() * Read("q"), (Read("force") + 500 + 1000 * x) * 0.05, 1e-9);
  }
  Move(0.95, 0);
  EXPECT_LT(Read("force"), -1e6);  // the stop
}

TEST_F(SingleActingCylinderTest, WithoutOilItPullsNothing) {
  harness.Start();
  a.c = -5e5;
  a.p_min = -1e5;
  Move(0.5, 0);
  EXPECT_NEAR(Read("force"), -1e5 * AreaOf(0.1), 1e-9);
}

/// A pump of `flow` lifts 3 t with a telescope; then a table lets it down.
std::string LiftSystem(std::string_view cylinder) {
  return fmt::format(R"(<System name="lift" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" StopTime="40 s"><Integration method="rodas5p" rtol="1e-8" atol="1e-10"/></SimulatorManager>
  <hydraulic.FlowSource name="pump"/>
  <signal.Table name="flow" times="0 20 22 41 s" values="20 20 -20 -20 l/min"/>
  <hydraulic.Volume name="line" volume="1 l"><Start p="27 bar"/></hydraulic.Volume>
  <hydraulic.SingleActingCylinder name="lift" diameters="120 100 80 mm" strokes="0.3 0.3 0.3 m" {}>
    <Start x="0 m" p="27 bar"/>
  </hydraulic.SingleActingCylinder>
  <mechanical.Mass name="load" mass="3 t"/>
  <mechanical.Force name="weight" force="29.43 kN"/>
  <Route from="flow.y" to="pump.flow"/>
  <Connect from="pump.port" to="line.port"/>
  <Connect from="lift.a" to="line.port"/>
  <Connect from="lift.rod" to="load.a"/>
  <Connect from="weight.port" to="load.b"/>
</System>)",
                     cylinder);
}

// Law: without compressibility the pressure of each stage carries the weight; with it a stage moves with the
// flow over its area once it is steady.
TEST(SingleActingCylinderSystemTest, TheStagesMoveOneAfterTheOther) {
  SystemHarness system(LiftSystem(R"(level="Standard" coulomb_friction="0 N")"));
  for (const auto& [t, d] : {std::pair(9.0, 0.12), {16.5, 0.1}, {35.0, 0.12}}) {
    system.RunTo(t);
    const double v = (t < 20 ? 20e-3 : -20e-3) / 60 / AreaOf(d);
    EXPECT_NEAR(system.Read("lift.v"), v, 0.02 * std::abs(v)) << t;
    // Of the viscous friction and of what still swings.
    EXPECT_NEAR(system.Read("lift.p"), (29.43e3 + 5000 * v) / AreaOf(d), 0.01 * 29.43e3 / AreaOf(d)) << t;
  }
}

TEST(SingleActingCylinderSystemTest, TheEnergyBalanceCloses) {
  for (const char* options :
       {R"(level="Ideal")", R"(level="Standard")", R"(level="Advanced" spring_force="1 kN")",
        R"(level="Standard" formulation="quantity" free_air="0.01")"}) {
    SystemHarness system(LiftSystem(options));
    system.simulation().AccountEnergy();
    system.RunTo(40);
    const EnergyBalance balance = system.simulation().energy()->Balance();
    EXPECT_TRUE(balance.closes()) << options << ": " << balance.error / balance.turnover;
  }
}

// Law: a switch of the level keeps the motion and the oil.
TEST(SingleActingCylinderSystemTest, AChangeOfLevelKeepsPressureAndMotion) {
  SystemHarness system(LiftSystem(R"(level="Standard")"));
  system.RunTo(14.9);
  const double x = system.Read("lift.x"), v = system.Read("lift.v"), p = system.Read("lift.p");
  system.simulation().WriteText("lift.level", "Advanced");
  system.RunTo(14.91);
  EXPECT_NEAR(system.Read("lift.x"), x + 0.01 * v, 1e-4 * x);
  EXPECT_NEAR(system.Read("lift.v"), v, 0.02 * v);
  EXPECT_NEAR(system.Read("lift.p"), p, 0.02 * p);
}

TEST(SingleActingCylinderSystemTest, WrongStagesAreReportedTogether) {
  const std::string start = R"(<System name="wrong" xmlns="urn:davit:system:1"><SimulatorManager/>
  <hydraulic.Volume name="line"/><mechanical.Mass name="load"/>
  <Connect from="lift.a" to="line.port"/><Connect from="lift.rod" to="load.a"/><hydraulic.SingleActingCylinder name="lift" )";
  const auto faults = [&](const std::string& attributes) {
    return SystemHarness::FaultsOf(start + attributes + "/></System>");
  };
  EXPECT_THAT(faults(R"(diameters="80 100 mm" strokes="1 m")"),
              AllOf(Contains(HasSubstr("the number of diameters is 2, that of strokes 1; give one stroke")),
                    Contains(HasSubstr("they do not fall from stage to stage; begin with"))));
  EXPECT_THAT(faults(R"(diameters="80 0 mm" strokes="1 -1 m")"),
              AllOf(Contains(HasSubstr("diameters: one is not above 0")),
                    Contains(HasSubstr("strokes: one is not above 0"))));
  EXPECT_THAT(faults(R"(diameters="80 bar")"), Contains(HasSubstr("diameters: ")));
  EXPECT_THAT(faults(R"(diameters="")"), Contains(HasSubstr("diameters: ")));
  EXPECT_THAT(faults(R"(formulation="quantity" level="Standard")"),
              Contains(HasSubstr("give <Start x=.../>")));
}

}  // namespace
}  // namespace davit
