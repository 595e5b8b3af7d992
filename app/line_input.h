#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "app/line_source.h"

namespace davit {

/// Lines from a file or a pipe, as they come, without waiting for them.
class LineInput final : public LineSource {
 public:
  /// `-` means the standard input. Throws std::runtime_error where the file cannot be opened.
  explicit LineInput(const std::filesystem::path& file);
  ~LineInput() override;
  LineInput(const LineInput&) = delete;
  LineInput& operator=(const LineInput&) = delete;

  /// The last line of a regular file needs no end.
  Result Read(std::string& line) override;
  int line_number() const override { return line_number_; }
  bool is_regular_file() const override { return is_regular_file_; }
  std::size_t read() const override { return read_; }
  int descriptor() const override { return descriptor_; }

 private:
  /// Takes a line out of what was read; false if there is no whole one.
  bool TakeLine(std::string& line, Result& result);
  /// Reads what is there; false if that is nothing, or the end.
  bool ReadMore();

  int descriptor_ = -1;
  bool is_own_ = false;
  bool is_regular_file_ = false;
  bool is_at_end_ = false;
  bool is_skipping_ = false;  ///< the rest of a line that is too long
  std::string buffer_;
  std::size_t begin_ = 0;  ///< of what was not given yet
  std::size_t read_ = 0;   ///< bytes
  int line_number_ = 0;
};

}  // namespace davit
