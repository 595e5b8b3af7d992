#include "framework/tree/glob.h"

#include <gtest/gtest.h>

#include <string>

namespace davit {
namespace {

TEST(GlobTest, TextWithoutWildcardsMatchesItselfOnly) {
  EXPECT_TRUE(MatchesGlob("cylinder.x", "cylinder.x"));
  EXPECT_FALSE(MatchesGlob("cylinder.x", "cylinder"));
  EXPECT_FALSE(MatchesGlob("cylinder", "cylinder.x"));
  EXPECT_FALSE(MatchesGlob("Cylinder.x", "cylinder.x"));
  EXPECT_TRUE(MatchesGlob("", ""));
  EXPECT_FALSE(MatchesGlob("x", ""));
}

TEST(GlobTest, StarStandsForAnyTextWithDotsAndForNone) {
  EXPECT_TRUE(MatchesGlob("crane.boom.x", "*"));
  EXPECT_TRUE(MatchesGlob("crane.boom.x", "crane*x"));
  EXPECT_TRUE(MatchesGlob("crane.boom.x", "*.x"));
  EXPECT_TRUE(MatchesGlob("crane.boom.x", "crane.boom.x*"));
  EXPECT_TRUE(MatchesGlob("", "*"));
  EXPECT_TRUE(MatchesGlob("", "***"));
  EXPECT_FALSE(MatchesGlob("crane.boom.x", "*.y"));
  EXPECT_FALSE(MatchesGlob("crane.boom.x", "boom*"));
}

TEST(GlobTest, StarGoesOnAfterAFalseStart) {
  EXPECT_TRUE(MatchesGlob("aaab", "*ab"));
  EXPECT_TRUE(MatchesGlob("a.p.p", "*.p"));
  EXPECT_TRUE(MatchesGlob("abcabd", "*abd"));
  EXPECT_FALSE(MatchesGlob("abcabc", "*abd"));
}

TEST(GlobTest, QuestionMarkStandsForOneCharacter) {
  EXPECT_TRUE(MatchesGlob("m1.x", "m?.x"));
  EXPECT_FALSE(MatchesGlob("m12.x", "m?.x"));
  EXPECT_FALSE(MatchesGlob("m.x", "m?.x"));
  EXPECT_TRUE(MatchesGlob("m12.x", "m?*.x"));
  EXPECT_FALSE(MatchesGlob("", "?"));
}

TEST(GlobTest, ManyStarsTakeNoTimeThatExplodes) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "*a";
  EXPECT_FALSE(MatchesGlob(std::string(2000, 'a') + "b", pattern));
}

TEST(GlobTest, IsGlobFindsWildcards) {
  EXPECT_TRUE(IsGlob("a*"));
  EXPECT_TRUE(IsGlob("?"));
  EXPECT_FALSE(IsGlob("a.b[0].c"));
  EXPECT_FALSE(IsGlob(""));
}

}  // namespace
}  // namespace davit
