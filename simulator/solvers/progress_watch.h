#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace davit {

/// Sees the steps that a solver tries inside a TimeStep: ends a TimeStep in which it makes no progress, and
/// one that somebody has asked to end.
///
/// A solver makes no progress if in kAttempts attempts in a row, with no restart between them,
///   1. no state has moved from where it was by more than kMoved of its size (its nominal value, or its value
///      where that is larger), and
///   2. at that pace the rest of the TimeStep needs more than kMostAttempts further attempts, or so many that
///      attempts times states are more than kMostWork; or, where fewer than kRoughShare of the attempts were
///      rejected, more than kMostSmoothAttempts.
///
/// kMostWork is about a minute of computing: in a crane of 94 states an attempt of rosenbrock4 takes 0.9 us
/// for each state.
///
/// Only both together say so. Steps are as small as the solution asks for: where it is smooth, a step changes
/// some state by a share of tol^(1/(order + 1)), so states move by far more than kMoved. Where no state
/// moves, the step of an explicit method may still be limited by stability: such a run is slow, but gets on,
/// and few of its attempts are rejected. Many rejected attempts show that the error does not fall with the
/// step as the order of the method promises: the equations are not smooth at the scale of the step (rounding,
/// a jump, a law that switches to and fro), and no step helps. All limits are counts, so a run ends at the
/// same place on every machine.
///
/// Call sequence: Begin, then Reject and Accept for each attempt; Begin again after each restart. An
/// integrator may report an accepted step as rejected, too: rosenbrock4 and rodas5p do for one that follows
/// no solution (SpuriousSteps).
class ProgressWatch {
 public:
  static constexpr std::uint64_t kAttempts = 8000;
  static constexpr std::uint64_t kBetweenLooks = 500;  ///< attempts, from one look at the states to the next
  static constexpr double kMoved = 0.01;
  static constexpr double kRoughShare = 0.25;
  static constexpr double kMostAttempts = 1e7;
  static constexpr double kMostWork = 6e7;  ///< attempts times states
  static constexpr double kMostSmoothAttempts = 1e9;

  /// There may be up to this many states.
  void Reserve(std::size_t most);
  /// Takes over the number of states and their nominal values; allocates where there are more than before and
  /// than reserved.
  void Resize(std::span<const double> nominal);
  /// Null: nobody interrupts. It must outlive the watch.
  void set_interrupt(const std::atomic<bool>* interrupt) { interrupt_ = interrupt; }
  /// The solver is to advance to t_end [s] in the TimeStep that has begun at t_begin; nothing is known of
  /// what comes.
  void Begin(double t_begin, double t_end) {
    step_begin_ = t_begin;
    t_end_ = t_end;
    BeginAgain();
  }
  /// The same goes on with another method.
  void BeginAgain() {
    attempts_ = rejected_ = 0;
    is_looking_ = false;
  }

  /// Throws StepInterrupted if that was asked for; the solver has reached t.
  void CheckInterrupt(double t) const {
    if (interrupt_ != nullptr && interrupt_->load(std::memory_order_relaxed)) Interrupt(t);
  }
  /// Attempts were rejected; `worst` is the offset of the state with the largest error in the last of them.
  void Reject(std::uint64_t count, std::size_t worst) {
    rejected_ += count;
    attempts_ += count;
    if (worst < blamed_.size()) ++blamed_[worst];
  }
  /// A step that ends at t with the states y. Throws IntegrationError without progress, and
  /// StepInterrupted.
  void Accept(double t, std::span<const double> y) {
    CheckInterrupt(t);
    ++attempts_;
    if (!is_looking_ || attempts_ >= next_look_) Look(t, y);
  }

 private:
  [[noreturn]] void Interrupt(double t) const;
  void Look(double t, std::span<const double> y);
  void LookFrom(double t, std::span<const double> y);
  bool HasMoved(std::span<const double> y) const;
  [[noreturn]] void Fail(double t, double needed) const;

  const std::atomic<bool>* interrupt_ = nullptr;
  std::vector<double> nominal_;
  double step_begin_ = 0;
  double t_end_ = 0;
  bool is_looking_ = false;  ///< what follows is known
  double t_begin_ = 0;       ///< of the attempts counted
  std::vector<double> y_begin_;
  std::uint64_t attempts_ = 0;
  std::uint64_t rejected_ = 0;
  std::uint64_t next_look_ = 0;
  std::vector<std::uint64_t> blamed_;  ///< how often a state had the largest error of a rejected attempt
};

}  // namespace davit
