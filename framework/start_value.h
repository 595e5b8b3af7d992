#pragma once

#include "framework/component.h"
#include "framework/declaration_options.h"

namespace davit {

/// A start value that is no state itself at every level or formulation, such as the pressure of a volume
/// whose state is its oil. Set by `<Start name=...>`; reads like a double.
class StartValue {
 public:
  StartValue(Component* owner, Text name, Text unit, Text text, double default_value, Range range = kAny)
      : StartValue(owner, name, unit, text, Number{.value = default_value, .range = range}) {}
  StartValue(Component* owner, Text name, Text unit, Text text, const Number& number) : value_(number.value) {
    owner->mutable_declarations().starts.push_back(
        {{name, unit, text}, number.value, number.range, &value_, &is_given_, number.when});
  }
  StartValue(const StartValue&) = delete;
  StartValue& operator=(const StartValue&) = delete;

  operator double() const { return value_; }  // NOLINT(google-explicit-constructor): reads like a double
  /// Whether the system file or the command line set it.
  bool is_given() const { return is_given_; }

 private:
  double value_;
  bool is_given_ = false;
};

}  // namespace davit
