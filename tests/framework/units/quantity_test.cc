#include "framework/units/quantity.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>

namespace davit {
namespace {

class QuantityTest : public testing::Test {
 protected:
  double Si(std::string_view text, std::string_view unit) const {
    const QuantityResult result = ParseQuantity(text, unit, units_);
    EXPECT_TRUE(result.value.has_value()) << result.fault.ToText();
    EXPECT_FALSE(result.fault);
    return result.value.value_or(Quantity{}).si;
  }

  std::string Error(std::string_view text) const { return ErrorOf(ParseQuantity(text, units_)); }
  std::string Error(std::string_view text, std::string_view unit) const {
    return ErrorOf(ParseQuantity(text, unit, units_));
  }

  UnitSystem units_;

 private:
  static std::string ErrorOf(const QuantityResult& result) {
    EXPECT_NE(result.value.has_value(), !result.fault.is_empty());
    return result.fault.ToText();
  }
};

TEST_F(QuantityTest, AUnitIsConvertedToSi) {
  EXPECT_EQ(Si("250 bar", "Pa"), 250e5);
  EXPECT_EQ(Si("283 mm", "m"), 0.283);
  EXPECT_EQ(Si("140 l/min", "m3/s"), 0.14 / 60);
  EXPECT_DOUBLE_EQ(Si("270 cm3/rev", "m3/rad"), 270e-6 / (2 * std::numbers::pi));
  EXPECT_DOUBLE_EQ(Si("1776 rpm", "rad/s"), 1776 * 2 * std::numbers::pi / 60);
  EXPECT_DOUBLE_EQ(Si("30 deg", "rad"), std::numbers::pi / 6);
  EXPECT_EQ(Si("10 Nm", "N.m"), 10);
  EXPECT_EQ(Si("45 degC", "K"), 318.15);
  EXPECT_EQ(Si("98.1 kN", "N"), 98100);
  EXPECT_EQ(Si("5 1/s", "Hz"), 5);
  EXPECT_EQ(Si("50 %", ""), 0.5);
}

TEST_F(QuantityTest, ABareNumberIsInSi) {
  const QuantityResult bare = ParseQuantity("25e6", "Pa", units_);
  ASSERT_TRUE(bare.value.has_value());
  EXPECT_EQ(bare.value->si, 25e6);
  EXPECT_FALSE(bare.value->has_unit);
  EXPECT_EQ(bare.value->dimension, units_.Find("Pa")->dimension);
  EXPECT_EQ(ParseQuantity("3", units_).value->dimension, Dimension{});
  EXPECT_TRUE(ParseQuantity("3 m", units_).value->has_unit);
  EXPECT_EQ(Si("45", "degC"), 45);
}

TEST_F(QuantityTest, EveryWayToWriteItIsTheSame) {
  for (const std::string_view text : {"250 bar", "250bar", " 250  bar ", "\t250\tbar\n", "+250 bar",
                                      "2.5e2 bar", "250. bar", "2.5E+2bar", "250.000bar"}) {
    EXPECT_EQ(Si(text, "Pa"), 250e5) << text;
  }
  EXPECT_EQ(Si("-.5", "-"), -0.5);
  EXPECT_EQ(Si("5 -", "-"), 5);
}

TEST_F(QuantityTest, AWrittenNumberIsReadBackBitForBit) {
  for (const double value : {0.1, 1.0 / 3, 1e-300, 123456789.123456789, -2.5e17}) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    EXPECT_EQ(Si(text, "m"), value);
    EXPECT_EQ(Si(std::string(text) + " m", "m"), value);
  }
}

TEST_F(QuantityTest, TheLocaleDoesNotMatter) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "nb_NO.UTF-8", "C.UTF-8"}) {
    std::setlocale(LC_ALL, name);
    EXPECT_EQ(Si("1.5 mm", "m"), 1.5e-3);
  }
  std::setlocale(LC_ALL, before.c_str());
}

TEST_F(QuantityTest, WhatIsNotANumberIsRefused) {
  EXPECT_EQ(Error("abc"), "'abc' is not a number; write for example 250 bar");
  EXPECT_EQ(Error("", "m"), "'' is not a number; write for example 250 mm");
  EXPECT_EQ(Error("bar", "Pa"), "'bar' is not a number; write for example 250 bar");
  EXPECT_EQ(Error("fast", ""), "'fast' is not a number; write for example 0.5");
  EXPECT_EQ(Error("  ", "m3/rad"), "'' is not a number; write for example 270 cm3/rev");
  for (const std::string_view text : {"--1", "+-1", "++1", "+", "-", ".", "e5", "$1", "\n"}) {
    EXPECT_NE(Error(text).find("is not a number"), std::string::npos) << text;
  }
}

TEST_F(QuantityTest, WhatIsNotFiniteIsRefused) {
  for (const std::string_view text : {"nan", "inf", "-inf", "infinity", "NaN", "nan m", "+inf"}) {
    EXPECT_NE(Error(text, "m").find("is not a finite number; write for example 250 mm"), std::string::npos)
        << text;
  }
  EXPECT_EQ(Error("1e999", "m"),
            "'1e999' is beyond what a number can hold (about 1e-308 to 1e308); write for example 250 mm");
  EXPECT_EQ(Error("1e308 km", "m"), "'1e308 km' is too large in m; write a smaller number");
}

TEST_F(QuantityTest, AnUnknownUnitIsAnsweredWithTheNearestOfTheNeededDimension) {
  EXPECT_EQ(Error("250 brar"), "unknown unit 'brar'; did you mean 'bar'?");
  EXPECT_EQ(Error("250 brar", "Pa"), "unknown unit 'brar'; did you mean 'bar'?");
  EXPECT_EQ(Error("5 mpa", "Pa"), "unknown unit 'mpa'; did you mean 'MPa'?");
  EXPECT_EQ(Error("140 lpm", "m3/s"), "unknown unit 'lpm'; write for example 140 l/min");
  EXPECT_EQ(Error("3 parsec"), "unknown unit 'parsec'; write for example 250 bar");
  EXPECT_EQ(Error("3 J/kg K", "J/(kg K)"), "unknown unit 'J/kg K'; did you mean 'J/(kg K)'?");
  EXPECT_EQ(Error("3 J/kg K"),
            "unknown unit 'J/kg K'; put a product after / in parentheses, as in kg/(m s2)");
  EXPECT_EQ(Error("3,5 bar", "Pa"), "'3,5 bar' has a comma; write a number with a decimal point");
  for (const std::string_view text : {"5 1", "5 6", "0x10", "1e", "1 000", "5 m 3", "5..2", "1/s"}) {
    EXPECT_NE(Error(text).find("unknown unit"), std::string::npos) << text;
  }
}

TEST_F(QuantityTest, AWrongDimensionIsAnsweredWithARightText) {
  EXPECT_EQ(Error("270 cm3", "m3/rad"),
            "'270 cm3' is m3, but m3/rad is needed; write for example 270 cm3/rev");
  EXPECT_EQ(Error("30 Hz", "rad/s"), "'30 Hz' is 1/s, but rad/s is needed; write for example 30 rev/s");
  EXPECT_EQ(Error("250 mm", "Pa"), "'250 mm' is m, but Pa is needed; write for example 250 bar");
  EXPECT_EQ(Error("5 s", "1/s"), "'5 s' is s, but 1/s is needed; write for example 5 Hz");
  EXPECT_EQ(Error("50 %", "m"), "'50 %' is dimensionless, but m is needed; write for example 50 mm");
  EXPECT_EQ(Error("5 bar", ""), "'5 bar' is Pa, but a number without unit is needed; write for example 5");
  EXPECT_EQ(Error("5 bar", "A2/m"), "'5 bar' is Pa, but A2/m is needed; write for example 5 A2/m");
}

// A frequency is a number of turns, a displacement belongs to one: where only an angle is missing, the
// recommended text means what was written. Where no unit means it, the number is another.
TEST_F(QuantityTest, AMissingAngleKeepsTheValue) {
  constexpr double kTurn = 2 * std::numbers::pi;
  struct Case {
    std::string_view text, unit;
    double si;
  };
  for (const auto& [text, unit, si] : {Case{"2 Hz", "rad/s", 2 * kTurn},
                                       {"90 1/min", "rad/s", 1.5 * kTurn},
                                       {"0.27 l", "m3/rad", 0.27e-3 / kTurn},
                                       {"28 ml", "m3/rad", 28e-6 / kTurn},
                                       {"10 Nm", "N.m/rad", 10},
                                       {"30 rpm", "1/s", 0.5},
                                       {"3 rev/s", "1/s", 3}}) {
    const std::string error = Error(text, unit), kBefore = "write for example ";
    const std::string right = error.substr(error.find(kBefore) + kBefore.size());
    const QuantityResult read = ParseQuantity(right, unit, units_);
    ASSERT_TRUE(read.value) << error;
    EXPECT_NEAR(read.value->si / si, 1, 1e-12) << error;
  }
  EXPECT_EQ(Error("2 kHz", "rad/s"), "'2 kHz' is 1/s, but rad/s is needed; write for example 1776 rpm");
  EXPECT_EQ(Error("30 deg", ""),
            "'30 deg' is rad, but a number without unit is needed; write for example 0.5");
}

TEST_F(QuantityTest, TheTextItRecommendsIsRight) {
  for (const std::string& unit : units_.names()) {
    for (const std::string_view wrong : {"7 A9", "abc", "7 quux"}) {
      const std::string error = Error(wrong, unit);
      const std::string kBefore = "write for example ";
      const std::size_t found = error.find(kBefore);
      if (found == std::string::npos) continue;
      const std::string right = error.substr(found + kBefore.size());
      EXPECT_TRUE(ParseQuantity(right, unit, units_).value.has_value()) << unit << ": " << right;
    }
  }
}

TEST_F(QuantityTest, AnUnknownDeclaredUnitIsAFaultOfTheModel) {
  EXPECT_EQ(Error("5 m", "metre"), "the declared unit 'metre' is unknown; correct it in the model");
}

TEST_F(QuantityTest, AnyTextHasAValueOrAShortError) {
  const std::string kAlphabet = "0123456789.eE+-bar m/%\n(";
  std::uint32_t random = 1;
  for (int i = 0; i < 5000; ++i) {
    std::string text;
    for (int j = 0; j < i % 12; ++j) {
      random = random * 1664525u + 1013904223u;
      text += kAlphabet[(random >> 16) % kAlphabet.size()];
    }
    const QuantityResult result = ParseQuantity(text, "Pa", units_);
    ASSERT_NE(result.value.has_value(), !result.fault.is_empty()) << text;
    EXPECT_TRUE(!result.value || std::isfinite(result.value->si)) << text;
  }
  EXPECT_LT(Error(std::string(100000, '9') + " quux", "Pa").size(), 200u);
}

}  // namespace
}  // namespace davit
