#include "simulator/solvers/masked_lu.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace davit {
namespace {

constexpr std::uint32_t BitOf(std::size_t i) { return std::uint32_t{1} << i; }
/// Bits above i.
constexpr std::uint32_t Above(std::size_t i) { return ~std::uint32_t{1} << i; }

}  // namespace

MaskedLu::MaskedLu(std::size_t largest) {
  assert(largest <= kMost);
  order_.reserve(largest);
  step_of_.resize(largest);
  pattern_masks_.resize(largest);
  entries_.reserve(largest * largest);
  values_.resize(largest * kMost);
  scales_.resize(largest);
  masks_.resize(largest);
  row_at_.resize(largest);
  columns_.resize(largest * largest);
  factors_.resize(largest * largest);
  lower_end_.resize(largest);
  upper_end_.resize(largest);
  pivots_.resize(largest);
  solution_.resize(largest);
}

void MaskedLu::Analyze(const JacobianPattern& pattern) {
  pattern_ = &pattern;
  n_ = pattern.size();
  FindOrder();
  std::fill_n(pattern_masks_.begin(), n_, 0);
  for (std::size_t j = 0; j < n_; ++j) {
    pattern_masks_[j] |= BitOf(step_of_[j]);
    for (const std::uint32_t i : pattern.Rows(j)) pattern_masks_[i] |= BitOf(step_of_[j]);
  }
  entries_.assign(pattern.nonzeros(), 0.0);
  shift_ = 1;
}

void MaskedLu::FindOrder() {
  // Of the graph in which i and j are neighbours where either reads the other.
  Mask neighbours[kMost] = {};
  for (std::size_t j = 0; j < n_; ++j) {
    for (const std::uint32_t i : pattern_->Rows(j)) {
      if (i == j) continue;
      neighbours[i] |= BitOf(j);
      neighbours[j] |= BitOf(i);
    }
  }
  order_.clear();
  factor_operations_ = solve_operations_ = 0;
  Mask left = n_ == kMost ? ~Mask{0} : BitOf(n_) - 1;
  while (left != 0) {
    std::size_t best = 0;
    int least = kMost + 1;
    for (Mask rest = left; rest != 0; rest &= rest - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(rest));
      if (const int degree = std::popcount(neighbours[i] & left); degree < least) {
        least = degree;
        best = i;
      }
    }
    step_of_[best] = static_cast<std::uint8_t>(order_.size());
    order_.push_back(static_cast<std::uint8_t>(best));
    left &= ~BitOf(best);
    const Mask clique = neighbours[best] & left;
    for (Mask rest = clique; rest != 0; rest &= rest - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(rest));
      neighbours[i] |= clique & ~BitOf(i);
    }
    factor_operations_ += 1 + least + 2.0 * least * least;
    solve_operations_ += 1 + 4.0 * least;
  }
}

void MaskedLu::Factor(double shift, const std::vector<double>& entries) {
  shift_ = shift;
  entries_ = entries;
  Load();
  Eliminate();
  PackFactors();
}

void MaskedLu::Load() {
  for (std::size_t i = 0; i < n_; ++i) {
    masks_[i] = pattern_masks_[i];
    row_at_[i] = order_[i];
    scales_[i] = 0;
    for (Mask rest = masks_[i]; rest != 0; rest &= rest - 1) Row(i)[std::countr_zero(rest)] = 0;
  }
  std::size_t entry = 0;
  for (std::size_t j = 0; j < n_; ++j) {
    const std::size_t column = step_of_[j];
    for (const std::uint32_t i : pattern_->Rows(j)) Row(i)[column] = -entries_[entry++];
    Row(j)[column] += shift_;
    scales_[j] = std::max(scales_[j], std::abs(Row(j)[column]));
    for (const std::uint32_t i : pattern_->Rows(j)) {
      scales_[i] = std::max(scales_[i], std::abs(Row(i)[column]));
    }
  }
  for (std::size_t i = 0; i < n_; ++i) {
    scales_[i] = 1 / scales_[i];
    for (Mask rest = masks_[i]; rest != 0; rest &= rest - 1) Row(i)[std::countr_zero(rest)] *= scales_[i];
  }
}

void MaskedLu::Eliminate() {
  for (std::size_t k = 0; k < n_; ++k) {
    std::size_t chosen = k;
    double largest = std::abs(Row(row_at_[k])[k]);
    if ((masks_[row_at_[k]] & BitOf(k)) == 0) largest = 0;
    const double diagonal = largest;
    for (std::size_t i = k + 1; i < n_; ++i) {
      const std::size_t row = row_at_[i];
      if ((masks_[row] & BitOf(k)) == 0 || !(std::abs(Row(row)[k]) > largest)) continue;
      largest = std::abs(Row(row)[k]);
      chosen = i;
    }
    if (diagonal >= kLeastPivot * largest) chosen = k;
    std::swap(row_at_[k], row_at_[chosen]);
    const std::size_t pivot_row = row_at_[k];
    double* const pivot = Row(pivot_row);
    pivots_[k] = (masks_[pivot_row] & BitOf(k)) == 0 ? 1 / 0.0 : 1 / pivot[k];
    const Mask behind = masks_[pivot_row] & Above(k);
    for (std::size_t i = k + 1; i < n_; ++i) {
      const std::size_t number = row_at_[i];
      if ((masks_[number] & BitOf(k)) == 0) continue;
      double* const row = Row(number);
      const double factor = row[k] *= pivots_[k];
      for (Mask fill = behind & ~masks_[number]; fill != 0; fill &= fill - 1) row[std::countr_zero(fill)] = 0;
      masks_[number] |= behind;
      for (Mask rest = behind; rest != 0; rest &= rest - 1) {
        const int j = std::countr_zero(rest);
        row[j] -= factor * pivot[j];
      }
    }
  }
}

void MaskedLu::PackFactors() {
  std::uint16_t end = 0;
  const auto pack = [&](Mask mask, const double* row) {
    for (; mask != 0; mask &= mask - 1) {
      const auto j = static_cast<std::uint8_t>(std::countr_zero(mask));
      columns_[end] = j;
      factors_[end++] = row[j];
    }
  };
  for (std::size_t k = 0; k < n_; ++k) {
    const std::size_t row = row_at_[k];
    pack(masks_[row] & (BitOf(k) - 1), Row(row));
    lower_end_[k] = end;
    pack(masks_[row] & Above(k), Row(row));
    upper_end_[k] = end;
  }
}

void MaskedLu::Solve(double* b) {
  std::size_t at = 0;
  for (std::size_t k = 0; k < n_; ++k) {
    double sum = b[row_at_[k]] * scales_[row_at_[k]];
    for (; at < lower_end_[k]; ++at) sum -= factors_[at] * solution_[columns_[at]];
    solution_[k] = sum;
    at = upper_end_[k];
  }
  for (std::size_t k = n_; k-- > 0;) {
    double sum = solution_[k];
    for (at = lower_end_[k]; at < upper_end_[k]; ++at) sum -= factors_[at] * solution_[columns_[at]];
    solution_[k] = sum * pivots_[k];
    b[order_[k]] = solution_[k];
  }
}

void MaskedLu::ArchiveMemory(Archive& archive) {
  archive(shift_);
  for (double& entry : entries_) archive(entry);
  if (!archive.is_loading()) return;
  Load();
  Eliminate();
  PackFactors();
}

}  // namespace davit
