#pragma once

#include <cstddef>
#include <vector>

#include "framework/archive.h"

namespace davit::building_blocks {

/// y(t) = u(t - T), for any delay T >= h: the heart of a transmission line.
///
/// Call order: Initialize; then once a step Push the value u at t_n, the start of the step, and Read the
/// value u(t_{n+1} - T) that arrives at its end. So T = h hands the pushed value through: the step itself is
/// the delay.
///
/// A delay of a whole number of steps (T/h within 1e-9 of an integer) gives back the same bits. Between steps
/// the value is interpolated linearly: of order 2, gain <= 1 at every frequency (a line stays passive, high
/// frequencies are damped), a constant is kept bit for bit. Hopsan rounds T to an integer number of steps
/// instead.
class Delay {
 public:
  /// u = start before the first Push. Sizes the memory; later calls with no longer T allocate nothing.
  /// Pre: h > 0, T >= h.
  void Initialize(double h, double T, double start);

  void Push(double value);
  /// Pushes a value that is known once in `steps` pushes only: the pushes since the last such value, whatever
  /// was pushed, become linear between both. Pre: 1 <= steps <= T/h (to 1e-9), so that none of them has been
  /// read.
  void PushAfter(std::size_t steps, double value);
  /// Where the value comes later than it is due: a step passes without one, and PutAgo gives it afterwards:
  /// the one of so many pushes ago, 1 for the last. Pre: 1 <= ago <= whole_steps() + 1.
  void Skip();
  void PutAgo(std::size_t ago, double value);
  /// T/h, rounded down.
  std::size_t whole_steps() const { return fraction_ == 0 ? ring_.size() : ring_.size() - 1; }
  /// As often as wanted; before the first Push the start value.
  double Read() const;

  /// The value that was pushed last; after the first Push.
  double last() const { return ring_[(oldest_ == 0 ? ring_.size() : oldest_) - 1]; }

  /// Of all values on their way: those that were pushed and have not passed Read for the last time, the
  /// oldest with its weight. A Push of u after y was Read adds u^2 - y^2 - SquaresLost().
  double SumOfSquares() const {
    double sum = 0;
    for (const double value : ring_) sum += value * value;
    return sum - (1 - weight()) * oldest() * oldest();
  }
  /// What interpolation takes.
  double SquaresLost() const {
    const double apart = oldest() - ring_[oldest_ + 1 == ring_.size() ? 0 : oldest_ + 1];
    return weight() * (1 - weight()) * apart * apart;
  }

  /// Continues as if u had always been this value.
  void Fill(double value);
  void ArchiveMemory(Archive& archive);

 private:
  double oldest() const { return ring_[oldest_]; }
  double weight() const { return fraction_ == 0 ? 1 : fraction_; }

  std::vector<double> ring_;
  std::size_t oldest_ = 0;  ///< where the next value goes
  double fraction_ = 0;     ///< weight of the oldest value against the next one; 0 if alone
};

}  // namespace davit::building_blocks
