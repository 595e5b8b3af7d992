#pragma once

#include <string>
#include <vector>

#include "analysis/linear/linear_model.h"
#include "framework/diagnostics.h"
#include "framework/item.h"
#include "framework/system.h"

namespace davit {

/// What a linear model leads from and to.
struct LinearEnds {
  std::vector<Item> inputs;
  std::vector<Item> outputs;
};

/// Finds the ends that paths and globs name. A path may name any input, also one with a route, and a live
/// parameter that is a number; a glob means inputs that nothing is routed to. Without `inputs` all of these
/// are taken, without `outputs` what the system records. What is wrong goes to `diagnostics`.
LinearEnds FindLinearEnds(System& system, const std::vector<std::string>& inputs,
                          const std::vector<std::string>& outputs, Diagnostics& diagnostics);

/// A linear model, and what is to be known of it.
struct Linearization {
  LinearModel model;
  double time = 0;  ///< of the operating point [s]
  /// Of the entries of the matrices: the largest estimated error, as a share of the largest entry of its row.
  double error = 0;
  /// The state that changes most in its nominal size a second at the operating point: 0 at rest.
  double largest_rate = 0;
  std::string fastest;  ///< its name
  /// What the user should know: kinks at the operating point, what is left out.
  std::vector<std::string> notes;
};

/// The largest systems that are linearised: the matrices are full.
inline constexpr std::size_t kMostLinearUnknowns = 2000;

/// The linear model of a system at the present time of its run, by differences of its equations
/// (NetworkEquations, Differentiate). Islands that IDA solves are reduced: of index 1, E xi' = K xi + B u has
/// as many states as E has rank (FindDifferentialPart); the other unknowns follow from them.
///
/// Inputs that are routed are cut: their value stays, their source has no influence. Levels, modes and charts
/// stay as they are.
///
/// The run cannot continue afterwards. Throws std::runtime_error with what is wrong and what helps, where the
/// equations cannot be evaluated or have a higher index.
Linearization Linearize(System& system, const LinearEnds& ends);

}  // namespace davit
