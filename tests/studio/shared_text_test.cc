#include "studio/shared_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace davit {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

SharedChange Edit(std::size_t start, std::size_t end, std::string text) {
  return {.client = "a", .user = "anna", .label = "Edit", .edits = {{start, end, std::move(text)}}};
}

TEST(SharedText, MakesEditsInTheUnitsOfBrowsers) {
  SharedText text("ä😀z", "h");
  EXPECT_THAT(text.Change(Edit(3, 4, "é")), IsEmpty());  // ä is one unit, 😀 two
  EXPECT_EQ(text.text(), "ä😀é");
  SharedChange two{.client = "a", .user = "", .label = "", .edits = {{0, 1, "x"}, {3, 3, "y"}}};
  EXPECT_THAT(text.Change(std::move(two)), IsEmpty());
  EXPECT_EQ(text.text(), "x😀yé");
  EXPECT_EQ(text.version(), 2u);
}

TEST(SharedText, RefusesEditsThatOverlapOrLieOutside) {
  SharedText text("abc", "h");
  EXPECT_THAT(text.Change(Edit(2, 4, "")), HasSubstr("text of 3 units"));
  EXPECT_THAT(text.Change(Edit(2, 1, "")), HasSubstr("overlaps"));
  SharedChange two{.client = "a", .user = "", .label = "", .edits = {{0, 2, ""}, {1, 3, ""}}};
  EXPECT_THAT(text.Change(std::move(two)), HasSubstr("overlaps"));
  EXPECT_EQ(text.text(), "abc");
  EXPECT_EQ(text.version(), 0u);
}

TEST(SharedText, HalfOfACharacterIsNoText) {
  SharedText text("😀", "h");
  EXPECT_THAT(text.Change(Edit(0, 1, "")), IsEmpty());
  EXPECT_EQ(text.text(), std::nullopt);
}

TEST(SharedText, KnowsTheVersionsThatWereSaved) {
  SharedText text("a", "h0");
  EXPECT_THAT(text.Change(Edit(1, 1, "b")), IsEmpty());
  EXPECT_TRUE(text.is_edited());
  text.MarkSaved("h1", "a", "anna");
  EXPECT_FALSE(text.is_edited());
  EXPECT_THAT(text.Change(Edit(2, 2, "c")), IsEmpty());
  EXPECT_EQ(text.FindVersion("h0"), 0u);
  EXPECT_EQ(text.FindVersion("h1"), 2u);
  EXPECT_EQ(text.FindVersion("h2"), std::nullopt);
  const auto changes = text.ChangesSince(1);
  ASSERT_TRUE(changes);
  ASSERT_EQ(changes->size(), 2u);
  EXPECT_EQ(changes->front()->saved_hash, "h1");
  EXPECT_EQ(text.ChangesSince(4), std::nullopt);
}

TEST(SharedText, TheDiskIsOneEditOfWhatDiffers) {
  SharedText text("<a b=\"1\"/>", "h");
  text.Replace("<a b=\"22\"/>", {}, {});
  EXPECT_EQ(text.text(), "<a b=\"22\"/>");
  const auto changes = text.ChangesSince(0);
  ASSERT_TRUE(changes && changes->size() == 1);
  const SharedEdit& edit = changes->front()->edits.front();
  EXPECT_EQ(edit.start, 6u);
  EXPECT_EQ(edit.end, 7u);
  EXPECT_EQ(edit.text, "22");
  text.Replace("<a b=\"22\"/>", {}, {});
  EXPECT_EQ(text.version(), 1u) << "an equal text is no change";
}

TEST(SharedText, AnEditOfTheDiskDoesNotCutACharacter) {
  for (const auto& [before, after] : {std::pair("a😀b", "a😁b"), {"😀", "😀😀"}, {"😀😁", "😁"}, {"x𐐀", "x𝐀"}}) {
    SharedText text(before, "h");
    text.Replace(after, {}, {});
    EXPECT_EQ(text.text(), after);
    SharedText again(before, "h");
    EXPECT_THAT(again.Change(*text.ChangesSince(0)->front()), IsEmpty());
    EXPECT_EQ(again.text(), after) << before;
  }
}

// Who is far behind gets the whole text; what is kept does not grow without end.
TEST(SharedText, KeepsABoundedNumberOfChanges) {
  SharedText text("", "h");
  for (std::size_t i = 0; i < SharedText::kMostChanges + 10; ++i)
    EXPECT_THAT(text.Change(Edit(0, i == 0 ? 0 : 1, "x")), IsEmpty());
  EXPECT_EQ(text.ChangesSince(9), std::nullopt);
  EXPECT_EQ(text.FindVersion("h"), std::nullopt);
  ASSERT_TRUE(text.ChangesSince(10));
  EXPECT_EQ(text.ChangesSince(10)->size(), SharedText::kMostChanges);
  for (int i = 0; i < 5; ++i) {
    EXPECT_THAT(text.Change(Edit(0, i == 0 ? 1 : SharedText::kLargestChanges / 2,
                                 std::string(SharedText::kLargestChanges / 2, 'y'))),
                IsEmpty());
  }
  EXPECT_EQ(text.ChangesSince(text.version() - 2)->size(), 2u);
  EXPECT_EQ(text.ChangesSince(text.version() - 3), std::nullopt);
}

}  // namespace
}  // namespace davit
