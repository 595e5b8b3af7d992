#include "analysis/levels/level_group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "framework/aspect.h"
#include "framework/diagnostics.h"
#include "framework/indicator.h"
#include "framework/level.h"
#include "framework/registry.h"
#include "tests/support/system_harness.h"
#include "tests/support/test_models.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Models with an aspect, and an indicator at each of their levels but the highest.
class GroupedModel : public DynamicSimComponent {
 private:
  enum class Detail : std::uint8_t { kNone, kSome, kAll };
  static constexpr std::array<std::string_view, 3> kDetailNames{"None", "Some", "All"};
  Aspect<Detail> detail{this, "detail", "Detail", kDetailNames, Detail::kNone, Detail::kSome, Detail::kAll};
  Indicator neglected{this, "neglected", "Neglected", detail.Is(Detail::kNone, Detail::kSome),
                      [] { return 0.5; }};
};
class WithAllLevels final : public GroupedModel {
 public:
  static constexpr ModelInfo kInfo{
      .name = "test.All", .text = "", .levels = {Level::kIdeal, Level::kStandard, Level::kAdvanced}};
};
class WithoutStandard final : public GroupedModel {
 public:
  static constexpr ModelInfo kInfo{
      .name = "test.NoStandard", .text = "", .levels = {Level::kIdeal, Level::kAdvanced}};
};
class WithoutAdvanced final : public GroupedModel {
 public:
  static constexpr ModelInfo kInfo{
      .name = "test.NoAdvanced", .text = "", .levels = {Level::kIdeal, Level::kStandard}};
};
class WithoutIdeal final : public GroupedModel {
 public:
  static constexpr ModelInfo kInfo{
      .name = "test.NoIdeal", .text = "", .levels = {Level::kStandard, Level::kAdvanced}};
};

class LevelGroupTest : public testing::Test {
 protected:
  LevelGroupTest()
      : system_(
            R"(<System name="s"><test.All name="a"/><test.NoStandard name="b_sparse"/>
  <test.NoAdvanced name="c"/><test.IdealOnly name="b_one"/><test.NoIdeal name="b_late"/>
  <test.NoAdvanced name="b_coarse"/></System>)",
            [](Registry& registry) {
              registry.Add<WithAllLevels, WithoutStandard, WithoutAdvanced, WithoutIdeal, TestIdealOnly>();
            }) {}

  std::vector<LevelGroup> Find(const std::vector<std::string>& globs) {
    std::vector<LevelGlob> all;
    all.reserve(globs.size());
    for (const std::string& glob : globs) all.push_back({.glob = glob});
    Diagnostics diagnostics;
    std::vector<LevelGroup> groups = FindLevelGroups(system_.system(), all, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors());
    return groups;
  }

  SystemHarness system_;
};

// Law: a component that lacks the level of a rung has its next lower one, or its lowest; the highest rung has
// the highest level of each.
TEST_F(LevelGroupTest, WhoLacksALevelHasTheNextLowerOne) {
  const std::vector<LevelGroup> groups = Find({"b_*"});
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_THAT(groups[1].components, ElementsAre("b_sparse", "b_late", "b_coarse"));
  EXPECT_THAT(groups[1].rungs, ElementsAre("Ideal", "Standard", "Advanced"));
  EXPECT_THAT(groups[1].levels,
              ElementsAre(ElementsAre(Level::kIdeal, Level::kStandard, Level::kIdeal),
                          ElementsAre(Level::kIdeal, Level::kStandard, Level::kStandard),
                          ElementsAre(Level::kAdvanced, Level::kAdvanced, Level::kStandard)));
}

// Law: a group watches the indicators of those members whose level at the rung neglects something that their
// highest one does not.
TEST_F(LevelGroupTest, ARungHasTheIndicatorsOfWhoseLevelIsNotTheirHighest) {
  const std::vector<LevelGroup> groups = Find({"b_*"});
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_THAT(groups[1].indicators,
              ElementsAre(ElementsAre("b_sparse.indicator.Ideal", "b_late.indicator.Standard",
                                      "b_coarse.indicator.Ideal"),
                          ElementsAre("b_sparse.indicator.Ideal", "b_late.indicator.Standard")));
  EXPECT_THAT(groups[2].indicators, ElementsAre(ElementsAre("c.indicator.Ideal")));
  // All of them exist.
  for (const LevelGroup& group : groups) {
    for (const auto& rung : group.indicators) {
      for (const std::string& indicator : rung) EXPECT_NO_THROW(system_.Find(indicator)) << indicator;
    }
  }
}

// Law: a group has the place of its first member, a component without several levels is in none, and a
// component that no glob matches is alone with the levels that it has.
TEST_F(LevelGroupTest, GroupsAreInTheOrderOfTheSystem) {
  std::vector<std::string> names;
  for (const LevelGroup& group : Find({"b_*"})) names.push_back(group.name);
  EXPECT_THAT(names, ElementsAre("a", "b_*", "c"));
  names.clear();
  for (const LevelGroup& group : Find({})) names.push_back(group.name);
  EXPECT_THAT(names, ElementsAre("a", "b_sparse", "c", "b_late", "b_coarse"));
  const std::vector<LevelGroup> alone = Find({});
  EXPECT_THAT(alone[1].rungs, ElementsAre("Ideal", "Advanced"));
  EXPECT_THAT(alone[3].rungs, ElementsAre("Standard", "Advanced"));
  EXPECT_THAT(TopSchedule(alone, 2), ElementsAre(ElementsAre(2, 2), ElementsAre(1, 1), ElementsAre(1, 1),
                                                 ElementsAre(1, 1), ElementsAre(1, 1)));
}

}  // namespace
}  // namespace davit
