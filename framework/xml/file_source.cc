#include "framework/xml/file_source.h"

#include <utility>

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

OneTextFiles::OneTextFiles(std::shared_ptr<const FileSource> others, std::filesystem::path file,
                           std::string text)
    : others_(others != nullptr ? std::move(others) : std::make_shared<const DiskFiles>()),
      file_(std::move(file)),
      text_(std::move(text)) {}

TextResult OneTextFiles::ReadText(const std::filesystem::path& file, std::string_view noun) const {
  return file == file_ ? TextResult{text_, {}} : others_->Read(file, noun);
}

TextResult ReadTextFrom(const FileSource* files, const std::filesystem::path& file, std::string_view noun) {
  return files == nullptr ? ReadTextFile(file, noun) : files->Read(file, noun);
}

}  // namespace davit
