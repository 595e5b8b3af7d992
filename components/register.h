#pragma once

#include "framework/registry.h"

namespace davit {

/// Adds all models that come with davit.
void RegisterComponents(Registry& registry);

}  // namespace davit
