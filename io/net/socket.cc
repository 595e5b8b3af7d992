#include "io/net/socket.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

namespace davit {
namespace {

constexpr int kWaitingConnections = 128;  // a burst must not delay a controller

Descriptor Open(const Endpoint& endpoint, int type) {
  return Descriptor(socket(endpoint.family(), type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

/// Of a socket that gives every answer at once.
void SendAtOnce(const Descriptor& socket) {
  const int on = 1;
  setsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

std::uint16_t PortOf(const sockaddr_storage& address) {
  return ntohs(address.ss_family == AF_INET ? reinterpret_cast<const sockaddr_in&>(address).sin_port
                                            : reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
}

[[noreturn]] void ThrowOfPort(const Endpoint& endpoint, int error) {
  sockaddr_storage address{};
  std::memcpy(&address, endpoint.address(), endpoint.size());
  const unsigned port = PortOf(address);
  if (error == EADDRINUSE)
    throw std::runtime_error(
        fmt::format("port {} is in use; choose another one, or end the program that has it", port));
  if (error == EACCES)
    throw std::runtime_error(
        fmt::format("no permission to open port {}; choose one above 1023, or allow it with setcap "
                    "cap_net_bind_service=+ep for the program",
                    port));
  if (error == EADDRNOTAVAIL)
    throw std::runtime_error("listen: no such address on this computer; ip address lists those there are");
  throw std::runtime_error(
      fmt::format("port {} cannot be opened: {}", port, std::generic_category().message(error)));
}

}  // namespace

void Descriptor::Close() {
  if (number_ >= 0) close(number_);
  number_ = -1;
}

std::optional<Endpoint> Endpoint::Read(const std::string& host, std::uint16_t port) {
  Endpoint endpoint;
  auto& v4 = reinterpret_cast<sockaddr_in&>(endpoint.address_);
  auto& v6 = reinterpret_cast<sockaddr_in6&>(endpoint.address_);
  if (inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : host.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    endpoint.size_ = sizeof(sockaddr_in);
    return endpoint;
  }
  if (inet_pton(AF_INET6, host.c_str(), &v6.sin6_addr) != 1) return std::nullopt;
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(port);
  endpoint.size_ = sizeof(sockaddr_in6);
  return endpoint;
}

bool Endpoint::is_loopback() const {
  if (family() == AF_INET)
    return ntohl(reinterpret_cast<const sockaddr_in&>(address_).sin_addr.s_addr) >> 24 == 127;
  return IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6&>(address_).sin6_addr);
}

bool Endpoint::HasHostOf(const sockaddr_storage& other) const {
  if (other.ss_family != family()) return false;
  if (family() == AF_INET)
    return reinterpret_cast<const sockaddr_in&>(address_).sin_addr.s_addr ==
           reinterpret_cast<const sockaddr_in&>(other).sin_addr.s_addr;
  return IN6_ARE_ADDR_EQUAL(&reinterpret_cast<const sockaddr_in6&>(address_).sin6_addr,
                            &reinterpret_cast<const sockaddr_in6&>(other).sin6_addr);
}

Descriptor ListenTcp(const Endpoint& endpoint) {
  Descriptor socket = Open(endpoint, SOCK_STREAM);
  const int on = 1;
  setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (!socket.is_open() || bind(socket.number(), endpoint.address(), endpoint.size()) != 0 ||
      listen(socket.number(), kWaitingConnections) != 0)
    ThrowOfPort(endpoint, errno);
  SendAtOnce(socket);  // what it accepts inherits that
  return socket;
}

Descriptor ConnectTcp(const Endpoint& endpoint) {
  Descriptor socket = Open(endpoint, SOCK_STREAM);
  if (!socket.is_open()) return {};
  SendAtOnce(socket);
  const int result = connect(socket.number(), endpoint.address(), endpoint.size());
  return result == 0 || errno == EINPROGRESS ? std::move(socket) : Descriptor();
}

bool IsConnected(const Descriptor& socket) {
  int error = 0;
  socklen_t size = sizeof(error);
  return getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
}

Descriptor BindUdp(const Endpoint& endpoint) {
  Descriptor socket = Open(endpoint, SOCK_DGRAM);
  if (!socket.is_open() || bind(socket.number(), endpoint.address(), endpoint.size()) != 0)
    ThrowOfPort(endpoint, errno);
  return socket;
}

Descriptor ConnectUdp(const Endpoint& endpoint) {
  Descriptor socket = Open(endpoint, SOCK_DGRAM);
  if (!socket.is_open() || connect(socket.number(), endpoint.address(), endpoint.size()) != 0)
    throw std::runtime_error(fmt::format("host: no way to it: {}", std::generic_category().message(errno)));
  return socket;
}

std::uint16_t PortOf(const Descriptor& socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  getsockname(socket.number(), reinterpret_cast<sockaddr*>(&address), &size);
  return PortOf(address);
}

WakeUp::WakeUp() : event_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (!event_.is_open()) throw std::system_error(errno, std::generic_category(), "eventfd");
}

void WakeUp::Set() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(event_.number(), &one, sizeof(one));
}

void WakeUp::Reset() {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t size = read(event_.number(), &count, sizeof(count));
}

bool WakeUp::is_set() const {
  pollfd wait{event_.number(), POLLIN, 0};
  return poll(&wait, 1, 0) > 0;
}

bool WaitFor(const Descriptor& socket, short events, const WakeUp& wake,
             std::chrono::steady_clock::time_point until) {
  std::array<pollfd, 2> waits{{{socket.number(), events, 0}, {wake.number(), POLLIN, 0}}};
  while (true) {
    const int count = poll(waits.data(), waits.size(), MillisecondsUntil(until));
    if (waits[1].revents != 0) return false;
    if (count > 0) return true;
    if (std::chrono::steady_clock::now() >= until) return false;
  }
}

void SleepUntil(const WakeUp& wake, std::chrono::steady_clock::time_point until) {
  WaitFor(Descriptor(), 0, wake, until);
}

int MillisecondsUntil(std::chrono::steady_clock::time_point until) {
  constexpr std::int64_t kMost = 60'000;
  const auto rest = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(rest.count(), 0, kMost));
}

}  // namespace davit
