#pragma once

#include <functional>
#include <optional>
#include <string>

namespace davit {

/// Messages over a socket: 8 bytes of length, lowest first, then as many bytes.
class FmuChannel {
 public:
  /// Closes the socket at its end. While Send and Receive wait for the other side, they call `while_waiting`
  /// several times a second; what it throws ends the call.
  explicit FmuChannel(int socket, std::function<void()> while_waiting = {});
  ~FmuChannel();
  FmuChannel(const FmuChannel&) = delete;
  FmuChannel& operator=(const FmuChannel&) = delete;

  /// False where the other side is gone.
  bool Send(const std::string& bytes);
  /// Nothing where the other side is gone.
  std::optional<std::string> Receive();

 private:
  /// Whether a call that has failed is to be repeated.
  bool IsWaiting() const;

  int socket_;
  std::function<void()> while_waiting_;
};

}  // namespace davit
