#include "framework/system.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "components/register.h"
#include "framework/port.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

class SystemTest : public testing::Test {
 protected:
  SystemTest() : system(Models()) {}

  static const Registry& Models() {
    static const Registry registry = [] {
      Registry all;
      RegisterSimulator(all);
      RegisterComponents(all);
      return all;
    }();
    return registry;
  }
  Component& Add(std::string_view model, std::string name, Component* parent = nullptr) {
    return system.Create(*Models().Find(model), std::move(name), parent == nullptr ? system.root() : *parent,
                         {});
  }
  Component& root() { return system.root(); }
  PortRef Port(std::string_view path) { return *system.FindPort(root(), path, &fault); }
  std::string FaultOfConnect(std::string_view from, std::string_view to) {
    Diagnostics diagnostics;
    system.Connect(Port(from), Port(to), {}, root(), diagnostics);
    return diagnostics.all().empty() ? "" : diagnostics.all().front().message();
  }
  std::string FaultOfRoute(std::string_view from, std::string_view to) {
    Diagnostics diagnostics;
    Route route = *system.FindRouteTarget(root(), to, &fault);
    route.from = *system.FindVariable(root(), from, &fault);
    system.AddRoute(std::move(route), root(), diagnostics);
    return diagnostics.all().empty() ? "" : diagnostics.all().front().message();
  }
  Assignment Write(std::string_view path, std::string_view value) {
    return *system.FindAssignment(root(), path, value, &fault);
  }
  double Read(std::string_view path) { return system.FindVariable(root(), path, &fault)->Read(); }

  System system;
  Fault fault;
};

TEST_F(SystemTest, FindsComponentsByPath) {
  EXPECT_EQ(system.Find(""), &root());
  Component& load = Add("mechanical.Mass", "load");
  EXPECT_EQ(system.Find("load"), &load);
  EXPECT_EQ(system.Find("lod"), nullptr);
  EXPECT_EQ(system.components(), std::vector<Component*>{&load});
}

TEST_F(SystemTest, OwnerOfGoesAsFarAsThePathLeads) {
  Component& load = Add("mechanical.Mass", "load");
  EXPECT_EQ(&system.OwnerOf(root(), "load.a"), &load);
  EXPECT_EQ(&system.OwnerOf(root(), "load"), &load);
  EXPECT_EQ(&system.OwnerOf(root(), "load.no.such.thing"), &load);
  EXPECT_EQ(&system.OwnerOf(root(), "nothing.a"), &root());
  EXPECT_EQ(&system.OwnerOf(root(), ""), &root());
  EXPECT_EQ(&system.OwnerOf(root(), std::string(100'000, '.')), &root());
}

TEST_F(SystemTest, AConnectionJoinsOneCAndOneQPortInAnyOrder) {
  Add("mechanical.Spring", "s1");
  Add("mechanical.Spring", "s2");
  Add("mechanical.Mass", "m");
  EXPECT_EQ(FaultOfConnect("s1.a", "m.a"), "");
  EXPECT_EQ(FaultOfConnect("m.b", "s1.b"), "");
  ASSERT_EQ(system.connections().size(), 2U);
  for (const Connection& connection : system.connections()) {
    EXPECT_EQ(connection.c.owner->name(), "s1");
    EXPECT_EQ(connection.q.owner->name(), "m");
    EXPECT_EQ(connection.c.port->role, Role::kC);
    EXPECT_EQ(&connection.c.port->port->bond(0), &connection.q.port->port->bond(0));
  }
  EXPECT_NE(FaultOfConnect("s1.a", "s2.a"), "");
  EXPECT_NE(FaultOfConnect("s1.a", "m.a"), "");  // a single port takes one connection
  EXPECT_EQ(FaultOfConnect("s2.a", "m.a"), "");  // an array takes many
  EXPECT_EQ(system.connections().size(), 3U);
}

TEST_F(SystemTest, ARefusedConnectionLeavesNothingBehind) {
  Add("mechanical.Spring", "s1");
  Add("mechanical.Mass", "m");
  Add("hydraulic.Tank", "tank");
  EXPECT_EQ(FaultOfConnect("s1.a", "s1.a"),
            "cannot connect s1.a (translational, C) to itself; a connection joins two ports");
  EXPECT_NE(FaultOfConnect("tank.port", "m.a"), "");
  EXPECT_TRUE(system.connections().empty());
  EXPECT_EQ(Port("m.a").port->port->bond_count(), 0U);
  EXPECT_EQ(FaultOfConnect("s1.a", "m.a"), "");
}

TEST_F(SystemTest, ExposedNamesLeadToTheirTargetThroughSeveralSteps) {
  Add("mechanical.Mass", "load");
  system.Expose("outer", "inner");
  system.Expose("inner", "load.a");
  EXPECT_EQ(Port("outer").path, "load.a");
  system.Expose("whole", "load");
  EXPECT_EQ(Port("whole.b").path, "load.b");
}

TEST_F(SystemTest, ExposedNamesInACircleAreAFault) {
  system.Expose("a", "b");
  system.Expose("b", "a");
  EXPECT_FALSE(system.FindPort(root(), "a", &fault));
  EXPECT_EQ(
      fault.ToText(),
      "circular <Expose>: 'a' leads back to itself; let one of the names refer to a component's own port");
  system.Expose("c", "c.c");
  EXPECT_FALSE(system.FindPort(root(), "c", &fault));
}

TEST_F(SystemTest, ItemsOfAComponentStandPrimaryFirst) {
  Component& load = Add("mechanical.MassSpringDamper", "msd");
  std::vector<std::string> primary;
  std::vector<std::string> others;
  for (const Item& variable : system.ItemsOf(load)) {
    (variable.is_primary() ? primary : others).push_back(variable.path());
    EXPECT_TRUE(others.empty() || !variable.is_primary());
  }
  EXPECT_EQ(primary, (std::vector<std::string>{"msd.x", "msd.v", "msd.force"}));
  EXPECT_EQ(others, (std::vector<std::string>{"msd.x.ddt", "msd.v.ddt", "msd.mass", "msd.stiffness",
                                              "msd.damping", "msd.solver", "msd.TimeStep"}));
}

TEST_F(SystemTest, EveryVariableIsFoundByItsPath) {
  Add("mechanical.Spring", "s1");
  Add("mechanical.Spring", "s2");
  Add("mechanical.Mass", "m");
  FaultOfConnect("s1.b", "m.a");
  FaultOfConnect("s2.b", "m.a");
  for (Component* component : system.components()) {
    for (const Item& variable : system.ItemsOf(*component)) {
      if (!variable.is_signal()) continue;
      const auto found = system.FindVariable(root(), variable.path(), &fault);
      ASSERT_TRUE(found) << variable.path() << ' ' << fault.ToText();
      EXPECT_EQ(found->kind(), variable.kind());
      EXPECT_EQ(found->place(), variable.place()) << variable.path();
      EXPECT_EQ(found->slot(), variable.slot()) << variable.path();
    }
  }
  EXPECT_TRUE(system.FindVariable(root(), "m.a[1].F", &fault));
  EXPECT_FALSE(system.FindVariable(root(), "m.a[2].F", &fault));
  EXPECT_FALSE(system.FindVariable(root(), "m.a.F", &fault));
  EXPECT_FALSE(system.FindVariable(root(), "m.x[0]", &fault));
}

TEST_F(SystemTest, AnInputTakesOneRouteAndAnArrayMany) {
  Add("signal.Sine", "sine");
  Add("signal.Gain", "gain");
  Add("signal.Sum", "sum");
  EXPECT_EQ(FaultOfRoute("sine.y", "gain.u"), "");
  EXPECT_EQ(
      FaultOfRoute("sine.y", "gain.u"),
      "input gain.u has a route already, from sine.y; an input takes one route: add signals with signal.Sum");
  EXPECT_EQ(FaultOfRoute("sine.y", "sum.u"), "");
  EXPECT_EQ(FaultOfRoute("gain.y", "sum.u"), "");
  ASSERT_EQ(system.routes().size(), 3U);
  EXPECT_EQ(system.routes()[1].element, 0U);
  EXPECT_EQ(system.routes()[2].element, 1U);
}

TEST_F(SystemTest, ARouteKeepsTheDimension) {
  Add("mechanical.Mass", "m");
  Add("mechanical.MassSpringDamper", "msd");
  Add("signal.Gain", "gain");
  EXPECT_EQ(FaultOfRoute("m.x", "msd.force"),
            "cannot route m.x [m] to msd.force [N]: different dimensions; put a signal.Gain with fitting "
            "units between "
            "them");
  EXPECT_EQ(FaultOfRoute("m.x", "gain.u"), "");
  EXPECT_EQ(FaultOfRoute("gain.y", "msd.force"), "");
}

TEST_F(SystemTest, ARouteFromADerivativeKeepsTheDimensionToo) {
  Add("mechanical.Mass", "m");
  Add("mechanical.Mass", "heavy");
  Add("mechanical.MassSpringDamper", "msd");
  Add("mechanical.VelocitySource", "drive");
  Add("signal.Gain", "gain");
  EXPECT_EQ(
      FaultOfRoute("m.v.ddt", "msd.force"),
      "cannot route m.v.ddt [m/s2] to msd.force [N]: different dimensions; put a signal.Gain with fitting "
      "units between them");
  EXPECT_EQ(
      FaultOfRoute("m.v.ddt", "heavy.mass"),
      "cannot route m.v.ddt [m/s2] to heavy.mass [kg]: different dimensions; put a signal.Gain with fitting "
      "units between them");
  EXPECT_EQ(FaultOfRoute("m.x.ddt", "drive.velocity"), "");  // m/s
  EXPECT_EQ(FaultOfRoute("m.v.ddt", "gain.u"), "");
  EXPECT_EQ(FaultOfRoute("gain.y", "msd.force"), "");
}

TEST_F(SystemTest, WhatIsNoSignalIsNotRouted) {
  Add("mechanical.Mass", "m");
  Add("signal.Gain", "gain");
  Add("signal.Sum", "sum");
  Add("SimulatorManager", "SimulatorManager");
  Add("mechanical.Spring", "s");
  FaultOfConnect("s.a", "m.a");
  for (const char* from : {"gain.u", "SimulatorManager.TimeStep", "s.a.F", "m.a[0].x"}) {
    EXPECT_NE(FaultOfRoute(from, "sum.u").find("a route begins at an output"), std::string::npos) << from;
  }
  for (const char* from : {"m.x", "m.x.ddt", "m.mass", "gain.y"})
    EXPECT_EQ(FaultOfRoute(from, "sum.u"), "") << from;
}

TEST_F(SystemTest, WritesReachParametersInputsPropertiesStatesAndStarts) {
  Component& volume = Add("hydraulic.Volume", "volume");
  Component& msd = Add("mechanical.MassSpringDamper", "msd");
  system.ApplyAtLoad(Write("volume.volume", "3 l"));
  EXPECT_EQ(Read("volume.volume"), 3e-3);
  system.ApplyAtLoad(Write("volume.formulation", "quantity"));
  EXPECT_EQ(volume.declarations().properties.back()->ToText(), "quantity");
  system.ApplyAtLoad(Write("volume.p", "7 bar"));
  EXPECT_EQ(*volume.declarations().starts.front().value, 7e5);
  EXPECT_TRUE(*volume.declarations().starts.front().is_given);
  system.ApplyAtLoad(Write("msd.force", "2 kN"));
  EXPECT_EQ(Read("msd.force"), 2000);
  system.ApplyAtLoad(Write("msd.v", "3 m/s"));
  EXPECT_EQ(msd.declarations().states[1].start, std::vector<double>{3});
  EXPECT_TRUE(msd.declarations().states[1].is_start_given);
  EXPECT_FALSE(msd.declarations().states[0].is_start_given);
}

TEST_F(SystemTest, ARefusedWriteChangesNothing) {
  Add("mechanical.Mass", "m");
  for (const char* value : {"", "-1", "0 kg", "3 m", "nan", "1e400", "kg"}) {
    EXPECT_FALSE(system.FindAssignment(root(), "m.mass", value, &fault)) << value;
    EXPECT_TRUE(fault);
  }
  EXPECT_EQ(Read("m.mass"), 1);
}

TEST_F(SystemTest, StructuralItemsAreMarked) {
  Add("hydraulic.Cylinder", "c");
  EXPECT_TRUE(Write("c.bore", "1 m").item.is_structural());
  EXPECT_FALSE(Write("c.rod_mass", "1 kg").item.is_structural());
  EXPECT_TRUE(Write("c.x", "1 m").item.is_structural());  // a start value
  EXPECT_TRUE(Write("c.solver", "Tlm").item.is_structural());
}

TEST_F(SystemTest, CommandsAreOrderedByTimeAndThenAsAdded) {
  Add("mechanical.Mass", "m");
  for (const auto& [time, value] :
       std::vector<std::pair<double, const char*>>{{2, "1"}, {1, "2"}, {2, "3"}, {0, "4"}, {1, "5"}}) {
    system.AddCommand({.time = time, .action = Write("m.mass", value)});
  }
  std::string order;
  for (const Command& command : system.schedule()) order += command.write()->text;
  EXPECT_EQ(order, "42513");
}

TEST_F(SystemTest, MessagesAreFoundOnWholeComponentsOnly) {
  Add("SimulatorManager", "SimulatorManager");
  EXPECT_TRUE(system.FindMessage(root(), "SimulatorManager", "Stop", &fault));
  EXPECT_FALSE(system.FindMessage(root(), "SimulatorManager", "stop", &fault));
  EXPECT_EQ(fault.ToText(), "no message 'stop' on SimulatorManager; did you mean 'Stop'?");
  EXPECT_FALSE(system.FindMessage(root(), "SimulatorManager.fs", "Stop", &fault));
  EXPECT_FALSE(system.FindMessage(root(), "Manager", "Stop", &fault));
  EXPECT_FALSE(system.FindMessage(root(), "", "Stop", &fault));
}

TEST_F(SystemTest, AShadowHasTheValuesAndStandsOutsideOfTheTree) {
  Component& sine = Add("signal.Sine", "sine");
  system.ApplyAtLoad(Write("sine.amplitude", "3"));
  Component& copy = system.MakeShadow(sine);
  EXPECT_EQ(*copy.declarations().parameters.front().value, 3);
  EXPECT_EQ(system.components(), std::vector<Component*>{&sine});
  EXPECT_EQ(system.Find("sine"), &sine);
  system.ApplyAtLoad(Write("sine.amplitude", "4"));
  EXPECT_EQ(*copy.declarations().parameters.front().value, 3);
  system.CopyValues(sine, copy);
  EXPECT_EQ(*copy.declarations().parameters.front().value, 4);
}

TEST_F(SystemTest, PathsOfAnyKindAreAnswered) {
  Add("mechanical.Mass", "m");
  const std::string dots(3000, '.');
  const std::string long_path(1'000'000, '.');
  for (const std::string& path :
       std::vector<std::string>{"", ".", "..", "m", "m.", ".m", "m..a", "m.a.b", "m.x[", "[", "m.[0]", "*",
                                " ", "m/a", dots, long_path, std::string(1, '\0')}) {
    fault = {};
    EXPECT_FALSE(system.FindPort(root(), path, &fault)) << path.substr(0, 10);
    EXPECT_FALSE(fault.what.empty() || fault.remedy.empty()) << fault.ToText();
    fault = {};
    EXPECT_FALSE(system.FindVariable(root(), path, &fault));
    EXPECT_FALSE(fault.what.empty() || fault.remedy.empty()) << fault.ToText();
    fault = {};
    EXPECT_FALSE(system.FindRouteTarget(root(), path, &fault));
    EXPECT_FALSE(fault.what.empty() || fault.remedy.empty()) << fault.ToText();
    fault = {};
    EXPECT_FALSE(system.FindAssignment(root(), path, "1", &fault));
    EXPECT_FALSE(fault.what.empty() || fault.remedy.empty()) << fault.ToText();
  }
}

}  // namespace
}  // namespace davit
