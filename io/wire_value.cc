#include "io/wire_value.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace davit {
namespace {

/// For each byte on the wire its place in ABCD. Each order is its own inverse.
constexpr std::array<std::array<std::uint8_t, 4>, 4> kPlaces{
    {{0, 1, 2, 3}, {2, 3, 0, 1}, {1, 0, 3, 2}, {3, 2, 1, 0}}};

std::size_t PlaceOf(WordOrder order, std::size_t byte, std::size_t size) {
  const std::size_t place = kPlaces[static_cast<std::size_t>(order)][byte];
  return size == 4 ? place : (order == WordOrder::kBadc || order == WordOrder::kDcba ? 1 - byte : byte);
}

template <class Integer>
std::uint32_t Nearest(double number) {
  using Limits = std::numeric_limits<Integer>;
  const double limited = std::clamp(std::nearbyint(number), static_cast<double>(Limits::min()),
                                    static_cast<double>(Limits::max()));
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(limited));
}

std::uint32_t BitsOf(WireType type, double number) {
  switch (type) {
    case WireType::kFloat32: return std::bit_cast<std::uint32_t>(static_cast<float>(number));
    case WireType::kInt16: return Nearest<std::int16_t>(number);
    case WireType::kUint16: return Nearest<std::uint16_t>(number);
    case WireType::kInt32: return Nearest<std::int32_t>(number);
    case WireType::kUint32: return Nearest<std::uint32_t>(number);
    case WireType::kBool: return number != 0 ? 1 : 0;
  }
  return 0;
}

double NumberOf(WireType type, std::uint32_t bits) {
  switch (type) {
    case WireType::kFloat32: return std::bit_cast<float>(bits);
    case WireType::kInt16: return static_cast<std::int16_t>(bits);
    case WireType::kInt32: return static_cast<std::int32_t>(bits);
    case WireType::kUint16:
    case WireType::kUint32: return bits;
    case WireType::kBool: return bits != 0 ? 1 : 0;
  }
  return 0;
}

}  // namespace

std::size_t WireFormat::size() const {
  return type == WireType::kFloat32 || type == WireType::kInt32 || type == WireType::kUint32 ? 4 : 2;
}

bool WireFormat::CanWrite(double value) const { return type == WireType::kFloat32 || !std::isnan(value); }

void WireFormat::Write(double value, std::span<std::uint8_t> bytes) const {
  const std::uint32_t bits = BitsOf(type, (value - offset) / scale);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::size_t place = PlaceOf(order, i, bytes.size());
    bytes[i] = static_cast<std::uint8_t>(bits >> (8 * (bytes.size() - 1 - place)));
  }
}

double WireFormat::Read(std::span<const std::uint8_t> bytes) const {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::size_t place = PlaceOf(order, i, bytes.size());
    bits |= static_cast<std::uint32_t>(bytes[i]) << (8 * (bytes.size() - 1 - place));
  }
  return scale * NumberOf(type, bits) + offset;
}

}  // namespace davit
