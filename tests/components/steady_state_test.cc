#include "simulator/run/steady_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "framework/run_log.h"
#include "simulator/simulation_failure.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

constexpr double kOneMillisecond = 1e-3;

/// Initialized at rest.
class Rest : public TestSystem {
 public:
  explicit Rest(const std::string& content, const std::string& manager = "TimeStep='1 ms' StopTime='1 s'")
      : TestSystem(SystemText(manager, "method='runge_kutta_dopri5' rtol='1e-8'", content)) {
    manager_().set_steady(true);
    manager_().Initialize();
  }
  void Step(int count) {
    for (int n = 0; n < count; ++n) manager_().Step();
  }

 private:
  SimulatorManager& manager_() { return TestSystem::manager(); }
};

std::string FaultOf(const std::string& content) {
  try {
    Rest rest(content);
  } catch (const SimulationFailure& failure) {
    return failure.what();
  }
  return "none";
}

// The search ends where Newton's change is below 1e-9 of the nominal values a second.
constexpr double kShare = 1e-8;

TEST(SteadyStateTest, AMassHangsWhereSpringAndWeightBalance) {
  const Rest rest(
      "<mechanical.Mass name='load' mass='10 kg' weight='98.1 N'/><mechanical.Fixed name='floor'/>"
      "<mechanical.Spring name='spring' stiffness='1000 N/m'/>"
      "<Connect from='floor.port' to='spring.a'/><Connect from='spring.b' to='load.a'/>");
  EXPECT_NEAR(rest.Read("load.x"), -98.1 / 1000, kShare);
  EXPECT_NEAR(rest.Read("load.v"), 0, kShare);
}

TEST(SteadyStateTest, ABodyThatLockedOilHoldsStaysWhereItWasPut) {
  // Any place would do: the oil takes the pressure that the spring asks for there, and starts far from it.
  const Rest rest(
      "<hydraulic.Tank name='tank'/><hydraulic.Volume name='locked' volume='1 l'><Start p='3 "
      "bar'/></hydraulic.Volume>"
      "<hydraulic.Cylinder name='cylinder' rod_mass='0 kg'/><mechanical.Mass name='load' mass='100 "
      "kg'><Start x='0.7 m'/>"
      "</mechanical.Mass><mechanical.Spring name='spring' stiffness='1e6 N/m'/><mechanical.Fixed "
      "name='wall'/>"
      "<Connect from='cylinder.a' to='locked.port'/><Connect from='cylinder.b' to='tank.port'/>"
      "<Connect from='cylinder.rod' to='load.a'/><Connect from='load.b' to='spring.a'/>"
      "<Connect from='spring.b' to='wall.port'/>");
  EXPECT_EQ(rest.Read("load.x"), 0.7);
  EXPECT_NEAR(rest.Read("locked.p"), 1e6 * 0.7 / 0.0629017535, 1);
}

TEST(SteadyStateTest, OilFlowsThroughALineAsTheOrificesWant) {
  // Two equal orifices in a row with a line between: half the pressure falls at each.
  Rest rest(
      "<hydraulic.PressureSource name='supply' pressure='100 bar'/><hydraulic.Tank name='tank'/>"
      "<hydraulic.Orifice name='o1' area='5 mm2'/>"
      "<hydraulic.Orifice name='o2' area='5 mm2'/>"
      "<hydraulic.Line name='line' length='10 m' friction='none'/>"
      "<Connect from='supply.port' to='o1.a'/><Connect from='o1.b' to='line.a'/>"
      "<Connect from='line.b' to='o2.a'/><Connect from='o2.b' to='tank.port'/>");
  const double p = 50e5;
  EXPECT_NEAR(rest.Read("line.a.p"), p, kShare * p);
  EXPECT_NEAR(rest.Read("line.b.p"), p, kShare * p);
  const double q = rest.Read("o1.q");
  EXPECT_GT(q, 0);
  EXPECT_NEAR(rest.Read("o2.q"), q, kShare * q);
  rest.Step(100);
  EXPECT_NEAR(rest.Read("line.a.p"), p, kShare * p);
  EXPECT_NEAR(rest.Read("o2.q"), q, kShare * q);
}

TEST(SteadyStateTest, ALineThatLeaksBeginsInTheFlowOfItsLeak) {
  Rest rest(
      "<hydraulic.PressureSource name='supply' pressure='100 bar'/><hydraulic.Tank name='tank'/>"
      "<hydraulic.Orifice name='o1' area='5 mm2'/>"
      "<hydraulic.Orifice name='o2' area='5 mm2'/>"
      "<hydraulic.Line name='line' length='10 m' external_leak='10 l/min'/>"
      "<Connect from='supply.port' to='o1.a'/><Connect from='o1.b' to='line.a'/>"
      "<Connect from='line.b' to='o2.a'/><Connect from='o2.b' to='tank.port'/>");
  const double p = rest.Read("line.b.p"), leak = rest.Read("line.q_leak");
  EXPECT_NEAR(leak, 10 / 6e4 * std::sqrt(p / 100e5), 1e-5 * leak);
  EXPECT_NEAR(rest.Read("o1.q"), rest.Read("o2.q") + leak, kShare * leak);
  rest.Step(100);
  EXPECT_NEAR(rest.Read("line.b.p"), p, kShare * p);
  EXPECT_NEAR(rest.Read("line.q_leak"), leak, kShare * leak);
}

TEST(SteadyStateTest, NothingMovesAfterwardsWhereIslandsAndWavesMeet) {
  Rest rest(
      "<hydraulic.FlowSource name='pump'/><signal.Constant name='flow' value='1e-4'/>"
      "<Route from='flow.y' to='pump.flow'/>"
      "<hydraulic.VolumeC name='volume' volume='1 l'/><hydraulic.Line name='line' length='5 m'/>"
      "<hydraulic.Orifice name='inlet' area='5 mm2'/><hydraulic.Volume name='chamber' volume='1 l'/>"
      "<hydraulic.Orifice name='outlet' area='4 mm2'/><hydraulic.Tank name='tank'/>"
      "<Connect from='pump.port' to='volume.port'/><hydraulic.Orifice name='mouth' area='1 cm2'/>"
      "<Connect from='volume.port' to='mouth.a'/><Connect from='mouth.b' to='line.a'/>"
      "<Connect from='line.b' to='inlet.a'/><Connect from='inlet.b' to='chamber.port'/>"
      "<Connect from='chamber.port' to='outlet.a'/><Connect from='outlet.b' to='tank.port'/>");
  EXPECT_NEAR(rest.Read("outlet.q"), 1e-4, kShare * 1e-4);
  const double chamber = rest.Read("chamber.p");
  const double volume = rest.Read("volume.p");
  rest.Step(500);
  EXPECT_NEAR(rest.Read("chamber.p"), chamber, 1e-7 * chamber);
  EXPECT_NEAR(rest.Read("volume.p"), volume, 1e-7 * volume);
}

TEST(SteadyStateTest, OfManyPlacesOfRestItTakesTheNearest) {
  // Two volumes share their oil. All equal pressures p are rest; nearest to the start values is p = (80 + 20)
  // bar/2. Left to itself, the oil would come to rest at (80 bar*1 l + 20 bar*3 l)/4 l = 35 bar.
  const Rest rest(
      "<hydraulic.Volume name='left' volume='1 l'><Start p='80 bar'/></hydraulic.Volume>"
      "<hydraulic.Volume name='right' volume='3 l'><Start p='20 bar'/></hydraulic.Volume>"
      "<hydraulic.Orifice name='hole' area='1 mm2'/>"
      "<Connect from='left.port' to='hole.a'/><Connect from='hole.b' to='right.port'/>");
  EXPECT_NEAR(rest.Read("left.p"), 50e5, kShare * 50e5);
  EXPECT_NEAR(rest.Read("right.p"), 50e5, kShare * 50e5);
}

TEST(SteadyStateTest, NamesTheFreeDirections) {
  TestSystem free(SystemText("TimeStep='1 ms' StopTime='1 s'", "method='runge_kutta4'",
                             "<mechanical.Mass name='load' mass='10 kg' viscous_friction='5'>"
                             "<Start x='0.25' v='2'/></mechanical.Mass>"));
  free.manager().Initialize();
  const SteadyStateResult result = SteadyState(free.manager().network(), kOneMillisecond).Search(0);
  EXPECT_TRUE(result.is_found);
  EXPECT_THAT(result.free_directions, testing::ElementsAre("load.x"));
  EXPECT_NEAR(free.Read("load.x"), 0.25, kShare);
  EXPECT_NEAR(free.Read("load.v"), 0, kShare);
}

TEST(SteadyStateTest, TellsWhatDoesNotRest) {
  EXPECT_THAT(FaultOf("<hydraulic.FlowSource name='pump'/><signal.Constant name='flow' value='1e-4'/>"
                      "<Route from='flow.y' to='pump.flow'/><hydraulic.Volume name='closed' volume='1 l'/>"
                      "<Connect from='pump.port' to='closed.port'/>"),
              testing::HasSubstr("/closed: does not reach equilibrium"));
}

TEST(SteadyStateTest, AlgebraicPressuresTakePart) {
  // Equal flows through K1 and K2 at dp >> 1e4 Pa would divide 100 bar as K2^2 : K1^2; the law is smooth.
  Rest rest(
      "<hydraulic.PressureSource name='supply' pressure='100 bar'/><hydraulic.Tank name='tank'/>"
      "<hydraulic.Junction name='node'/><hydraulic.Orifice name='in' area='2 mm2'/>"
      "<hydraulic.Orifice name='middle' area='1 mm2'/><hydraulic.Orifice name='out' area='1 mm2'/>"
      "<hydraulic.Volume name='chamber' volume='1 l'><Start p='1 bar'/></hydraulic.Volume>"
      "<Connect from='supply.port' to='in.a'/><Connect from='in.b' to='node.port'/>"
      "<Connect from='node.port' to='middle.a'/><Connect from='middle.b' to='chamber.port'/>"
      "<Connect from='chamber.port' to='out.a'/><Connect from='out.b' to='tank.port'/>");
  const double q = rest.Read("in.q");
  EXPECT_NEAR(rest.Read("middle.q"), q, kShare * q);
  EXPECT_NEAR(rest.Read("out.q"), q, kShare * q);
  EXPECT_NEAR(rest.Read("node.p"), 2 * rest.Read("chamber.p"), kShare * 100e5);
  const double chamber = rest.Read("chamber.p");
  EXPECT_NEAR(chamber, 100e5 / (0.25 + 2), 1e-3 * chamber);
  rest.Step(200);
  EXPECT_NEAR(rest.Read("chamber.p"), chamber, 1e-6 * chamber);
}

TEST(SteadyStateTest, LinkedBodiesHangAsOne) {
  const Rest rest(
      "<mechanical.Fixed name='ceiling'/><mechanical.Spring name='spring' stiffness='1000 N/m'/>"
      "<mechanical.Mass name='upper' mass='2 kg' weight='20 N'/><mechanical.RigidLink name='link'/>"
      "<mechanical.Mass name='lower' mass='3 kg' weight='30 N'/>"
      "<Connect from='ceiling.port' to='spring.a'/><Connect from='spring.b' to='upper.a'/>"
      "<Connect from='upper.b' to='link.a'/><Connect from='link.b' to='lower.a'/>");
  EXPECT_NEAR(rest.Read("upper.x"), -50.0 / 1000, kShare);
  EXPECT_NEAR(rest.Read("upper.v"), 0, kShare);
  EXPECT_NEAR(rest.Read("lower.v"), 0, kShare);
}

TEST(SteadyStateTest, TellsWhichAlgebraicIslandDoesNotRest) {
  EXPECT_THAT(FaultOf("<mechanical.Mass name='upper' mass='2 kg' weight='20 N'/>"
                      "<mechanical.RigidLink name='link'/><mechanical.Mass name='lower' mass='3 kg'/>"
                      "<Connect from='upper.b' to='link.a'/><Connect from='link.b' to='lower.a'/>"),
              testing::HasSubstr("does not reach equilibrium: the residual of an equation for "));
}

TEST(SteadyStateTest, AShaftMayTurn) {
  const Rest rest(
      "<mechanical.Inertia name='rotor' inertia='2 kg.m2' viscous_friction='0.5 N.m.s/rad'/>"
      "<mechanical.Torque name='drive'/><signal.Constant name='torque' value='-100'/>"
      "<Route from='torque.y' to='drive.torque'/><Connect from='drive.port' to='rotor.b'/>");
  EXPECT_NEAR(std::abs(rest.Read("rotor.w")), 100 / 0.5, kShare * 200);
}

// Law: both ends of an elastic shaft turn at one speed, which the frictions and the torque determine, and the
// shaft carries what the second one needs. Their angles grow; only their difference counts.
TEST(SteadyStateTest, AnElasticShaftMayTurn) {
  const Rest rest(
      "<mechanical.Torque name='motor' torque='10 N.m'/><mechanical.Inertia name='one' "
      "viscous_friction='0.1'/>"
      "<mechanical.Inertia name='other' viscous_friction='0.1'/>"
      "<mechanical.Shaft name='shaft' stiffness='1e4 N.m/rad' damping='5 N.m.s/rad'/>"
      "<Connect from='motor.port' to='one.a'/><Connect from='one.b' to='shaft.a'/>"
      "<Connect from='shaft.b' to='other.a'/>");
  EXPECT_NEAR(rest.Read("one.w"), 50, 50 * kShare);
  EXPECT_NEAR(rest.Read("other.w"), 50, 50 * kShare);
  EXPECT_NEAR(rest.Read("shaft.torque"), 5, 5 * kShare);
  EXPECT_NEAR(rest.Read("one.angle") - rest.Read("other.angle"), 5 / 1e4, 1e-9);
}

// Law: isothermal air keeps its temperature, so the pressure is found by its mass.
TEST(SteadyStateTest, WhatNothingChangesStaysAtItsStart) {
  const Rest rest(
      "<pneumatic.Chamber name='vessel' level='Ideal'><Start p='5 bar' T='310 K'/></pneumatic.Chamber>"
      "<pneumatic.Orifice name='x'/><pneumatic.Orifice name='y'/>"
      "<pneumatic.Supply name='a' pressure='6 bar' temperature='310 K'/><pneumatic.Supply name='b' "
      "pressure='4 bar'/>"
      "<Connect from='x.a' to='a.port'/><Connect from='x.b' to='vessel.port'/>"
      "<Connect from='y.a' to='vessel.port'/><Connect from='y.b' to='b.port'/>");
  EXPECT_EQ(rest.Read("vessel.T"), 310);
  EXPECT_NEAR(rest.Read("x.G"), rest.Read("y.G"), rest.Read("x.G") * 1e-6);
  EXPECT_GT(rest.Read("x.G"), 1e-4);
}

}  // namespace
}  // namespace davit
