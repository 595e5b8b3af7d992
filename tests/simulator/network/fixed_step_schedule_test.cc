#include "simulator/network/fixed_step_schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/loaded_system.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

std::vector<std::string> PathsOf(const TlmSchedule::Phase& phase) {
  std::vector<std::string> paths;
  for (const Component* component : phase.components) paths.push_back(component->path());
  return paths;
}

struct Schedule {
  explicit Schedule(std::string_view content)
      : loaded(content),
        passes(loaded.index()),
        plan(PlanSchedule(loaded.index(), passes.contexts, 0, passes.diagnostics)) {}
  std::uint32_t PlaceOf(const TlmSchedule::Phase& phase, std::string_view path) const {
    for (std::size_t i = 0; i < phase.components.size(); ++i) {
      if (phase.components[i]->path() == path) return phase.places[i];
    }
    return kNoNumber;
  }

  LoadedSystem loaded;
  SystemPasses passes;
  TlmSchedule::Plan plan;
};

/// Source, orifices and TLM volumes, and two chains of signals that read and drive them.
const char* const kLine =
    "<signal.Gain name='last'/><signal.LowPass name='middle'/><signal.Gain name='first'/>"
    "<hydraulic.PressureSource name='s'/><hydraulic.Orifice name='o'/><hydraulic.VolumeC name='v'/>"
    "<hydraulic.Orifice name='p'/><hydraulic.VolumeC name='w'/><signal.Gain name='other'/>"
    "<Connect from='s.port' to='o.a'/><Connect from='o.b' to='v.port'/><Connect from='v.port' to='p.a'/>"
    "<Connect from='p.b' to='w.port'/>"
    "<Route from='o.q' to='first.u'/><Route from='first.y' to='middle.u'/><Route from='middle.y' "
    "to='last.u'/>"
    "<Route from='p.q' to='other.u'/>";

TEST(PlanScheduleTest, EveryMemberRunsInOnePhase) {
  const Schedule schedule(kLine);
  EXPECT_EQ(TextOf(schedule.passes.diagnostics), "");
  EXPECT_THAT(PathsOf(schedule.plan.c), UnorderedElementsAre("s", "v", "w"));
  EXPECT_THAT(PathsOf(schedule.plan.q), UnorderedElementsAre("o", "p"));
  EXPECT_THAT(PathsOf(schedule.plan.signals), UnorderedElementsAre("first", "middle", "last", "other"));
  EXPECT_EQ(schedule.plan.members.size(), 9U);
  std::vector<std::string> waves;
  for (const TlmComponent* component : schedule.plan.waves) waves.push_back(component->path());
  EXPECT_THAT(waves, UnorderedElementsAre("v", "w"));
}

TEST(PlanScheduleTest, SignalsRunAfterThoseTheyReadAndShareThePlaceOfTheirFirst) {
  const Schedule schedule(kLine);
  const std::vector<std::string> order = PathsOf(schedule.plan.signals);
  const auto position = [&](const char* path) { return std::find(order.begin(), order.end(), path); };
  EXPECT_LT(position("first"), position("middle"));
  EXPECT_LT(position("middle"), position("last"));
  for (const char* path : {"first", "middle", "last"}) {
    EXPECT_EQ(schedule.PlaceOf(schedule.plan.signals, path), schedule.loaded["last"]) << path;
  }
  EXPECT_EQ(schedule.PlaceOf(schedule.plan.signals, "other"), schedule.loaded["other"]);
  EXPECT_EQ(schedule.PlaceOf(schedule.plan.c, "w"), schedule.loaded["w"]);
}

TEST(PlanScheduleTest, ComponentsOfOneModelAreOneBatch) {
  const Schedule schedule(kLine);
  EXPECT_EQ(schedule.plan.c.batches.size(), 2U);  // source, volumes
  ASSERT_EQ(schedule.plan.q.batches.size(), 1U);
  EXPECT_EQ(schedule.plan.q.batches[0].count, 2U);
}

// Evaluated at the start time: signals, then efforts, then flows, and no TlmComponent.
TEST(PlanScheduleTest, EvaluationsHaveEffortsBeforeFlows) {
  const Schedule schedule(kLine);
  const std::vector<std::string> paths = PathsOf(schedule.plan.evaluations);
  ASSERT_EQ(paths.size(), 7U);
  EXPECT_THAT(std::vector<std::string>(paths.begin() + 4, paths.end()), ElementsAre("s", "o", "p"));
}

TEST(PlanScheduleTest, ALoopOfSignalsIsReported) {
  Schedule schedule(
      "<test.Sum name='a' solver='Tlm'/><test.Body name='m'/>"
      "<Route from='m.x' to='a.b' hold='step'/><Route from='a.sum' to='a.a'/>");
  EXPECT_THAT(TextOf(schedule.passes.diagnostics), HasSubstr("/a: algebraic loop: a.sum -> a.sum"));
  EXPECT_TRUE(schedule.plan.signals.components.empty());
}

TEST(CheckEventsOfScheduleTest, EventsCannotBeLocatedInFixedSteps) {
  LoadedSystem loaded("<signal.Threshold name='t' solver='Tlm'/><signal.Gain name='g' solver='Tlm'/>");
  SystemPasses passes(loaded.index());
  Diagnostics diagnostics;
  CheckEventsOfSchedule(passes.contexts, 0, diagnostics);
  ASSERT_EQ(diagnostics.all().size(), 1U);
  EXPECT_THAT(TextOf(diagnostics),
              HasSubstr("/t: its events cannot be located in a fixed-step (TLM) component"));
}

}  // namespace
}  // namespace davit
