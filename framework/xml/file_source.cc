#include "framework/xml/file_source.h"

#include "framework/xml/xml_file.h"

namespace davit {

void FileSource::Remember(const std::filesystem::path& file) const {
  const std::lock_guard lock(mutex_);
  files_.insert(file);
}

std::vector<std::filesystem::path> FileSource::files() const {
  const std::lock_guard lock(mutex_);
  return {files_.begin(), files_.end()};
}

TextResult DiskFiles::ReadText(const std::filesystem::path& file, std::string_view noun) const {
  return ReadTextFile(file, noun);
}

TextResult ReadTextFrom(const FileSource* files, const std::filesystem::path& file, std::string_view noun) {
  return files == nullptr ? ReadTextFile(file, noun) : files->Read(file, noun);
}

}  // namespace davit
