#pragma once

#include "framework/component.h"

namespace davit {

/// A number of a component that its user chooses, in SI. Reads like a double.
///
/// A live parameter may change during a run, at a step point; `Component::ParametersChanged` is called after.
class Parameter {
 public:
  Parameter(Component* owner, Text name, Text unit, Text text, double default_value, Range range = kAny,
            Tunability tunability = Tunability::kLive)
      : value_(default_value) {
    owner->mutable_declarations().parameters.push_back(
        {{name, unit, text}, default_value, range, tunability, &value_, {}});
  }
  /// The rest of a declaration, by name.
  struct Options {
    double value = 0;
    Range range = kAny;
    Tunability tunability = Tunability::kLive;
    OptionCondition when = {};  ///< an equation uses it: shown by the reference, no effect on the run
  };
  Parameter(Component* owner, Text name, Text unit, Text text, const Options& options)
      : value_(options.value) {
    owner->mutable_declarations().parameters.push_back(
        {{name, unit, text}, options.value, options.range, options.tunability, &value_, options.when});
  }
  Parameter(const Parameter&) = delete;
  Parameter& operator=(const Parameter&) = delete;

  operator double() const { return value_; }  // NOLINT(google-explicit-constructor): reads like a double

 private:
  double value_;
};

}  // namespace davit
