#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace davit {

/// Where the lines of a command stream come from.
class LineSource {
 public:
  enum class Result : std::uint8_t {
    kLine,
    kTooLong,  ///< a line that was longer than kLongestLine; nothing of it is given
    kCutOff,   ///< what a pipe or a device has brought after its last line end; nothing of it is given
    kNothing,  ///< for the moment
    kEnd,
  };
  /// A longer line is not kept.
  static constexpr std::size_t kLongestLine = 4096;
  /// Of a line that does not end, a call reads no more.
  static constexpr std::size_t kMostBytes = 65536;

  virtual ~LineSource() = default;

  /// The next line, without its end. Never waits.
  virtual Result Read(std::string& line) = 0;
  /// Counts all lines, those too long as well: the number of the one that Read gave last.
  virtual int line_number() const = 0;
  /// Whether nothing comes but what is there already: no pipe, no terminal.
  virtual bool is_regular_file() const = 0;
  /// Bytes that were read.
  virtual std::size_t read() const = 0;
  /// To wait for more. Pre: Read gave kNothing.
  virtual int descriptor() const = 0;
};

}  // namespace davit
