// Feeds bytes to what a Modbus server and a Modbus client do with them: whatever comes, there is an answer of
// the right size, and a value that an item does not take is never written.
//
// Corpus: tests/fuzz/modbus.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "io/register_bank.h"

namespace davit {
namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

constexpr double kMost = 100;

std::vector<RegisterPlace> Places() {
  using modbus::Table;
  std::vector<RegisterPlace> places;
  for (std::uint16_t i = 0; i < 8; ++i) {
    places.push_back(
        {Table::kHolding, static_cast<std::uint16_t>(2 * i), {static_cast<WireType>(i % 6)}, true, i});
    places.push_back({Table::kInput, i, {WireType::kInt16}, false, i});
    places.push_back({Table::kCoil, i, {WireType::kBool}, true, i});
    places.push_back({Table::kDiscrete, i, {WireType::kBool}, false, i});
  }
  return places;
}

void Take(modbus::ByteSpan bytes) {
  ValueBoard board(8);
  RegisterBank bank(Places(), board, [](std::size_t, double value) { return std::abs(value) <= kMost; });
  const modbus::Identity identity{"vendor", "product", "revision"};
  while (true) {
    const modbus::FrameSearch found = modbus::FindFrame(bytes);
    if (found.result != modbus::FrameSearch::Result::kFrame) break;
    const modbus::Bytes answer = modbus::Answer(found.frame.pdu, bank, identity);
    Require(answer.size() >= 2 && answer.size() <= 253);
    for (const modbus::Table table : {modbus::Table::kHolding, modbus::Table::kCoil}) {
      modbus::ReadAnswer(table, 3, found.frame.pdu);
      modbus::ReadAnswer(table, found.frame.pdu.size(), found.frame.pdu);
    }
    modbus::IsWritten(modbus::ReadRequest(modbus::Table::kHolding, 1, 2), found.frame.pdu);
    bytes = bytes.subspan(found.frame.size);
  }
  std::vector<ValueBoard::Write> writes;
  board.TakeWrites(writes);
  for (const auto& [item, value] : writes) Require(std::abs(value) <= kMost);
}

}  // namespace
}  // namespace davit

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  davit::Take({data, size});
  return 0;
}
