#pragma once

#include "framework/component.h"
#include "framework/declaration_options.h"

namespace davit {

/// A number of a component that its user chooses, in SI. Reads like a double.
///
/// A live parameter may change during a run, at a step point; `Component::ParametersChanged` is called after.
class Parameter {
 public:
  Parameter(Component* owner, Text name, Text unit, Text text, double default_value, Range range = kAny,
            Tunability tunability = Tunability::kLive)
      : Parameter(owner, name, unit, text, Number{default_value, range, tunability, {}, {}}) {}
  Parameter(Component* owner, Text name, Text unit, Text text, const Number& number) : value_(number.value) {
    owner->mutable_declarations().parameters.push_back({{name, unit, text},
                                                        number.value,
                                                        number.range,
                                                        number.tunability,
                                                        &value_,
                                                        number.when,
                                                        number.formerly});
  }
  Parameter(const Parameter&) = delete;
  Parameter& operator=(const Parameter&) = delete;

  operator double() const { return value_; }  // NOLINT(google-explicit-constructor): reads like a double

 private:
  double value_;
};

}  // namespace davit
