#include "simulator/passes/component_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "simulator/dynamic_sim_component.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Cells between two ends, with one state beside them. All is public for the tests.
struct ReachCells final : DynamicSimComponent {
  static constexpr ModelInfo kInfo{.name = "test.ReachCells", .text = "Cells"};

  using DynamicSimComponent::Reads;

  StateVariable heat{this, "heat", "", "One"};
  StateVariableArray u{this, "u", "", "Many", 4};
  StateVariableArray v{this, "v", "", "Of another size", 3};
  Input rate{this, "rate", "", "Signal"};
  Output mean{this, "mean", "", "Output"};
  HydraulicPort a{this, "a", Role::kC, "At the first"};
  HydraulicPort b{this, "b", Role::kC, "At the last"};
};

using Row = std::vector<std::uint32_t>;

std::vector<Row> RowsOf(const Component& component) {
  const ComponentPattern pattern(component);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const auto row = pattern.StatesReadBy(i);
    rows.emplace_back(row.begin(), row.end());
  }
  return rows;
}

TEST(ComponentPatternTest, WithoutDeclarationEverythingReadsEverything) {
  const ReachCells cells;
  const Row all{0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(RowsOf(cells), std::vector<Row>(8, all));
  const ComponentPattern pattern(cells);
  EXPECT_EQ(pattern.nonzeros(), 64U);
  EXPECT_EQ(pattern.StatesReading(&cells.a), all);
  EXPECT_EQ(pattern.StatesReading(cells.rate.id()), all);
  EXPECT_EQ(pattern.StatesReadAt(&cells.a), all);
  EXPECT_TRUE(pattern.Reads(cells.mean.id(), &cells.b));
}

/// heat is state 0, u are 1 to 4, v are 5 to 7.
TEST(ComponentPatternTest, OffsetsEndWithTheArray) {
  ReachCells cells;
  cells.Reads(cells.heat, {});
  cells.Reads(cells.u, {{.of = cells.u, .from = -1, .to = 1}, {.of = cells.v, .from = -1}});
  cells.Reads(cells.v, {{.of = cells.u, .to = 1}, {.of = cells.heat}});
  EXPECT_EQ(RowsOf(cells), (std::vector<Row>{{0},
                                             {1, 2, 5},
                                             {1, 2, 3, 5, 6},
                                             {2, 3, 4, 6, 7},
                                             {3, 4, 7},
                                             {0, 1, 2, 5},
                                             {0, 2, 3, 6},
                                             {0, 3, 4, 7}}));
}

TEST(ComponentPatternTest, ElementsAtTheEndsAreNamed) {
  ReachCells cells;
  cells.Reads(cells.heat, {{.of = cells.u.last()}, {.of = cells.v}});
  cells.Reads(cells.u, {{.of = cells.heat, .by = Elements::kFirst},
                        {.of = cells.v.first(), .by = Elements::kLast},
                        {.of = cells.a, .by = Elements::kFirst},
                        {.of = cells.b, .by = Elements::kLast},
                        {.of = cells.rate}});
  cells.Reads(cells.v, {{.of = cells.v.all()}});
  cells.Reads(cells.a, {{.of = cells.u.first()}});
  cells.Reads(cells.b, {{.of = cells.u.last()}, {.of = cells.a}});
  cells.Reads(cells.mean, {{.of = cells.u}});
  EXPECT_EQ(RowsOf(cells),
            (std::vector<Row>{{0, 4, 5, 6, 7}, {0, 1}, {2}, {3}, {4, 5}, {5, 6, 7}, {5, 6, 7}, {5, 6, 7}}));
  const ComponentPattern pattern(cells);
  EXPECT_THAT(pattern.StatesReading(&cells.a), ElementsAre(1));
  EXPECT_THAT(pattern.StatesReading(&cells.b), ElementsAre(4));
  EXPECT_THAT(pattern.StatesReading(cells.rate.id()), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(pattern.StatesReadAt(&cells.a), ElementsAre(1));
  EXPECT_THAT(pattern.StatesReadAt(&cells.b), ElementsAre(4));
  EXPECT_THAT(pattern.StatesReadAt(cells.mean.id()), ElementsAre(1, 2, 3, 4));
  EXPECT_FALSE(pattern.Reads(&cells.a, &cells.b));
  EXPECT_TRUE(pattern.Reads(&cells.b, &cells.a));
  EXPECT_FALSE(pattern.Reads(cells.mean.id(), cells.rate.id()));
}

TEST(ComponentPatternTest, ARingContinuesAtItsOtherEnd) {
  ReachCells cells;
  cells.Reads(cells.heat, {});
  cells.Reads(cells.v, {});
  cells.Reads(cells.u, {{.of = cells.u, .from = -1, .wraps = true}});
  EXPECT_EQ(RowsOf(cells), (std::vector<Row>{{0}, {1, 4}, {1, 2}, {2, 3}, {3, 4}, {5}, {6}, {7}}));
  cells.Reads(cells.u, {{.of = cells.u, .from = -7, .to = 7, .wraps = true}});  // in place of the one before
  EXPECT_EQ(RowsOf(cells)[1], (Row{1, 2, 3, 4}));
}

TEST(ComponentPatternTest, StatesTheStructureLacksAreLeftOut) {
  ReachCells cells;
  cells.SetStateActive(cells.heat, false);
  cells.u.SetSize(0);
  cells.Reads(cells.v, {{.of = cells.heat}, {.of = cells.u, .from = -1}, {.of = cells.u.last()}});
  cells.Reads(cells.a, {{.of = cells.u.last()}});
  EXPECT_EQ(RowsOf(cells), (std::vector<Row>{{0}, {1}, {2}}));
  EXPECT_THAT(ComponentPattern(cells).StatesReadAt(&cells.a), IsEmpty());
}

TEST(ComponentPatternTest, EntriesAreLinearInTheSizeOfAnArray) {
  ReachCells cells;
  constexpr std::uint32_t kMany = 1'000'000;
  cells.SetStateActive(cells.heat, false);
  cells.v.SetSize(0);
  cells.u.SetSize(kMany);
  cells.Reads(cells.u, {{.of = cells.u, .from = -1, .to = 1}});
  EXPECT_EQ(ComponentPattern(cells).nonzeros(), 3ULL * kMany - 2);
}

TEST(ComponentPatternTest, ListedStatesStandForThemselves) {
  ReachCells cells;
  cells.mutable_declarations().reaches = {
      {Readable(cells.heat).id(), {}, {0, 0}, {}},
      {Readable(cells.u).id(), {{.of = cells.a, .by = Elements::kLast}}, {0, 2, 2, 3, 3}, {1, 7, 0}},
      {cells.mean.id(), {}, {0, 2}, {3, 6}}};
  cells.Reads(cells.v, {});
  EXPECT_EQ(RowsOf(cells), (std::vector<Row>{{0}, {1, 7}, {2}, {0, 3}, {4}, {5}, {6}, {7}}));
  const ComponentPattern pattern(cells);
  EXPECT_THAT(pattern.StatesReading(&cells.a), ElementsAre(4));
  EXPECT_THAT(pattern.StatesReadAt(cells.mean.id()), ElementsAre(3, 6));
}

TEST(ComponentPatternTest, ADeclarationThatMakesNoSenseIsRefused) {
  ReachCells cells, other;
  EXPECT_THROW(cells.Reads(other.u, {}), std::logic_error);
  EXPECT_THROW(cells.Reads(cells.rate, {}), std::logic_error);
  EXPECT_THROW(cells.Reads(cells.u, {{.of = other.u}}), std::logic_error);
  EXPECT_THROW(cells.Reads(cells.u, {{.of = cells.u, .from = 1, .to = -1}}), std::logic_error);
  EXPECT_THROW(cells.Reads(cells.u, {{.of = cells.heat, .from = -1}}), std::logic_error);
  EXPECT_THROW(cells.Reads(cells.heat, {{.of = cells.u, .from = -1}}), std::logic_error);
  EXPECT_THROW(cells.Reads(cells.heat, {{.of = cells.a, .by = Elements::kFirst}}), std::logic_error);
}

}  // namespace
}  // namespace davit
