#pragma once

#include <optional>

#include "framework/component.h"

namespace davit {

/// A component that gives others the parameters they are not given themselves, such as the oil of a system.
///
/// It applies to the system or sub-system that contains it and to everything inside, except parts where
/// another one of its model is nearer. A model derives from this beside its base class. The loader asks
/// after all attributes and `--set` are read and before `Configure`. Whenever its own values have changed
/// since, live parameters follow at the next step point of the run; structural ones keep what they have.
class DefaultsProvider {
 public:
  /// The value in SI of a parameter of `component`; nothing where the provider has none for it.
  virtual std::optional<double> DefaultFor(const Component& component,
                                           const ParameterDeclaration& parameter) const = 0;
  /// Whether what it hands down may have changed since the last call; asked at each step point of a run,
  /// after a Reset of the component where the run begins.
  virtual bool TakeChange() { return false; }

 protected:
  DefaultsProvider() = default;
  DefaultsProvider(const DefaultsProvider&) = default;
  DefaultsProvider& operator=(const DefaultsProvider&) = default;
  ~DefaultsProvider() = default;
};

}  // namespace davit
