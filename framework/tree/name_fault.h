#pragma once

#include <string_view>

#include "framework/component.h"
#include "framework/fault.h"

namespace davit {

/// What a name in a system file is wanted for.
enum class Wanted : std::uint8_t { kPort, kVariable, kInput, kParameter, kStart };

std::string_view ToText(Wanted kind);

/// Why `name` is no item of this kind on `owner`, a component of some model: ``no port
/// 'rodd' on hydraulic.Cylinder; did you mean 'rod'?``, or, where it is something else, how that is used:
/// `spool is an input, not a port; use <Route>`.
Fault NoItemFault(Wanted wanted, std::string_view name, Component& owner);

/// Why a name that leads to the whole component `owner` is no item of this kind: `'load' is a component, not
/// a port; write load.a or load.b`.
Fault WholeComponentFault(Wanted wanted, std::string_view name, Component& owner);

}  // namespace davit
