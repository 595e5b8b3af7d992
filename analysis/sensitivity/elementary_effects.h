#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace davit {

/// What screening tells of each input (M. D. Morris, Technometrics 33, 1991; mu_star: F. Campolongo et al.,
/// Environmental Modelling and Software 22, 2007). An elementary effect is a change of the value divided by
/// the step in the unit cube that has made it.
struct ElementaryEffects {
  std::vector<double> mu_star;        ///< mean of their absolute values: how much an input matters
  std::vector<double> mu_star_error;  ///< standard error of that mean
  std::vector<double> mu;             ///< mean
  std::vector<double> sigma;          ///< standard deviation: curvature and interactions
  std::size_t used = 0;               ///< trajectories all of whose values are finite
};

/// `trajectories` of (inputs + 1) points after each other, on the grid 0, 1/3, 2/3, 1 of the unit cube: from
/// a random point one coordinate after the other, in random order, changes by 2/3.
std::vector<std::vector<double>> MorrisDesign(std::size_t trajectories, std::size_t inputs,
                                              std::uint64_t seed);

/// The effects from the values at these points. Trajectories with a value that is not finite are left out;
/// without two of them there is no sigma, NaN.
ElementaryEffects ComputeElementaryEffects(std::span<const std::vector<double>> points,
                                           std::span<const double> values);

}  // namespace davit
