#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace davit {

/// Decides, from the times that steps have taken, whether several threads share the next ones.
///
/// Several threads are tried where a step on one takes long enough. While they share, what they lose against
/// one thread is added up. Where it becomes too much, because another program has the second core, and after
/// kMostShared steps, some steps on one thread show what these take at present. If threads have lost indeed,
/// one does all for kPausePerLoss times the time lost; then they are tried again. So the time lost is at most
/// 1/kPausePerLoss of the whole, apart from the last loss of a run, whoever needs the cores.
///
/// Call sequence: after each step Report, with what it has taken the way is_parallel said before.
class ThreadChoice {
 public:
  static constexpr double kLeastSerial = 10e-6;  ///< [s] a step must take before threads can pay
  static constexpr double kPausePerLoss = 40;
  /// [s] and steps that may be lost before one thread is tried; the larger holds.
  static constexpr double kLeastLoss = 200e-6;
  static constexpr double kLeastLostSteps = 20;
  static constexpr double kMostShared = 1000;

  /// Whether several threads share the next step.
  bool is_parallel() const { return phase_ == Phase::kSharing; }
  /// Whether Report needs the time of the next step.
  bool wants_time() const { return phase_ == Phase::kSampling || phase_ == Phase::kSharing; }
  void Report(double seconds) {
    switch (phase_) {
      case Phase::kSampling: Sample(seconds); break;
      case Phase::kSharing: Watch(seconds); break;
      case Phase::kPausing:
        if (--pause_ == 0) phase_ = Phase::kSampling;
        break;
      case Phase::kNever: break;
    }
  }

 private:
  enum class Phase : std::uint8_t {
    kSampling,  ///< one thread; how long does it take?
    kSharing,   ///< several threads
    kPausing,   ///< one thread, after a loss
    kNever,     ///< steps are too short for several threads
  };
  static constexpr std::size_t kSamples = 9;

  void Sample(double seconds);
  void Watch(double seconds);

  Phase phase_ = Phase::kSampling;
  std::array<double, kSamples> samples_{};
  std::size_t sampled_ = 0;
  double serial_ = 0;  ///< of a step on one thread [s]
  // Since the last sample.
  double shared_ = 0;  ///< [s]
  double shared_steps_ = 0;
  std::uint64_t pause_ = 0;  ///< steps to come
};

}  // namespace davit
