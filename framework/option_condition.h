#pragma once

#include <cstdint>

namespace davit {

/// Says when something counts: while an aspect is at one of some options. Without an aspect: always.
struct OptionCondition {
  const std::uint32_t* option = nullptr;  ///< the one in force
  std::uint32_t options = 0;              ///< bit i means option i

  bool holds() const { return option == nullptr || ((options >> *option) & 1U) != 0; }
};

}  // namespace davit
