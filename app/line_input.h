#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace davit {

/// Lines from a file or a pipe, as they come, without waiting for them.
class LineInput {
 public:
  /// A longer line is not kept.
  static constexpr std::size_t kLongestLine = 4096;
  static constexpr std::size_t kMostBytes = 65536;

  enum class Result : std::uint8_t {
    kLine,
    kTooLong,  ///< a line that was longer than kLongestLine; nothing of it is given
    kCutOff,   ///< what a pipe or a device has brought after its last line end; nothing of it is given
    kNothing,  ///< for the moment
    kEnd,
  };

  /// `-` means the standard input. Throws std::runtime_error where the file cannot be opened.
  explicit LineInput(const std::filesystem::path& file);
  ~LineInput();
  LineInput(const LineInput&) = delete;
  LineInput& operator=(const LineInput&) = delete;

  /// The next line, without its end. The last one of a regular file needs no end. A call reads at most
  /// kMostBytes of a line that does not end.
  Result Read(std::string& line);
  /// Counts all lines, those too long as well: the number of the one that Read gave last.
  int line_number() const { return line_number_; }
  /// Whether nothing comes but what is there already: no pipe, no terminal.
  bool is_regular_file() const { return is_regular_file_; }
  /// Bytes that were read.
  std::size_t read() const { return read_; }
  /// To wait for more. Pre: Read gave kNothing.
  int descriptor() const { return descriptor_; }

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
