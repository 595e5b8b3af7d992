#include "results/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "results/output_failure.h"

namespace davit {
namespace {

constexpr mode_t kReadableByAll = 0666;  // less what the user's umask takes away

std::string Remedy(int error, const std::filesystem::path& path) {
  switch (error) {
    case ENOENT: return fmt::format("; make the folder {} first", path.parent_path().string());
    case EACCES:
    case EPERM:
    case EROFS: return "; choose a folder that you may write to";
    case EISDIR: return "; give the name of a file";
    case ENOSPC:
    case EDQUOT: return "; make room or choose another disk";
    case EFBIG: return "; raise the limit of file sizes (ulimit -f) or record less";
    case EPIPE: return "; the program that read it has left";
    default: return {};
  }
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path path) : path_(std::move(path)) {
  file_ = FileDescriptor(::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kReadableByAll));
  if (!file_.is_open()) Fail("cannot be opened for writing", errno);
  struct stat status {};
  is_regular_ = ::fstat(file_.get(), &status) == 0 && S_ISREG(status.st_mode);
}

void OutputFile::Write(std::string_view bytes) {
  if (!file_.is_open()) throw std::runtime_error(path_.string() + ": is closed and accepts no more results");
  while (!bytes.empty()) {
    const ssize_t count = ::write(file_.get(), bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      const int error = errno;
      file_.Close();
      Fail("cannot be written", error);
    }
  }
}

void OutputFile::WriteAt(std::size_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count >= 0) {
      offset += static_cast<std::size_t>(count);
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      const int error = errno;
      file_.Close();
      Fail("cannot be written", error);
    }
  }
}

void OutputFile::Discard() {
  file_.Close();
  if (is_regular_) ::unlink(path_.c_str());
}

void OutputFile::Close() {
  if (!file_.Close()) Fail("cannot be written", errno);
}

void OutputFile::Fail(std::string_view fault, int error) const {
  throw OutputFailure(fmt::format("{}: {}: {}{}", path_.string(), fault,
                                  std::generic_category().message(error), Remedy(error, path_)),
                      error);
}

}  // namespace davit
