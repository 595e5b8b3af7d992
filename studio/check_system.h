#pragma once

#include <string>

#include "studio/json_text.h"
#include "studio/system_loading.h"

namespace davit {

/// What `davit check` says of a system of the folder, as JSON:
///
///     {"faults": [{"file": "crane.xml", "line": 12, "path": "boom", "severity": "error", "text": "...",
///      "remedy": "..."}], "can_run": true, "components": 12, "states": 31, "wall_ms": 4.2}
std::string CheckSystem(const std::shared_ptr<const Folder>& folder, const StudioModels& models,
                        const std::string& path, Texts unsaved);

/// The mechanism of a system at its start, as JSON: `scene` as of DescribeScene and the `values` of its
/// signals, or null with what is wrong in `faults`, or in `fault` if there is no consistent start.
std::string DescribeStartPose(const std::shared_ptr<const Folder>& folder, const StudioModels& models,
                              const std::string& path, Texts unsaved);

/// CheckSystem of a chart, alone; with `states` and `transitions` in place of the numbers of a system.
std::string CheckChart(const std::shared_ptr<const Folder>& folder, const StudioModels& models,
                       const std::string& path, Texts unsaved);

/// A message that names files of the folder as seen from it.
std::string InFolder(std::string text, const Folder& folder);

/// `[{"file": ...}, ...]` by place; files of the folder are named as seen from it.
Json FaultsToJson(const Diagnostics& diagnostics, const Folder& folder);

}  // namespace davit
