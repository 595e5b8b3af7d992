#include "results/panel.h"
#include "tests/support/special_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace davit {
namespace {

using testing::ElementsAre;

ResultTable Table(const std::vector<std::string>& names, const std::vector<std::string>& units) {
  return {.names = names, .units = units, .time = {0, 1}, .columns = {names.size(), {0, 1}}};
}

std::vector<Curve> CurvesOf(const ResultTable& table) {
  const NamedResult result{&table, "result"};
  return MakeCurves({&result, 1});
}

TEST(PanelTest, EachUnitHasAPanelAndLevelsStandLast) {
  const ResultTable table = Table({"c.level", "c.x", "c.p_a", "gain.y", "c.p_b", "load.x", "sum.y"},
                                  {"", "m", "Pa", "", "Pa", "m", "-"});
  const std::vector<std::size_t> all{0, 1, 2, 3, 4, 5, 6};
  const std::vector<Panel> panels = MakePanels(CurvesOf(table), all);
  ASSERT_EQ(panels.size(), 4U);
  EXPECT_EQ(panels[0].label, "Position [m]");
  EXPECT_THAT(panels[0].curves, ElementsAre(1, 5));
  EXPECT_EQ(panels[1].label, "Pressure [bar]");
  EXPECT_THAT(panels[1].curves, ElementsAre(2, 4));
  EXPECT_EQ(panels[2].label, "Dimensionless");
  EXPECT_THAT(panels[2].curves, ElementsAre(3, 6));
  EXPECT_THAT(panels[3].options, ElementsAre("Ideal", "Standard", "Advanced"));
  EXPECT_THAT(panels[3].curves, ElementsAre(0));
}

TEST(PanelTest, OptionsOfEqualNamesShareAPanelAsFarAsBothHaveThem) {
  ResultTable table = Table({"a.level", "b.level", "c.level", "c.friction", "c.x"}, {"", "", "", "", "m"});
  const std::vector<std::string> levels{"Ideal", "Standard", "Advanced"};
  std::vector<std::string> coarse = levels, fine = levels;
  coarse.emplace_back("Coarse");
  fine.emplace_back("Fine");
  table.options = {levels, coarse, fine, {"None", "LuGre"}, {}};
  const std::vector<std::size_t> all{0, 1, 2, 3, 4};
  const std::vector<Panel> panels = MakePanels(CurvesOf(table), all);
  ASSERT_EQ(panels.size(), 4U);
  EXPECT_EQ(panels[0].label, "Position [m]");
  EXPECT_EQ(panels[1].options, coarse);
  EXPECT_THAT(panels[1].curves, ElementsAre(0, 1));
  EXPECT_EQ(panels[2].options, fine);
  EXPECT_THAT(panels[2].curves, ElementsAre(2));
  EXPECT_THAT(panels[3].options, ElementsAre("None", "LuGre"));
}

TEST(PanelTest, AnAxisHasNoMoreNamesThanCanBeRead) {
  const std::vector<std::string> names{"a.state", "b.state"}, units{"", ""};
  ResultTable table = Table(names, units);
  const std::vector<std::string> few(500, "state"), many(501, "state");
  table.options = {few, many};
  const std::vector<Panel> panels = MakePanels(CurvesOf(table), std::vector<std::size_t>{0, 1});
  ASSERT_EQ(panels.size(), 2U);
  EXPECT_TRUE(panels[0].options.empty());
  EXPECT_THAT(panels[0].curves, ElementsAre(1));
  EXPECT_EQ(panels[1].options, few);
}

TEST(PanelTest, WithoutUnitsTheLastWordTellsWhatBelongsTogether) {
  const ResultTable table = Table({"a.p", "a.x", "b.p"}, {"", "", ""});
  const std::vector<std::size_t> all{0, 1, 2};
  const std::vector<Panel> panels = MakePanels(CurvesOf(table), all);
  ASSERT_EQ(panels.size(), 2U);
  EXPECT_EQ(panels[0].label, "p");
  EXPECT_THAT(panels[0].curves, ElementsAre(0, 2));
  EXPECT_EQ(panels[1].label, "x");
}

TEST(PanelTest, ALevelIsAPositionWithoutUnit) {
  ResultTable table = Table({"a.level", "level", "a.level_modified", "tank.level"}, {"", "", "", "m"});
  EXPECT_TRUE(IsLevel(CurvesOf(table)[0]));
  EXPECT_TRUE(IsLevel(CurvesOf(table)[1]));
  EXPECT_FALSE(IsLevel(CurvesOf(table)[2]));
  EXPECT_FALSE(IsLevel(CurvesOf(table)[3]));
  table.columns[0] = {kNan, 2};
  EXPECT_TRUE(IsLevel(CurvesOf(table)[0]));
  table.columns[0] = {0.5, 2};
  EXPECT_FALSE(IsLevel(CurvesOf(table)[0]));
}

}  // namespace
}  // namespace davit
