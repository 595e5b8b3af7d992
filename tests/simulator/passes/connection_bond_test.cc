#include "simulator/passes/connection_bond.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/port.h"
#include "tests/support/loaded_system.h"

namespace davit {
namespace {

using testing::ElementsAre;

std::vector<std::string> NamesOf(const std::vector<BondVariable>& variables) {
  std::vector<std::string> names;
  for (const BondVariable& variable : variables) {
    names.push_back(std::string(variable.name) + " " + std::string(variable.unit));
  }
  return names;
}

TEST(ConnectionBondTest, EachDomainHasItsOwnNames) {
  LoadedSystem loaded(
      "<hydraulic.Volume name='v'/><hydraulic.Orifice name='o'/><hydraulic.Tank name='t'/>"
      "<mechanical.Force name='f'/><mechanical.Mass name='m'/>"
      "<mechanical.Torque name='q'/><mechanical.Inertia name='i'/>"
      "<Connect from='v.port' to='o.a'/><Connect from='m.a' to='f.port'/><Connect from='q.port' to='i.b'/>"
      "<Connect from='o.b' to='t.port'/>");
  const SystemIndex& index = loaded.index();
  const Connection& oil = index.connection(0);
  EXPECT_EQ(EffortPath(oil), "v.port.p");
  EXPECT_EQ(FlowPath(oil), "o.a.q");
  EXPECT_FALSE(oil.c.port->domain->flow_is_early());
  EXPECT_THAT(NamesOf(VariablesOf(oil).c_side), ElementsAre("c Pa"));
  EXPECT_THAT(NamesOf(VariablesOf(oil).q_side), ElementsAre("q m3/s"));

  const Connection& rod = index.connection(1);
  EXPECT_EQ(EffortPath(rod), "f.port.F");
  EXPECT_EQ(FlowPath(rod), "m.a.v");
  EXPECT_EQ(AccelerationPath(rod), "m.a.a");
  EXPECT_TRUE(rod.c.port->domain->flow_is_early());
  EXPECT_THAT(NamesOf(VariablesOf(rod).q_side), ElementsAre("v m/s", "x m"));

  const Connection& shaft = index.connection(2);
  EXPECT_EQ(EffortPath(shaft), "q.port.T");
  EXPECT_EQ(FlowPath(shaft), "i.b.w");
  EXPECT_EQ(AccelerationPath(shaft), "i.b.w.ddt");
  EXPECT_TRUE(shaft.c.port->domain->flow_is_early());
  EXPECT_THAT(NamesOf(VariablesOf(shaft).c_side), ElementsAre("c N.m"));
  EXPECT_THAT(NamesOf(VariablesOf(shaft).q_side), ElementsAre("w rad/s", "angle rad"));
}

// Several connections at one array of ports: each has a bond of its own, the one its other end sees.
TEST(ConnectionBondTest, EachConnectionHasItsOwnWave) {
  LoadedSystem loaded(
      "<hydraulic.Volume name='v'/><hydraulic.Orifice name='a'/><hydraulic.Orifice name='b'/>"
      "<hydraulic.Tank name='t'/><Connect from='v.port' to='a.a'/><Connect from='v.port' to='b.a'/>"
      "<Connect from='a.b' to='t.port'/><Connect from='b.b' to='t.port'/>");
  std::vector<double*> waves;
  for (const Connection& connection : loaded.system().connections()) {
    double* wave = WaveOf(connection);
    EXPECT_EQ(wave, &connection.q.port->port->bond(0).c);
    EXPECT_EQ(wave, VariablesOf(connection).c_side.front().value);
    EXPECT_THAT(waves, testing::Not(testing::Contains(wave)));
    waves.push_back(wave);
  }
  EXPECT_EQ(waves.size(), 4U);
}

}  // namespace
}  // namespace davit
