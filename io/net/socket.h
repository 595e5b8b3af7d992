#pragma once

#include <sys/socket.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace davit {

/// A descriptor that is closed with the object.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { Close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void Close();

 private:
  int number_ = -1;
};

/// An IP address and a port.
class Endpoint {
 public:
  /// `host` is an IPv4 or IPv6 address in digits, or `localhost`; nothing for another text.
  static std::optional<Endpoint> Read(const std::string& host, std::uint16_t port);

  /// Whether it is on this computer, and cannot be reached from others.
  bool is_loopback() const;
  /// Whether another one has the same IP address.
  bool HasHostOf(const sockaddr_storage& other) const;
  const sockaddr* address() const { return reinterpret_cast<const sockaddr*>(&address_); }
  socklen_t size() const { return size_; }
  int family() const { return address_.ss_family; }

 private:
  sockaddr_storage address_{};
  socklen_t size_ = 0;
};

// None of these sockets blocks.

/// A TCP socket that takes connections. Throws std::runtime_error: `port 502 is in use; ...`.
Descriptor ListenTcp(const Endpoint& endpoint);
/// A TCP socket that is being connected: it can be written once it is. Not open where that fails at once.
Descriptor ConnectTcp(const Endpoint& endpoint);
/// What became of it: whether it is connected now.
bool IsConnected(const Descriptor& socket);
/// A UDP socket that takes packets for `endpoint`. Throws as ListenTcp.
Descriptor BindUdp(const Endpoint& endpoint);
/// A UDP socket that sends to `endpoint`. Throws std::runtime_error.
Descriptor ConnectUdp(const Endpoint& endpoint);
/// The port a socket is bound to.
std::uint16_t PortOf(const Descriptor& socket);

/// Ends the wait of another thread.
class WakeUp {
 public:
  WakeUp();
  /// From any thread; it stays so until Reset.
  void Set();
  void Reset();
  bool is_set() const;
  /// Readable once it is set.
  int number() const { return event_.number(); }

 private:
  Descriptor event_;
};

/// Waits until `socket` has `events` of poll, `wake` is set, or the time is over. Returns whether it has
/// them.
bool WaitFor(const Descriptor& socket, short events, const WakeUp& wake,
             std::chrono::steady_clock::time_point until);
/// Waits until `wake` is set or the time is over.
void SleepUntil(const WakeUp& wake, std::chrono::steady_clock::time_point until);
/// What poll waits for until then [ms]; not below 0.
int MillisecondsUntil(std::chrono::steady_clock::time_point until);

}  // namespace davit
