#pragma once

#include "framework/registry.h"

namespace davit {

/// Adds the operators on signals, those of the domain `operator`.
void RegisterOperators(Registry& registry);

}  // namespace davit
