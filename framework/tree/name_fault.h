#pragma once

#include <string>
#include <string_view>

#include "framework/component.h"

namespace davit {

/// What a name in a system file can be meant for.
enum class ItemKind : std::uint8_t { kPort, kVariable, kInput, kParameter, kStart };

std::string_view ToText(ItemKind kind);

/// Why `name` is no item of this kind on `owner`, a component of some model; what would be right: ``no port
/// 'rodd' on hydraulic.Cylinder; did you mean 'rod'?``, or, where it is something else, how that is used:
/// `spool is an input, not a port; use <Route>`.
std::string NoItemFault(ItemKind wanted, std::string_view name, Component& owner);

/// Why a name that leads to the whole component `owner` is no item of this kind: `'load' is a component, not
/// a port; write load.a or load.b`.
std::string WholeComponentFault(ItemKind wanted, std::string_view name, Component& owner);

}  // namespace davit
