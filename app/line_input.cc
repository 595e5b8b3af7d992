#include "app/line_input.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace davit {

LineInput::LineInput(const std::filesystem::path& file) {
  is_own_ = file != "-";
  descriptor_ = is_own_ ? open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK) : STDIN_FILENO;
  struct stat status {};
  const bool is_open = descriptor_ >= 0 && fstat(descriptor_, &status) == 0;
  if (!is_open || S_ISDIR(status.st_mode)) {
    const std::string why = is_open ? "it is a directory" : std::strerror(errno);
    if (is_own_ && descriptor_ >= 0) close(descriptor_);
    throw std::runtime_error(file.string() + ": cannot be read (" + why +
                             "); name a file, a pipe, or - for the standard input");
  }
  is_regular_file_ = S_ISREG(status.st_mode);
}

LineInput::~LineInput() {
  if (is_own_) close(descriptor_);
}

LineInput::Result LineInput::Read(std::string& line) {
  Result result = Result::kNothing;
  const std::size_t most = read_ + kMostBytes;
  while (!TakeLine(line, result)) {
    if (read_ >= most || (!ReadMore() && !is_at_end_)) return Result::kNothing;
    if (is_at_end_ && begin_ == buffer_.size() && !is_skipping_) return Result::kEnd;
    if (!is_at_end_ || buffer_.find('\n', begin_) != std::string::npos) continue;
    if (!is_regular_file_ && !is_skipping_) {
      buffer_.clear();
      begin_ = 0;
      ++line_number_;
      return Result::kCutOff;
    }
    buffer_ += '\n';
  }
  ++line_number_;
  return result;
}

bool LineInput::TakeLine(std::string& line, Result& result) {
  const std::size_t end = buffer_.find('\n', begin_);
  if (end == std::string::npos) {
    buffer_.erase(0, begin_);
    begin_ = 0;
    if (buffer_.size() > kLongestLine) {
      is_skipping_ = true;
      buffer_.clear();
    }
    return false;
  }
  const bool is_too_long = is_skipping_ || end - begin_ > kLongestLine;
  is_skipping_ = false;
  line.assign(buffer_, begin_, is_too_long ? 0 : end - begin_);
  begin_ = end + 1;
  result = is_too_long ? Result::kTooLong : Result::kLine;
  return true;
}

bool LineInput::ReadMore() {
  if (is_at_end_) return false;
  pollfd state{.fd = descriptor_, .events = POLLIN, .revents = 0};
  if (!is_regular_file_ && poll(&state, 1, 0) <= 0) return false;
  char bytes[4096];
  const ssize_t count = ::read(descriptor_, bytes, sizeof bytes);
  if (count > 0) {
    buffer_.append(bytes, static_cast<std::size_t>(count));
    read_ += static_cast<std::size_t>(count);
    return true;
  }
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  is_at_end_ = true;
  return false;
}

}  // namespace davit
