#include "components/signal/number_list.h"

#include <gtest/gtest.h>

#include <string>

namespace davit {
namespace {

using Numbers = std::vector<double>;

TEST(NumberListTest, SpacesAndCommasSeparate) {
  for (const std::string_view text : {"0 2.5 -1e3", "0,2.5,-1e3", " 0 ,\n2.5 ,  -1e3 ", "+0\t2.5\r\n-1E3"}) {
    const NumberListResult result = ParseNumberList(text, UnitSystem());
    EXPECT_EQ(result.fault, "") << text;
    EXPECT_EQ(result.numbers, (Numbers{0, 2.5, -1000})) << text;
  }
  EXPECT_EQ(ParseNumberList("7", UnitSystem()).numbers, Numbers{7});
}

TEST(NumberListTest, AUnitAfterTheLastIsThatOfAll) {
  const UnitSystem units;
  for (const std::string_view text : {"0 10 25 mm", "0, 10, 25 mm ", "0 10 25\tmm"}) {
    const NumberListResult result = ParseNumberList(text, units);
    EXPECT_EQ(result.fault, "") << text;
    EXPECT_EQ(result.numbers, (Numbers{0, 0.01, 0.025})) << text;
    EXPECT_EQ(result.dimension, units.Find("m")->dimension) << text;
  }
  EXPECT_EQ(ParseNumberList("3 1/s", units).dimension, units.Find("1/s")->dimension);
  EXPECT_EQ(ParseNumberList("3 4 kg/(m s2)", units).dimension, units.Find("Pa")->dimension);
  EXPECT_EQ(ParseNumberList("3 4", units).dimension, std::nullopt);
}

TEST(NumberListTest, EachFaultNamesTheEntryAndARemedy) {
  struct Case {
    std::string_view text, fault;
  };
  for (const auto& [text, fault] : {
           Case{"", "empty; "},
           Case{" \n ", "empty; "},
           Case{"0 abc 2", "entry 2, 'abc', is not a number; "},
           Case{"0 s, 5 s", "entry 2, 's', is not a number; "},
           Case{"5s", "entry 1, '5s', is not a number; "},
           Case{"0 mm 5 mm", "entry 2, 'mm', is not a number; "},
           Case{"0 5 furlong", "entry 3, 'furlong', is not a number; "},
           Case{"5 -", "entry 2, '-', is not a number; "},
           Case{"0x10", "entry 1, '0x10', is not a number; "},
           Case{"0;1", "entry 1, '0;1', is not a number; "},
           Case{"+-1", "entry 1, '+-1', is not a number; "},
           Case{"+", "entry 1, '+', is not a number; "},
           Case{"1 nan", "entry 2, 'nan', is not finite; "},
           Case{"1 -inf", "entry 2, '-inf', is not finite; "},
           Case{"1e999", "entry 1, '1e999', is too large or too small for a double; "},
           Case{"0,,1", "entry 2 is missing next to a comma; "},
           Case{"0 , , 1", "entry 2 is missing next to a comma; "},
           Case{",0", "entry 1 is missing next to a comma; "},
           Case{"0,1, ", "entry 3 is missing next to a comma; "},
           Case{",", "entry 1 is missing next to a comma; "},
       }) {
    const NumberListResult result = ParseNumberList(text, UnitSystem());
    EXPECT_EQ(result.fault.substr(0, fault.size()), fault) << text;
    EXPECT_GT(result.fault.size(), fault.size()) << text;
    EXPECT_TRUE(result.numbers.empty()) << text;
  }
}

TEST(NumberListTest, AnyBytesAreAnswered) {
  std::string text;
  for (int i = 0; i < 256; ++i) {
    text = std::string("1 ") + static_cast<char>(i);
    const NumberListResult result = ParseNumberList(text, UnitSystem());
    EXPECT_EQ(result.numbers.empty(), !result.fault.empty()) << i;
  }
}

}  // namespace
}  // namespace davit
