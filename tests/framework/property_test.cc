#include "framework/property.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>

namespace davit {
namespace {

enum class Spool : std::uint8_t { kOpen, kBlocked, kY };
constexpr std::array<std::string_view, 3> kSpoolNames{"O", "Blocked", "Y"};

class Valve final : public Component {
 public:
  Property<Spool> spool{this, "spool", "Kind of spool", Spool::kBlocked, kSpoolNames};
  Property<bool> is_piloted{this, "piloted", "Whether it has a pilot stage", false};
  Property<int> stages{this, "stages", "Number of stages", 2, Range{1, 3}};
  Property<double> pressure{this, "pressure", "Pa", "Set pressure", 1e5, kPositive};
  Property<std::string> note{this, "note", "Free text", "none"};
};

/// Every text a property writes is read back as the same value, and what it refuses changes nothing.
class PropertyTest : public testing::Test {
 protected:
  std::string Check(const PropertyBase& property, std::string_view text) {
    return property.CheckText(text, units).ToText();
  }
  void Set(PropertyBase& property, std::string_view text) {
    ASSERT_EQ(Check(property, text), "");
    property.SetFromText(text, units);
  }
  UnitSystem units;
  Valve valve;
};

TEST_F(PropertyTest, DeclaredInOrderWithTheirDefaults) {
  const auto& all = valve.declarations().properties;
  ASSERT_EQ(all.size(), 5U);
  const std::array<std::string, 5> defaults{"Blocked", "false", "2", "1e+05", "none"};
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i]->ToText(), defaults[i]);
    EXPECT_EQ(all[i]->DefaultText(), defaults[i]);
  }
}

TEST_F(PropertyTest, TextsAreReadBack) {
  Set(valve.spool, "Y");
  EXPECT_EQ(valve.spool, Spool::kY);
  Set(valve.is_piloted, "1");
  EXPECT_TRUE(valve.is_piloted);
  Set(valve.stages, "3");
  EXPECT_EQ(valve.stages, 3);
  Set(valve.pressure, "250 bar");
  EXPECT_EQ(valve.pressure, 250e5);
  Set(valve.note, " a note ");
  EXPECT_EQ(valve.note.value(), " a note ");
  for (PropertyBase* property : valve.declarations().properties) {
    const std::string text = property->ToText();
    Set(*property, text);
    EXPECT_EQ(property->ToText(), text);
  }
  EXPECT_EQ(valve.spool.DefaultText(), "Blocked");
}

TEST_F(PropertyTest, NumbersAreWrittenSoThatTheSameNumberIsRead) {
  for (const double value :
       {0.1, 1.0 / 3, 1e300, 5e-324, 123456789.123456789, std::numeric_limits<double>::max()}) {
    char text[64];
    std::snprintf(text, sizeof text, "%.17g", value);
    Set(valve.pressure, text);
    Set(valve.pressure, valve.pressure.ToText());
    EXPECT_EQ(valve.pressure, value);
  }
}

TEST_F(PropertyTest, RefusedTextsSayWhatWouldBeRight) {
  EXPECT_EQ(Check(valve.spool, "blocked"), "no option 'blocked'; did you mean 'Blocked'?");
  EXPECT_EQ(Check(valve.spool, ""), "no option ''; it has O, Blocked, Y");
  EXPECT_EQ(Check(valve.is_piloted, "yes"), "'yes' is not a boolean; write true or false");
  EXPECT_EQ(Check(valve.stages, "2.0"), "'2.0' is not an integer; write for example 2");
  EXPECT_EQ(Check(valve.stages, "99999999999"), "99999999999 is out of range; it must be 1 .. 3");
  EXPECT_EQ(Check(valve.stages, ""), "'' is not an integer; write for example 2");
  EXPECT_EQ(Check(valve.stages, "4"), "4 is out of range; it must be 1 .. 3");
  EXPECT_EQ(Check(valve.pressure, "0 bar"), "'0 bar' is out of range; it must be > 0 Pa");
  EXPECT_EQ(Check(valve.pressure, "3 m"), "'3 m' is m, but Pa is needed; write for example 3 bar");
  EXPECT_EQ(Check(valve.pressure, "nan"), "'nan' is not a finite number; write for example 250 bar");
  EXPECT_EQ(valve.spool, Spool::kBlocked);
  EXPECT_EQ(valve.pressure, 1e5);
}

TEST_F(PropertyTest, DescribesItsType) {
  EXPECT_EQ(valve.spool.Describe(), "one of O, Blocked, Y");
  EXPECT_EQ(valve.is_piloted.Describe(), "boolean");
  EXPECT_EQ(valve.stages.Describe(), "integer, 1 .. 3");
  EXPECT_EQ(valve.pressure.Describe(), "number, > 0 Pa");
  EXPECT_EQ(valve.note.Describe(), "text");
}

}  // namespace
}  // namespace davit
