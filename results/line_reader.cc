#include "results/line_reader.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace davit {
namespace {

constexpr std::size_t kFirstBuffer = 256 * 1024;

std::string ErrorText(int error) { return "cannot be read: " + std::generic_category().message(error); }

}  // namespace

LineReader::LineReader(const std::filesystem::path& path)
    : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), buffer_(kFirstBuffer) {
  if (!file_.is_open()) fault_ = ErrorText(errno);
}

std::optional<std::string_view> LineReader::Next() {
  std::size_t searched = 0;
  while (fault_.empty()) {
    const char* const text = buffer_.data() + begin_;
    const void* const line_end = std::memchr(text + searched, '\n', end_ - begin_ - searched);
    if (line_end != nullptr) {
      const auto length = static_cast<std::size_t>(static_cast<const char*>(line_end) - text);
      begin_ += length + 1;
      ++line_;
      return std::string_view(text, length > 0 && text[length - 1] == '\r' ? length - 1 : length);
    }
    searched = end_ - begin_;
    if (!ReadMore() && fault_.empty()) {
      if (searched == 0) return std::nullopt;
      begin_ = end_;
      ++line_;
      is_cut_off_ = true;
      return std::string_view(buffer_.data() + begin_ - searched, searched);
    }
  }
  return std::nullopt;
}

bool LineReader::ReadMore() {
  std::copy(buffer_.data() + begin_, buffer_.data() + end_, buffer_.data());
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) {
    if (buffer_.size() >= kLongestLine) {
      fault_ = "a line is longer than 16 MiB; it is not a result file";
      return false;
    }
    buffer_.resize(2 * buffer_.size());
  }
  ssize_t count = 0;
  do {
    count = ::read(file_.get(), buffer_.data() + end_, buffer_.size() - end_);
  } while (count < 0 && errno == EINTR);
  if (count < 0) fault_ = ErrorText(errno);
  if (count <= 0) return false;
  end_ += static_cast<std::size_t>(count);
  return true;
}

}  // namespace davit
