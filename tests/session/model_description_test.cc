// What a program can say about its models.

#include "session/model_description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "framework/tree/component_pool.h"
#include "framework/units/quantity.h"
#include "session/usual_text.h"
#include "tests/session/sessions.h"

namespace davit {
namespace {

/// Each table of each model has a cell for each header, and its items have names.
TEST(ModelDescriptionTest, TablesAreComplete) {
  for (const ModelEntry* entry : SessionModels().entries()) {
    const ModelDescription description = DescribeModel(*entry);
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
    const std::string example = DescribeModel(*entry).example;
    const LoadedSimulation loaded =
        Simulation::LoadText("<System name=\"s\">" + example + "</System>", "example.xml", SessionModels());
    for (const Diagnostic& fault : loaded.diagnostics.all())
      EXPECT_THAT(fault.message(), testing::AnyOf(testing::HasSubstr("connect"), testing::HasSubstr("Route"),
                                                  testing::HasSubstr("route"),
                                                  testing::HasSubstr("add one to the same system")))
          << example;
  }
}

/// Default, unit and range of a parameter.
std::vector<std::string> ParameterRow(std::string_view model, std::string_view name) {
  for (const DescriptionTable& table : DescribeModel(*SessionModels().Find(model)).tables)
    for (const auto& row : table.rows)
      if (table.title == "Parameters" && row[0] == name) return {row[1], row[2], row[3]};
  return {};
}

TEST(ModelDescriptionTest, NumbersAreInTheUnitsOfTheirRows) {
  using Row = std::vector<std::string>;
  EXPECT_EQ(ParameterRow("hydraulic.AxialPistonPump", "speed"), (Row{"1776", "rpm", "any"}));
  EXPECT_EQ(ParameterRow("hydraulic.AxialPistonPump", "swash_angle"), (Row{"45", "deg", "-60 .. 60"}));
  EXPECT_EQ(ParameterRow("hydraulic.Cylinder", "bore"), (Row{"283", "mm", "> 0"}));
  EXPECT_EQ(ParameterRow("hydraulic.Cylinder", "max_pressure"), (Row{"350", "bar", "> 0"}));
}

/// Read in the unit of its row, the default of every parameter is the declared one.
TEST(ModelDescriptionTest, DefaultsReadBack) {
  const UnitSystem units;
  ComponentPool pool;
  for (const ModelEntry* entry : SessionModels().entries()) {
    for (const ParameterDeclaration& one : pool.Create(*entry).declarations().parameters) {
      const std::vector<std::string> row = ParameterRow(entry->info->name, one.label.name);
      ASSERT_EQ(row.size(), 3U) << entry->info->name << '.' << one.label.name;
      if (!std::isfinite(one.default_value) || row[1] == "any" || row[1] == "-") continue;
      const QuantityResult back = ParseQuantity(row[0] + ' ' + row[1], one.label.unit, units);
      ASSERT_TRUE(back.value) << row[0] << ' ' << row[1] << ": " << back.fault.ToText();
      EXPECT_NEAR(back.value->si, one.default_value, 1e-5 * std::abs(one.default_value)) << one.label.name;
    }
  }
}

TEST(ModelDescriptionTest, HeadingsDivideEquations) {
  const auto sections = SplitEquations("a = b\n## Part\nc = d\n\ne\n# Limits\n#1 is no heading\n");
  ASSERT_EQ(sections.size(), 3U);
  EXPECT_EQ(sections[0].title, "Equations");
  EXPECT_EQ(sections[0].text, "a = b\n");
  EXPECT_EQ(sections[1].title, "Part");
  EXPECT_TRUE(sections[1].is_part);
  EXPECT_EQ(sections[1].text, "c = d\n\ne\n");
  EXPECT_EQ(sections[2].title, "Limits");
  EXPECT_FALSE(sections[2].is_part);
  EXPECT_EQ(sections[2].text, "#1 is no heading\n");
  EXPECT_TRUE(SplitEquations("").empty());
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
