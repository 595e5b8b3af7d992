#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "framework/xml/system_description.h"

namespace davit {

/// Where a system comes from: its file, or a text or a description in its place.
struct SystemSource {
  std::filesystem::path file;  ///< what diagnostics name; files that the system names are looked up beside it
  std::optional<std::string> text = {};
  std::shared_ptr<const SystemDescription> description = {};  ///< counts before `text`
};

}  // namespace davit
