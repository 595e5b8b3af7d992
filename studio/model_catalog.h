#pragma once

#include <string>

#include "framework/component.h"
#include "framework/registry.h"
#include "studio/json_text.h"

namespace davit {

/// All models of a registry as palette and forms need them: `{"models": [...], "domains": [...],
/// "join": {...}}`. docs/studio.md says what is in it.
std::string DescribeModels(const Registry& registry);

/// One model, described by a component of it that has its default values.
Json DescribeModelOf(const ModelEntry& entry, const Registry& registry);
/// The same of a component of a system, which may have items of its own. Pre: it is configured.
Json DescribeComponentOf(Component& component, const Registry& registry);

}  // namespace davit
