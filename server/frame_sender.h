#pragma once

#include <cstddef>
#include <string>

namespace davit {

/// The way back to a client that has upgraded to WebSocket. Used by the thread of the server alone.
class FrameSender {
 public:
  virtual ~FrameSender() = default;
  /// Sends a binary message, after those that wait.
  virtual void SendFrame(std::string bytes) = 0;
  /// Asks for a sign of life, which every WebSocket client gives by itself.
  virtual void Ping() = 0;
  /// Bytes that the client has not taken yet.
  virtual std::size_t waiting_bytes() const = 0;
  /// Ends the connection, when what waits is sent. WebSocket code 1008, with the reason.
  virtual void CloseFrames(const std::string& reason) = 0;
};

}  // namespace davit
