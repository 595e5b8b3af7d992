// Feeds messages to a session of StudioAPI, with the time and the run going on between them. Whatever comes,
// the session lives, and nothing of it is left when it ends.
//
// An input begins with a byte whether a login is needed; then follow a length of two bytes and a message,
// again and again. A length of 0xff.. is a step of the run instead.
//
// Corpus: tests/fuzz/studio_api.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "tests/fuzz/live_rig.h"

namespace davit {
namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

class Fuzzed {
 public:
  explicit Fuzzed(LiveServerOptions options)
      : live_(std::move(options), {.is_paused = true, .factor = {}}, kFuzzedSystem, AddFuzzedModels) {}

  void Take(const std::uint8_t* data, std::size_t size) {
    KeptFrames client;
    const auto session = std::make_shared<StudioApiSession>(live_.context(), client, "127.0.0.1:1", false);
    auto now = StudioApiSession::Clock::now();
    session->Open();
    while (size >= 2 && !session->is_closed()) {
      const std::size_t wanted = data[0] + 256 * data[1];
      data += 2;
      size -= 2;
      if (wanted >= 0xff00) {
        live_.Do([this] {
          if (live_.run().status() != LiveStatus::kPaused) live_.run().Reset("fuzzer");
          live_.run().Step("fuzzer");
        });
      } else {
        const std::size_t count = std::min(wanted, size);
        session->Take({reinterpret_cast<const char*>(data), count});
        data += count;
        size -= count;
      }
      live_.Poll();
      session->Tick(now += std::chrono::milliseconds(100));
    }
    Require(live_.context().clients == 1);
    Require(live_.context().values.watched() <= live_.context().tree.nodes().size());
  }
  /// After each input.
  void Check() {
    Require(live_.context().clients == 0);
    Require(live_.context().values.watched() == 0);
    Require(live_.context().events.events().size() <= EventLog::kMostEvents);
  }

 private:
  LiveSystem live_;
};

}  // namespace
}  // namespace davit

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static davit::Fuzzed open({});
  static davit::Fuzzed locked({.user = "anna", .password = "x", .idle_time = std::chrono::seconds(2)});
  if (size == 0) return 0;
  davit::Fuzzed& fuzzed = (data[0] & 1) == 0 ? open : locked;
  fuzzed.Take(data + 1, size - 1);
  fuzzed.Check();
  return 0;
}
