#pragma once

#include "framework/registry.h"

namespace davit {

/// Adds the interfaces and their mappings to the elements of system files.
void RegisterIo(Registry& registry);

}  // namespace davit
