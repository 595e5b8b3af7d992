#include "framework/indicator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "framework/aspect.h"
#include "framework/registry.h"
#include "framework/tree/component_archive.h"
#include "framework/tree/component_pool.h"
#include "framework/tree/item_list.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Judged final : public Component {
 public:
  enum class Friction : std::uint8_t { kNone, kViscous, kLuGre };
  static constexpr std::array<std::string_view, 3> kFrictionNames{"None", "Viscous", "LuGre"};
  enum class Leak : std::uint8_t { kNone, kGap };
  static constexpr std::array<std::string_view, 2> kLeakNames{"None", "Gap"};
  static constexpr ModelInfo kInfo{
      .name = "test.Judged", .text = "", .levels = {Level::kIdeal, Level::kStandard, Level::kAdvanced}};

  Aspect<Friction> friction{
      this, "friction", "", kFrictionNames,
      Presets{.ideal = Friction::kNone, .standard = Friction::kViscous, .advanced = Friction::kLuGre}};
  Aspect<Leak> leak{this, "leak", "", kLeakNames,
                    Presets{.ideal = Leak::kNone, .standard = Leak::kNone, .advanced = Leak::kGap}};
  double any_friction = 0.25, stiction = 0.5, leakage = 0.125, pressure = 0;
  ObservedRate pressure_rate{this, [this] { return pressure; }};
  Indicator friction_force{this, "friction_force", "Friction", friction.Is(Friction::kNone),
                           [this] { return any_friction; }};
  Indicator presliding{this, "presliding", "Bristles", friction.Is(Friction::kNone, Friction::kViscous),
                       [this] { return stiction; }};
  Indicator leakage_flow{this, "leakage_flow", "Leakage", leak.Is(Leak::kNone), [this] { return leakage; }};
};

struct Fixture {
  Fixture() {
    registry.Add<Judged>();
    model = static_cast<Judged*>(&pool.Create(*registry.Find("test.Judged")));
  }
  Registry registry;
  ComponentPool pool;
  Judged* model = nullptr;
};

std::vector<std::string> Names(const Component& component, Level level) {
  std::vector<std::string> names;
  for (const Indicator* one : NeglectedBy(component, level)) names.emplace_back(one->label().name);
  return names;
}

TEST(IndicatorTest, ALevelNeglectsWhatItsOptionsNeglect) {
  const Fixture f;
  EXPECT_THAT(Names(*f.model, Level::kIdeal), ElementsAre("friction_force", "presliding", "leakage_flow"));
  EXPECT_THAT(Names(*f.model, Level::kStandard), ElementsAre("presliding", "leakage_flow"));
  EXPECT_THAT(Names(*f.model, Level::kAdvanced), IsEmpty());
}

TEST(IndicatorTest, ALevelOfTheSystemFileIsJudgedByItsOptions) {
  const Fixture f;
  f.model->DefineLevel("Worn", {static_cast<std::uint32_t>(Judged::Friction::kViscous),
                                static_cast<std::uint32_t>(Judged::Leak::kGap)});
  EXPECT_THAT(Names(*f.model, *f.model->FindLevel("Worn")), ElementsAre("presliding"));
}

TEST(IndicatorTest, WhatALevelNeglectsDoesNotDependOnThePresentOptions) {
  const Fixture f;
  const std::vector<std::string> at_ideal = Names(*f.model, Level::kStandard);
  f.model->SetLevel(Level::kAdvanced);
  f.model->SetAspect(f.model->friction, 0);
  EXPECT_EQ(Names(*f.model, Level::kStandard), at_ideal);
}

/// The value of an output by name; NaN if there is none.
double Read(Component& component, std::string_view name) {
  for (const Item& item : ListItems(component)) {
    if (item.name() == name) return item.Read();
  }
  return std::numeric_limits<double>::quiet_NaN();
}

TEST(IndicatorTest, TheOutputOfALevelIsTheLargestIndicatorItNeglects) {
  const Fixture f;
  for (const auto& [any, stiction, leakage] : std::vector<std::array<double, 3>>{
           {0, 0, 0}, {0.25, 0.5, 0.125}, {3, 0.5, 0.125}, {0.25, 0, 0.125}, {0.25, 0.5, 2}}) {
    f.model->any_friction = any;
    f.model->stiction = stiction;
    f.model->leakage = leakage;
    StartIndicators(*f.model, 0);
    EXPECT_EQ(Read(*f.model, "indicator.friction_force"), any);
    EXPECT_EQ(Read(*f.model, "indicator.Ideal"), std::max({any, stiction, leakage}));
    EXPECT_EQ(Read(*f.model, "indicator.Standard"), std::max(stiction, leakage));
    for (const Level level : kBuiltInLevels) {
      double worst = 0;
      for (const Indicator* one : NeglectedBy(*f.model, level)) worst = std::max(worst, *one->value());
      EXPECT_EQ(WorstNeglected(*f.model, level), worst);
    }
  }
  EXPECT_TRUE(std::isnan(Read(*f.model, "indicator.Advanced")));  // nothing is above it
}

TEST(IndicatorTest, ValuesAreFiniteAndNotNegative) {
  const Fixture f;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double wrong : {std::numeric_limits<double>::quiet_NaN(), kInfinity, 1e9}) {
    f.model->leakage = wrong;
    StartIndicators(*f.model, 0);
    EXPECT_EQ(Read(*f.model, "indicator.leakage_flow"), Indicator::kMost);
    EXPECT_EQ(Read(*f.model, "indicator.Ideal"), Indicator::kMost);
  }
  f.model->leakage = -1;
  StartIndicators(*f.model, 0);
  EXPECT_EQ(Read(*f.model, "indicator.leakage_flow"), 0);
}

TEST(IndicatorTest, AShareOfNothingIsNothing) {
  EXPECT_EQ(Share(0, 0), 0);
  EXPECT_EQ(Share(-3, 6), 0.5);
  EXPECT_EQ(Share(3, -6), 0.5);
  EXPECT_TRUE(std::isinf(Share(1, 0)));
}

TEST(IndicatorTest, ARateIsThatBetweenTwoCommunicationPoints) {
  const Fixture f;
  f.model->pressure = 7;
  StartIndicators(*f.model, 1.0);
  EXPECT_EQ(f.model->pressure_rate, 0);
  f.model->pressure = 8;
  EvaluateIndicators(*f.model, 1.25);
  EXPECT_EQ(f.model->pressure_rate, 4);
  EvaluateIndicators(*f.model, 1.25);  // the same point again
  EXPECT_EQ(f.model->pressure_rate, 4);
  EvaluateIndicators(*f.model, 1.5);
  EXPECT_EQ(f.model->pressure_rate, 0);
}

TEST(IndicatorTest, ARateContinuesFromASnapshot) {
  const Fixture saved, restored;
  saved.model->mutable_declarations().are_indicators_read = true;
  saved.model->pressure = 7;
  StartIndicators(*saved.model, 1.0);
  Archive archive;
  std::unordered_set<const void*> bonds;
  ArchiveRun(archive, *saved.model, bonds);
  Archive reader(archive.Take());
  bonds.clear();
  ArchiveRun(reader, *restored.model, bonds);
  EXPECT_TRUE(reader.is_good() && reader.is_at_end()) << reader.fault();
  for (const Fixture* one : {&saved, &restored}) {
    one->model->pressure = 9;
    EvaluateIndicators(*one->model, 1.5);
    EXPECT_EQ(one->model->pressure_rate, 4);
  }
}

TEST(IndicatorTest, ASnapshotIsTheSameWhetherSomebodyLooksAtItOrNot) {
  const auto snapshot = [](double leakage) {
    const Fixture f;
    for (const Item& item : ListItems(*f.model)) item.MarkShown();
    EXPECT_TRUE(f.model->declarations().are_indicators_shown);
    f.model->leakage = leakage;
    StartIndicators(*f.model, 1.0);
    Archive archive;
    std::unordered_set<const void*> bonds;
    ArchiveRun(archive, *f.model, bonds);
    return archive.Take();
  };
  EXPECT_EQ(snapshot(0.5), snapshot(0.25));
}

TEST(IndicatorTest, ItsOutputsAreNotMeantByAGlobOfTheComponent) {
  const Fixture f;
  int indicators = 0;
  for (const Item& item : ListItems(*f.model)) {
    if (!item.name().starts_with("indicator.")) continue;
    ++indicators;
    EXPECT_TRUE(item.is_signal());
    EXPECT_FALSE(item.is_primary());
    EXPECT_EQ(item.unit(), "");
  }
  EXPECT_EQ(indicators, 5);
}

TEST(IndicatorTest, IsReadOnceAnItemSaysSo) {
  const Fixture f;
  EXPECT_FALSE(f.model->declarations().are_indicators_read);
  for (const Item& item : ListItems(*f.model)) {
    if (!item.name().starts_with("indicator.")) item.MarkRead();
  }
  EXPECT_FALSE(f.model->declarations().are_indicators_read);
  for (const Item& item : ListItems(*f.model)) item.MarkRead();
  EXPECT_TRUE(f.model->declarations().are_indicators_read);
}

}  // namespace
}  // namespace davit
