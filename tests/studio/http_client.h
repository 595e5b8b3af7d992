#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace davit {

struct HttpReply {
  int status = 0;  ///< 0: no answer
  std::string head;
  std::string body;
};

/// Sends a request as it is written to a port of this machine, and gives all that comes until the connection
/// ends, or `last` has come.
inline std::string SendBytes(std::uint16_t port, std::string_view request, std::string_view last = {}) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval patience{60, 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string all;
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    while (!request.empty()) {
      const ssize_t count = ::send(socket, request.data(), request.size(), MSG_NOSIGNAL);
      if (count <= 0) break;
      request.remove_prefix(static_cast<std::size_t>(count));
    }
    char block[65536];
    while (true) {
      const ssize_t count = ::recv(socket, block, sizeof block, 0);
      if (count < 0 && errno == EINTR) continue;  // a program that another thread has started has ended
      if (count <= 0) break;
      all.append(block, static_cast<std::size_t>(count));
      if (!last.empty() && all.find(last) != std::string::npos) break;
    }
  }
  ::close(socket);
  return all;
}

inline HttpReply SendRaw(std::uint16_t port, std::string_view request) {
  const std::string all = SendBytes(port, request);
  HttpReply reply;
  const std::size_t end = all.find("\r\n\r\n");
  if (end == std::string::npos || !all.starts_with("HTTP/1.1 ")) return reply;
  reply.status = std::atoi(all.c_str() + 9);
  reply.head = all.substr(0, end);
  reply.body = all.substr(end + 4);
  return reply;
}

inline HttpReply SendRequest(std::uint16_t port, std::string_view method, std::string_view target,
                             std::string_view body = {}) {
  std::string request(method);
  request.append(" ").append(target).append(" HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n");
  if (!body.empty()) request.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n");
  return SendRaw(port, request.append("\r\n").append(body));
}

}  // namespace davit
