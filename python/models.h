#pragma once

#include <memory>
#include <string>
#include <vector>

#include "framework/registry.h"

namespace davit {

/// The models that systems may name: all of davit, `python.Component`, and those of plug-ins, also of those
/// that the system file `named_in` names (empty: none). Loads without plug-ins share one.
std::shared_ptr<const Registry> ModelsWith(const std::vector<std::string>& plugins,
                                           const std::string& named_in = {});

}  // namespace davit
