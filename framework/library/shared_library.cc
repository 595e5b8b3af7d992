#include "framework/library/shared_library.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <stdexcept>
#include <utility>

#include "framework/library/elf_image.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

/// A file that is open for reading.
class Descriptor {
 public:
  /// Without waiting: a device may look like a file.
  explicit Descriptor(const fs::path& file)
      : number_(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  std::uint64_t size() const {
    struct stat status {};
    return number_ >= 0 && ::fstat(number_, &status) == 0 && status.st_size > 0
               ? static_cast<std::uint64_t>(status.st_size)
               : 0;
  }
  bool Read(std::uint64_t offset, void* to, std::size_t size) const {
    return ::pread(number_, to, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size);
  }

 private:
  int number_;
};

}  // namespace

std::string FindLibraryDamage(const fs::path& file) {
  const Descriptor descriptor(file);
  const auto read = [&](std::uint64_t offset, void* to, std::size_t size) {
    return descriptor.Read(offset, to, size);
  };
  char first = 0;
  if (!read(0, &first, 1)) return "it cannot be read, or it is empty; name a shared library";
  Elf64_Ehdr head{};
  if (!read(0, &head, sizeof head) || !IsElfLibrary(head)) return {};  // the loader says so
  try {
    ReadElfImage(descriptor.size(), read);
    return {};
  } catch (const std::invalid_argument& damage) {
    return fmt::format("it is damaged ({}); copy it again, or build it again", damage.what());
  }
}

LibraryResult OpenLibrary(const fs::path& file, int flags) {
  if (std::string fault = FindLibraryDamage(file); !fault.empty()) return {nullptr, std::move(fault)};
  void* const handle = dlopen(file.c_str(), flags);
  if (handle != nullptr) return {handle, {}};
  std::string fault = dlerror();
  const std::string prefix = file.string() + ": ";
  if (fault.starts_with(prefix)) fault.erase(0, prefix.size());
  return {nullptr, std::move(fault), true};
}

}  // namespace davit
