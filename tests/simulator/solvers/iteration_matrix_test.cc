#include "simulator/solvers/iteration_matrix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "app/heap/allocation_counter.h"

namespace davit {
namespace {

constexpr std::uint32_t kAbsent = 0xFFFFFFFF;
constexpr std::uint32_t kSize = 120;

/// Neighbours, one far coupling for each unknown, and a row and a column that are full.
JacobianPattern MachinePattern() {
  std::vector<std::vector<std::uint32_t>> rows(kSize);
  for (std::uint32_t i = 0; i < kSize; ++i) {
    for (std::uint32_t j = 0; j < kSize; ++j) {
      if (i == 0 || j == 0 || (i + 1 >= j && j + 1 >= i) || j == 7 * i % kSize) rows[i].push_back(j);
    }
  }
  return JacobianPattern(std::move(rows));
}

/// Entries from -1 to 1; diagonals near 1, so that shift = 1 makes some pivots useless.
std::vector<double> Entries(const JacobianPattern& pattern, std::uint64_t seed) {
  std::vector<double> entries;
  for (std::uint32_t j = 0; j < pattern.size(); ++j) {
    for (const std::uint32_t i : pattern.Rows(j)) {
      seed = seed * 6364136223846793005U + 1442695040888963407U;
      const double random = static_cast<double>(seed >> 40) / (1 << 23) - 1;
      entries.push_back(i != j ? random : (j % 3 == 0 ? 1 + 1e-12 * random : 5));
    }
  }
  return entries;
}

double LargestResidual(const JacobianPattern& pattern, const std::vector<double>& entries, double shift,
                       const std::vector<double>& x, const std::vector<double>& b) {
  std::vector<double> rest = b;
  for (std::uint32_t j = 0; j < pattern.size(); ++j) {
    rest[j] -= shift * x[j];
    std::size_t entry = pattern.Begin(j);
    for (const std::uint32_t i : pattern.Rows(j)) rest[i] += entries[entry++] * x[j];
  }
  double largest = 0;
  for (const double r : rest) largest = std::max(largest, std::abs(r));
  return largest;
}

// What a run does when levels change and when pivots have become bad.
TEST(IterationMatrixTest, PartsOfThePatternAndOtherPivotsTakeNothingFromTheHeap) {
  const JacobianPattern whole = MachinePattern();
  JacobianPattern part = whole;
  IterationMatrix matrix(1, kSize);
  matrix.Resize(whole);
  for (const std::uint32_t left_out : {0U, 1U, 5U, 60U, 2U, 0U}) {
    std::vector<std::uint32_t> offsets(kSize);
    std::uint32_t next = 0;
    for (std::uint32_t k = 0; k < kSize; ++k) offsets[k] = k % 64 < left_out ? kAbsent : next++;
    std::vector<double> b(next);
    for (std::uint32_t k = 0; k < next; ++k) b[k] = std::cos(k + 1.0);
    std::vector<double> x(next);
    part.Restrict(whole, offsets, kAbsent);
    std::vector<std::vector<double>> all_entries;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) all_entries.push_back(Entries(part, seed));

    std::uint64_t taken = 0;
    const auto watch = [&taken](const auto& action) {
      const AllocationCounter counter;
      action();
      taken += counter.count();
    };
    watch([&] { matrix.Resize(part); });
    double largest_residual = 0;
    for (const std::vector<double>& entries : all_entries) {
      for (const double shift : {1e3, 1.0, 30.0}) {
        x = b;
        watch([&] {
          matrix.Factor(shift, entries);
          matrix.Solve(x.data());
        });
        if (shift > 1)
          largest_residual = std::max(largest_residual, LargestResidual(part, entries, shift, x, b));
      }
    }
    EXPECT_EQ(taken, 0U) << left_out << " of 64 left out";
    // Pivots that are kept may let entries grow a millionfold.
    EXPECT_LT(largest_residual, 1e-15 * 1e6);
  }
}

}  // namespace
}  // namespace davit
