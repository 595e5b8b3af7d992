#include "fmi/import/fmu_channel.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

namespace davit {
namespace {

struct Sockets {
  int ends[2] = {-1, -1};
  Sockets() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0); }
};

// Law: what is sent arrives, of any length.
TEST(FmuChannelTest, MessagesArriveAsTheyWere) {
  const Sockets sockets;
  FmuChannel here(sockets.ends[0]), there(sockets.ends[1]);
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{1}, std::size_t{1} << 20, std::size_t{3'000'001}}) {
    std::string message(length, 'x');
    if (length > 0) message.back() = '\0';
    std::jthread sender([&] { EXPECT_TRUE(here.Send(message)); });
    EXPECT_EQ(there.Receive(), message);
  }
}

// Law: a message takes the memory of what has come, not of what it says it is.
TEST(FmuChannelTest, ALengthWithoutBytesIsTheEnd) {
  const Sockets sockets;
  FmuChannel there(sockets.ends[1]);
  const unsigned char four_gib_less_one[8] = {0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0};
  ASSERT_EQ(write(sockets.ends[0], four_gib_less_one, 8), 8);
  close(sockets.ends[0]);
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  EXPECT_FALSE(there.Receive().has_value());
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss, before.ru_maxrss + 100'000) << "kB";
}

}  // namespace
}  // namespace davit
