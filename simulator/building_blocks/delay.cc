#include "simulator/building_blocks/delay.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace davit::building_blocks {

namespace {

/// How far from an integer T/h may be to count as one.
constexpr double kWholeStepTolerance = 1e-9;

}  // namespace

void Delay::Initialize(double h, double T, double start) {
  assert(h > 0);
  assert(std::isfinite(T));
  const double steps = T / h;
  const double whole = std::round(steps);
  const bool is_whole = std::abs(steps - whole) <= kWholeStepTolerance;
  assert(steps >= 1 - kWholeStepTolerance);
  // The value read lies T - h before the newest: `age` steps and a fraction.
  const double age = is_whole ? whole - 1 : std::floor(steps) - 1;
  fraction_ = is_whole ? 0.0 : steps - std::floor(steps);
  ring_.resize(static_cast<std::size_t>(age) + (is_whole ? 1 : 2));
  Fill(start);
}

void Delay::Push(double value) {
  assert(!ring_.empty());
  ring_[oldest_] = value;
  oldest_ = oldest_ + 1 < ring_.size() ? oldest_ + 1 : 0;
}

void Delay::Skip() {
  assert(!ring_.empty());
  oldest_ = oldest_ + 1 < ring_.size() ? oldest_ + 1 : 0;
}

void Delay::PutAgo(std::size_t ago, double value) {
  assert(ago >= 1 && ago <= ring_.size());
  ring_[oldest_ >= ago ? oldest_ - ago : oldest_ + ring_.size() - ago] = value;
}

void Delay::PushAfter(std::size_t steps, double value) {
  assert(steps >= 1 && steps <= ring_.size());
  const auto pushed = [&](std::size_t ago) -> double& {
    return ring_[oldest_ >= ago ? oldest_ - ago : oldest_ + ring_.size() - ago];
  };
  const double first = pushed(steps);
  for (std::size_t ago = 1; ago < steps; ++ago) {
    pushed(ago) = value + (first - value) * (static_cast<double>(ago) / static_cast<double>(steps));
  }
  Push(value);
}

double Delay::Read() const {
  assert(!ring_.empty());
  const double oldest = ring_[oldest_];
  if (fraction_ == 0) return oldest;
  const double next = ring_[oldest_ + 1 < ring_.size() ? oldest_ + 1 : 0];
  return next + fraction_ * (oldest - next);
}

void Delay::ArchiveMemory(Archive& archive) {
  archive(ring_, oldest_, fraction_);
  if (archive.is_loading() && oldest_ >= ring_.size()) archive.Refuse("a delay points outside of its memory");
}

void Delay::Fill(double value) {
  std::fill(ring_.begin(), ring_.end(), value);
  oldest_ = 0;
}

}  // namespace davit::building_blocks
