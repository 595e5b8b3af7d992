#pragma once

#include <string>
#include <string_view>

#include "framework/component.h"

namespace davit {

/// The chart that a component with several behaviours has if its system names none: that which a plug-in
/// brings for its model, that of its model in `statecharts/charts/`, or, where there is neither, one made
/// from what the component declares.
///
/// A default chart decides little: it follows the component, in a region for the level, one for each aspect
/// and one for each mode, and answers `budget.overrun` with a step from Advanced to Standard, back at
/// `budget.recovered`. After the event `levels.automatic` it chooses the level, by the component's
/// indicators.
std::string DefaultChartText(const Component& component);

/// The chart made from the declarations alone.
std::string MakeChartText(const Component& component);

/// The place of the text of the default chart, for messages.
std::string DefaultChartPath(const Component& component);

}  // namespace davit
