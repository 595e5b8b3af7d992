#include "io/register_bank.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace davit {

using modbus::Exception;
using modbus::Table;

RegisterBank::RegisterBank(std::vector<RegisterPlace> places, ValueBoard& board, Accepts accepts)
    : places_(std::move(places)), board_(board), accepts_(std::move(accepts)) {
  std::ranges::sort(places_, {}, [](const RegisterPlace& one) { return std::tuple(one.table, one.address); });
  writes_.reserve(modbus::kMostBitsWritten);
}

const RegisterPlace* RegisterBank::Find(Table table, std::size_t address) const {
  const auto behind = std::ranges::upper_bound(
      places_, std::tuple(table, address), {},
      [](const RegisterPlace& one) { return std::tuple(one.table, std::size_t{one.address}); });
  if (behind == places_.begin()) return nullptr;
  const RegisterPlace& place = *(behind - 1);
  return place.table == table && address < place.end() ? &place : nullptr;
}

std::optional<Exception> RegisterBank::Read(Table table, std::uint16_t address,
                                            std::span<std::uint16_t> words) {
  return board_.Look([&](std::span<const double> values) -> std::optional<Exception> {
    const std::size_t end = address + words.size();
    for (std::size_t at = address; at < end;) {
      const RegisterPlace* const place = Find(table, at);
      if (place == nullptr) return Exception::kIllegalAddress;
      const double value = values[place->item];
      if (!place->format.CanWrite(value)) return Exception::kServerFailure;
      std::array<std::uint8_t, 4> bytes{};
      place->format.Write(value, std::span(bytes).first(place->format.size()));
      for (; at < std::min(place->end(), end); ++at) {
        const std::size_t byte = 2 * (at - place->address);
        words[at - address] = static_cast<std::uint16_t>(bytes[byte] << 8 | bytes[byte + 1]);
      }
    }
    return std::nullopt;
  });
}

std::optional<Exception> RegisterBank::Write(Table table, std::uint16_t address,
                                             std::span<const std::uint16_t> words) {
  writes_.clear();
  const std::size_t end = address + words.size();
  std::optional<Exception> exception;
  for (std::size_t at = address; at < end;) {
    const RegisterPlace* const place = Find(table, at);
    if (place == nullptr || !place->is_writable || place->address != at || place->end() > end)
      return Exception::kIllegalAddress;
    std::array<std::uint8_t, 4> bytes{};
    for (std::size_t byte = 0; byte < place->format.size(); ++byte) {
      const std::uint16_t word = words[at - address + byte / 2];
      bytes[byte] = static_cast<std::uint8_t>(byte % 2 == 0 ? word >> 8 : word);
    }
    const double value = place->format.Read(std::span(bytes).first(place->format.size()));
    if (!accepts_(place->item, value)) exception = Exception::kIllegalValue;
    writes_.emplace_back(place->item, value);
    at = place->end();
  }
  if (!exception) board_.WriteAll(writes_, ValueBoard::Clock::now());
  return exception;
}

}  // namespace davit
