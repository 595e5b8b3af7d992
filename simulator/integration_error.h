#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace davit {

class Island;

/// A solver could not go on: a value is not finite or the step size collapsed.
class IntegrationError : public std::runtime_error {
 public:
  IntegrationError(const std::string& what, double time, std::size_t state)
      : std::runtime_error(what), time_(time), state_(state) {}
  double time() const { return time_; }
  /// Where it happened; set by the island that catches it first.
  const Island& island() const { return *island_; }
  void set_island(const Island& island) { island_ = &island; }
  /// Offset in the island of the state that is not finite, or has the largest error.
  std::size_t state() const { return state_; }

 private:
  double time_;
  std::size_t state_;
  const Island* island_ = nullptr;
};

}  // namespace davit
