#include "studio/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "framework/nearest_name.h"
#include "server/authentication.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 12> kEndings{".xml", ".scxml", ".ssv", ".ssm",  ".csv", ".json",
                                                    ".fmu", ".so",    ".hmf", ".urdf", ".svg", ".png"};

std::string ReasonOf(int error) {
  switch (error) {
    case EXDEV: return "it lies outside of the folder";
    case ELOOP: return "its symbolic links lead nowhere, or out of the folder";
    case ENOENT: return "no such file";
    case EACCES:
    case EPERM: return "permission denied";
    default: return std::generic_category().message(error);
  }
}

/// Whether a name is one of a file that may be made: no hidden file, none of another kind, and none with a
/// letter that shells or other systems do not take.
bool MayBeWritten(std::string_view path) {
  const auto is_awkward = [](char letter) {
    return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f ||
           std::string_view(R"(<>:"|?*\)").find(letter) != std::string_view::npos;
  };
  if (std::ranges::any_of(path, is_awkward)) return false;
  if (!path.ends_with(".xml") && !path.ends_with(".scxml")) return false;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    if (part.empty() || part.front() == '.') return false;
    begin = end + 1;
  }
  return true;
}

std::string_view FolderOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view(".") : path.substr(0, slash);
}
std::string_view NameOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

constexpr std::size_t kScratchBytes = 6;  // of the random part of its name

/// The name under which a file is written before it takes its own: `.crane.xml.0123456789ab.tmp`.
std::string MakeScratchName(std::string_view name) {
  return fmt::format(".{}.{}.tmp", name, ToHex(RandomBytes(kScratchBytes)));
}
bool IsScratchName(std::string_view name) {
  constexpr std::string_view kEnding = ".tmp";
  if (!name.starts_with('.') || !name.ends_with(kEnding)) return false;
  name.remove_prefix(1);
  name.remove_suffix(kEnding.size());
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return false;
  const std::string_view random = name.substr(dot + 1);
  return random.size() == 2 * kScratchBytes &&
         random.find_first_not_of("0123456789abcdef") == std::string_view::npos &&
         MayBeWritten(name.substr(0, dot));
}

/// Removes what writers have left in a folder that were ended: files of scratch names that are much older
/// than the one `now` [s], which was just written, so that the clocks of others do not matter.
void RemoveLeftovers(int folder, std::int64_t now) {
  constexpr std::int64_t kLongestWrite = 600;  // [s]
  // A descriptor with a place of its own in the list.
  const int own = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (own < 0) return;
  DIR* const list = ::fdopendir(own);
  if (list == nullptr) {
    ::close(own);
    return;
  }
  while (const dirent* entry = ::readdir(list)) {
    struct stat status {};
    if (IsScratchName(entry->d_name) && ::fstatat(own, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISREG(status.st_mode) && status.st_mtime + kLongestWrite < now)
      ::unlinkat(own, entry->d_name, 0);
  }
  ::closedir(list);
}

/// All bytes of an open file, or the error of the system.
int ReadAll(int descriptor, std::size_t most, std::string& text) {
  constexpr std::size_t kBlock = 1U << 18;
  ssize_t count = 1;
  while (count > 0 && text.size() <= most) {
    const std::size_t size = text.size();
    text.resize(size + kBlock);
    do {
      count = ::read(descriptor, text.data() + size, kBlock);
    } while (count < 0 && errno == EINTR);
    const int error = count < 0 ? errno : 0;
    text.resize(size + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (error != 0) return error;
  }
  return 0;
}

/// The error of the system, or 0.
int WriteAll(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return ::fsync(descriptor) == 0 ? 0 : errno;
}

bool IsUtf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned char first = byte(i);
    const std::size_t length = first < 0x80   ? 1
                               : first < 0xc2 ? 0
                               : first < 0xe0 ? 2
                               : first < 0xf0 ? 3
                               : first < 0xf5 ? 4
                                              : 0;
    if (length == 0 || i + length > text.size()) return false;
    for (std::size_t k = 1; k < length; ++k) {
      if ((byte(i + k) & 0xc0U) != 0x80U) return false;
    }
    if (length == 3 && ((first == 0xe0 && byte(i + 1) < 0xa0) || (first == 0xed && byte(i + 1) > 0x9f)))
      return false;
    if (length == 4 && ((first == 0xf0 && byte(i + 1) < 0x90) || (first == 0xf4 && byte(i + 1) > 0x8f)))
      return false;
    i += length;
  }
  return true;
}

}  // namespace

std::string HashOf(std::string_view text) { return ToHex(Sha256(text)); }

Folder::Folder(const fs::path& folder) {
  std::error_code error;
  root_ = fs::canonical(folder, error);
  if (!error && !fs::is_directory(root_, error)) error = std::make_error_code(std::errc::not_a_directory);
  if (!error) {
    folder_ = FileDescriptor(::open(root_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder_.is_open()) error = {errno, std::generic_category()};
  }
  if (error)
    throw std::runtime_error(fmt::format("{}: error: the folder cannot be read: {}; name a folder of systems",
                                         folder.string(), error.message()));
  if (!Open(".", O_PATH | O_DIRECTORY).is_open())
    throw std::runtime_error(
        fmt::format("{}: error: the operating system cannot keep paths inside of a folder (openat2: {}); use "
                    "Linux 5.6 or later",
                    folder.string(), std::generic_category().message(errno)));
  is_writable_ = ::faccessat(folder_.get(), ".", W_OK, AT_EACCESS) == 0;
}

FileDescriptor Folder::Open(std::string_view path, int flags) const {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  const std::string name(path);
  if (name.empty() || name.find('\0') != std::string::npos) {
    errno = ENOENT;
    return {};
  }
  long number = -1;
  do {
    number = ::syscall(SYS_openat2, folder_.get(), name.c_str(), &how, sizeof how);
  } while (number < 0 && (errno == EINTR || errno == EAGAIN));
  return FileDescriptor(static_cast<int>(number));
}

std::optional<std::string> Folder::Find(const fs::path& file) const {
  const fs::path absolute = (root_ / file).lexically_normal();
  const fs::path own = absolute.lexically_relative(root_);
  if (own.empty() || own == "." || *own.begin() == "..") return std::nullopt;
  return own.generic_string();
}

FolderList Folder::List() const {
  FolderList list;
  std::error_code error;
  std::size_t entries = 0;
  fs::recursive_directory_iterator it(root_, fs::directory_options::skip_permission_denied, error);
  const fs::recursive_directory_iterator end;
  while (!error && it != end) {
    const std::string name = it->path().filename().string();
    std::error_code ignored;
    const bool is_hidden = name.starts_with('.');
    if ((is_hidden || it.depth() >= kMostLevels) && it->is_directory(ignored)) it.disable_recursion_pending();
    const bool is_known =
        std::ranges::any_of(kEndings, [&](std::string_view ending) { return name.ends_with(ending); });
    if (!is_hidden && is_known && it->is_regular_file(ignored)) {
      const std::string path = it->path().lexically_relative(root_).generic_string();
      if (!it->is_symlink(ignored) || Has(path)) list.files.push_back({path, it->file_size(ignored)});
    }
    if (++entries >= kMostEntries || list.files.size() >= kMostFiles) {
      list.is_complete = false;
      break;
    }
    it.increment(error);
  }
  list.is_complete = list.is_complete && !error;
  std::ranges::sort(list.files, {}, &FolderFile::path);
  return list;
}

bool Folder::Has(std::string_view path) const {
  const FileDescriptor file = Open(path, O_RDONLY | O_NONBLOCK);
  struct stat status {};
  return file.is_open() && ::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode);
}

TextResult Folder::Read(std::string_view path, std::string_view noun) const {
  const auto refuse = [&](const std::string& why) {
    return TextResult{{}, fmt::format("cannot read {}: {}", Quoted(path), why)};
  };
  const FileDescriptor file = Open(path, O_RDONLY | O_NONBLOCK);
  if (!file.is_open()) return refuse(fmt::format("{}; name a {} of the folder", ReasonOf(errno), noun));
  struct stat status {};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
    return refuse(fmt::format("not a file; name a {} of the folder", noun));
  TextResult result;
  if (const int error = ReadAll(file.get(), kLargestFile, result.text); error != 0)
    return refuse(fmt::format("{}; name a readable {}", std::generic_category().message(error), noun));
  if (const std::string fault = FaultOf(result.text); !fault.empty()) return refuse(fault);
  return result;
}

std::string Folder::FaultOf(std::string_view text) {
  if (text.size() > kLargestFile)
    return fmt::format("it has more than {} MiB; split it into several files", kLargestFile >> 20U);
  return IsUtf8(text) ? std::string() : "it is not written in UTF-8; save it as UTF-8";
}

FileDescriptor Folder::OpenFolderOf(std::string_view path, std::string& fault) const {
  const std::string_view folder = FolderOf(path);
  for (std::size_t end = 0; folder != "." && end < folder.size();) {
    end = std::min(folder.find('/', end + 1), folder.size());
    const std::string_view part = folder.substr(0, end);
    if (Open(part, O_PATH | O_DIRECTORY).is_open() || errno != ENOENT) continue;
    const FileDescriptor above = Open(FolderOf(part), O_RDONLY | O_DIRECTORY);
    if (above.is_open()) ::mkdirat(above.get(), std::string(NameOf(part)).c_str(), 0777);
  }
  FileDescriptor open = Open(folder, O_RDONLY | O_DIRECTORY);
  if (!open.is_open()) fault = ReasonOf(errno);
  return open;
}

WriteResult Folder::Write(std::string_view path, std::string_view text,
                          const std::optional<std::string>& known) const {
  const auto refuse = [&](std::string_view why) {
    return WriteResult{
        WriteResult::Status::kRefused, fmt::format("cannot write {}: {}", Quoted(path), why), {}};
  };
  if (!MayBeWritten(path))
    return refuse(
        "it is not a path of a system or a chart; write for example systems/crane.xml or charts/valve.scxml");
  std::string fault = FaultOf(text);
  if (!fault.empty()) return refuse(fault);
  // A link is replaced where it leads to, and only the kernel knows where that is: it is not written.
  const FileDescriptor folder = OpenFolderOf(path, fault);
  if (!folder.is_open()) return refuse(fault + "; check the folder and its permissions");
  const std::string name(NameOf(path));
  struct stat status {};
  if (::fstatat(folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISREG(status.st_mode))
    return refuse("it is a link, or no file; write the file that it leads to");

  const std::string scratch = MakeScratchName(name);
  FileDescriptor file(
      ::openat(folder.get(), scratch.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!file.is_open()) return refuse(fmt::format("{}; check the permissions of the folder", ReasonOf(errno)));
  struct Remover {
    int folder;
    const std::string& name;
    ~Remover() { ::unlinkat(folder, name.c_str(), 0); }
  };
  const Remover remover{folder.get(), scratch};
  if (known) ::fchmod(file.get(), status.st_mode & 0777U);
  if (const int error = WriteAll(file.get(), text); error != 0)
    return refuse(fmt::format("{}; make room on the disk", std::generic_category().message(error)));
  struct stat written {};
  if (::fstat(file.get(), &written) == 0) RemoveLeftovers(folder.get(), written.st_mtime);

  const auto changed = [&](std::optional<std::string> now) {
    return WriteResult{WriteResult::Status::kChanged, fmt::format("{} has changed on the disk", Quoted(path)),
                       std::move(now)};
  };
  if (!known) {
    if (::linkat(folder.get(), scratch.c_str(), folder.get(), name.c_str(), 0) == 0) return {};
    if (errno != EEXIST) return refuse(ReasonOf(errno));
    TextResult now = Read(path);
    return now.fault.empty() ? changed(std::move(now.text)) : refuse("there is such a file; " + now.fault);
  }
  const FileDescriptor present(
      ::openat(folder.get(), name.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
  if (!present.is_open()) return errno == ENOENT ? changed(std::nullopt) : refuse(ReasonOf(errno));
  std::string now;
  if (const int error = ReadAll(present.get(), kLargestFile, now); error != 0)
    return refuse(std::generic_category().message(error));
  if (HashOf(now) != *known) return changed(std::move(now));
  if (::renameat(folder.get(), scratch.c_str(), folder.get(), name.c_str()) != 0)
    return refuse(ReasonOf(errno));
  ::fsync(folder.get());
  return {};
}

}  // namespace davit
