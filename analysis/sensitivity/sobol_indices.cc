#include "analysis/sensitivity/sobol_indices.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/study/sampling.h"

namespace davit {
namespace {

/// Groups of samples whose scatter shows the errors.
constexpr std::size_t kBlocks = 16;

/// Sums over a block of samples.
struct SobolSums {
  explicit SobolSums(std::size_t inputs) : first(inputs), total(inputs) {}
  double count = 0, square = 0;
  std::vector<double> first, total;
};

double Deviation(const std::vector<double>& estimates) {
  const auto n = static_cast<double>(estimates.size());
  double mean = 0, squares = 0;
  for (const double x : estimates) mean += x / n;
  for (const double x : estimates) squares += (x - mean) * (x - mean);
  return std::sqrt(squares / (n * (n - 1)));
}

}  // namespace

std::vector<std::vector<double>> SobolDesign(std::size_t samples, std::size_t inputs, std::uint64_t seed) {
  const std::vector<double> cube = SampleUnitCube(Sampling::kSobol, samples, 2 * inputs, seed);
  std::vector<std::vector<double>> points;
  points.reserve(samples * (inputs + 2));
  for (std::size_t n = 0; n < samples; ++n) {
    const auto at = cube.begin() + static_cast<std::ptrdiff_t>(2 * inputs * n);
    const std::vector<double> a(at, at + static_cast<std::ptrdiff_t>(inputs));
    const std::vector<double> b(at + static_cast<std::ptrdiff_t>(inputs),
                                at + static_cast<std::ptrdiff_t>(2 * inputs));
    points.push_back(a);
    points.push_back(b);
    for (std::size_t i = 0; i < inputs; ++i) {
      points.push_back(a);
      points.back()[i] = b[i];
    }
  }
  return points;
}

SobolIndices ComputeSobolIndices(std::span<const double> values, std::size_t inputs) {
  const std::size_t width = inputs + 2;
  const std::size_t samples = values.size() / width;
  const auto row = [&](std::size_t n) { return values.subspan(n * width, width); };
  const auto is_good = [&](std::size_t n) {
    return std::ranges::all_of(row(n), [](double x) { return std::isfinite(x); });
  };
  SobolIndices indices;
  for (std::size_t n = 0; n < samples; ++n) {
    if (!is_good(n)) continue;
    ++indices.used;
    indices.mean += row(n)[0] + row(n)[1];
  }
  indices.mean /= 2 * static_cast<double>(indices.used);
  std::vector<SobolSums> blocks(kBlocks, SobolSums(inputs));
  SobolSums all(inputs);
  for (std::size_t n = 0; n < samples; ++n) {
    if (!is_good(n)) continue;
    const double a = row(n)[0] - indices.mean, b = row(n)[1] - indices.mean;
    for (SobolSums* sums : {&all, &blocks[n * kBlocks / samples]}) {
      sums->count += 1;
      sums->square += (a * a + b * b) / 2;
      for (std::size_t i = 0; i < inputs; ++i) {
        const double ab = row(n)[2 + i] - indices.mean;
        sums->first[i] += b * (ab - a);
        sums->total[i] += (a - ab) * (a - ab) / 2;
      }
    }
  }
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  for (std::vector<double>* list :
       {&indices.first, &indices.total, &indices.first_error, &indices.total_error})
    list->assign(inputs, kNone);
  indices.variance = all.count > 0 ? all.square / all.count : 0;
  if (!(indices.variance > 0)) return indices;
  for (std::size_t i = 0; i < inputs; ++i) {
    indices.first[i] = all.first[i] / all.square;
    indices.total[i] = all.total[i] / all.square;
    std::vector<double> first, total;
    for (const SobolSums& sums : blocks) {
      if (sums.count == 0) continue;
      first.push_back(sums.first[i] / sums.count / indices.variance);
      total.push_back(sums.total[i] / sums.count / indices.variance);
    }
    if (first.size() < 2) continue;
    indices.first_error[i] = Deviation(first);
    indices.total_error[i] = Deviation(total);
  }
  return indices;
}

}  // namespace davit
