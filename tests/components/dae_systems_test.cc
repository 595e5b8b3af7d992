// The systems with algebraic constraints and events of systems/, as a user runs them.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

#include "components/register.h"
#include "session/simulation.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

/// A system of systems/ that has run to its end.
class Finished {
 public:
  explicit Finished(const std::string& name)
      : simulation_(Simulation::Load(DAVIT_SOURCE_DIR "/systems/" + name + ".xml", registry_).Take()) {
    simulation_->Initialize();
  }
  SimulatorManager& manager() { return simulation_->manager(); }
  double ReadAt(double t, const std::string& path) {
    simulation_->RunUntil(t);
    return simulation_->Read(path);
  }

 private:
  Registry registry_ = AllModels();
  std::unique_ptr<Simulation> simulation_;
};

TEST(DaeSystemsTest, SeriesOrificesShareThePressure) {
  Finished run("series_orifices");
  for (const double t : {0.0, 0.25, 0.6, 0.75, 1.0}) {
    const double p = 1e7 * (1 + std::sin(2 * M_PI * t));
    EXPECT_NEAR(run.ReadAt(t, "node_1.p"), 0.75 * p, 1e-7 * 1e7) << t;
    EXPECT_NEAR(run.ReadAt(t, "node_3.p"), 0.25 * p, 1e-7 * 1e7) << t;
  }
}

TEST(DaeSystemsTest, TransistorAmplifierEndsAtThePublishedValue) {
  Finished run("transistor_amplifier");  // IVP Test Set, y8 at 0.2 s
  EXPECT_NEAR(run.ReadAt(0.2, "amplifier.y8"), 1.236995868091548, 1e-5);
}

TEST(DaeSystemsTest, SliderCrankKeepsItsConstraints) {
  Finished run("slider_crank");
  for (const double t : {1.0, 5.0, 10.0}) {
    const double q = run.ReadAt(t, "crank.q");
    const double p = run.ReadAt(t, "crank.p");
    EXPECT_NEAR(run.ReadAt(t, "crank.x"), std::cos(p) + 0.5 * std::cos(q), 1e-6) << t;
    EXPECT_NEAR(std::sin(p) + 0.5 * std::sin(q), 0, 1e-6) << t;
  }
}

TEST(DaeSystemsTest, BouncingBallComesToRest) {
  Finished run("bouncing_ball");
  EXPECT_GT(run.ReadAt(4, "ball.x"), 0);
  EXPECT_EQ(run.ReadAt(4.1, "ball.x"), 0);
  EXPECT_EQ(run.ReadAt(5, "ball.v"), 0);
  EXPECT_GT(run.manager().statistics().events, 70U);
}

TEST(DaeSystemsTest, StickSlipRepeats) {
  Finished run("stick_slip");
  EXPECT_EQ(run.ReadAt(60, "slips.count"), 9);
  EXPECT_NEAR(run.ReadAt(60, "slips.last_time"), 58.339365, 1e-4);
}

TEST(DaeSystemsTest, AlgebraicLoopIsSolved) {
  Finished run("algebraic_loop");
  EXPECT_NEAR(run.ReadAt(0.25, "sum.y"), 0.25, 1e-7);
  EXPECT_NEAR(run.ReadAt(0.25, "gain.y"), 0.75, 1e-7);
}

// Law: one pressure of a junction lets in as much as out, and the start finds it from its default. On the way
// a check valve opens, which makes the pressure of the volume behind it rise fast.
TEST(DaeSystemsTest, AJunctionStartsBesideAShutCheckValve) {
  SystemHarness system(R"(<System name="t" xmlns="urn:davit:system:1">
    <SimulatorManager TimeStep="1 ms" StopTime="2 s"/>
    <hydraulic.PressureSource name="s" pressure="100 bar"/><hydraulic.Tank name="t"/>
    <hydraulic.Orifice name="o1" area="5 mm2"/><hydraulic.Orifice name="o2" area="3 mm2"/>
    <hydraulic.CheckValve name="c"/><hydraulic.Junction name="j"/>
    <hydraulic.Volume name="v" volume="1 l"><Start p="50 bar"/></hydraulic.Volume>
    <Connect from="o1.a" to="s.port"/><Connect from="o1.b" to="j.port"/>
    <Connect from="o2.a" to="j.port"/><Connect from="o2.b" to="t.port"/>
    <Connect from="c.a" to="j.port"/><Connect from="c.b" to="v.port"/></System>)");
  system.RunTo(0);
  EXPECT_NEAR(system.Read("o1.q"), system.Read("o2.q") + system.Read("c.q"), 1e-9 * system.Read("o1.q"));
  EXPECT_GT(system.Read("c.q"), 1e-6);
  system.RunTo(2);
  // At rest the check valve is shut at its cracking pressure.
  EXPECT_NEAR(system.Read("o1.q"), system.Read("o2.q"), 1e-3 * system.Read("o1.q"));
}

}  // namespace
}  // namespace davit
