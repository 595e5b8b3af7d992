#include "simulator/passes/evaluation_contexts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/support/loaded_system.h"

namespace davit {
namespace {

using testing::ElementsAre;

/// A source, read by two bodies and, through a gain, by a third and by a signal of a fixed-step schedule.
const char* const kShared =
    "<test.Body name='a'/><signal.Sine name='s'/><signal.Gain name='g'/>"
    "<test.Body name='b'/><test.Body name='c'/>"
    "<Route from='s.y' to='a.u'/><Route from='s.y' to='b.u'/><Route from='s.y' to='g.u'/>"
    "<Route from='g.y' to='c.u'/>";

TEST(EvaluationContextsTest, MembersAndInstancesAreTwoViewsOfOneThing) {
  LoadedSystem loaded(kShared);
  const SystemPasses passes(loaded.index());
  const EvaluationContexts& contexts = passes.contexts;
  std::size_t instances = 0;
  for (std::uint32_t i = 0; i < loaded.index().size(); ++i) {
    std::set<std::uint32_t> seen;
    for (std::size_t k = 0; k < contexts.instances[i].size(); ++k, ++instances) {
      const auto [context, position] = contexts.instances[i][k];
      EXPECT_TRUE(seen.insert(context).second);  // once in each
      const ContextMember& member = contexts.members[context][position];
      EXPECT_EQ(member.number, i);
      EXPECT_EQ(member.is_copy, k > 0);
      EXPECT_EQ(member.component, k == 0 ? &loaded.index().component(i) : nullptr);
      EXPECT_EQ(contexts.FindMember(i, context), position);
    }
  }
  std::size_t members = 0;
  for (const auto& context : contexts.members) members += context.size();
  EXPECT_EQ(members, instances);
}

TEST(EvaluationContextsTest, APureComponentIsAMemberOfEachContextThatReadsIt) {
  LoadedSystem loaded(kShared);
  const SystemPasses passes(loaded.index());
  const EvaluationContexts& contexts = passes.contexts;
  for (const char* body : {"a", "b", "c"}) {
    const std::uint32_t context = passes.ContextOf(loaded[body]);
    EXPECT_NE(contexts.FindMember(loaded["s"], context), kNoNumber) << body;
    EXPECT_EQ(contexts.FindMember(loaded["g"], context) != kNoNumber, std::string(body) == "c");
  }
  EXPECT_EQ(contexts.instances[loaded["s"]].size(), 3U);
  EXPECT_EQ(contexts.instances[loaded["g"]].size(), 1U);
}

TEST(EvaluationContextsTest, PureComponentsThatNobodyReadsAreIslandsOfTheirOwn) {
  LoadedSystem loaded(
      "<signal.Sine name='s'/><signal.Gain name='g'/><Route from='s.y' to='g.u'/><signal.Sine "
      "name='other'/>");
  const SystemPasses passes(loaded.index());
  EXPECT_EQ(passes.ContextOf(loaded["s"]), passes.ContextOf(loaded["g"]));
  EXPECT_NE(passes.ContextOf(loaded["s"]), passes.ContextOf(loaded["other"]));
}

TEST(EvaluationContextsTest, SchedulesComeFirstInTheOrderOfTheRatesThenIslandsInThatOfTheFile) {
  LoadedSystem loaded(
      "<test.Body name='fast' TimeStep='0.5 ms'/><test.Body name='usual'/>"
      "<hydraulic.VolumeC name='v' TimeStep='2 ms'/><hydraulic.Orifice name='o' TimeStep='2 ms'/>"
      "<hydraulic.Tank name='t'/><Connect from='v.port' to='o.a'/><Connect from='o.b' to='t.port'/>");
  const SystemPasses passes(loaded.index());
  const EvaluationContexts& contexts = passes.contexts;
  EXPECT_THAT(passes.steps.rates, ElementsAre(2, 1, 4));
  EXPECT_EQ(contexts.schedule_count, 3U);
  EXPECT_EQ(contexts.size(), 5U);
  EXPECT_THAT(contexts.rate, ElementsAre(0, 1, 2, /* fast */ 1, /* usual */ 0));
  EXPECT_EQ(passes.ContextOf(loaded["v"]), 2U);
  EXPECT_EQ(passes.ContextOf(loaded["o"]), 2U);
  EXPECT_EQ(passes.ContextOf(loaded["fast"]), 3U);
  EXPECT_EQ(passes.ContextOf(loaded["usual"]), 4U);
  EXPECT_TRUE(contexts.instances[loaded["t"]].empty());  // constant: evaluated nowhere
}

TEST(EvaluationContextsTest, EveryContextListsTheRoutesItsMembersRead) {
  LoadedSystem loaded(kShared);
  const SystemPasses passes(loaded.index());
  for (std::uint32_t c = 0; c < passes.contexts.size(); ++c) {
    std::vector<std::uint32_t> expected;
    for (std::uint32_t r = 0; r < loaded.index().route_count(); ++r) {
      if (passes.contexts.FindMember(loaded.index().To(r), c) != kNoNumber) expected.push_back(r);
    }
    EXPECT_EQ(passes.contexts.routes_into[c], expected);
  }
}

TEST(EvaluationContextsTest, AReaderSeesAWriterInItsContextUnlessTheRouteIsHeld) {
  LoadedSystem loaded(
      "<test.Body name='a'/><test.Body name='b'/><signal.LowPass name='f'/><signal.LowPass name='g'/>"
      "<Route from='a.x' to='b.u'/><Route from='a.x' to='f.u'/><Route from='f.y' to='g.u' hold='step'/>");
  const SystemPasses passes(loaded.index());
  const auto writer = [&](std::uint32_t r) {
    const std::uint32_t context = passes.ContextOf(loaded.index().To(r));
    return passes.contexts.FindContinuousWriter(loaded.index(), r, context);
  };
  EXPECT_EQ(writer(0), kNoNumber);  // another island
  EXPECT_EQ(writer(1), passes.MemberOf(loaded["a"]));
  EXPECT_EQ(writer(2), kNoNumber);  // held
}

}  // namespace
}  // namespace davit
