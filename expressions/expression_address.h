#pragma once

#include <cstdint>

namespace davit {

/// While expressions are compiled, the numbers of constants and variables still grow, so an address says in
/// its upper bits which list it counts through. ExpressionCompiler::Link makes plain numbers of them.
enum class AddressKind : std::uint8_t { kConstant, kVariable, kSignal };

constexpr std::uint32_t kAddressBits = 28;

constexpr std::uint32_t AddressOf(AddressKind kind, std::uint32_t index) {
  return static_cast<std::uint32_t>(kind) << kAddressBits | index;
}
constexpr AddressKind KindOfAddress(std::uint32_t address) {
  return static_cast<AddressKind>(address >> kAddressBits);
}
constexpr std::uint32_t IndexOfAddress(std::uint32_t address) {
  return address & ((std::uint32_t{1} << kAddressBits) - 1);
}

}  // namespace davit
