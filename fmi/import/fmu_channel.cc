#include "fmi/import/fmu_channel.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace davit {
namespace {

constexpr std::uint64_t kLongestMessage = std::uint64_t{1} << 32;
constexpr std::size_t kPiece = std::size_t{1} << 20;
constexpr timeval kBetweenLooks{.tv_sec = 0, .tv_usec = 50'000};

}  // namespace

FmuChannel::FmuChannel(int socket, std::function<void()> while_waiting)
    : socket_(socket), while_waiting_(std::move(while_waiting)) {
  if (!while_waiting_) return;
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &kBetweenLooks, sizeof kBetweenLooks);
  setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &kBetweenLooks, sizeof kBetweenLooks);
}

FmuChannel::~FmuChannel() { close(socket_); }

bool FmuChannel::IsWaiting() const {
  if (errno == EINTR) return true;
  if (errno != EAGAIN || !while_waiting_) return false;
  while_waiting_();
  return true;
}

bool FmuChannel::Send(const std::string& bytes) {
  std::string message;
  for (int i = 0; i < 8; ++i) message += static_cast<char>((std::uint64_t{bytes.size()} >> (8 * i)) & 0xffU);
  message += bytes;
  for (std::size_t sent = 0; sent < message.size();) {
    const ssize_t n = send(socket_, message.data() + sent, message.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && IsWaiting()) continue;
    if (n <= 0) return false;
    sent += static_cast<std::size_t>(n);
  }
  return true;
}

std::optional<std::string> FmuChannel::Receive() {
  const auto fill = [this](char* to, std::size_t size) {
    for (std::size_t got = 0; got < size;) {
      const ssize_t n = recv(socket_, to + got, size - got, 0);
      if (n < 0 && IsWaiting()) continue;
      if (n <= 0) return false;
      got += static_cast<std::size_t>(n);
    }
    return true;
  };
  std::array<char, 8> length;
  if (!fill(length.data(), length.size())) return std::nullopt;
  std::uint64_t size = 0;
  for (std::size_t i = 0; i < 8; ++i) size |= std::uint64_t{static_cast<unsigned char>(length[i])} << (8 * i);
  if (size > kLongestMessage) return std::nullopt;
  std::string bytes;
  while (bytes.size() < size) {  // no more room than what comes: the length may be that of another writer
    const std::size_t begin = bytes.size();
    bytes.resize(std::min<std::uint64_t>(size, begin + kPiece));
    if (!fill(bytes.data() + begin, bytes.size() - begin)) return std::nullopt;
  }
  return bytes;
}

}  // namespace davit
