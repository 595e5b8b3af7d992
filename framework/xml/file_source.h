#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace davit {

/// The text of a file, or why it cannot be read.
struct TextResult {
  std::string text;
  std::string fault;  ///< empty when the text was read
};

/// Where the files that a system names come from, in place of the disk: an editor's texts that are not saved,
/// or a folder that nothing may leave. Any thread may call it.
class FileSource {
 public:
  virtual ~FileSource() = default;
  /// Reads a text; `noun` is what messages call it.
  virtual TextResult Read(const std::filesystem::path& file, std::string_view noun) const = 0;
  /// Why a file that is no text, such as a plug-in or an FMU, may not be opened on the disk; what would be
  /// right. Empty where it may.
  virtual std::string FaultOf(const std::filesystem::path& file) const = 0;
};

/// Reads a text of `files`; null: a regular file of the disk.
TextResult ReadTextFrom(const FileSource* files, const std::filesystem::path& file,
                        std::string_view noun = "system file");

}  // namespace davit
