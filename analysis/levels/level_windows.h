#pragma once

#include "analysis/levels/level_runner.h"

namespace davit {

/// Joins the windows of a run as far as the plan allows: a window is at most `longest` and has at most
/// `largest_share` of the evaluations of the run, so that windows are short where computing costs much. A
/// change of phase ends a window that is at least `shortest`. A window of the run that is beyond a limit
/// stays as it is.
LevelRun JoinWindows(const LevelRun& run, const WindowPlan& plan);

}  // namespace davit
