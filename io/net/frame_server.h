#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <thread>
#include <vector>

#include "io/net/socket.h"

namespace davit {

/// Answers the frames of a protocol on TCP, in a thread of its own.
///
/// Whatever clients do, memory and work are limited: at most kMostConnections are open, and a further one
/// closes one that has never sent a frame, or else the one that has been silent for longest. A connection is
/// closed where its bytes are not a frame. While its client does not take answers it is not read, and it is
/// closed after kPatience.
class FrameServer {
 public:
  static constexpr std::size_t kMostConnections = 32;
  static constexpr std::size_t kMostUnsent = 16'384;  ///< bytes of answers that wait for a client
  static constexpr std::chrono::seconds kPatience{10};

  /// Looks at the bytes that have come and adds the answer to the frame they begin with. Returns the size of
  /// that frame, 0 where it is incomplete, or kWrong.
  using Serve =
      std::function<std::size_t(std::span<const std::uint8_t> bytes, std::vector<std::uint8_t>& answer)>;
  static constexpr std::size_t kWrong = static_cast<std::size_t>(-1);

  /// `listener` is a socket of ListenTcp. `serve` is called by the thread.
  FrameServer(Descriptor listener, Serve serve);
  /// Closes all connections.
  ~FrameServer();
  FrameServer(const FrameServer&) = delete;
  FrameServer& operator=(const FrameServer&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  struct Connection {
    Descriptor socket;
    std::vector<std::uint8_t> received;  ///< not served yet
    std::vector<std::uint8_t> unsent;
    bool has_spoken = false;  ///< it has sent a frame
    Clock::time_point heard;  ///< when something came
    Clock::time_point moved;  ///< when the client last took something, or had taken all
  };

  void Run();
  void Accept();
  /// False where it is to be closed.
  bool Receive(Connection& connection);
  /// Adds the answers to the frames that have come, as long as there is room.
  bool AddAnswers(Connection& connection);
  bool ServeFrames(Connection& connection);
  static bool Send(Connection& connection);
  static bool IsHeldUp(const Connection& connection) { return connection.unsent.size() >= kMostUnsent; }

  Descriptor listener_;
  Serve serve_;
  WakeUp wake_;
  std::vector<Connection> connections_;
  std::thread thread_;
};

}  // namespace davit
