// Feeds bytes to what reads messages and topics of MQTT: a message that is taken has values of its items
// alone, and what davit would publish for them reads back as the same numbers.
//
// Corpus: tests/fuzz/mqtt. Dictionary: tests/fuzz/mqtt.dict.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "io/mqtt_payload.h"

namespace davit::mqtt {
namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

void TakeMessage(std::string_view payload, std::span<const Field> fields) {
  std::vector<ValueBoard::Write> writes;
  if (!Read(payload, fields, writes).empty()) return;
  Require(!writes.empty() && writes.size() <= fields.size());
  std::vector<double> values(fields.size(), 1);
  bool is_finite = true;
  for (const auto& [item, value] : writes) {
    Require(item < fields.size());
    values[item] = value;
    is_finite = is_finite && std::isfinite(value);
  }
  const std::optional<std::string> written = Write(fields, values);
  if (!written) return;  // not finite on the wire
  Require(is_finite);
  std::vector<ValueBoard::Write> again;
  Require(Read(*written, fields, again).empty() && again.size() == fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const bool is_exact =
        fields[i].scale == 1 && fields[i].offset == 0 && fields[i].type == NumberType::kNumber;
    Require(again[i].first == fields[i].item && (!is_exact || again[i].second == values[fields[i].item]));
  }
}

void Take(std::string_view bytes) {
  static const std::vector<Field> kAlone{{.member = {}, .item = 0}};
  static const std::vector<Field> kScaled{{.member = {}, .scale = 0.5, .offset = 2, .item = 0}};
  static const std::vector<Field> kTiny{
      {.member = {}, .scale = std::numeric_limits<double>::min(), .item = 0}};
  static const std::vector<Field> kObject{
      {.member = "a", .item = 0},
      {.member = "b \"\\", .item = 1},
      {.member = "c", .type = NumberType::kBool, .item = 2},
  };
  for (const std::vector<Field>* const fields : {&kAlone, &kScaled, &kTiny, &kObject})
    TakeMessage(bytes, *fields);
  if (FaultOfTopic(bytes).is_empty())
    Require(!bytes.empty() && bytes.size() <= kMostTopic && bytes.find_first_of("+#\n") == bytes.npos);
}

}  // namespace
}  // namespace davit::mqtt

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  davit::mqtt::Take({reinterpret_cast<const char*>(data), size});
  return 0;
}
