#pragma once

#include "framework/registry.h"

namespace davit {

/// Adds the models of the domain `crane`.
void RegisterCrane(Registry& registry);

}  // namespace davit
