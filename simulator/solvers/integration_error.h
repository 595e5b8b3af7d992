#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

#include "framework/symptom.h"

namespace davit {

class Island;

/// A solver could not continue: a value is not finite, the step size collapsed, or it makes no progress.
class IntegrationError : public std::runtime_error {
 public:
  /// `advice` says what to try; empty for the usual.
  IntegrationError(const std::string& what, double time, std::size_t state, std::string advice = {},
                   Symptom symptom = Symptom::kDiverged)
      : std::runtime_error(what), time_(time), state_(state), advice_(std::move(advice)), symptom_(symptom) {}
  double time() const { return time_; }
  /// Where it happened; set by the island that catches it first.
  const Island& island() const { return *island_; }
  void set_island(const Island& island) { island_ = &island; }
  /// Offset in the island of the state that is not finite, or has the largest error.
  std::size_t state() const { return state_; }
  const std::string& advice() const { return advice_; }
  Symptom symptom() const { return symptom_; }
  /// Another state is to blame.
  void Blame(std::size_t state, std::string advice) {
    state_ = state;
    advice_ = std::move(advice);
  }

 private:
  double time_;
  std::size_t state_;
  std::string advice_;
  Symptom symptom_;
  const Island* island_ = nullptr;
};

}  // namespace davit
