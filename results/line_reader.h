#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/file_descriptor.h"

namespace davit {

/// Reads a text file line by line in bounded memory.
class LineReader {
 public:
  static constexpr std::size_t kLongestLine = 16U << 20;  // [byte]

  explicit LineReader(const std::filesystem::path& path);

  /// The next line without its end (LF or CRLF), valid until the next call. Nothing at the end of the file
  /// and after a fault.
  std::optional<std::string_view> Next();

  /// Of the line that Next returned last, from 1.
  int line() const { return line_; }
  /// Whether that line stops at the end of the file without a line end.
  bool is_cut_off() const { return is_cut_off_; }
  /// Why nothing more can be read; empty at the end of the file.
  const std::string& fault() const { return fault_; }

 private:
  bool ReadMore();

  FileDescriptor file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // of what is read and not yet returned
  std::size_t end_ = 0;
  int line_ = 0;
  bool is_cut_off_ = false;
  std::string fault_;
};

}  // namespace davit
