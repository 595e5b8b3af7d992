#pragma once

#include "framework/declaration.h"

namespace davit {

// The rest of a declaration, by name, where it is long:
//
//     Parameter clearance{this, "clearance", "m", "Gap around the piston",
//                         Number{.value = 20e-6, .range = kNonNegative, .when = leakage.Is(Leakage::kGap)}};

/// Of a Parameter, an Input, a StartValue, a Property<int>.
struct Number {
  double value = 0;
  Range range = kAny;
  Tunability tunability = Tunability::kLive;  ///< of parameters and properties
  OptionCondition when = {};                  ///< equations use it: for the reference; no effect on the run
  Text formerly = {};                         ///< a name that system files may still use; they are warned
};

/// Of a StateVariable.
struct Start {
  double value = 0;
  double nominal = 1;         ///< typical size
  OptionCondition when = {};  ///< it is integrated
};

/// Of a Property with named options, or Property<bool>.
template <class T>
struct Choice {
  T value{};
  Tunability tunability = Tunability::kStructural;
  OptionCondition when = {};  ///< equations use it
};

/// Of an Aspect: what the levels choose; where the model lacks a level, its option is not used.
template <class E>
struct Presets {
  E ideal{};
  E standard{};
  E advanced{};
};

}  // namespace davit
