#pragma once

#include "framework/registry.h"

namespace davit {

/// Adds the models `hopsan.*`, and the reader of .hmf files; nothing where they are there already.
void RegisterHopsan(Registry& registry);

}  // namespace davit
