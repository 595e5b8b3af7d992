#pragma once

#include <cstdint>

namespace davit {

/// When several threads share a step.
enum class ThreadUse : std::uint8_t {
  kWhereItPays,  ///< only while it is faster (ThreadChoice)
  kAlways,       ///< to measure, or to be sure that threads take part
};

}  // namespace davit
