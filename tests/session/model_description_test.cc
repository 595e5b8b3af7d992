// What a program can say about its models.

#include "session/model_description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "framework/units/quantity.h"
#include "session/usual_text.h"
#include "tests/session/sessions.h"

namespace davit {
namespace {

/// Each table of each model has a cell for each header, and its items have names.
TEST(ModelDescriptionTest, TablesAreComplete) {
  for (const ModelEntry* entry : SessionModels().entries()) {
    const ModelDescription description = DescribeModel(*entry, NumberStyle::kUsual);
    EXPECT_EQ(description.name, entry->info->name);
    EXPECT_NE(description.text, "") << description.name;
    for (const DescriptionTable& table : description.tables) {
      EXPECT_FALSE(table.rows.empty()) << description.name;
      for (const auto& row : table.rows) {
        ASSERT_EQ(row.size(), table.headers.size()) << description.name << ", " << table.title;
        EXPECT_NE(row.front(), "") << description.name << ", " << table.title;
      }
    }
  }
}

/// The example of a model can be pasted into a system: only what it is connected to may be missing.
TEST(ModelDescriptionTest, ExamplesAreRight) {
  for (const ModelEntry* entry : SessionModels().entries()) {
    if (IsPart(*entry->info)) continue;
    const std::string example = DescribeModel(*entry, NumberStyle::kUsual).example;
    const LoadedSimulation loaded =
        Simulation::LoadText("<System name=\"s\">" + example + "</System>", "example.xml", SessionModels());
    for (const Diagnostic& fault : loaded.diagnostics.all())
      EXPECT_THAT(fault.message(), testing::AnyOf(testing::HasSubstr("connect"), testing::HasSubstr("Route"),
                                                  testing::HasSubstr("route"),
                                                  testing::HasSubstr("add one to the same system")))
          << example;
  }
}

TEST(ModelDescriptionTest, AnglesAreInDegrees) {
  const ModelEntry& pump = *SessionModels().Find("hydraulic.AxialPistonPump");
  for (const NumberStyle style : {NumberStyle::kSi, NumberStyle::kUsual}) {
    const ModelDescription description = DescribeModel(pump, style);
    const auto table = std::ranges::find(description.tables, "Parameters", &DescriptionTable::title);
    ASSERT_NE(table, description.tables.end());
    std::map<std::string, std::vector<std::string>> rows;
    for (const auto& row : table->rows) rows[row[0]] = row;
    EXPECT_EQ(rows["speed"][1], "1776 rpm");
    EXPECT_EQ(rows["swash_angle"][1], "45 deg");
    EXPECT_EQ(rows["swash_angle"][3], "-60 .. 60 deg");
  }
}

/// A text that people write means the number it was made of, to its 12 digits.
TEST(UsualTextTest, ReadsBack) {
  const UnitSystem units;
  for (const char* unit :
       {"m", "m2", "m3", "Pa", "N", "kg", "s", "rad", "rad/s", "1/s", "m2/s", "m3/s", "m3/rad", "K", ""}) {
    for (const double value : {0.0, 1.0, 0.283, 1e-6, 3.5e7, -12.125, 1.0 / 3}) {
      const std::string text = ToUsualText(value, unit, units);
      const QuantityResult back = ParseQuantity(text, unit, units);
      ASSERT_TRUE(back.value) << text << ": " << back.fault.ToText();
      EXPECT_NEAR(back.value->si, value, 1e-11 * std::abs(value)) << text;
    }
  }
  EXPECT_EQ(ToUsualText(0.283, "m", units), "283 mm");
  EXPECT_EQ(ToUsualText(3.5e7, "Pa", units), "350 bar");
}

}  // namespace
}  // namespace davit
