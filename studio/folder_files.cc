#include "studio/folder_files.h"

#include <fmt/format.h>

#include "framework/nearest_name.h"

namespace davit {

TextResult FolderFiles::ReadText(const std::filesystem::path& file, std::string_view noun) const {
  const std::optional<std::string> path = folder_->Find(file);
  if (!path)
    return {
        {},
        fmt::format("cannot read {}: it lies outside of the folder that is edited; move it into the folder",
                    Quoted(file.string()))};
  if (const auto unsaved = unsaved_.find(*path); unsaved != unsaved_.end()) {
    if (const std::string fault = Folder::FaultOf(unsaved->second); !fault.empty())
      return {{}, fmt::format("cannot read {}: {}", Quoted(*path), fault)};
    return {unsaved->second, {}};
  }
  return folder_->Read(*path, noun);
}

std::string FolderFiles::FindFault(const std::filesystem::path& file) const {
  const std::optional<std::string> path = folder_->Find(file);
  if (!path)
    return fmt::format("{} lies outside of the folder that is edited; move it into the folder",
                       Quoted(file.string()));
  if (folder_->Has(*path)) return {};
  return fmt::format("cannot read {}; name a file of the folder", Quoted(*path));
}

}  // namespace davit
