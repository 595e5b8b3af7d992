#include "analysis/study/sampling.h"

#include <algorithm>
#include <boost/random/sobol.hpp>
#include <cmath>
#include <numeric>

#include "analysis/study/portable_random.h"

namespace davit {
namespace {

void FillLatinHypercube(std::size_t count, std::size_t dimensions, PortableRandom& random,
                        std::vector<double>& points) {
  std::vector<std::size_t> slices(count);
  for (std::size_t d = 0; d < dimensions; ++d) {
    std::iota(slices.begin(), slices.end(), std::size_t{0});
    for (std::size_t i = count; i > 1; --i) std::swap(slices[i - 1], slices[random.Below(i)]);
    for (std::size_t i = 0; i < count; ++i) {
      points[i * dimensions + d] =
          (static_cast<double>(slices[i]) + random.Uniform()) / static_cast<double>(count);
    }
  }
}

void FillSobol(std::size_t dimensions, PortableRandom& random, std::vector<double>& points) {
  boost::random::sobol sequence(dimensions);
  std::vector<double> shift(dimensions);
  for (double& s : shift) s = random.Uniform();
  constexpr double kStep = 0x1p-53;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double x = static_cast<double>(sequence() >> 11) * kStep + shift[i % dimensions];
    points[i] = std::clamp(x - std::floor(x), kStep / 2, 1 - kStep / 2);
  }
}

}  // namespace

std::vector<double> SampleUnitCube(Sampling sampling, std::size_t count, std::size_t dimensions,
                                   std::uint64_t seed) {
  std::vector<double> points(count * dimensions);
  if (points.empty()) return points;
  PortableRandom random(seed);
  switch (sampling) {
    case Sampling::kLatinHypercube: FillLatinHypercube(count, dimensions, random, points); break;
    case Sampling::kSobol: FillSobol(dimensions, random, points); break;
    case Sampling::kRandom:
      for (double& x : points) x = random.Uniform();
      break;
  }
  return points;
}

}  // namespace davit
