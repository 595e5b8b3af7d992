#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "server/live_server.h"
#include "tests/fuzz/live_rig.h"

namespace davit {

/// A request for StudioAPI, at a server with the options of ServedOptions.
inline constexpr std::string_view kUpgrade =
    "GET /crane1/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

/// `what` failed: tells the error of the system.
inline void Require(bool holds, const char* what) {
  if (holds) return;
  std::perror(what);
  std::abort();
}

/// A connection that hears what the server says.
class FuzzedConnection {
 public:
  explicit FuzzedConnection(std::uint16_t port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval patience{.tv_sec = 20, .tv_usec = 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    const linger at_once{.l_onoff = 1, .l_linger = 0};  // or all ports are used up soon
    setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    // The timer of libFuzzer may interrupt it, and it goes on meanwhile.
    while (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 &&
           errno != EISCONN)
      Require(errno == EINTR || errno == EALREADY, "connect");
  }
  ~FuzzedConnection() { close(socket_); }
  FuzzedConnection(const FuzzedConnection&) = delete;
  FuzzedConnection& operator=(const FuzzedConnection&) = delete;

  void Send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t count = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return;  // the server has closed it
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  /// Until `end` was read, or the server has closed.
  void ReadTo(std::string_view end) const {
    std::string read;
    char c = 0;
    while (!read.ends_with(end)) {
      const ssize_t count = recv(socket_, &c, 1, 0);
      if (count < 0 && errno == EINTR) continue;
      if (count != 1) return;
      read += c;
    }
  }
  /// All that comes; the server must close, as there is nothing more to say.
  std::string ReadToEnd() const {
    shutdown(socket_, SHUT_WR);
    std::string all;
    char bytes[4096];
    ssize_t count = 0;
    do {  // the timer of libFuzzer may interrupt it
      count = recv(socket_, bytes, sizeof bytes, 0);
      if (count > 0) all.append(bytes, static_cast<std::size_t>(count));
    } while (count > 0 || (count < 0 && errno == EINTR));
    Require(count == 0 || errno == ECONNRESET || errno == EPIPE, "recv");
    return all;
  }

 private:
  int socket_;
};

/// A run with its server, and a thread that drives it.
class Served {
 public:
  explicit Served(LiveServerOptions options) : options_(std::move(options)) {
    AddFuzzedModels(registry_);
    RegisterSimulator(registry_);
    Begin();
  }
  ~Served() { End(); }

  /// The port; after a client has ended the run it begins anew.
  std::uint16_t port() {
    if (!run_->Post([] {})) {
      End();
      Begin();
    }
    return server_->port();
  }
  /// Does `task` between two steps, unless the run is over.
  void Post(void (*task)(LiveRun&)) {
    run_->PostBetweenRuns([this, task] { task(*run_); });
  }
  /// Where no login is needed: the session of a connection ends with it, within the patience of a client.
  void ExpectNoClient() {
    std::string answer;
    for (int i = 0; i < 1000 && answer.find("\"clients\":0") == std::string::npos; ++i) {
      const FuzzedConnection connection(port());
      connection.Send("GET /crane1/api/state HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
      answer = connection.ReadToEnd();
    }
    Require(answer.find("\"clients\":0") != std::string::npos, "a session outlives its client");
  }
  void ForgetSnapshots() const {
    for (const auto& entry : std::filesystem::directory_iterator(*options_.snapshots))
      std::filesystem::remove(entry.path());
  }

 private:
  void Begin() {
    SimulationOptions simulation;
    simulation.log_level = RunLog::Severity::kDetail;
    simulation.log_entries = [this](const RunLog::Entry& entry) { notes_.Give(ToNote(entry)); };
    simulation_ = Simulation::LoadText(kFuzzedSystem, "rig.xml", registry_, simulation).Take();
    simulation_->Initialize();
    run_ = std::make_unique<LiveRun>(*simulation_, notes_, LiveRunOptions{.is_paused = true, .factor = {}});
    server_ = std::make_unique<LiveServer>(options_);
    server_->Start(*run_, notes_, {.drawing = "<svg/>", .drawing_fault = {}, .scene = "{}"});
    driver_ = std::thread([this] { run_->RunToEnd(); });
  }
  void End() {
    run_->Quit();
    driver_.join();
    server_->Stop();
    server_.reset();
    run_.reset();
  }

  const LiveServerOptions options_;
  Registry registry_;
  HandOver<RunNote> notes_{10'000};
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<LiveRun> run_;
  std::unique_ptr<LiveServer> server_;
  std::thread driver_;
};

/// The first byte of a frame with binary data.
enum class FrameKind : unsigned char { kWhole = 0x82, kFirst = 0x02, kLast = 0x80 };

/// A masked frame, with a key of zeros so that the payload is seen as it is.
inline std::string FrameOf(std::string_view payload, FrameKind kind = FrameKind::kWhole) {
  std::string frame(1, static_cast<char>(kind));
  if (payload.size() < 126) {
    frame += static_cast<char>(0x80 | payload.size());
  } else {
    frame += '\xfe';
    frame += static_cast<char>(payload.size() >> 8);
    frame += static_cast<char>(payload.size() & 255);
  }
  return frame.append(4, '\0').append(payload);
}

inline LiveServerOptions ServedOptions(bool has_user) {
  LiveServerOptions options{.port = 0, .idle_time = std::chrono::seconds(0)};
  options.prefix = "/crane1";
  if (has_user) {
    options.user = "anna";
    options.password = "x";
  } else {
    options.snapshots = std::filesystem::temp_directory_path() / ("davit_fuzz_" + std::to_string(getpid()));
    std::filesystem::create_directories(*options.snapshots);
  }
  return options;
}

}  // namespace davit
