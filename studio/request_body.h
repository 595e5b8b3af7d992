#pragma once

#include <optional>
#include <string>

#include "studio/folder_files.h"
#include "studio/json_text.h"

namespace davit {

/// A file of the folder, with texts that are not saved.
struct EditedTexts {
  std::string path;
  Texts texts;
};

/// Reads `{"path": "crane.xml", "texts": {"crane.xml": "<System>..."}}`; further members are left alone.
/// Nothing where it is something else: `fault` says what would be right.
std::optional<EditedTexts> ReadEditedTexts(std::string_view body, std::string& fault);

}  // namespace davit
