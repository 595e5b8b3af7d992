// <Panel>: levers, buttons and lamps of an operator. What is wrong is in tests/errors/panel.xml.

#include "framework/xml/panel_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "components/register.h"
#include "framework/xml/system_loader.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

using testing::IsEmpty;

struct PanelSystem {
  explicit PanelSystem(const std::string& inside) {
    RegisterSimulator(registry);
    RegisterComponents(registry);
    system = LoadSystemText("<System>" + inside + "</System>", "test.xml", registry, {}, diagnostics);
  }
  std::vector<std::string> Faults() const {
    std::vector<std::string> faults;
    for (const Diagnostic& diagnostic : diagnostics.SortedByPlace()) faults.push_back(ToText(diagnostic));
    return faults;
  }
  const PanelContent& ContentOf(const std::string& path) const {
    return dynamic_cast<const OperatorPanel&>(*system->Find(path)).content();
  }

  Registry registry;
  Diagnostics diagnostics;
  std::unique_ptr<System> system;
};

constexpr const char* kModels = R"(
  <signal.Constant name="hand"/><signal.Constant name="foot"/><mechanical.Mass name="load"/>
  <hydraulic.AxialPistonPump name="pump"/><hydraulic.Tank name="tank"/>
  <Connect from="pump.in" to="tank.port"/><Connect from="pump.out" to="tank.port"/>)";

TEST(PanelReader, ALeverHasItsEndsInSi) {
  const PanelSystem read(std::string(kModels) +
                         R"(<Panel name="cabin" title="Cabin" timeout="250 ms" lost_event="stop">
    <Lever name="speed" set="pump.speed" low="600 rpm" high="1800 rpm" neutral="1200 rpm" dead_band="5 %"/></Panel>)");
  ASSERT_THAT(read.Faults(), IsEmpty());
  const PanelContent& content = read.ContentOf("cabin");
  EXPECT_EQ(content.title, "Cabin");
  EXPECT_EQ(content.timeout, 0.25);
  EXPECT_EQ(content.lost_event, "stop");
  const PanelElement& lever = content.elements.at(0);
  constexpr double kRpm = 3.14159265358979323846 / 30;
  EXPECT_EQ(lever.kind, "Lever");
  EXPECT_EQ(lever.label, "speed");
  EXPECT_TRUE(lever.has_spring);
  EXPECT_DOUBLE_EQ(lever.dead_band, 0.05);
  const PanelAxis& axis = lever.axes.at(0);
  EXPECT_EQ(axis.item.path(), "pump.speed");
  EXPECT_DOUBLE_EQ(axis.low, 600 * kRpm);
  EXPECT_DOUBLE_EQ(axis.neutral, 1200 * kRpm);
  EXPECT_DOUBLE_EQ(axis.high, 1800 * kRpm);
}

TEST(PanelReader, WhatIsNotGivenComesFromTheItemOrIsNeutral) {
  const PanelSystem read(std::string(kModels) + R"(<Panel name="cabin">
    <Lever name="side" set="hand.value" low="-2" high="1" spring="false"/>
    <Lever name="up" set="hand.value" low="2" high="3"/>
    <Joystick name="stick" x="hand.value" y="foot.value" low="-1" high="1"/>
    <Switch name="on" set="hand.value"/></Panel>)");
  ASSERT_THAT(read.Faults(), IsEmpty());
  const auto& elements = read.ContentOf("cabin").elements;
  EXPECT_EQ(read.ContentOf("cabin").title, "cabin");
  EXPECT_FALSE(elements.at(0).has_spring);
  EXPECT_EQ(elements.at(0).axes.at(0).neutral, 0);
  EXPECT_EQ(elements.at(1).axes.at(0).neutral, 2);
  ASSERT_EQ(elements.at(2).axes.size(), 2U);
  EXPECT_EQ(elements.at(2).axes[1].item.path(), "foot.value");
  EXPECT_EQ(elements.at(3).axes.at(0).high, 1);
}

TEST(PanelReader, AGaugeHasLimitsAsNumbersOrItems) {
  const PanelSystem read(std::string(kModels) + R"(<Panel name="cabin">
    <Gauge name="a" show="pump.p_out" low="0 bar" high="400 bar" warning="300 bar" alarm_item="pump.set_pressure"/>
    <Gauge name="b" show="pump.p_out" low="0 bar" high="400 bar" alarm_item="hand.y" bad="below"/>
    <Gauge name="c" show="pump.p_out" low="0 bar" high="400 bar"/></Panel>)");
  ASSERT_THAT(read.Faults(), IsEmpty());
  const auto& elements = read.ContentOf("cabin").elements;
  ASSERT_EQ(elements.at(0).limits.size(), 2U);
  EXPECT_EQ(elements[0].limits[0].severity, "warning");
  EXPECT_DOUBLE_EQ(elements[0].limits[0].value, 300e5);
  EXPECT_FALSE(elements[0].limits[0].item);
  EXPECT_EQ(elements[0].limits[1].severity, "alarm");
  ASSERT_TRUE(elements[0].limits[1].item);
  EXPECT_EQ(elements[0].limits[1].item->path(), "pump.set_pressure");
  ASSERT_EQ(elements.at(1).limits.size(), 1U);  // an item without unit is in SI
  EXPECT_EQ(elements[1].limits[0].item->path(), "hand.y");
  EXPECT_FALSE(elements[0].is_bad_below);
  EXPECT_TRUE(elements[1].is_bad_below);
  EXPECT_THAT(elements.at(2).limits, IsEmpty());
}

TEST(PanelReader, AButtonHasTheLineOfCommandsThatDoesTheSame) {
  const PanelSystem read(std::string(kModels) + R"(<Panel name="cabin">
    <Button name="a" event="lift"/><Button name="b" set="load.mass" value="8 t"/>
    <Button name="c" message="Reset" to="SimulatorManager"/><Button name="d" message="SetLevel" to="pump" value="Ideal"/>
    </Panel>)");
  ASSERT_THAT(read.Faults(), IsEmpty());
  std::vector<std::string> commands;
  for (const PanelElement& element : read.ContentOf("cabin").elements) commands.push_back(element.command);
  EXPECT_THAT(commands,
              testing::ElementsAre("event lift", "set load.mass 8 t", "message SimulatorManager Reset",
                                   "message pump SetLevel Ideal"));
}

TEST(PanelReader, APanelHasAnAlarmAndMayRepeatElements) {
  const PanelSystem read(R"(<For name="i" from="1" to="3"><signal.Constant name="hand{i}"/></For>
    <Panel name="cabin"><For name="i" from="1" to="3">
      <Slider name="hand{i}" set="hand{i}.value" low="0" high="{i}"/></For>
      <AlarmList name="alarms" from="cabin.operator_lost"/></Panel>)");
  ASSERT_THAT(read.Faults(), IsEmpty());
  const auto& elements = read.ContentOf("cabin").elements;
  ASSERT_EQ(elements.size(), 4U);
  EXPECT_EQ(elements[2].axes.at(0).item.path(), "hand3.value");
  EXPECT_EQ(elements[2].axes.at(0).high, 3);
  EXPECT_FALSE(elements[2].has_spring);
}

}  // namespace
}  // namespace davit
