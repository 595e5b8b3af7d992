#include "simulator/solvers/iteration_matrix.h"

#include <klu.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <new>

#include "simulator/solvers/klu_memory.h"

namespace davit {

/// A matrix in compressed columns with its factors.
struct IterationMatrix::Sparse {
  Sparse() { klu_defaults(&common); }
  ~Sparse() { Free(); }
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;

  void Analyze(const JacobianPattern& pattern) {
    Free();
    const std::size_t n = pattern.size();
    begins.clear();
    rows.clear();
    diagonal.clear();
    for (std::size_t j = 0; j < n; ++j) {
      begins.push_back(static_cast<int>(rows.size()));
      for (const std::uint32_t i : pattern.Rows(j)) {
        if (i == j) diagonal.push_back(rows.size());
        rows.push_back(static_cast<int>(i));
      }
    }
    begins.push_back(static_cast<int>(rows.size()));
    values.assign(rows.size(), 0.0);
    pivot_values.assign(rows.size(), 0.0);
    has_pivots = false;
    memory.Rewind(0);
    const KluMemory::Use use(memory);
    symbolic = klu_analyze(static_cast<int>(n), begins.data(), rows.data(), &common);
    if (symbolic == nullptr) throw std::bad_alloc();
    if (!memory.is_reserved()) {
      // The first pattern is the largest. Factors take 12 bytes an entry, and room to grow when pivots are
      // chosen.
      const double factors = std::max(symbolic->lnz + symbolic->unz, 0.0);
      memory.Reserve(64 * static_cast<std::size_t>(factors) + 48 * rows.size() + 400 * n);
    }
    after_analysis = memory.used();
  }

  /// Keeps the pivots of the last factors as long as they are good ones.
  void Factor() {
    is_singular = false;
    if (numeric != nullptr &&
        klu_refactor(begins.data(), rows.data(), values.data(), symbolic, numeric, &common) != 0 &&
        klu_rgrowth(begins.data(), rows.data(), values.data(), symbolic, numeric, &common) != 0 &&
        common.rgrowth > kLeastPivotGrowth) {
      return;
    }
    pivot_values = values;
    has_pivots = true;
    ChoosePivots();
  }

  void ChoosePivots() {
    const KluMemory::Use use(memory);
    if (numeric != nullptr) klu_free_numeric(&numeric, &common);
    memory.Rewind(after_analysis);
    numeric = klu_factor(begins.data(), rows.data(), pivot_values.data(), symbolic, &common);
    is_singular = numeric == nullptr;
  }

  /// The factors of another run: its pivots, which follow from the matrix they were chosen for, first.
  void ArchiveMemory(Archive& archive) {
    archive(values, pivot_values, has_pivots);
    if (!archive.is_loading() || !has_pivots) return;
    ChoosePivots();
    if (values != pivot_values) Factor();
  }

  void Solve(double* b) {
    const int n = symbolic->n;
    if (is_singular) {
      std::fill_n(b, n, std::numeric_limits<double>::quiet_NaN());
    } else {
      klu_solve(symbolic, numeric, n, 1, b, &common);
    }
  }

  void Free() {
    const KluMemory::Use use(memory);
    if (numeric != nullptr) klu_free_numeric(&numeric, &common);
    if (symbolic != nullptr) klu_free_symbolic(&symbolic, &common);
  }

  /// The reciprocal growth of pivots below which others are looked for.
  static constexpr double kLeastPivotGrowth = 1e-6;

  KluMemory memory;
  std::size_t after_analysis = 0;  ///< memory in use
  klu_common common;
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
  std::vector<int> begins, rows;
  std::vector<std::size_t> diagonal;
  std::vector<double> values;
  std::vector<double> pivot_values;  ///< for which the pivots were chosen
  bool has_pivots = false;
  bool is_singular = false;
};

IterationMatrix::IterationMatrix(std::size_t smallest, std::size_t largest)
    : small_(std::min(smallest, largest) < kSparseFrom ? std::min(largest, kSparseFrom - 1) : 0) {
  if (largest >= kSparseFrom) sparse_ = std::make_unique<Sparse>();
}

IterationMatrix::~IterationMatrix() = default;

void IterationMatrix::Resize(const JacobianPattern& pattern) {
  pattern_ = &pattern;
  is_small_ = pattern.size() < kSparseFrom;
  if (is_small_) {
    small_.Analyze(pattern);
  } else {
    sparse_->Analyze(pattern);
  }
}

void IterationMatrix::Factor(double shift, const std::vector<double>& entries) {
  if (is_small_) return small_.Factor(shift, entries);
  std::transform(entries.begin(), entries.end(), sparse_->values.begin(), std::negate<>());
  for (const std::size_t place : sparse_->diagonal) sparse_->values[place] += shift;
  sparse_->Factor();
}

double IterationMatrix::Operations(int solves) const {
  if (is_small_) return small_.Operations(solves);
  const klu_symbolic& symbolic = *sparse_->symbolic;
  return std::max(symbolic.est_flops, 0.0) + solves * 2 * (symbolic.lnz + symbolic.unz);
}

void IterationMatrix::ArchiveMemory(Archive& archive) {
  if (is_small_) {
    archive(small_);
  } else {
    archive(*sparse_);
  }
}

void IterationMatrix::Solve(double* b) {
  if (is_small_) {
    small_.Solve(b);
  } else {
    sparse_->Solve(b);
  }
}

}  // namespace davit
