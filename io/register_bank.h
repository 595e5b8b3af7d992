#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "io/modbus_protocol.h"
#include "io/value_board.h"
#include "io/wire_value.h"

namespace davit {

/// Where an item is among the registers of a device.
struct RegisterPlace {
  modbus::Table table = modbus::Table::kHolding;
  std::uint16_t address = 0;  ///< of its first register
  WireFormat format = {};
  bool is_writable = false;  ///< by the partner
  std::size_t item = 0;      ///< on the board

  std::size_t words() const { return format.size() / 2; }
  std::size_t end() const { return address + words(); }
};

/// The items of an interface as the registers that a Modbus partner reads and writes.
///
/// A number is read in parts as well, but written whole: a write that begins or ends inside of one, or
/// reaches a register that is not writable, or none, is an illegal address. A value that the item
/// does not take, such as one that is not finite, is an illegal value. Then nothing is written.
///
/// Used by the thread that talks to the partner.
class RegisterBank final : public modbus::Store {
 public:
  /// Whether an item takes a value.
  using Accepts = std::function<bool(std::size_t item, double value)>;

  /// `board` must outlive the bank. Pre: the places do not overlap.
  RegisterBank(std::vector<RegisterPlace> places, ValueBoard& board, Accepts accepts);

  std::optional<modbus::Exception> Read(modbus::Table table, std::uint16_t address,
                                        std::span<std::uint16_t> words) override;
  std::optional<modbus::Exception> Write(modbus::Table table, std::uint16_t address,
                                         std::span<const std::uint16_t> words) override;
  /// By table and address.
  std::span<const RegisterPlace> places() const { return places_; }

 private:
  /// The place that has a register; null where there is none.
  const RegisterPlace* Find(modbus::Table table, std::size_t address) const;

  std::vector<RegisterPlace> places_;
  ValueBoard& board_;
  Accepts accepts_;
  std::vector<ValueBoard::Write> writes_;  ///< of one request
};

}  // namespace davit
