#pragma once

#include "framework/registry.h"

namespace davit {

/// Adds all models that come with davit.
void RegisterComponents(Registry& registry);

/// All that a system file may name without plug-ins: these models and the elements of the simulator.
Registry AllModels();

}  // namespace davit
