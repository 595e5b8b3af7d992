#pragma once

#include "framework/registry.h"

namespace davit {

/// Sea, vessels, loads in water and what moves them.
void RegisterMarine(Registry& registry);

}  // namespace davit
