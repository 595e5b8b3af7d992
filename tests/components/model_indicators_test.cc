// What all models with levels have in common in their indicators.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "components/register.h"
#include "framework/aspect.h"
#include "framework/indicator.h"
#include "framework/tree/component_pool.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

std::vector<std::string> ModelsWithIndicators() {
  Registry registry;
  RegisterComponents(registry);
  std::vector<std::string> models;
  for (const std::string& name : registry.names()) {
    ComponentPool pool;
    if (pool.Create(*registry.Find(name)).automatic_levels() != nullptr) models.push_back(name);
  }
  return models;
}

class ModelIndicators : public testing::TestWithParam<std::string> {
 protected:
  ModelIndicators() {
    RegisterComponents(registry_);
    component_ = &pool_.Create(*registry_.Find(GetParam()));
  }
  Registry registry_;
  ComponentPool pool_;
  Component* component_ = nullptr;
};

TEST_P(ModelIndicators, JudgeEveryAspectThatALowerLevelSimplifies) {
  const Level highest = component_->HighestLevel();
  const auto& aspects = component_->declarations().aspects;
  for (const Level level : kBuiltInLevels) {
    if (!component_->HasLevel(level) || level == highest) continue;
    for (std::size_t i = 0; i < aspects.size(); ++i) {
      // It acts only with spool_dynamics Forces, which no level has.
      const bool has_no_effect = aspects[i]->label().name == "flow_forces";
      if (has_no_effect || component_->OptionAt(level, i) == component_->OptionAt(highest, i)) continue;
      std::string judged;
      for (const Indicator* one : NeglectedBy(*component_, level))
        judged += one->neglecting().ToText() + '\n';
      EXPECT_THAT(judged, testing::HasSubstr(std::string(aspects[i]->label().name) + " = "))
          << aspects[i]->label().name << " at " << ToText(level);
    }
  }
}

TEST_P(ModelIndicators, ALowerLevelNeglectsAllThatAHigherOneNeglects) {
  std::vector<const Indicator*> below;
  for (const Level level : kBuiltInLevels) {
    if (!component_->HasLevel(level)) continue;
    const std::vector<const Indicator*> own = NeglectedBy(*component_, level);
    if (level != Level::kIdeal) {
      for (const Indicator* one : own) EXPECT_THAT(below, testing::Contains(one)) << one->label().name;
    }
    below = own;
  }
  EXPECT_EQ(below.size(), 0U) << "nothing is above the highest level";
}

TEST_P(ModelIndicators, AreFiniteBeforeARun) {
  component_->ParametersChanged();
  StartIndicators(*component_, 0);
  for (const Indicator* one : component_->declarations().indicators) {
    EXPECT_TRUE(std::isfinite(*one->value())) << one->label().name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ModelIndicators, testing::ValuesIn(ModelsWithIndicators()),
                         [](const auto& model) {
                           std::string name = model.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

TEST(ModelIndicatorsTest, AllModelsWithSeveralLevelsHaveThem) {
  Registry registry;
  RegisterComponents(registry);
  for (const std::string& name : registry.names()) {
    ComponentPool pool;
    const Component& component = pool.Create(*registry.Find(name));
    EXPECT_EQ(component.has_behaviours(), component.automatic_levels() != nullptr) << name;
  }
}

/// A restriction between two pressures, and what its level Standard makes of the flow.
struct Flows {
  double indicator, standard, advanced;
};
Flows FlowsAt(const std::string& dp) {
  const auto read = [&](const std::string& level, const std::string& what) {
    TestSystem test(
        SystemText("TimeStep=\"10 ms\" StopTime=\"0.02\"", "",
                   "<hydraulic.PressureSource name=\"s\" pressure=\"" + dp +
                       "\"/><hydraulic.Tank name=\"t\"/><hydraulic.Restriction name=\"r\" "
                       "diameter=\"1 mm\" laminar_coefficient=\"2000\" level=\"" +
                       level +
                       "\"/><Connect from=\"s.port\" to=\"r.a\"/>"
                       "<Connect from=\"r.b\" to=\"t.port\"/><Record signals=\"r.indicator.*\"/>"));
    test.RunAndRecord();
    return test.Read(what);
  };
  return {read("Standard", "r.indicator.laminar_flow"), read("Standard", "r.q"), read("Advanced", "r.q")};
}

TEST(ModelIndicatorsTest, ThatOfARestrictionIsTheErrorOfItsTurbulentFlow) {
  double before = 1;
  for (const std::string dp : {"2 bar", "10 bar", "50 bar", "200 bar", "1000 bar"}) {
    const Flows flows = FlowsAt(dp);
    EXPECT_NEAR(flows.indicator, std::abs(flows.standard - flows.advanced) / flows.standard, 1e-9) << dp;
    EXPECT_LT(flows.indicator, before) << "the flow is less laminar at " << dp;
    before = flows.indicator;
  }
}

/// A pump that works against a pressure: its flow and the indicators of Ideal.
TEST(ModelIndicatorsTest, ThatOfAPumpsCompensatorIsTheShareOfTheFlowItTakes) {
  for (const std::string p : {"100 bar", "290 bar", "292 bar", "295 bar", "298 bar", "320 bar"}) {
    const auto read = [&](const std::string& level, const std::string& what) {
      TestSystem test(SystemText(
          "TimeStep=\"10 ms\" StopTime=\"0.02\"", "",
          "<hydraulic.Tank name=\"t\"/><hydraulic.PressureSource name=\"s\" pressure=\"" + p +
              "\"/><hydraulic.AxialPistonPump name=\"pump\" level=\"" + level +
              "\"/><Connect from=\"t.port\" to=\"pump.in\"/><Connect from=\"pump.out\" to=\"s.port\"/>"
              "<Record signals=\"pump.indicator.*\"/>"));
      test.RunAndRecord();
      return test.Read(what);
    };
    const double ideal = read("Ideal", "pump.q_out"), standard = read("Standard", "pump.q_out");
    EXPECT_NEAR(read("Ideal", "pump.indicator.compensation"), (ideal - standard) / ideal, 1e-9) << p;
    EXPECT_NEAR(read("Standard", "pump.indicator.compensation"), (ideal - standard) / ideal, 1e-9) << p;
  }
}

/// The values at the start of a system that is all given: with and without an option.
struct AtStart {
  explicit AtStart(const std::string& content) : test(SystemText("StopTime=\"1\"", "", content)) {
    test.StartRecording();
    test.manager().Initialize();
  }
  double operator[](const std::string& path) const { return test.Read(path); }
  TestSystem test;
};

/// A cylinder that moves at a speed between two pressures.
std::string Moving(const std::string& cylinder, const std::string& v) {
  return "<hydraulic.Cylinder name=\"c\" " + cylinder +
         "/><hydraulic.PressureSource name=\"a\" pressure=\"50 bar\"/>"
         "<hydraulic.PressureSource name=\"b\" pressure=\"5 bar\"/>"
         "<mechanical.Mass name=\"m\" mass=\"1 t\"><Start x=\"1 m\" v=\"" +
         v +
         "\"/></mechanical.Mass><Connect from=\"c.rod\" to=\"m.a\"/><Connect from=\"a.port\" to=\"c.a\"/>"
         "<Connect from=\"b.port\" to=\"c.b\"/><Record signals=\"c.indicator.*\"/>";
}

TEST(ModelIndicatorsTest, ThatOfViscousSealsIsTheForceTheyTake) {
  const double area = std::numbers::pi / 4 * 0.283 * 0.283;
  double before = -1;
  for (const std::string v : {"0 m/s", "10 mm/s", "50 mm/s", "0.2 m/s"}) {
    const AtStart none(Moving("level=\"Ideal\"", v));
    const AtStart viscous(Moving("level=\"Ideal\" friction=\"Viscous\"", v));
    const double share = std::abs(none["c.force"] - viscous["c.force"]) / (area * 50e5);
    EXPECT_NEAR(none["c.indicator.viscous_seals"], share, 1e-12) << v;
    EXPECT_EQ(viscous["c.indicator.viscous_seals"], none["c.indicator.viscous_seals"]) << v;
    EXPECT_GT(share, before) << v;
    before = share;
  }
}

TEST(ModelIndicatorsTest, ThatOfASpoolShortOfItsStopIsTheFlowItKeepsBack) {
  const auto start = [](const std::string& law, const std::string& u) {
    return AtStart("<hydraulic.DirectionalControlValve name=\"v\" level=\"Ideal\" opening_law=\"" + law +
                   "\" spool=\"" + u +
                   "\"/><hydraulic.PressureSource name=\"p\" pressure=\"100 bar\"/>"
                   "<hydraulic.PressureSource name=\"a\" pressure=\"60 bar\"/>"
                   "<hydraulic.PressureSource name=\"b\" pressure=\"40 bar\"/><hydraulic.Tank name=\"t\"/>"
                   "<Connect from=\"p.port\" to=\"v.p\"/><Connect from=\"a.port\" to=\"v.a\"/>"
                   "<Connect from=\"b.port\" to=\"v.b\"/><Connect from=\"t.port\" to=\"v.t\"/>"
                   "<Record signals=\"v.indicator.*\"/>");
  };
  for (const std::string u : {"0.1", "0.4", "0.7", "0.99", "1"}) {
    const AtStart switching = start("Switching", u), linear = start("Linear", u);
    const double kept_back = 1 - linear["v.q_pa"] / switching["v.q_pa"];
    EXPECT_NEAR(switching["v.indicator.partial_opening"], kept_back, 1e-12) << u;
    EXPECT_NEAR(linear["v.indicator.partial_opening"], kept_back, 1e-12) << u;
  }
  EXPECT_EQ(start("Switching", "1")["v.indicator.partial_opening"], 0);
  // From neutral the smallest travel opens all: a level that does so must be left before it begins.
  EXPECT_EQ(start("Switching", "0")["v.indicator.partial_opening"], 1);
  EXPECT_EQ(start("Linear", "0")["v.indicator.partial_opening"], 1);
}

// At rest the bristles hold up to the static friction, which no other friction does.
TEST(ModelIndicatorsTest, ThatOfDrySealsAtRestIsTheBreakAwayForce) {
  const double area = std::numbers::pi / 4 * 0.283 * 0.283;
  for (const double static_friction : {2000.0, 9000.0}) {
    const AtStart none(
        Moving(fmt::format("level=\"Ideal\" static_friction=\"{} N\"", static_friction), "0 m/s"));
    EXPECT_NEAR(none["c.indicator.dry_seals"], static_friction / (area * 50e5), 1e-9);
  }
}

// The same leakage is a smaller share of the flow through an open valve than of that of a shut one.
TEST(ModelIndicatorsTest, ThatOfTheGapOfASpoolIsTheLeakageOverTheFlow) {
  static constexpr double kNominal = 1e-3;
  const auto start = [](const std::string& leakage, double u) {
    return AtStart(fmt::format(
        "<hydraulic.DirectionalControlValve name=\"v\" level=\"Ideal\" opening_law=\"Linear\" leakage=\"{}\" "
        "neutral_opening=\"0\" nominal_flow=\"{} m3/s\" spool=\"{}\"/><hydraulic.PressureSource name=\"p\" "
        "pressure=\"100 bar\"/>"
        "<hydraulic.PressureSource name=\"a\" pressure=\"60 bar\"/>"
        "<hydraulic.PressureSource name=\"b\" pressure=\"40 bar\"/><hydraulic.Tank name=\"t\"/>"
        "<Connect from=\"p.port\" to=\"v.p\"/><Connect from=\"a.port\" to=\"v.a\"/>"
        "<Connect from=\"b.port\" to=\"v.b\"/><Connect from=\"t.port\" to=\"v.t\"/>"
        "<Record signals=\"v.indicator.*\"/>",
        leakage, kNominal, u));
  };
  const AtStart shut = start("Gap", 0);
  const double leak = shut["v.q_pb"];  // past the edge with the largest drop
  ASSERT_GT(leak, 0);
  EXPECT_NEAR(shut["v.indicator.gap_leakage"], leak / (0.002 * kNominal), 1e-9);
  const AtStart open = start("None", 0.5);
  EXPECT_NEAR(open["v.indicator.gap_leakage"], leak / std::max(open["v.q_pa"], open["v.q_bt"]), 1e-9);
}

TEST(ModelIndicatorsTest, ThoseOfAMotorAreTheLossesOverFlowAndTorque) {
  const auto start = [](const std::string& level, const std::string& w) {
    return AtStart(
        "<hydraulic.HydraulicMotor name=\"h\" level=\"" + level +
        "\"/><hydraulic.PressureSource name=\"a\" pressure=\"150 bar\"/>"
        "<hydraulic.Tank name=\"t\"/><mechanical.Inertia name=\"i\" inertia=\"10 kg.m2\"><Start w=\"" +
        w +
        "\"/></mechanical.Inertia><Connect from=\"a.port\" to=\"h.a\"/>"
        "<Connect from=\"h.b\" to=\"t.port\"/><Connect from=\"h.shaft\" to=\"i.a\"/>"
        "<Record signals=\"h.indicator.*\"/>");
  };
  const double V = 5e-5 / (2 * std::numbers::pi);
  for (const double w : {20.0, 100.0, 250.0}) {
    const std::string speed = fmt::format("{} rad/s", w);
    const AtStart ideal = start("Ideal", speed), standard = start("Standard", speed);
    EXPECT_NEAR(ideal["h.indicator.lost_flow"], (standard["h.q"] - ideal["h.q"]) / (V * w), 1e-9) << w;
    EXPECT_NEAR(ideal["h.indicator.lost_torque"], (ideal["h.torque"] - standard["h.torque"]) / (V * 150e5),
                1e-9)
        << w;
  }
}

}  // namespace
}  // namespace davit
