// Sends bytes to the port of a server: HTTP, or WebSocket after an upgrade. Whatever comes, the server
// answers or closes the connection when its client has said all, and serves the next one.
//
// The first byte of an input: bit 0, the server that has a user and a prefix; bit 1, the rest is sent after
// an upgrade; bit 2, as the payloads of masked frames, each with a length of two bytes, else as it is.
//
// Corpus: tests/fuzz/live_server; words: tests/fuzz/live_server.dict.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "server/live_server.h"
#include "tests/fuzz/live_rig.h"

namespace davit {
namespace {

constexpr std::string_view kUpgrade =
    "GET /crane1/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

/// `what` failed: tells the error of the system.
void Require(bool holds, const char* what) {
  if (holds) return;
  std::perror(what);
  std::abort();
}

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
  void ReadToEnd() const {
    shutdown(socket_, SHUT_WR);
    char bytes[4096];
    ssize_t count = 0;
    do {  // the timer of libFuzzer may interrupt it
      count = recv(socket_, bytes, sizeof bytes, 0);
    } while (count > 0 || (count < 0 && errno == EINTR));
    Require(count == 0 || errno == ECONNRESET || errno == EPIPE, "recv");
  }

 private:
  int socket_;
};

/// A masked frame, with a key of zeros so that the payload is seen as it is.
std::string FrameOf(std::string_view payload) {
  std::string frame = "\x82";
  if (payload.size() < 126) {
    frame += static_cast<char>(0x80 | payload.size());
  } else {
    frame += '\xfe';
    frame += static_cast<char>(payload.size() >> 8);
    frame += static_cast<char>(payload.size() & 255);
  }
  return frame.append(4, '\0').append(payload);
}

LiveServerOptions OptionsFor(bool has_user) {
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

}  // namespace
}  // namespace davit

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace davit;
  static Served open(OptionsFor(false));
  static Served locked(OptionsFor(true));
  if (size == 0) return 0;
  const unsigned mode = *data;
  Served& served = (mode & 1) == 0 ? open : locked;
  std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  {
    const FuzzedConnection connection(served.port());
    if ((mode & 2) != 0) {
      connection.Send(kUpgrade);
      connection.ReadTo("\r\n\r\n");
    }
    if ((mode & 6) == 6) {
      while (rest.size() >= 2) {
        const auto wanted = static_cast<std::size_t>(static_cast<unsigned char>(rest[0]) +
                                                     256 * static_cast<unsigned char>(rest[1]));
        rest.remove_prefix(2);
        connection.Send(FrameOf(rest.substr(0, wanted)));
        rest.remove_prefix(std::min(wanted, rest.size()));
      }
    } else {
      connection.Send(rest);
    }
    connection.ReadToEnd();
  }
  if (&served == &open) open.ForgetSnapshots();
  return 0;
}
