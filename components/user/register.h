#pragma once

#include "framework/registry.h"

namespace davit {

/// Adds the models of the domain `user`: those that are written in the system file.
void RegisterUser(Registry& registry);

}  // namespace davit
