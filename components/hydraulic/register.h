#pragma once

#include "framework/registry.h"

namespace davit {

/// Adds the models of the domain `hydraulic`.
void RegisterHydraulic(Registry& registry);

}  // namespace davit
