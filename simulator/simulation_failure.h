#pragma once

#include <stdexcept>
#include <string>

namespace davit {

/// A run that cannot continue: says when, where and why. Results up to `time` are complete.
class SimulationFailure : public std::runtime_error {
 public:
  SimulationFailure(const std::string& what, double time) : std::runtime_error(what), time_(time) {}
  double time() const { return time_; }

 private:
  double time_;
};

}  // namespace davit
