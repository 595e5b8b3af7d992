#pragma once

#include <cstdint>

namespace davit {

/// Which interfaces a run opens.
enum class IoReach : std::uint8_t {
  kNone,
  kLoopback,  ///< those that stay on this computer
  kNetwork,   ///< all
};

}  // namespace davit
