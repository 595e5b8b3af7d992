#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace davit {

/// How samples fill the unit cube.
enum class Sampling : std::uint8_t {
  kLatinHypercube,  ///< each of n equal slices of each axis has one sample, at a random place in it
  kSobol,           ///< the Sobol sequence (direction numbers of Joe and Kuo, 2008), shifted by the seed
  kRandom,          ///< independent of each other
};

/// The most coordinates of a point.
inline constexpr std::size_t kMostDimensions = 1000;

/// `count` points of `dimensions` coordinates in (0, 1), point after point. The same seed gives the same bits
/// on every machine. Pre: dimensions <= kMostDimensions.
std::vector<double> SampleUnitCube(Sampling sampling, std::size_t count, std::size_t dimensions,
                                   std::uint64_t seed);

}  // namespace davit
