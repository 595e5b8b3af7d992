#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace davit {

/// The text of a file, or why it cannot be read.
struct TextResult {
  std::string text;
  std::string fault;  ///< empty when the text was read
};

/// Where the files come from that a system names: the disk, an editor's texts that are not saved, or a folder
/// that nothing may leave. It remembers them all, so that nothing overwrites what the system is made of. Any
/// thread may call it.
class FileSource {
 public:
  FileSource() = default;
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  virtual ~FileSource() = default;

  /// Reads a text; `noun` is what messages call it.
  TextResult Read(const std::filesystem::path& file, std::string_view noun) const {
    Remember(file);
    return ReadText(file, noun);
  }
  /// Why a file that is no text, such as a plug-in or an FMU, may not be opened on the disk; what would be
  /// right. Empty where it may.
  std::string FaultOf(const std::filesystem::path& file) const {
    Remember(file);
    return FindFault(file);
  }
  /// Adds a file that was opened in another way.
  void Remember(const std::filesystem::path& file) const;
  /// All files that were asked for, each once, as they were named.
  std::vector<std::filesystem::path> files() const;

 private:
  virtual TextResult ReadText(const std::filesystem::path& file, std::string_view noun) const = 0;
  virtual std::string FindFault(const std::filesystem::path& file) const = 0;

  mutable std::mutex mutex_;
  mutable std::set<std::filesystem::path> files_;
};

/// The disk.
class DiskFiles final : public FileSource {
 private:
  TextResult ReadText(const std::filesystem::path& file, std::string_view noun) const override;
  std::string FindFault(const std::filesystem::path& /*file*/) const override { return {}; }
};

/// Another source in which one file has a text of its own.
class OneTextFiles final : public FileSource {
 public:
  /// `others` null: the disk.
  OneTextFiles(std::shared_ptr<const FileSource> others, std::filesystem::path file, std::string text);

 private:
  TextResult ReadText(const std::filesystem::path& file, std::string_view noun) const override;
  std::string FindFault(const std::filesystem::path& file) const override { return others_->FaultOf(file); }

  std::shared_ptr<const FileSource> others_;
  std::filesystem::path file_;
  std::string text_;
};

/// Reads a text of `files`; null: a regular file of the disk.
TextResult ReadTextFrom(const FileSource* files, const std::filesystem::path& file,
                        std::string_view noun = "system file");

}  // namespace davit
