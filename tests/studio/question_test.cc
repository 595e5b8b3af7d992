#include "studio/question.h"

#include <gtest/gtest.h>

namespace davit {
namespace {

// A newer question of one client drops its older one of the same kind, and no other.
TEST(Question, ANewerOneOfTheSameClientAndKindDropsTheOlder) {
  QuestionList list;
  const auto check = list.Add("/api/check", "a");
  const auto drawing = list.Add("/api/layout", "a");
  const auto of_other = list.Add("/api/check", "b");
  const auto nameless = list.Add("/api/check", "");
  EXPECT_EQ(check->ReasonToStop(), "");
  const auto newer = list.Add("/api/check", "a");
  EXPECT_TRUE(check->is_dropped());
  EXPECT_NE(check->ReasonToStop(), "");
  const auto another_nameless = list.Add("/api/check", "");
  for (const auto& kept : {drawing, of_other, nameless, newer, another_nameless}) {
    EXPECT_FALSE(kept->is_dropped());
    EXPECT_EQ(kept->ReasonToStop(), "");
  }
}

}  // namespace
}  // namespace davit
