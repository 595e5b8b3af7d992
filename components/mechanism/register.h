#pragma once

#include "framework/registry.h"

namespace davit {

/// Adds the models of the domain `mechanism`.
void RegisterMechanism(Registry& registry);

}  // namespace davit
