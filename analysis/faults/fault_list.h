#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/study/variation.h"
#include "framework/diagnostics.h"
#include "framework/item.h"
#include "framework/system.h"

namespace davit {

/// A fault that a component of a system can have.
struct SystemFault {
  std::string name;  ///< `boom_cylinder.internal_leak`; with a value of the user `...=2e-12`
  std::string text;
  Item item;         ///< what stands for it
  double value = 0;  ///< of the item then: SI, or the position of an option
  bool is_multiple = false;
  std::string obstacle = {};  ///< why it cannot happen in this system as it is loaded; empty: it can

  /// What is written where the item has the value `now`.
  double ValueFrom(double now) const { return is_multiple ? value * now : value; }
};

/// All that the models of the system declare (FaultMode), in tree order.
std::vector<SystemFault> ListFaults(System& system);

/// One or two faults that happen together.
struct FaultCase {
  std::string name;                        ///< `a.leak`, `a.leak + b.burst`
  std::vector<const SystemFault*> faults;  ///< of the list that the cases were made of
};

/// Reads which faults are asked for: a name, a glob, or `NAME=VALUE,VALUE` with other values than the
/// declared one. Without any text: all that can happen. All that is wrong goes to `diagnostics`.
std::vector<SystemFault> SelectFaults(System& system, const std::vector<VariationText>& texts,
                                      Diagnostics& diagnostics);

/// Each fault alone; with `has_pairs` then all pairs of faults of different items.
std::vector<FaultCase> MakeFaultCases(const std::vector<SystemFault>& faults, bool has_pairs);

}  // namespace davit
