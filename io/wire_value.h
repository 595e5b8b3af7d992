#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace davit {

/// How a number is written on a wire.
enum class WireType : std::uint8_t { kFloat32, kInt16, kUint16, kInt32, kUint32, kBool };
inline constexpr std::array<std::string_view, 6> kWireTypeNames{"float32", "int16",  "uint16",
                                                                "int32",   "uint32", "bool"};

/// The order in which the bytes of a number are sent; A is the most significant. Of numbers of two bytes the
/// first two letters count: AB or BA.
enum class WordOrder : std::uint8_t { kAbcd, kCdab, kBadc, kDcba };
inline constexpr std::array<std::string_view, 4> kWordOrderNames{"ABCD", "CDAB", "BADC", "DCBA"};

/// How the value of an item (SI) becomes a number on a wire:  value = scale * number + offset.
struct WireFormat {
  WireType type = WireType::kFloat32;
  WordOrder order = WordOrder::kAbcd;
  double scale = 1;  ///< not 0
  double offset = 0;

  /// Bytes: 2 or 4.
  std::size_t size() const;
  /// Whether `value` has a number; a NaN has none among integers.
  bool CanWrite(double value) const;
  /// A number beyond those of the type becomes the nearest one; integers are rounded. Pre: CanWrite(value),
  /// and `bytes` has size().
  void Write(double value, std::span<std::uint8_t> bytes) const;
  /// Of a bool every number but 0 is true. Pre: `bytes` has size().
  double Read(std::span<const std::uint8_t> bytes) const;
};

}  // namespace davit
