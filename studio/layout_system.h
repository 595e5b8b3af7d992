#pragma once

#include <string>

#include "studio/system_loading.h"

namespace davit {

/// How a system of the folder is drawn: places, symbols and lines, also where it has errors, as far as it can
/// be read. Components without a `<Place>` get one. JSON; docs/studio.md says what is in it.
///
/// Throws std::runtime_error where Graphviz is missing or fails.
std::string LayOutSystem(const std::shared_ptr<const Folder>& folder, const StudioModels& models,
                         const std::string& path, Texts unsaved);

}  // namespace davit
