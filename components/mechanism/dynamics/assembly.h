#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "components/mechanism/dynamics/loop.h"
#include "components/mechanism/dynamics/tree_dynamics.h"

namespace davit::multibody {

/// What an assembly has come to.
struct AssemblyResult {
  bool is_closed = false;
  std::size_t worst_loop = 0;  ///< of those given
  double error = 0;            ///< of that loop: distances in m, angles as sines
  /// The equations of the loops that do not follow from others, where it ended: so many speeds depend on the
  /// others.
  std::size_t bound_speeds = 0;
};

/// Closes loops from positions that nearly close them, by Newton's method with steps of least norm. Positions
/// of speeds that are held stay; then speeds are changed as little as needed for the loops to stay closed.
AssemblyResult Assemble(TreeDynamics& dynamics, std::span<const Loop> loops, const MovingBase& base,
                        const std::vector<bool>& is_held, std::span<double> q, std::span<double> u);

}  // namespace davit::multibody
