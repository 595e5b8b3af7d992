#include "simulator/passes/wave_boundaries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/port.h"
#include "tests/support/loaded_system.h"

namespace davit {
namespace {

using testing::ElementsAre;

TEST(FindWaveBoundariesTest, AnIslandReadsTheWavesOfTheDelaysBesideIt) {
  LoadedSystem loaded(
      "<hydraulic.Volume name='v'/><hydraulic.Orifice name='inside'/><hydraulic.VolumeC name='c'/>"
      "<hydraulic.Orifice name='outside'/><hydraulic.Tank name='t'/>"
      "<Connect from='v.port' to='inside.a'/><Connect from='inside.b' to='c.port'/>"
      "<Connect from='c.port' to='outside.a'/><Connect from='outside.b' to='t.port'/>");
  const SystemPasses passes(loaded.index());
  const WaveBoundaries boundaries = FindWaveBoundaries(loaded.index(), passes.partition, passes.contexts);

  std::vector<std::string> names;
  for (const auto& end : boundaries.ends) {
    names.push_back(end.name);
    EXPECT_EQ(end.owner, &loaded.index().component(loaded["c"]));
    EXPECT_EQ(end.domain->name, "hydraulic");
  }
  EXPECT_THAT(names, ElementsAre("c.port.c", "c.port.c"));

  const auto& waves = boundaries.waves[passes.ContextOf(loaded["inside"])];
  PortBase& port = *loaded.index().component(loaded["inside"]).declarations().ports[1].port;
  EXPECT_THAT(waves, ElementsAre(&port.bond(0).c));
  std::size_t count = 0;
  for (const auto& of_context : boundaries.waves) count += of_context.size();
  EXPECT_EQ(count, 1U);  // inside the schedule waves are no boundary
}

}  // namespace
}  // namespace davit
