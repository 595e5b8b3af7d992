#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace davit {

class HttpHost;
struct LiveServerOptions;

/// Listens on a port, and lets clients speak with a host: HTTP, and StudioAPI where they upgrade to
/// WebSocket. It has a thread of its own, the thread of the server.
///
/// Call sequence: constructor, which opens the port; Start; Stop, or the destructor.
class HttpListener {
 public:
  /// Opens the port. Throws std::runtime_error with what is wrong and what would be right: port in use,
  /// address that is none or needs a user, unreadable certificate.
  explicit HttpListener(const LiveServerOptions& options);
  ~HttpListener();
  HttpListener(const HttpListener&) = delete;
  HttpListener& operator=(const HttpListener&) = delete;

  /// `http://127.0.0.1:7689/`
  std::string address() const;
  std::uint16_t port() const;

  /// `host` must live until Stop.
  void Start(HttpHost& host);
  /// To be called by the thread of the server. Any thread; what is posted after Stop is never called, and
  /// destroyed with the listener.
  void Post(std::function<void()> task);
  /// Closes all connections.
  void Stop();

 private:
  class Net;
  std::unique_ptr<Net> net_;
};

}  // namespace davit
