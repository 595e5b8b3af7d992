#pragma once

#include <string>
#include <vector>

#include "framework/system.h"
#include "framework/xml/compare_systems.h"

namespace davit {

/// The drawing of a system (DrawSystem) with what differs from an earlier version of it, in the colours of
/// the studio: green added, amber changed, red removed. What only `before` has is drawn where it was.
/// `differences`: those of CompareSystems, from `before` to `now`. Differences of the layout are not shown.
///
/// Pre: as DrawSystem, of both systems.
std::string DrawChanges(System& now, System& before, const std::vector<SystemDifference>& differences);

}  // namespace davit
