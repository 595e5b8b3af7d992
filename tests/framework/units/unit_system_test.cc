#include "framework/units/unit_system.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace davit {
namespace {

constexpr double kPi = std::numbers::pi;

Dimension Dim(int length, int mass, int time, int current, int temperature, int angle) {
  Dimension dimension;
  const int exponents[] = {length, mass, time, current, temperature, angle};
  for (std::size_t i = 0; i < 6; ++i) dimension.exponents[i] = static_cast<std::int8_t>(exponents[i]);
  return dimension;
}

const Dimension kLength = Dim(1, 0, 0, 0, 0, 0);
const Dimension kPressure = Dim(-1, 1, -2, 0, 0, 0);
const Dimension kFlow = Dim(3, 0, -1, 0, 0, 0);
const Dimension kForce = Dim(1, 1, -2, 0, 0, 0);
const Dimension kTorque = Dim(2, 1, -2, 0, 0, 0);
const Dimension kDisplacement = Dim(3, 0, 0, 0, 0, -1);
const Dimension kAngularSpeed = Dim(0, 0, -1, 0, 0, 1);

/// At most two units in the last place apart.
void ExpectTwoUlp(double value, double expected, std::string_view what) {
  const double next = std::nextafter(std::abs(expected), std::numeric_limits<double>::infinity());
  EXPECT_LE(std::abs(value - expected), 2 * (next - std::abs(expected))) << what;
}

class UnitSystemTest : public testing::Test {
 protected:
  Unit Get(std::string_view text) const {
    const std::optional<Unit> unit = units_.Find(text);
    EXPECT_TRUE(unit.has_value()) << text;
    return unit.value_or(Unit{});
  }

  UnitSystem units_;
};

TEST_F(UnitSystemTest, ScalesAreThoseOfTheirDefinitions) {
  const struct {
    std::string_view text;
    double scale;
    Dimension dimension;
  } kTable[] = {
      {"bar", 1e5, kPressure},
      {"MPa", 1e6, kPressure},
      {"mbar", 100, kPressure},
      {"psi", 6894.757293168361, kPressure},
      {"l/min", 1e-3 / 60, kFlow},
      {"L/min", 1e-3 / 60, kFlow},
      {"cm3/rev", 1e-6 / (2 * kPi), kDisplacement},
      {"m3/rad", 1, kDisplacement},
      {"rpm", 2 * kPi / 60, kAngularSpeed},
      {"rev/min", 2 * kPi / 60, kAngularSpeed},
      {"deg/s", kPi / 180, kAngularSpeed},
      {"rad/s", 1, kAngularSpeed},
      {"deg", kPi / 180, Dim(0, 0, 0, 0, 0, 1)},
      {"\u00b0", kPi / 180, Dim(0, 0, 0, 0, 0, 1)},
      {"1/s", 1, Dim(0, 0, -1, 0, 0, 0)},
      {"Hz", 1, Dim(0, 0, -1, 0, 0, 0)},
      {"kHz", 1e3, Dim(0, 0, -1, 0, 0, 0)},
      {"Nm", 1, kTorque},
      {"kNm", 1e3, kTorque},
      {"N.m", 1, kTorque},
      {"Nm/rad", 1, Dim(2, 1, -2, 0, 0, -1)},
      {"N.s/m", 1, Dim(0, 1, -1, 0, 0, 0)},
      {"N.m.s/rad", 1, Dim(2, 1, -1, 0, 0, -1)},
      {"m3/s/Pa", 1, Dim(4, -1, 1, 0, 0, 0)},
      {"l/min/bar", 1e-8 / 60, Dim(4, -1, 1, 0, 0, 0)},
      {"kN", 1e3, kForce},
      {"mm", 1e-3, kLength},
      {"um", 1e-6, kLength},
      {"\u00b5m", 1e-6, kLength},
      {"\u03bcm", 1e-6, kLength},
      {"dam", 10, kLength},
      {"in", 0.0254, kLength},
      {"ft", 0.3048, kLength},
      {"mm2", 1e-6, Dim(2, 0, 0, 0, 0, 0)},
      {"mm\u00b2", 1e-6, Dim(2, 0, 0, 0, 0, 0)},
      {"mm^2", 1e-6, Dim(2, 0, 0, 0, 0, 0)},
      {"cm3", 1e-6, Dim(3, 0, 0, 0, 0, 0)},
      {"mm4", 1e-12, Dim(4, 0, 0, 0, 0, 0)},
      {"ml", 1e-6, Dim(3, 0, 0, 0, 0, 0)},
      {"kg", 1, Dim(0, 1, 0, 0, 0, 0)},
      {"g", 1e-3, Dim(0, 1, 0, 0, 0, 0)},
      {"t", 1e3, Dim(0, 1, 0, 0, 0, 0)},
      {"kg/m3", 1, Dim(-3, 1, 0, 0, 0, 0)},
      {"g/cm3", 1e3, Dim(-3, 1, 0, 0, 0, 0)},
      {"m2/s", 1, Dim(2, 0, -1, 0, 0, 0)},
      {"St", 1e-4, Dim(2, 0, -1, 0, 0, 0)},
      {"cSt", 1e-6, Dim(2, 0, -1, 0, 0, 0)},
      {"min", 60, Dim(0, 0, 1, 0, 0, 0)},
      {"h", 3600, Dim(0, 0, 1, 0, 0, 0)},
      {"ms", 1e-3, Dim(0, 0, 1, 0, 0, 0)},
      {"km/h", 1 / 3.6, Dim(1, 0, -1, 0, 0, 0)},
      {"kW", 1e3, Dim(2, 1, -3, 0, 0, 0)},
      {"kJ", 1e3, kTorque},
      {"V", 1, Dim(2, 1, -3, -1, 0, 0)},
      {"Ohm", 1, Dim(2, 1, -3, -2, 0, 0)},
      {"mH", 1e-3, Dim(2, 1, -2, -2, 0, 0)},
      {"uF", 1e-6, Dim(-2, -1, 4, 2, 0, 0)},
      {"C", 1, Dim(0, 0, 1, 1, 0, 0)},
      {"J/(kg K)", 1, Dim(2, 0, -2, 0, -1, 0)},
      {"J/(kg.degC)", 1, Dim(2, 0, -2, 0, -1, 0)},
      {"%", 0.01, Dimension{}},
      {"%/s", 0.01, Dim(0, 0, -1, 0, 0, 0)},
      {"1", 1, Dimension{}},
      {"-", 1, Dimension{}},
      {"", 1, Dimension{}},
      {"m.s-1", 1, Dim(1, 0, -1, 0, 0, 0)},
      {"kg m2 s^-2", 1, kTorque},
      {"m2.s", 1, Dim(2, 0, 1, 0, 0, 0)},
  };
  for (const auto& row : kTable) {
    const Unit unit = Get(row.text);
    ExpectTwoUlp(unit.scale, row.scale, row.text);
    EXPECT_EQ(unit.offset, 0) << row.text;
    EXPECT_EQ(unit.dimension, row.dimension) << row.text << " is " << ToText(unit.dimension);
  }
}

TEST_F(UnitSystemTest, DecimalScalesAreExact) {
  EXPECT_EQ(Get("bar").scale, 1e5);
  EXPECT_EQ(Get("mm").scale, 1e-3);
  EXPECT_EQ(Get("mm3").scale, 1e-9);
  EXPECT_EQ(Get("cm3").scale, 1e-6);
  EXPECT_EQ(Get("cSt").scale, 1e-6);
  EXPECT_EQ(Get("cl").scale, 1e-5);
  EXPECT_EQ(Get("N/mm2").scale, 1e6);
  EXPECT_EQ(Get("in2").scale, 0.00064516);
  EXPECT_EQ(Get("kg").scale, 1);
}

TEST_F(UnitSystemTest, DecimalValuesBecomeTheNearestDouble) {
  EXPECT_EQ(Get("mm").ToSi(283), 0.283);
  EXPECT_EQ(Get("cm3").ToSi(270), 270e-6);
  EXPECT_EQ(Get("bar").ToSi(250), 250e5);
  EXPECT_EQ(Get("cSt").ToSi(46), 46e-6);
  EXPECT_EQ(Get("%").ToSi(7), 0.07);
  EXPECT_EQ(Get("l/min").ToSi(60), 1e-3);
}

TEST_F(UnitSystemTest, ATemperatureAloneIsShiftedAndADifferenceIsNot) {
  EXPECT_EQ(Get("degC").ToSi(45), 318.15);
  EXPECT_EQ(Get("\u00b0C").ToSi(0), 273.15);
  ExpectTwoUlp(Get("mdegC").ToSi(1000), 274.15, "mdegC");
  EXPECT_EQ(Get("degC/s").offset, 0);
  EXPECT_EQ(Get("K").offset, 0);
}

TEST_F(UnitSystemTest, ToSiAndFromSiAreInverse) {
  for (const std::string& name : units_.names()) {
    const Unit unit = Get(name);
    for (const double value : {-3.7, 0.0, 1.0, 1776.0}) {
      EXPECT_NEAR(unit.FromSi(unit.ToSi(value)), value, 1e-12 * (1 + std::abs(value))) << name;
    }
  }
}

TEST_F(UnitSystemTest, AngleIsADimension) {
  EXPECT_NE(Get("m3/rad").dimension, Get("cm3").dimension);
  EXPECT_EQ(Get("m3/rad").dimension, Get("cm3/rev").dimension);
  EXPECT_NE(Get("rad/s").dimension, Get("Hz").dimension);
  EXPECT_EQ(Get("rad/s").dimension, Get("rpm").dimension);
  EXPECT_NE(Get("rad").dimension, Get("1").dimension);
  EXPECT_NE(Get("Nm").dimension, Get("Nm/rad").dimension);
}

TEST_F(UnitSystemTest, AReciprocalIsAnotherDimension) {
  EXPECT_NE(Get("s").dimension, Get("Hz").dimension);
  EXPECT_NE(Get("s/m").dimension, Get("m/s").dimension);
}

TEST_F(UnitSystemTest, AnExactSymbolWinsOverPrefixAndUnit) {
  EXPECT_EQ(Get("min").dimension, Get("s").dimension);
  EXPECT_EQ(Get("Pa").dimension, kPressure);
  EXPECT_EQ(Get("ft").dimension, kLength);
  EXPECT_EQ(Get("m").dimension, kLength);
}

TEST_F(UnitSystemTest, ProductsAddAndQuotientsSubtractExponents) {
  const std::vector<std::string> names = units_.names();
  for (const std::string& a : names) {
    for (const std::string& b : names) {
      const Unit unit_a = Get(a);
      const Unit unit_b = Get(b);
      const Unit product = Get(a + "." + b);
      const Unit quotient = Get(a + "/" + b);
      for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(product.dimension.exponents[i],
                  unit_a.dimension.exponents[i] + unit_b.dimension.exponents[i]);
        EXPECT_EQ(quotient.dimension.exponents[i],
                  unit_a.dimension.exponents[i] - unit_b.dimension.exponents[i]);
      }
      EXPECT_NEAR(product.scale / (unit_a.scale * unit_b.scale), 1, 2e-15) << a << "." << b;
      EXPECT_NEAR(quotient.scale / (unit_a.scale / unit_b.scale), 1, 2e-15) << a << "/" << b;
    }
  }
}

TEST_F(UnitSystemTest, EverySymbolTakesEveryPrefixOnce) {
  const struct {
    std::string prefix;
    double factor;
  } kPrefixes[] = {{"G", 1e9},  {"M", 1e6},  {"k", 1e3},  {"h", 1e2},  {"da", 1e1}, {"d", 1e-1},
                   {"c", 1e-2}, {"m", 1e-3}, {"u", 1e-6}, {"n", 1e-9}, {"p", 1e-12}};
  for (const auto& [prefix, factor] : kPrefixes) {
    for (const std::string name : {"Pa", "N", "bar", "s", "W", "g", "K"}) {
      ExpectTwoUlp(Get(prefix + name).scale, factor * Get(name).scale, prefix + name);
      EXPECT_EQ(Get(prefix + name).dimension, Get(name).dimension);
      EXPECT_FALSE(units_.Find("k" + prefix + name).has_value()) << "k" + prefix + name;
    }
  }
  EXPECT_FALSE(units_.Find("mkg").has_value());
}

TEST_F(UnitSystemTest, TheTextOfADimensionIsReadBack) {
  EXPECT_EQ(ToText(kDisplacement), "m3/rad");
  EXPECT_EQ(ToText(kPressure), "kg/(m s2)");
  EXPECT_EQ(ToText(kForce), "kg m/s2");
  EXPECT_EQ(ToText(Dimension{}), "1");
  EXPECT_EQ(ToText(Dim(0, 0, -1, 0, 0, 0)), "1/s");
  std::mt19937 random(1);
  std::uniform_int_distribution<int> exponent(-9, 9);
  for (int i = 0; i < 500; ++i) {
    Dimension dimension;
    for (std::int8_t& e : dimension.exponents) e = static_cast<std::int8_t>(exponent(random));
    const Unit unit = Get(ToText(dimension));
    EXPECT_EQ(unit.dimension, dimension) << ToText(dimension);
    EXPECT_EQ(unit.scale, 1);
  }
  EXPECT_EQ(Get("m99.m28").dimension, Dim(127, 0, 0, 0, 0, 0));
  EXPECT_EQ(ToText(Dim(127, -128, 0, 0, 0, 0)), "m127/kg128");
}

TEST_F(UnitSystemTest, RefusesWhatIsNotAUnit) {
  using std::string_view_literals::operator""sv;
  const std::string_view kRefused[] = {
      "5 m",
      "5m",
      "bar 3",
      "bar3.5",
      "3",
      "1 m",
      "1m",
      "2/s",
      "1.5/s",
      "m 1",
      "m/2",
      "brar",
      "BAR",
      "Mpa",
      "degC @ 3",
      "K from 273.15",
      "K since 1",
      "s since 2000-01-01",
      "s after 5",
      "s ref 5",
      "m from s",
      "lg(re 1 mW)",
      "lg(re mW)",
      "ln(re:m)",
      "m per",
      "per s",
      "m2e3",
      "m1e3",
      "1e3/s",
      "0x1",
      "nan",
      "inf",
      "m/",
      "/m",
      "m//s",
      "m*",
      "*m",
      "m..s",
      "m^",
      "m^-",
      "m-",
      "m--2",
      "m^^2",
      "m100",
      "m-100",
      "m999999999999",
      "m99.m99",
      "m99 m29",
      "s-99 s-30",
      "Mm99",
      "nm99",
      "(m",
      "m)",
      "()",
      "(",
      ")",
      "(m)2",
      "((m12)12)12",
      "%%",
      "m%",
      "%m",
      "%2",
      "J/kg K",
      "J/kg.K",
      "m/s*s",
      " ",
      "  ",
      "\t",
      "m\n",
      "m\0"sv,
      "\0"sv,
      "m\0s"sv,
      "\xb0",
      "\xc2",
      "\xff\xfe",
      "\u00e5",
      "--",
      "+",
      ",",
      "'",
      "\"",
      "#",
      "kkg",
      "mmm",
      "N\u00b2\u00b2\u00b2",
  };
  for (const std::string_view text : kRefused) EXPECT_FALSE(units_.Find(text).has_value()) << text;
}

TEST_F(UnitSystemTest, RefusesTextOfMoreThan64Bytes) {
  std::string text = "m";
  while (text.size() < 63) text += ".m";
  EXPECT_EQ(text.size(), 63u);
  EXPECT_EQ(Get(text).dimension, Dim(32, 0, 0, 0, 0, 0));
  EXPECT_FALSE(units_.Find(text + ".m").has_value());
  EXPECT_FALSE(units_.Find(std::string(1000000, '(')).has_value());
  EXPECT_FALSE(units_.Find(std::string(64, '(')).has_value());
}

TEST_F(UnitSystemTest, AnyTextIsAUnitWithASoundScaleOrIsRefused) {
  const std::vector<std::string> kPieces = {"m",      "kg",
                                            "s",      "K",
                                            "rad",    "degC",
                                            "l",      "bar",
                                            "%",      "k",
                                            "da",     "1",
                                            "2",      "9",
                                            "99",     "0",
                                            "-",      "+",
                                            "^",      ".",
                                            "*",      "/",
                                            " ",      "(",
                                            ")",      "@",
                                            ":",      "e",
                                            "since",  "from",
                                            "per",    "lg(re ",
                                            "ln(re ", "\u00b0",
                                            "\u00b5", "\xc2",
                                            "\n",     std::string(1, '\0')};
  std::mt19937 random(7);
  std::uniform_int_distribution<std::size_t> piece(0, kPieces.size() - 1);
  std::uniform_int_distribution<int> length(1, 9);
  int unit_count = 0;
  for (int i = 0; i < 30000; ++i) {
    std::string text;
    for (int j = length(random); j > 0; --j) text += kPieces[piece(random)];
    const std::optional<Unit> unit = units_.Find(text);
    if (!unit) continue;
    ++unit_count;
    EXPECT_TRUE(std::isnormal(unit->scale) && unit->scale > 0 && std::isfinite(unit->offset)) << text;
  }
  EXPECT_GT(unit_count, 100);
}

TEST_F(UnitSystemTest, FindsTheSameAgain) {
  for (const std::string_view text : {"cm3/rev", "degC", "brar", ""}) {
    const std::optional<Unit> first = units_.Find(text);
    const std::optional<Unit> again = units_.Find(text);
    ASSERT_EQ(first.has_value(), again.has_value());
    if (!first) continue;
    EXPECT_EQ(first->scale, again->scale);
    EXPECT_EQ(first->offset, again->offset);
    EXPECT_EQ(first->dimension, again->dimension);
  }
}

TEST_F(UnitSystemTest, NamesAreKnownUnits) {
  const std::vector<std::string> names = units_.names();
  for (const std::string& name : names) EXPECT_TRUE(units_.Find(name).has_value()) << name;
  EXPECT_GE(names.size(), 30u);
}

TEST(UnitSystemLifeTest, SystemsAreIndependentAndMayBeUsedByThreads) {
  std::vector<std::thread> threads;
  UnitSystem shared;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&shared] {
      for (int j = 0; j < 50; ++j) {
        const UnitSystem own;
        const std::string text = "m" + std::to_string(j);
        EXPECT_EQ(own.Find(text)->dimension, shared.Find(text)->dimension);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace davit
