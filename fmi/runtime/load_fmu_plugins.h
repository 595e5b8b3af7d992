#pragma once

#include <memory>
#include <string>
#include <vector>

#include "framework/registry.h"

namespace davit {

/// Adds the models of plug-ins, which lie beside the runtime, to `registry`. They stay in the process while
/// the handles that are returned are held: what is made of their models, and the registry, are to be
/// destroyed before. Throws std::runtime_error with what is wrong.
std::vector<std::shared_ptr<void>> LoadFmuPlugins(const std::vector<std::string>& files, Registry& registry);

}  // namespace davit
