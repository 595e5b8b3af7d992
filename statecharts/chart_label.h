#pragma once

#include <string>
#include <vector>

#include "statecharts/chart.h"

namespace davit {

/// `event [condition]` of a transition, as statecharts are drawn; empty for a plain arrow.
std::string TriggerText(const Chart& chart, const Transition& transition);
/// `event [condition] / actions`
std::string TransitionText(const Chart& chart, const Transition& transition);
/// The elements of a block in short, `raise a; x = 1`.
std::string ActionText(const Chart& chart, Index block);
std::string ActionText(const Chart& chart, IndexRange instructions);
/// `event [condition] / actions` of the piece of a transition before its first connector, or behind one.
std::string SegmentText(const Chart& chart, const Transition& transition, const Segment& segment);
/// Lines below the name of a state: `entry / x = 1`, `during / ...`, `exit / ...`, `invoke child.scxml`, and
/// its transitions without target.
std::vector<std::string> StateLines(const Chart& chart, StateId state);

}  // namespace davit
