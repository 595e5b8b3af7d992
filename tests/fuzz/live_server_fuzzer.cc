// Sends bytes to the port of a server: HTTP, or WebSocket after an upgrade. Whatever comes, the server
// answers or closes the connection when its client has said all, and serves the next one.
//
// The first byte of an input: bit 0, the server that has a user and a prefix; bit 1, the rest is sent after
// an upgrade; bit 2, as the payloads of masked frames, each with a length of two bytes, else as it is.
//
// Corpus: tests/fuzz/live_server; words: tests/fuzz/live_server.dict.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/served_rig.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace davit;
  static Served open(ServedOptions(false));
  static Served locked(ServedOptions(true));
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
