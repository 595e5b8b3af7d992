#pragma once

#include "framework/registry.h"

namespace davit {

/// Adds the models of the domain `mechanical`.
void RegisterMechanical(Registry& registry);

}  // namespace davit
