#pragma once

#include <map>
#include <memory>
#include <string>

#include "framework/xml/file_source.h"
#include "studio/folder.h"

namespace davit {

/// Texts by the paths of their files, seen from the folder.
using Texts = std::map<std::string, std::string, std::less<>>;

/// The files of a folder, of which some have texts that are not saved.
class FolderFiles final : public FileSource {
 public:
  FolderFiles(std::shared_ptr<const Folder> folder, Texts unsaved)
      : folder_(std::move(folder)), unsaved_(std::move(unsaved)) {}

  const Folder& folder() const { return *folder_; }

 private:
  TextResult ReadText(const std::filesystem::path& file, std::string_view noun) const override;
  std::string FindFault(const std::filesystem::path& file) const override;

  std::shared_ptr<const Folder> folder_;
  Texts unsaved_;
};

}  // namespace davit
