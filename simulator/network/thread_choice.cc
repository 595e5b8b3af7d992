#include "simulator/network/thread_choice.h"

#include <algorithm>
#include <cmath>

namespace davit {

void ThreadChoice::Sample(double seconds) {
  samples_[sampled_++] = seconds;
  if (sampled_ < kSamples) return;
  sampled_ = 0;
  // The median: a step in which the thread lost its processor says nothing.
  const auto middle = samples_.begin() + kSamples / 2;
  std::nth_element(samples_.begin(), middle, samples_.end());
  serial_ = *middle;
  const double lost = shared_ - shared_steps_ * serial_;
  const double pause = serial_ > 0 ? std::ceil(kPausePerLoss * lost / serial_) : 0;
  shared_ = shared_steps_ = 0;
  if (serial_ < kLeastSerial) {
    phase_ = Phase::kNever;
  } else if (pause > 0) {
    pause_ = static_cast<std::uint64_t>(std::min(pause, 1e15));
    phase_ = Phase::kPausing;
  } else {
    phase_ = Phase::kSharing;
  }
}

void ThreadChoice::Watch(double seconds) {
  shared_ += seconds;
  shared_steps_ += 1;
  const double lost = shared_ - shared_steps_ * serial_;
  if (lost > std::max(kLeastLoss, kLeastLostSteps * serial_) || shared_steps_ >= kMostShared)
    phase_ = Phase::kSampling;
}

}  // namespace davit
