#pragma once

#include <string_view>

#include "framework/level.h"

namespace davit {

/// What the model reference says about a component type. All texts have static storage.
struct ModelInfo {
  std::string_view name;            ///< `domain.Type`, as written in a system file
  std::string_view text;            ///< one line
  LevelSet levels = {};             ///< levels built into the model; empty for a model with one behaviour
  std::string_view equations = {};  ///< equations, sign conventions, sources; lines end in '\n'
};

}  // namespace davit
