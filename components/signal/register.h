#pragma once

#include "framework/registry.h"

namespace davit {

/// Adds the models of the domain `signal`.
void RegisterSignal(Registry& registry);

}  // namespace davit
