#pragma once

#include "framework/registry.h"

namespace davit {

void RegisterElectrical(Registry& registry);

}  // namespace davit
