#pragma once

#include <stdexcept>
#include <string>

#include "framework/component.h"

namespace davit {

/// An evaluation that has no solution, such as port pressures that a Newton iteration does not find.
class EvaluationFailure : public std::runtime_error {
 public:
  EvaluationFailure(const Component& owner, double time, const std::string& what)
      : std::runtime_error(what), owner_(&owner), time_(time) {}
  const Component& owner() const { return *owner_; }
  double time() const { return time_; }

 private:
  const Component* owner_;
  double time_;
};

}  // namespace davit
