#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <chrono>
#include <cstddef>
#include <memory>

#include "server/http_host.h"

namespace davit {

/// A connection of a client. All calls come in the thread of the server.
class ClientConnection {
 public:
  using Clock = std::chrono::steady_clock;

  virtual ~ClientConnection() = default;
  /// Every few milliseconds.
  virtual void Tick(Clock::time_point /*now*/) {}
  /// The server ends.
  virtual void Close() = 0;
};

/// Where connections are kept as long as they are open.
class ConnectionList {
 public:
  virtual ~ConnectionList() = default;
  virtual void Add(std::shared_ptr<ClientConnection> connection) = 0;
  virtual void Remove(const ClientConnection* connection) = 0;
};

/// Begins to talk with a client that was accepted; with TLS where `tls` is given.
void OpenConnection(HttpHost& host, ConnectionList& list, boost::asio::ip::tcp::socket socket,
                    boost::asio::ssl::context* tls);

}  // namespace davit
