// What all models with faults have in common.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "components/register.h"
#include "framework/item.h"
#include "framework/tree/component_pool.h"
#include "framework/tree/item_list.h"
#include "session/simulation.h"

namespace davit {
namespace {

std::vector<std::string> ModelsWithFaults() {
  Registry registry;
  RegisterComponents(registry);
  std::vector<std::string> models;
  for (const std::string& name : registry.names()) {
    ComponentPool pool;
    if (!pool.Create(*registry.Find(name)).declarations().fault_modes.empty()) models.push_back(name);
  }
  return models;
}

class FaultModes : public testing::TestWithParam<std::string> {};

TEST_P(FaultModes, AreValuesOfLiveItems) {
  Registry registry;
  RegisterComponents(registry);
  ComponentPool pool;
  Component& component = pool.Create(*registry.Find(GetParam()));
  const std::vector<Item> items = ListItems(component);
  std::set<std::string_view> names;
  for (const FaultModeDeclaration& fault : component.declarations().fault_modes) {
    EXPECT_TRUE(names.insert(fault.label.name).second) << fault.label.name << " is declared twice";
    EXPECT_FALSE(fault.label.text.empty() || fault.label.text.ends_with('.'));
    const auto item = std::ranges::find(items, fault.item, &Item::name);
    ASSERT_NE(item, items.end()) << fault.item;
    EXPECT_TRUE(item->is_writable()) << fault.item;
    const double value = fault.is_multiple ? fault.value * item->Read() : fault.value;
    EXPECT_TRUE(item->IsValid(value)) << fault.label.name;
    EXPECT_NE(value, item->Read()) << fault.label.name << " changes nothing";
  }
}

INSTANTIATE_TEST_SUITE_P(All, FaultModes, testing::ValuesIn(ModelsWithFaults()), [](const auto& model) {
  std::string name = model.param;
  std::ranges::replace(name, '.', '_');
  return name;
});

class SensorFaultsTest : public testing::Test {
 protected:
  static constexpr double kPressure = 50e5;
  SensorFaultsTest() {
    simulation_ =
        Simulation::LoadText(R"(<System name="sensor"><SimulatorManager TimeStep="10 ms" StopTime="100 s">
        <Integration solver="ODE"/></SimulatorManager>
        <hydraulic.PressureSource name="source" pressure="50 bar"/>
        <hydraulic.PressureSensor name="sensor"/><hydraulic.PressureSensor name="other"/>
        <signal.Integrator name="sum"/>
        <Connect from="sensor.port" to="source.port"/><Connect from="other.port" to="source.port"/>
        <Route from="sensor.p" to="sum.u"/></System>)",
                             "sensor.xml", registry_)
            .Take();
    simulation_->Initialize();
  }
  double Shown() { return simulation_->Read("sensor.p"); }

  const Registry registry_ = AllModels();
  std::unique_ptr<Simulation> simulation_;
};

TEST_F(SensorFaultsTest, BiasAndDriftAddUpFromWhenTheyAreSet) {
  simulation_->RunUntil(1);
  EXPECT_EQ(Shown(), kPressure);
  simulation_->Write("sensor.bias", 2e5);
  simulation_->RunUntil(2);
  EXPECT_EQ(Shown(), kPressure + 2e5);
  simulation_->Write("sensor.drift", 1e5);
  EXPECT_NEAR(Shown(), kPressure + 2e5, 1);
  simulation_->RunUntil(5);
  EXPECT_NEAR(Shown(), kPressure + 2e5 + 3e5, 1);
  simulation_->Write("sensor.drift", 0);
  simulation_->Write("sensor.bias", 0);
  EXPECT_EQ(Shown(), kPressure);
}

TEST_F(SensorFaultsTest, ALostSignalShowsItsValueAndAFrozenOneTheLast) {
  simulation_->RunUntil(1);
  simulation_->WriteText("sensor.signal", "frozen");
  simulation_->Write("source.pressure", 80e5);
  simulation_->RunUntil(2);
  EXPECT_EQ(Shown(), kPressure);
  simulation_->WriteText("sensor.signal", "lost");
  EXPECT_EQ(Shown(), 0);
  simulation_->WriteText("sensor.signal", "present");
  EXPECT_EQ(Shown(), 80e5);
}

/// Of an even distribution on -a .. a the mean is 0 and the mean square a^2/3; within six standard errors.
TEST_F(SensorFaultsTest, NoiseIsEvenlyDistributedAndTheSameInEachRun) {
  constexpr double a = 5e5;
  simulation_->Write("sensor.noise", a);
  simulation_->Write("other.noise", a);
  const auto values = [this] {
    std::vector<double> all;
    simulation_->Initialize();
    while (all.size() < 4000) {
      simulation_->Step();
      all.push_back((Shown() - kPressure) / a);
    }
    return all;
  };
  const std::vector<double> first = values();
  EXPECT_EQ(first, values());
  EXPECT_NE(simulation_->Read("other.p"), Shown()) << "each sensor has its own noise";
  double mean = 0, square = 0;
  for (const double value : first) {
    EXPECT_LE(std::abs(value), 1);
    mean += value / static_cast<double>(first.size());
    square += value * value / static_cast<double>(first.size());
  }
  EXPECT_NEAR(mean, 0, 6 / std::sqrt(3.0 * 4000));
  EXPECT_NEAR(square, 1.0 / 3, 6 * std::sqrt((1.0 / 5 - 1.0 / 9) / 4000));
}

/// Also in the middle of a drift and with a frozen signal.
TEST_F(SensorFaultsTest, ARunContinuesFromASnapshotBitForBit) {
  simulation_->Write("sensor.drift", 1e5);
  simulation_->Write("sensor.noise", 1e5);
  simulation_->RunUntil(1);
  simulation_->WriteText("other.signal", "frozen");
  simulation_->Write("source.pressure", 80e5);
  simulation_->RunUntil(2);
  const std::unique_ptr<Simulation> copy = simulation_->Clone();
  for (Simulation* one : {simulation_.get(), copy.get()}) one->RunUntil(3);
  for (const char* path : {"sensor.p", "other.p", "sum.y"})
    EXPECT_EQ(copy->Read(path), simulation_->Read(path)) << path;
}

}  // namespace
}  // namespace davit
