#include "simulator/energy/energy_balance.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/energy/energy_picture.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy/energy_meter.h"
#include "simulator/energy_account.h"
#include "tests/analysis/energy/energy_harness.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

using testing::HasSubstr;

TEST(EnergyBalanceTest, AnOrificeBetweenTwoPressuresLosesDpTimesQ) {
  // In 2 s at 100 bar against 0: q = K sqrt(dp), up to the smooth law's d = 1e4 Pa beside dp.
  const EnergyBalance balance = BalanceOf(EnergySystem(R"(
  <hydraulic.PressureSource name="source" pressure="100 bar"/>
  <hydraulic.Orifice name="hole" area="10 mm2" discharge_coefficient="0.6" density="850 kg/m3"/>
  <hydraulic.Tank name="tank"/>
  <Connect from="source.port" to="hole.a"/>
  <Connect from="hole.b" to="tank.port"/>)",
                                                       "2 s"));
  const double dp = 100e5, d = 1e4;
  const double q = 0.6 * 10e-6 * std::sqrt(2 / 850.0) * dp / std::pow(dp * dp + d * d, 0.25);
  EXPECT_NEAR(balance.in, 2 * dp * q, 1e-12 * dp * q);
  EXPECT_NEAR(balance.lost, 2 * dp * q, 1e-12 * dp * q);
  EXPECT_NEAR(EnergyAt(balance.losses, "hole", "throttling"), balance.lost, 1e-12 * balance.lost);
  EXPECT_EQ(balance.stored, 0);
  EXPECT_NEAR(balance.efficiency(), 0, 1e-12);
  EXPECT_LT(balance.balance_error(), 1e-12);
}

TEST(EnergyBalanceTest, ADampedMassOnASpringLosesWhatTheSpringHeld) {
  // After 60 s of exp(-t c/(2 m)) = exp(-18) in the motion, nothing is left of k x0^2/2.
  const EnergyBalance balance = BalanceOf(EnergySystem(R"(
  <mechanical.Fixed name="wall"/>
  <mechanical.Spring name="spring" stiffness="400 N/m"/>
  <mechanical.Damper name="damper" coefficient="6 N.s/m"/>
  <mechanical.Mass name="load" mass="10 kg"><Start x="0.1 m"/></mechanical.Mass>
  <Connect from="wall.port" to="spring.a"/>
  <Connect from="wall.port" to="damper.a"/>
  <Connect from="spring.b" to="load.a"/>
  <Connect from="damper.b" to="load.a"/>)",
                                                       "60 s", "runge_kutta_dopri5"));
  EXPECT_NEAR(balance.lost, 2, 2e-6);
  EXPECT_NEAR(balance.stored, -2, 2e-6);
  EXPECT_NEAR(EnergyAt(balance.losses, "damper", "damping"), 2, 2e-6);
  EXPECT_EQ(balance.in, 0);
  EXPECT_LT(balance.balance_error(), 1e-7);
}

TEST(EnergyBalanceTest, AFreeMassOnASpringExchangesEnergyAndLosesNone) {
  // x = x0 cos(w t), w = 20/s: after a sixteenth of a period of the energy a half is kinetic.
  const double t = std::numbers::pi / 4 / 20;
  const EnergyBalance balance = BalanceOf(EnergySystem(fmt::format(R"(
  <mechanical.Fixed name="wall"/>
  <mechanical.Spring name="spring" stiffness="4000 N/m"/>
  <mechanical.Mass name="load" mass="10 kg"><Start x="0.1 m"/></mechanical.Mass>
  <Connect from="wall.port" to="spring.a"/>
  <Connect from="spring.b" to="load.a"/>)"),
                                                       fmt::format("{} s", t), "runge_kutta_dopri5"));
  EXPECT_NEAR(EnergyAt(balance.stores, "load", "kinetic"), 10, 1e-6);
  EXPECT_NEAR(EnergyAt(balance.stores, "spring", "spring"), -10, 1e-6);
  EXPECT_EQ(balance.lost, 0);
  EXPECT_LT(balance.balance_error(), 1e-7);
}

TEST(EnergyBalanceTest, AnImpactLosesTheKineticEnergyThatTheReboundLacks) {
  // From 1 m, e = 0.5: at the first impact m g h (1 - e^2) is lost. 0.6 s: before the second one.
  const EnergyBalance balance = BalanceOf(EnergySystem(R"(
  <mechanical.Mass name="ball" mass="2 kg" weight="20 N" x_min="0 m" restitution="0.5" located_stops="true">
    <Start x="1 m"/></mechanical.Mass>)",
                                                       "0.6 s", "runge_kutta_dopri5"));
  EXPECT_NEAR(EnergyAt(balance.losses, "ball", "jump"), 15, 1e-6);
  EXPECT_NEAR(balance.lost, 15, 1e-6);
  EXPECT_LT(balance.balance_error(), 1e-9);
}

TEST(EnergyBalanceTest, ALiftTakesTheWorkOnTheLoadAndItsLosses) {
  const EnergyBalance balance = BalanceOf(EnergySystem(R"(
  <hydraulic.FlowSource name="pump" flow="1e-4 m3/s"/>
  <hydraulic.Volume name="line" volume="1 l"><Start p="20 bar"/></hydraulic.Volume>
  <hydraulic.Cylinder name="cylinder" level="Standard" bore="50 mm" rod="25 mm" stroke="1 m" rod_mass="5 kg"
      viscous_friction="2000 N.s/m"><Start x="0.1 m" p_a="20 bar"/></hydraulic.Cylinder>
  <hydraulic.Volume name="back" volume="1 l"><Start p="1 bar"/></hydraulic.Volume>
  <hydraulic.Orifice name="return" area="20 mm2"/>
  <hydraulic.Tank name="tank"/>
  <mechanical.Mass name="load" mass="400 kg" weight="4000 N"/>
  <Connect from="pump.port" to="line.port"/>
  <Connect from="cylinder.a" to="line.port"/>
  <Connect from="cylinder.b" to="back.port"/>
  <Connect from="return.a" to="back.port"/>
  <Connect from="return.b" to="tank.port"/>
  <Connect from="cylinder.rod" to="load.a"/>)",
                                                       "5 s"));
  // 0.5 l move the piston by 0.5 l/Ap less what the oil gives way.
  const double lifted = EnergyAt(balance.stores, "load", "potential") / 4000;
  EXPECT_NEAR(lifted, 5e-4 / (std::numbers::pi / 4 * 0.05 * 0.05), 0.02 * lifted);
  EXPECT_GT(EnergyAt(balance.losses, "cylinder", "friction"), 0);
  EXPECT_GT(EnergyAt(balance.losses, "return", "throttling"), 0);
  EXPECT_NEAR(balance.in, balance.stored + balance.lost + balance.out, 1e-6 * balance.in);
  EXPECT_LT(balance.balance_error(), 1e-6);
}

TEST(EnergyBalanceTest, AnAccumulatorStoresTheWorkOnItsGas) {
  // 1 l at constant flow into 10 l of gas, isothermal, from the precharge P0 on: P0 V0 ln(V0/V) - p_atm dV.
  const EnergyBalance balance = BalanceOf(EnergySystem(R"(
  <hydraulic.FlowSource name="pump" flow="1e-3 m3/s"/>
  <hydraulic.Accumulator name="bladder" level="Ideal" gas_volume="10 l" precharge_pressure="100 bar">
    <Start p="100 bar"/></hydraulic.Accumulator>
  <Connect from="pump.port" to="bladder.port"/>)"));
  const double work = 101e5 * 0.01 * std::log(10.0 / 9) - 1e5 * 1e-3;
  EXPECT_NEAR(EnergyAt(balance.stores, "bladder", "gas"), work, 1e-7 * work);
  EXPECT_NEAR(balance.in, work, 1e-7 * work);
  EXPECT_EQ(balance.lost, 0);
  EXPECT_NEAR(balance.efficiency(), 1, 1e-7);
  EXPECT_LT(balance.balance_error(), 1e-7);
}

TEST(EnergyBalanceTest, AClosedVolumeStoresTheSquareOfItsPressure) {
  // dE = V (p1^2 - p0^2)/(2 beta), p1 = p0 + beta q t/V.
  const EnergyBalance balance = BalanceOf(EnergySystem(R"(
  <hydraulic.FlowSource name="pump" flow="1e-5 m3/s"/>
  <hydraulic.Volume name="box" volume="1 l" bulk_modulus="1.6e9 Pa"><Start p="10 bar"/></hydraulic.Volume>
  <Connect from="pump.port" to="box.port"/>)"));
  const double p0 = 10e5, p1 = p0 + 1.6e9 * 1e-5 / 1e-3;
  const double energy = 1e-3 * (p1 * p1 - p0 * p0) / (2 * 1.6e9);
  EXPECT_NEAR(EnergyAt(balance.stores, "box", "oil"), energy, 1e-9 * energy);
  EXPECT_NEAR(balance.in, energy, 1e-7 * energy);
}

TEST(EnergyBalanceTest, OilThatFillsAGrowingChamberBringsItsCompression) {
  // Both formulations of a chamber: what does not pass as p q is named, and the balance closes.
  for (const std::string_view formulation : {"pressure", "quantity"}) {
    for (const std::string_view air : {"0", "0.01"}) {
      const EnergyBalance balance = BalanceOf(EnergySystem(fmt::format(R"(
  <hydraulic.PressureSource name="a" pressure="200 bar"/>
  <hydraulic.PressureSource name="b" pressure="50 bar"/>
  <hydraulic.Cylinder name="cylinder" level="Standard" formulation="{}" free_air="{}" bore="50 mm" rod="25 mm">
    <Start x="0.5 m" p_a="50 bar" p_b="50 bar"/></hydraulic.Cylinder>
  <mechanical.Mass name="load" mass="1000 kg" weight="10000 N"/>
  <Connect from="a.port" to="cylinder.a"/>
  <Connect from="b.port" to="cylinder.b"/>
  <Connect from="cylinder.rod" to="load.a"/>)",
                                                                       formulation, air),
                                                           "1 s"));
      EXPECT_NE(EnergyAt(balance.ins, "cylinder", "compressed oil") -
                    EnergyAt(balance.outs, "cylinder", "compressed oil"),
                0);
      EXPECT_LT(balance.balance_error(), 1e-6) << formulation << ' ' << air;
    }
  }
}

/// Loses more than it says: F = 3 v, of which it accounts for 2 v^2.
class Forgetful final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Forgetful", .text = "Damper with a wrong account"};
  void EvaluateEfforts(double /*t*/) override { port->c = 3 * port->v; }
  void AccountEnergy(EnergyTerms& terms) const override { terms.Lost("damping", 2 * port->v * port->v); }

 private:
  TranslationalPort port{this, "port", Role::kC, "Body"};
};

/// The same without an account.
class Silent final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Silent", .text = "Damper without an account"};
  void EvaluateEfforts(double /*t*/) override { port->c = 3 * port->v; }

 private:
  TranslationalPort port{this, "port", Role::kC, "Body"};
};

std::string SlowedBody(std::string_view model) {
  return EnergySystem(fmt::format(R"(
  <mechanical.Mass name="body" mass="2 kg"><Start v="4 m/s"/></mechanical.Mass>
  <{} name="brake"/>
  <Connect from="body.b" to="brake.port"/>)",
                                  model),
                      "20 s", "runge_kutta_dopri5");
}

TEST(EnergyBalanceTest, AWrongAccountIsNamedWithWhatItLacks) {
  // Of m v0^2/2 = 16 J it lacks a third.
  const EnergyBalance balance =
      BalanceOf(SlowedBody("test.Forgetful"), [](Registry& registry) { registry.Add<Forgetful>(); });
  ASSERT_FALSE(balance.errors.empty());
  EXPECT_EQ(balance.errors.front().component, "brake");
  EXPECT_NEAR(balance.errors.front().energy, 16.0 / 3, 1e-5);
  EXPECT_NEAR(balance.balance_error(), 1.0 / 3, 1e-6);
}

TEST(EnergyBalanceTest, AModelWithoutAnAccountIsNamedWithWhatItTook) {
  const EnergyBalance balance =
      BalanceOf(SlowedBody("test.Silent"), [](Registry& registry) { registry.Add<Silent>(); });
  ASSERT_EQ(balance.strangers.size(), 1U);
  EXPECT_EQ(balance.strangers.front().component, "brake");
  EXPECT_NEAR(balance.unaccounted, 16, 1e-5);
  EXPECT_NEAR(balance.in, balance.out + balance.stored + balance.lost + balance.unaccounted, 1e-6);
  EXPECT_LT(balance.balance_error(), 1e-7);
}

/// Says itself that its account is not complete.
class Partial final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Partial", .text = "Damper with half an account"};
  void EvaluateEfforts(double /*t*/) override { port->c = 4 * port->v; }
  void AccountEnergy(EnergyTerms& terms) const override {
    terms.IsPartial();
    terms.Lost("damping", 2 * port->v * port->v);
  }

 private:
  TranslationalPort port{this, "port", Role::kC, "Body"};
};

TEST(EnergyBalanceTest, WhatAPartialAccountLacksIsUnaccounted) {
  const EnergyBalance balance =
      BalanceOf(SlowedBody("test.Partial"), [](Registry& registry) { registry.Add<Partial>(); });
  EXPECT_NEAR(balance.lost, 8, 1e-5);
  EXPECT_NEAR(balance.unaccounted, 8, 1e-5);
  EXPECT_LT(balance.balance_error(), 1e-7);
}

TEST(EnergyBalanceTest, TheErrorFallsWithTheTolerance) {
  // It is that of the run: the quadrature has none that would hide it.
  const auto error = [](std::string_view rtol) {
    return BalanceOf(EnergySystem(R"(
  <hydraulic.Volume name="left" volume="1 l"><Start p="100 bar"/></hydraulic.Volume>
  <hydraulic.Volume name="right" volume="1 l"><Start p="0 bar"/></hydraulic.Volume>
  <hydraulic.Orifice name="hole" area="1 mm2"/>
  <Connect from="left.port" to="hole.a"/>
  <Connect from="hole.b" to="right.port"/>)",
                                  "1 s", "runge_kutta_dopri5", rtol))
        .balance_error();
  };
  // In proportion to it: 7e-5 at 1e-6.
  double before = 1e-3;
  for (const char* rtol : {"1e-6", "1e-7", "1e-8", "1e-9", "1e-10"}) {
    const double now = error(rtol);
    EXPECT_LT(now, before / 5) << rtol;
    EXPECT_GT(now, 0) << rtol;
    before = now;
  }
}

/// A spring that pushes only when it is compressed, whose friction is a part of its force. Its deflection is
/// a state. It names a part of what it loses.
class Buffer : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Buffer", .text = "Spring that cannot pull"};
  void EvaluateEfforts(double /*t*/) override { port->c = 1e4 * pressed() + friction(); }
  void EvaluateDiffEquations(double /*t*/) override { x.ddt = port->v; }
  void AccountEnergy(EnergyTerms& terms) const override {
    terms.Stored("spring", 1e4 * pressed() * pressed() / 2);
    terms.Lost("friction", named_part() * friction() * port->v);
  }

 protected:
  virtual double named_part() const { return 1; }

 private:
  double pressed() const { return std::max(0.0, static_cast<double>(x)); }
  double friction() const { return 1e3 * pressed() * port->v; }

  TranslationalPort port{this, "port", Role::kC, "Body"};
  StateVariable x{this, "x", "m", "Deflection", 0.0, 1.0};
};

/// Leaves out 1 % of what it loses.
class CarelessBuffer final : public Buffer {
 public:
  static constexpr ModelInfo kInfo{.name = "test.CarelessBuffer", .text = "Buffer with a wrong account"};

 protected:
  double named_part() const override { return 0.99; }
};

/// A body at 1 m/s meets the buffer amid a step of 0.1 s, and presses it by 0.263 m. x is exact, but the
/// powers bend: k max(0, x) v and d max(0, x) v^2.
EnergyBalance BalanceOfImpact(std::string_view buffer) {
  return BalanceOf(fmt::format(R"(<System name="e" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="100 ms" StopTime="0.5 s">
    <Integration solver="ODE" method="runge_kutta4" substeps="1"/>
  </SimulatorManager>
  <mechanical.VelocitySource name="body" velocity="1 m/s"/>
  <{} name="buffer"><Start x="-0.237 m"/></{}>
  <Connect from="body.port" to="buffer.port"/>
</System>)",
                               buffer, buffer),
                   [](Registry& registry) { registry.Add<Buffer, CarelessBuffer>(); });
}

TEST(EnergyBalanceTest, ABendInThePowerIsIntegratedToo) {
  const EnergyBalance balance = BalanceOfImpact("test.Buffer");
  const double half = 0.263 * 0.263 / 2;
  EXPECT_NEAR(balance.stored, 1e4 * half, 1e-8 * half);
  EXPECT_NEAR(balance.lost, 1e3 * half, 1e-7 * 1e4 * half);
  EXPECT_NEAR(balance.in, 1.1e4 * half, 1e-7 * 1e4 * half);
  EXPECT_LT(balance.balance_error(), 1e-7);
}

TEST(EnergyBalanceTest, AHundredthOfALossThatIsLeftOutAtABendIsSeen) {
  const EnergyBalance balance = BalanceOfImpact("test.CarelessBuffer");
  const double half = 0.263 * 0.263 / 2;
  EXPECT_NEAR(EnergyAt(balance.errors, "buffer", ""), 0.01 * 1e3 * half, 1e-7 * 1e4 * half);
  EXPECT_NEAR(balance.error, 0.01 * 1e3 * half, 1e-7 * 1e4 * half);
}

/// q = K sqrt(dp), smooth near zero. It names a part of what it loses.
class Throttle : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Throttle", .text = "Orifice"};
  void EvaluateDiffEquations(double /*t*/) override {
    const double dp = a->c - b->c;
    b->q = 1e-7 * dp / std::pow(dp * dp + 1e8, 0.25);
    a->q = -b->q;
  }
  void AccountEnergy(EnergyTerms& terms) const override {
    terms.Lost("throttling", named_part() * (a->c - b->c) * b->q);
  }

 protected:
  virtual double named_part() const { return 1; }

 private:
  HydraulicPort a{this, "a", Role::kQ, "Inlet"}, b{this, "b", Role::kQ, "Outlet"};
};

class CarelessThrottle final : public Throttle {
 public:
  static constexpr ModelInfo kInfo{.name = "test.CarelessThrottle", .text = "Throttle with a wrong account"};

 protected:
  double named_part() const override { return 0.99; }
};

/// Two in series below a pressure that changes all the time, with a node between them that holds no oil.
std::string SeriesOfThrottles(std::string_view second) {
  return fmt::format(R"(<System name="e" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" StopTime="1 s">
    <Integration solver="DAE" method="ida" rtol="1e-8" atol="1e-8"/>
  </SimulatorManager>
  <signal.Sine name="pressure" amplitude="100 bar" frequency="1 rev/s" offset="120 bar"/>
  <hydraulic.PressureSource name="source"/>
  <test.Throttle name="first"/>
  <hydraulic.Junction name="node"/>
  <{} name="second"/>
  <hydraulic.Tank name="tank"/>
  <Route from="pressure.y" to="source.pressure"/>
  <Connect from="source.port" to="first.a"/>
  <Connect from="first.b" to="node.port"/>
  <Connect from="node.port" to="second.a"/>
  <Connect from="second.b" to="tank.port"/>
</System>)",
                     second);
}

void AddThrottles(Registry& registry) { registry.Add<Throttle, CarelessThrottle>(); }

TEST(EnergyBalanceTest, AlgebraicPressuresAreThoseOfTheMomentInsideAStepToo) {
  // A straight line between the pressures at the step points would let different flows through the two.
  const std::string text = SeriesOfThrottles("test.Throttle");
  const EnergyBalance balance = BalanceOf(text, AddThrottles);
  EXPECT_GT(balance.lost, 0);
  EXPECT_NEAR(EnergyAt(balance.losses, "first", ""), EnergyAt(balance.losses, "second", ""),
              1e-7 * balance.lost);  // ten times the rtol
  EXPECT_LT(balance.balance_error(), 1e-7);
  // And the run is as it is without.
  SystemHarness plain(text, AddThrottles), watched(text, AddThrottles);
  plain.Run();
  const EnergyAccounting accounting(watched.system(), watched.manager());
  watched.Run();
  EXPECT_EQ(plain.Read("node.p"), watched.Read("node.p"));
  const auto of_plain = plain.simulation().statistics(), of_watched = watched.simulation().statistics();
  EXPECT_EQ(of_plain.solver_steps, of_watched.solver_steps);
}

TEST(EnergyBalanceTest, AHundredthOfALossThatIsLeftOutBesideAlgebraicPressuresIsSeen) {
  const EnergyBalance balance = BalanceOf(SeriesOfThrottles("test.CarelessThrottle"), AddThrottles);
  EXPECT_NEAR(EnergyAt(balance.errors, "second", ""), 0.01 * EnergyAt(balance.losses, "first", ""),
              1e-7 * balance.lost);
  EXPECT_NEAR(balance.error, 0.01 * EnergyAt(balance.losses, "first", ""), 1e-7 * balance.lost);
}

TEST(EnergyMeterTest, ASmoothPieceTakesSevenLooks) {
  // The ends, two inside and three for the estimate; none of them depends on whether the account is right.
  for (const double named : {1.0, 0.9}) {
    EnergyMeter meter;
    HydraulicBond bond{{.c = 1e5, .Zc = 0}, 1e-3};
    struct Sink final : DynamicSimComponent, EnergyAccount {
      void AccountEnergy(EnergyTerms& terms) const override { terms.Lost("sink", power); }
      double power = 0;
    } sink;
    MeteredComponent metered{.component = &sink, .account = &sink};
    metered.ends.push_back({&bond, &HydraulicBond::kDomain, 1});
    meter.Add(std::move(metered));
    int looks = 0;
    meter.OnPiece(0, 0.1, true, [&](double t) {
      ++looks;
      bond.q = 1e-3 * std::exp(-t);
      sink.power = named * bond.c * bond.q;
    });
    EXPECT_EQ(looks, 7);
    const double energy = 100 * (1 - std::exp(-0.1));
    EXPECT_NEAR(meter.components()[0].port, energy, 1e-9 * energy);
    EXPECT_NEAR(meter.components()[0].terms[0].in, named * energy, 1e-9 * energy);
  }
}

TEST(EnergyBalanceTest, WhatSwingsBackIsEnergyThatMovedToo) {
  // Ten periods of 0.2 s: nothing comes in, nothing is lost, and all is where it was. k x0^2/2 = 49.348 J
  // have gone from the spring to the mass and back all the same. The start and the quarters of a period are
  // step points.
  const EnergyBalance balance = BalanceOf(EnergySystem(R"(
  <mechanical.Fixed name="wall"/>
  <mechanical.Spring name="spring" stiffness="9869.604401 N/m"/>
  <mechanical.Mass name="load" mass="10 kg"><Start x="0.1 m"/></mechanical.Mass>
  <Connect from="wall.port" to="spring.a"/>
  <Connect from="spring.b" to="load.a"/>)",
                                                       "2 s"));
  EXPECT_NEAR(balance.turnover, 49.348022, 1e-5);
  EXPECT_LT(std::abs(balance.stored), 1e-6 * balance.turnover);
  EXPECT_LT(balance.balance_error(), 1e-6);
}

/// F = 0.1 v, of whose loss it names 99 %.
class CarelessDamper final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{.name = "test.CarelessDamper", .text = "Damper with a wrong account"};
  void EvaluateEfforts(double /*t*/) override { port->c = 0.1 * port->v; }
  void AccountEnergy(EnergyTerms& terms) const override { terms.Lost("damping", 0.099 * port->v * port->v); }

 private:
  TranslationalPort port{this, "port", Role::kC, "Body"};
};

TEST(EnergyBalanceTest, AHundredthOfALossThatIsLeftOutIsSeenBesideASwing) {
  // In 2 s of exp(-t c/m) 2 % of 49.35 J are lost: a hundredth of that is 2e-4 of what swings.
  const EnergyBalance balance = BalanceOf(EnergySystem(R"(
  <mechanical.Fixed name="wall"/>
  <mechanical.Spring name="spring" stiffness="9869.604401 N/m"/>
  <mechanical.Mass name="load" mass="10 kg"><Start x="0.1 m"/></mechanical.Mass>
  <test.CarelessDamper name="damper"/>
  <Connect from="wall.port" to="spring.a"/>
  <Connect from="spring.b" to="load.a"/>
  <Connect from="load.b" to="damper.port"/>)",
                                                       "2 s"),
                                          [](Registry& registry) { registry.Add<CarelessDamper>(); });
  const double lost = 49.348022 * (1 - std::exp(-2 * 0.1 / 10));
  EXPECT_NEAR(EnergyAt(balance.losses, "damper", ""), 0.99 * lost, 1e-3 * lost);
  EXPECT_NEAR(EnergyAt(balance.errors, "damper", ""), 0.01 * lost, 1e-5 * lost);
  EXPECT_NEAR(balance.balance_error(), 0.01 * lost / balance.turnover, 1e-6);
  EXPECT_GT(balance.balance_error(), 100e-6);
}

TEST(EnergyBalanceTest, TheRunHasTheSameBitsWithAndWithoutIt) {
  const std::string text = EnergySystem(R"(
  <mechanical.Fixed name="wall"/>
  <mechanical.Spring name="spring" stiffness="4000 N/m"/>
  <mechanical.Mass name="load" mass="10 kg" weight="98 N" x_min="-0.01 m" restitution="0.5" located_stops="true">
    <Start x="0.1 m"/></mechanical.Mass>
  <Connect from="wall.port" to="spring.a"/>
  <Connect from="spring.b" to="load.a"/>)");
  SystemHarness plain(text), watched(text);
  plain.Run();
  const EnergyAccounting accounting(watched.system(), watched.manager());
  watched.Run();
  EXPECT_EQ(plain.Read("load.x"), watched.Read("load.x"));
  EXPECT_EQ(plain.Read("load.v"), watched.Read("load.v"));
  EXPECT_EQ(plain.simulation().statistics().solver_steps, watched.simulation().statistics().solver_steps);
}

TEST(EnergyMeterTest, PowerIsTheEffortThatThePortAllowsTimesTheFlow) {
  HydraulicBond oil{{.c = 2e5, .Zc = 1e8}, 1e-3};
  EXPECT_DOUBLE_EQ(PowerInto(HydraulicBond::kDomain, oil), (2e5 + 1e8 * 1e-3) * 1e-3);
  oil.c = -5e5;
  oil.p_min = -1e5;
  EXPECT_DOUBLE_EQ(PowerInto(HydraulicBond::kDomain, oil), -1e5 * 1e-3);
}

TEST(EnergyPictureTest, ShowsSourcesAndWhereTheEnergyWent) {
  EnergyBalance balance;
  balance.in = 10;
  balance.lost = balance.turnover = 10;
  balance.ins = {{"pump", "drive", 10}};
  balance.losses = {{"valve <1>", "throttling", 6}, {"valve <1>", "leakage", 3}, {"hose", "friction", 1}};
  const std::string picture = DrawEnergy(balance, "circuit");
  EXPECT_THAT(picture, HasSubstr("pump: drive, 10 J"));
  EXPECT_THAT(picture, HasSubstr("valve &lt;1&gt;, 9 J"));
  EXPECT_THAT(picture, HasSubstr("hose, 1 J"));
}

}  // namespace
}  // namespace davit
