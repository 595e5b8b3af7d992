#include "io/net/frame_server.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace davit {
namespace {

constexpr std::chrono::milliseconds kBetweenChecks{1000};
constexpr std::chrono::milliseconds kWithoutDescriptors{100};

bool IsOnlyLater(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

}  // namespace

FrameServer::FrameServer(Descriptor listener, Serve serve)
    : listener_(std::move(listener)), serve_(std::move(serve)) {
  connections_.reserve(kMostConnections);
  thread_ = std::thread([this] { Run(); });
}

FrameServer::~FrameServer() {
  wake_.Set();
  thread_.join();
}

void FrameServer::Run() {
  std::vector<pollfd> waits;
  waits.reserve(kMostConnections + 2);
  while (true) {
    waits.assign({{wake_.number(), POLLIN, 0}, {listener_.number(), POLLIN, 0}});
    for (const Connection& one : connections_) {
      const int events = (IsHeldUp(one) ? 0 : POLLIN) | (one.unsent.empty() ? 0 : POLLOUT);
      waits.push_back({one.socket.number(), static_cast<short>(events), 0});
    }
    poll(waits.data(), waits.size(), static_cast<int>(kBetweenChecks.count()));
    if (waits[0].revents != 0) return;
    const Clock::time_point now = Clock::now();
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      Connection& one = connections_[i];
      const int events = waits[i + 2].revents;
      bool is_well = true;
      if ((events & POLLOUT) != 0) is_well = Send(one) && ServeFrames(one);
      if (is_well && (events & (POLLIN | POLLHUP | POLLERR)) != 0) is_well = Receive(one);
      if (!is_well || (!one.unsent.empty() && now - one.moved > kPatience)) one.socket.Close();
    }
    std::erase_if(connections_, [](const Connection& one) { return !one.socket.is_open(); });
    if (waits[1].revents != 0) Accept();
  }
}

void FrameServer::Accept() {
  Descriptor socket(accept4(listener_.number(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!socket.is_open()) {
    if (!IsOnlyLater(errno)) SleepUntil(wake_, Clock::now() + kWithoutDescriptors);
    return;
  }
  if (connections_.size() >= kMostConnections)
    connections_.erase(std::ranges::min_element(
        connections_, {}, [](const Connection& one) { return std::pair(one.has_spoken, one.heard); }));
  const Clock::time_point now = Clock::now();
  connections_.push_back({std::move(socket), {}, {}, false, now, now});
}

bool FrameServer::Receive(Connection& connection) {
  if (IsHeldUp(connection)) return false;  // it was closed from there
  std::array<std::uint8_t, 4096> place;
  const ssize_t count = recv(connection.socket.number(), place.data(), place.size(), 0);
  if (count < 0) return IsOnlyLater(errno);
  if (count == 0) return false;
  connection.heard = Clock::now();
  connection.received.insert(connection.received.end(), place.begin(), place.begin() + count);
  return ServeFrames(connection);
}

bool FrameServer::AddAnswers(Connection& connection) {
  std::size_t served = 0;
  while (!IsHeldUp(connection)) {
    const std::size_t size =
        serve_(std::span<const std::uint8_t>(connection.received).subspan(served), connection.unsent);
    if (size == kWrong) return false;
    if (size == 0) break;
    connection.has_spoken = true;
    served += size;
  }
  connection.received.erase(connection.received.begin(),
                            connection.received.begin() + static_cast<std::ptrdiff_t>(served));
  return true;
}

bool FrameServer::ServeFrames(Connection& connection) {
  bool is_left = true;
  while (is_left) {
    if (connection.unsent.empty()) connection.moved = Clock::now();
    if (!AddAnswers(connection)) return false;
    is_left = IsHeldUp(connection);
    if (!Send(connection)) return false;
    if (IsHeldUp(connection)) return true;
  }
  return true;
}

bool FrameServer::Send(Connection& connection) {
  while (!connection.unsent.empty()) {
    const ssize_t count =
        send(connection.socket.number(), connection.unsent.data(), connection.unsent.size(), MSG_NOSIGNAL);
    if (count < 0) return IsOnlyLater(errno);
    connection.moved = Clock::now();
    connection.unsent.erase(connection.unsent.begin(), connection.unsent.begin() + count);
  }
  return true;
}

}  // namespace davit
