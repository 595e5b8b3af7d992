#pragma once

#include <vector>

#include "framework/component.h"
#include "framework/declaration_options.h"

namespace davit {

enum class Routing : std::uint8_t { kOptional, kMandatory };

/// A signal that a component reads. It reads its own value (settable by its name) until an output, a state or
/// a parameter is routed to it.
class Input {
 public:
  Input(Component* owner, Text name, Text unit, Text text, double default_value = 0, Range range = kAny,
        Routing routing = Routing::kOptional)
      : own_(default_value) {
    owner->mutable_declarations().inputs.push_back({.label = {name, unit, text},
                                                    .default_value = default_value,
                                                    .range = range,
                                                    .is_mandatory = routing == Routing::kMandatory,
                                                    .own_value = &own_,
                                                    .source = &source_});
  }
  Input(Component* owner, Text name, Text unit, Text text, const Number& number,
        Routing routing = Routing::kOptional)
      : Input(owner, name, unit, text, number.value, number.range, routing) {
    owner->mutable_declarations().inputs.back().when = number.when;
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  operator double() const { return *source_; }  // NOLINT(google-explicit-constructor): reads like a double
  /// What identifies the input among those its owner declared.
  const void* id() const { return &source_; }

 private:
  const double* source_ = &own_;
  double own_;
};

/// As many inputs as there are routes to this name, in the order of the routes in the system file.
class InputArray {
 public:
  InputArray(Component* owner, Text name, Text unit, Text text) {
    owner->mutable_declarations().inputs.push_back(
        {.label = {name, unit, text}, .is_mandatory = true, .is_array = true, .sources = &sources_});
  }
  InputArray(const InputArray&) = delete;
  InputArray& operator=(const InputArray&) = delete;

  std::size_t size() const { return sources_.size(); }
  double operator[](std::size_t i) const { return *sources_[i]; }
  const void* id() const { return &sources_; }

 private:
  std::vector<const double*> sources_;
};

/// What an output is for. Globs such as `cylinder.*` leave out those for drawings: results have them only
/// where they are named in full.
enum class OutputUse : std::uint8_t { kResult, kDrawing };

/// A signal that a component writes in one of its evaluations. Reads and writes like a double.
class Output {
 public:
  Output(Component* owner, Text name, Text unit, Text text, WrittenBy written_by = WrittenBy::kFlows,
         OutputUse use = OutputUse::kResult) {
    owner->mutable_declarations().outputs.push_back({{name, unit, text}, written_by, &value_});
    owner->mutable_declarations().outputs.back().is_primary = use == OutputUse::kResult;
  }
  Output(Component* owner, Text name, Text unit, Text text, OutputUse use)
      : Output(owner, name, unit, text, WrittenBy::kFlows, use) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  operator double() const { return value_; }  // NOLINT(google-explicit-constructor): reads like a double
  Output& operator=(double value) {
    value_ = value;
    return *this;
  }
  const void* id() const { return &value_; }

 private:
  double value_ = 0;
};

}  // namespace davit
