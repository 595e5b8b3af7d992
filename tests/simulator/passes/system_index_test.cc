#include "simulator/passes/system_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/loaded_system.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SystemIndexTest, NumbersWhatIsSimulatedInTheOrderOfTheFile) {
  const std::string inside = WriteSubsystem("system_index", "<signal.Gain name='g'/>");
  LoadedSystem loaded("<hydraulic.Volume name='v'/><Subsystem name='s' src='" + inside +
                      "'/>"
                      "<hydraulic.Tank name='t'/><hydraulic.Orifice name='o'/>"
                      "<Connect from='v.port' to='o.a'/><Connect from='o.b' to='t.port'/>");
  const SystemIndex& index = loaded.index();
  ASSERT_EQ(index.size(), 4U);  // neither the sub-system nor the manager
  EXPECT_EQ(index.component(0).path(), "v");
  EXPECT_EQ(index.component(1).path(), "s.g");
  EXPECT_EQ(index.component(3).path(), "o");
  EXPECT_TRUE(index.HasPorts(0));
  EXPECT_FALSE(index.HasPorts(1));
}

TEST(SystemIndexTest, BothEndsOfAConnectionListIt) {
  LoadedSystem loaded(
      "<hydraulic.Volume name='v'/><hydraulic.Orifice name='o'/><hydraulic.Tank name='t'/>"
      "<Connect from='o.b' to='t.port'/><Connect from='v.port' to='o.a'/>");
  const SystemIndex& index = loaded.index();
  ASSERT_EQ(index.connection_count(), 2U);
  EXPECT_THAT(index.ConnectionsOf(loaded["o"]), ElementsAre(0, 1));
  EXPECT_THAT(index.ConnectionsOf(loaded["v"]), ElementsAre(1));
  for (std::uint32_t c = 0; c < 2; ++c) {
    EXPECT_EQ(index.QSide(c), loaded["o"]);
    EXPECT_EQ(index.Partner(c, index.CSide(c)), index.QSide(c));
    EXPECT_EQ(index.Partner(c, index.QSide(c)), index.CSide(c));
  }
}

TEST(SystemIndexTest, RoutesHaveTheirEndsAndSources) {
  LoadedSystem loaded(
      "<test.Oscillator name='m'/><test.Sum name='s'/><signal.Sum name='all'/>"
      "<Route from='m.x' to='s.a'/><Route from='m.v.ddt' to='s.b'/>"
      "<Route from='s.sum' to='all.u'/><Route from='m.frequency' to='all.u'/>");
  const SystemIndex& index = loaded.index();
  const RouteSource sources[] = {RouteSource::kState, RouteSource::kDerivative, RouteSource::kOutput,
                                 RouteSource::kParameter};
  for (std::uint32_t r = 0; r < 4; ++r) {
    EXPECT_EQ(SourceOf(index.route(r)), sources[r]) << r;
    EXPECT_EQ(index.From(r), r == 2 ? loaded["s"] : loaded["m"]) << r;
    EXPECT_EQ(index.To(r), r < 2 ? loaded["s"] : loaded["all"]) << r;
  }
  EXPECT_THAT(index.RoutesFrom(loaded["m"]), ElementsAre(0, 1, 3));
  EXPECT_THAT(index.RoutesFrom(loaded["all"]), IsEmpty());
  EXPECT_EQ(OutputOf(index.route(2)).label.name, "sum");
}

}  // namespace
}  // namespace davit
