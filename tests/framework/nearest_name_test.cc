#include "framework/nearest_name.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace davit {
namespace {

const std::vector<std::string> kNames = {"mass", "stiffness", "damping"};

TEST(FindNearestTest, OneEditOfEachKindIsNear) {
  EXPECT_EQ(FindNearest("mas", kNames), "mass");    // left out
  EXPECT_EQ(FindNearest("masss", kNames), "mass");  // added
  EXPECT_EQ(FindNearest("mads", kNames), "mass");   // replaced
  EXPECT_EQ(FindNearest("msas", kNames), "mass");   // swapped
  EXPECT_EQ(FindNearest("sitffness", kNames), "stiffness");
}

TEST(FindNearestTest, LongerNamesMayHaveMoreEdits) {
  EXPECT_EQ(FindNearest("stifnes", kNames), "stiffness");
  EXPECT_EQ(FindNearest("stfnss", kNames), std::nullopt);
}

TEST(FindNearestTest, NothingInCommonIsNotNear) {
  EXPECT_EQ(FindNearest("x", std::vector<std::string>{"y"}), std::nullopt);
  EXPECT_EQ(FindNearest("pressure", kNames), std::nullopt);
  EXPECT_EQ(FindNearest("", kNames), std::nullopt);
  EXPECT_EQ(FindNearest("mass", {}), std::nullopt);
  EXPECT_EQ(FindNearest("m", std::vector<std::string>{""}), std::nullopt);
}

TEST(FindNearestTest, EveryNameIsNearestToItselfInAnyCase) {
  for (const std::string& name : kNames) {
    EXPECT_EQ(FindNearest(name, kNames), name);
    std::string upper = name;
    for (char& c : upper) c = static_cast<char>(c - 'a' + 'A');
    EXPECT_EQ(FindNearest(upper, kNames), name);
  }
}

TEST(FindNearestTest, CaseThenOrderDecidesBetweenEquallyNear) {
  EXPECT_EQ(FindNearest("Pa1", std::vector<std::string>{"pa2", "Pa3", "Pa4"}), "Pa3");
  EXPECT_EQ(FindNearest("pb", std::vector<std::string>{"pa", "pc"}), "pa");
}

TEST(FindNearestTest, LongNamesAreNotCompared) {
  const std::string longest(128, 'a');
  const std::string too_long(129, 'a');
  EXPECT_EQ(FindNearest(longest, std::vector<std::string>{too_long, longest}), longest);
  EXPECT_EQ(FindNearest(too_long, std::vector<std::string>{too_long}), std::nullopt);
  EXPECT_EQ(FindNearest(std::string(1000000, 'a'), std::vector<std::string>{longest}), std::nullopt);
}

TEST(SuggestNameTest, NamesTheNearestOrListsAll) {
  EXPECT_EQ(SuggestName("it has", "mas", kNames), "did you mean 'mass'?");
  EXPECT_EQ(SuggestName("it has", "bore", kNames), "it has mass, stiffness, damping");
  EXPECT_EQ(SuggestName("it has", "bore", {}), "it has none");
  EXPECT_EQ(SuggestName("", "bore", kNames), "mass, stiffness, damping");
}

TEST(SuggestNameTest, ListsAtMostTwelve) {
  std::vector<std::string> names(12, "n");
  EXPECT_EQ(SuggestName("it has", "bore", names), "it has n, n, n, n, n, n, n, n, n, n, n, n");
  names.emplace_back("n");
  EXPECT_EQ(SuggestName("it has", "bore", names), "it has n, n, n, n, n, n, n, n, n, n, n, n, ...");
}

TEST(QuotedTest, ShowsShortTextAsItIsAndHidesControlCharacters) {
  EXPECT_EQ(Quoted("mass"), "'mass'");
  EXPECT_EQ(Quoted(""), "''");
  EXPECT_EQ(Quoted(std::string_view("a\n\t\0\x1b\x7f z", 8)), "'a????? z'");
  EXPECT_EQ(Quoted("45 \u00b0C"), "'45 \u00b0C'");
}

TEST(QuotedTest, ShortensToSixtyBytesAndNeverCutsACharacter) {
  const std::string sixty(60, 'a');
  EXPECT_EQ(Quoted(sixty), "'" + sixty + "'");
  EXPECT_EQ(Quoted(sixty + "a"), "'" + std::string(57, 'a') + "...'");
  const std::string before(56, 'a');
  EXPECT_EQ(Quoted(before + "\u00b0\u00b0\u00b0"), "'" + before + "...'");
  EXPECT_EQ(Quoted(std::string(100, '\x80')), "'...'");
}

}  // namespace
}  // namespace davit
