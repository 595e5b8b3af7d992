#include "framework/message.h"

#include <gtest/gtest.h>

namespace davit {
namespace {

class Winch final : public Component {
 public:
  Message start{this, "Start", "Turns", [this] { ++starts; }};
  Message brake{this, "Brake", "Holds", [this] { starts = 0; }};
  int starts = 0;
};

TEST(MessageTest, IsDeclaredByItsOwnerInOrder) {
  const Winch winch;
  const auto& messages = winch.declarations().messages;
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[0]->label().name, "Start");
  EXPECT_EQ(messages[1]->label().text, "Holds");
}

TEST(MessageTest, EachSendActsOnce) {
  Winch winch;
  winch.declarations().messages[0]->Send();
  winch.declarations().messages[0]->Send();
  EXPECT_EQ(winch.starts, 2);
  winch.brake.Send();
  EXPECT_EQ(winch.starts, 0);
}

}  // namespace
}  // namespace davit
