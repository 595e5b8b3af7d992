#pragma once

#include <span>
#include <string_view>

namespace davit {

/// A file of `app/templates/`, built into the program.
struct ModelTemplate {
  std::string_view name;  ///< `ode/model.h`: below `templates/`, without `.in`
  std::string_view text;  ///< with `%MODEL%` and the like in it
};

/// All of them.
std::span<const ModelTemplate> ModelTemplates();

}  // namespace davit
