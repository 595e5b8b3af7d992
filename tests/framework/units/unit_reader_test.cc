#include "framework/units/unit_reader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "framework/units/unit_symbols.h"

namespace davit {
namespace {

/// Law: it is what UDUNITS-2 makes of the text, but for the last bits of scales that are no short decimals.
void ExpectTheSame(const std::string& text) {
  static const UnitSystem units;
  const std::optional<Unit> expected = units.Find(text);
  const std::optional<Unit> read = ReadUnit(text);
  ASSERT_EQ(read.has_value(), expected.has_value()) << text;
  if (!read) return;
  EXPECT_EQ(read->dimension, expected->dimension) << text;
  EXPECT_NEAR(read->scale / expected->scale, 1, 4 * std::numeric_limits<double>::epsilon()) << text;
  EXPECT_NEAR(read->offset, expected->offset, 1e-12) << text;
}

TEST(UnitReaderTest, AgreesOnEachSymbolWithEachPrefix) {
  std::vector<std::string> symbols(kBaseUnits.begin(), kBaseUnits.end());
  symbols.emplace_back("g");
  for (const DerivedUnit& derived : kDerivedUnits) symbols.emplace_back(derived.symbol);
  for (const std::string& symbol : symbols) {
    ExpectTheSame(symbol);
    if (symbol == "%" || symbol == "degC") continue;  // alone
    for (const UnitPrefix& prefix : kUnitPrefixes) ExpectTheSame(prefix.symbol + symbol);
  }
}

TEST(UnitReaderTest, AgreesOnProducts) {
  for (const char* text :
       {"1", "1/s", "1/s/s", "kg*m/s^2", "N*m*s/rad", "m^3/s/Pa", "mm^2", "s^-1", "kg/(m*s^2)", "l/min",
        "mm/s/bar", "W/(m^2*degC)", "degC^2", "(m/s)/s", "kN/mm", "rpm/s", "ft*in/deg", "bar^-1*l/min"})
    ExpectTheSame(text);
}

TEST(UnitReaderTest, RefusesWhatNamesNoUnit) {
  for (const char* text : {"", "kkg", "xyz", "m*", "*m", "m/", "(m", "m)", "m^", "dax", "m^200"})
    EXPECT_FALSE(ReadUnit(text)) << text;
}

// Law: decimal scales are exact.
TEST(UnitReaderTest, DecimalScalesAreExact) {
  EXPECT_EQ(ReadUnit("mm")->scale, 1e-3);
  EXPECT_EQ(ReadUnit("mm^3")->scale, 1e-9);
  EXPECT_EQ(ReadUnit("bar")->scale, 1e5);
  EXPECT_EQ(ReadUnit("cm^2")->scale, 1e-4);
  EXPECT_EQ(ReadUnit("N/mm^2")->scale, 1e6);
}

}  // namespace
}  // namespace davit
