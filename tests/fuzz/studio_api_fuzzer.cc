// Feeds messages to a session of StudioAPI, with the time and the run going on between them. Whatever comes,
// the session lives, and nothing of it is left when it ends.
//
// An input begins with a byte: bit 0, a login is needed; bit 1, the messages go through the port of a server
// (server/net) as frames of WebSocket, else to the session itself; bit 2, as two frames each. Then follow a
// length of two bytes and a message, again and again. A length of 0xff.. is a step of the run instead.
//
// Corpus: tests/fuzz/studio_api.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tests/fuzz/served_rig.h"

namespace davit {
namespace {

/// The next message of an input, without its length; empty where it is a step.
struct Next {
  bool is_step = false;
  std::string_view message;
};

/// Takes it from the begin of `rest`, which has two bytes at least.
Next TakeNext(std::string_view& rest) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(rest[i]));
  };
  const std::size_t wanted = byte(0) + 256 * byte(1);
  rest.remove_prefix(2);
  if (wanted >= 0xff00) return {.is_step = true, .message = {}};
  const Next next{.is_step = false, .message = rest.substr(0, wanted)};
  rest.remove_prefix(next.message.size());
  return next;
}

void StepOnce(LiveRun& run) {
  if (run.status() != LiveStatus::kPaused) run.Reset("fuzzer");
  run.Step("fuzzer");
}

class Fuzzed {
 public:
  explicit Fuzzed(LiveServerOptions options)
      : live_(std::move(options), {.is_paused = true, .factor = {}}, kFuzzedSystem, AddFuzzedModels) {}

  void Take(std::string_view rest) {
    KeptFrames client;
    const auto session = std::make_shared<StudioApiSession>(live_.context(), client, "127.0.0.1:1", nullptr);
    auto now = StudioApiSession::Clock::now();
    session->Open();
    while (rest.size() >= 2 && !session->is_closed()) {
      const Next next = TakeNext(rest);
      if (next.is_step) {
        live_.Do([this] { StepOnce(live_.run()); });
      } else {
        session->Take(next.message);
      }
      live_.Poll();
      session->Tick(now += std::chrono::milliseconds(100));
    }
    Require(live_.context().clients == 1, "clients");
    Require(live_.context().values.watched() <= live_.context().tree.nodes().size(), "watched");
  }
  /// After each input.
  void Check() {
    Require(live_.context().clients == 0, "clients left");
    Require(live_.context().values.watched() == 0, "watched left");
    Require(live_.context().events.events().size() <= EventLog::kMostEvents, "events");
  }

 private:
  LiveSystem live_;
};

/// The same through a port.
void TakeThroughPort(Served& served, std::string_view rest, bool is_halved) {
  const FuzzedConnection connection(served.port());
  connection.Send(kUpgrade);
  connection.ReadTo("\r\n\r\n");
  while (rest.size() >= 2) {
    const Next next = TakeNext(rest);
    if (next.is_step) {
      served.Post(StepOnce);
    } else if (is_halved) {
      const std::size_t half = next.message.size() / 2;
      connection.Send(FrameOf(next.message.substr(0, half), FrameKind::kFirst));
      connection.Send(FrameOf(next.message.substr(half), FrameKind::kLast));
    } else {
      connection.Send(FrameOf(next.message));
    }
  }
  connection.ReadToEnd();
}

}  // namespace
}  // namespace davit

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace davit;
  if (size == 0) return 0;
  const unsigned mode = *data;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  if ((mode & 2) != 0) {
    static Served open(ServedOptions(false));
    static Served locked(ServedOptions(true));
    Served& served = (mode & 1) == 0 ? open : locked;
    TakeThroughPort(served, rest, (mode & 4) != 0);
    if (&served == &open) open.ExpectNoClient();
    return 0;
  }
  static Fuzzed open({});
  static Fuzzed locked({.user = "anna", .password = "x", .idle_time = std::chrono::seconds(2)});
  Fuzzed& fuzzed = (mode & 1) == 0 ? open : locked;
  fuzzed.Take(rest);
  fuzzed.Check();
  return 0;
}
