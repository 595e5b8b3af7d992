#pragma once

#include "framework/registry.h"

namespace davit {

void RegisterThermal(Registry& registry);

}  // namespace davit
