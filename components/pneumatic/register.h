#pragma once

#include "framework/registry.h"

namespace davit {

void RegisterPneumatic(Registry& registry);

}  // namespace davit
