#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "components/mechanism/dynamics/loop.h"
#include "components/mechanism/dynamics/tree_dynamics.h"

namespace davit::multibody {

/// What an assembly may not change, by speed of the tree: the position that the speed moves, the speed
/// itself.
struct HeldStart {
  std::vector<bool> positions, speeds;

  explicit HeldStart(std::size_t count) : positions(count), speeds(count) {}
};

/// How an assembly has ended.
struct AssemblyResult {
  enum class End : std::uint8_t {
    kClosed,
    kOpen,    ///< no positions close the loops
    kMoving,  ///< they close, but no speeds keep them closed
  };
  End end = End::kClosed;
  std::size_t worst_loop = 0;  ///< of those given
  double error = 0;            ///< of that loop: a distance [m], the sine of an angle, or the rate of one
  bool is_angle = false;
};

/// Closes loops from positions that nearly close them, by Newton's method with steps of least norm, and
/// changes speeds as little as needed for the loops to stay closed.
AssemblyResult Assemble(TreeDynamics& dynamics, std::span<const Loop> loops, const MovingBase& base,
                        const HeldStart& held, std::span<double> q, std::span<double> u);

}  // namespace davit::multibody
