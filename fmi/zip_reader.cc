#include "fmi/zip_reader.h"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

namespace davit {
namespace {

namespace fs = std::filesystem;

constexpr zip_int64_t kMostFiles = 100'000;
constexpr zip_uint64_t kMostBytes = 4ull << 30;
constexpr std::size_t kLongestName = 255;  ///< of a file or folder: NAME_MAX
constexpr zip_uint32_t kFileTypeMask = 0170000;
constexpr zip_uint32_t kLink = 0120000;

struct CloseZip {
  void operator()(zip_t* archive) const { zip_discard(archive); }
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};

class ZipUnpacker {
 public:
  explicit ZipUnpacker(const fs::path& file) : file_(file) {
    // Not ZIP_CHECKCONS: it refuses what CMake packs, whose local headers leave the sizes to what follows.
    int code = 0;
    archive_.reset(zip_open(file.c_str(), ZIP_RDONLY, &code));
    if (archive_ != nullptr) return;
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string why = zip_error_strerror(&error);
    zip_error_fini(&error);
    throw std::runtime_error(fmt::format("{}: error: it is no zip archive that can be read: {}; name an FMU",
                                         file_.string(), why));
  }

  void Unpack(const fs::path& folder) {
    const zip_int64_t count = zip_get_num_entries(archive_.get(), 0);
    if (count > kMostFiles)
      Fail("", fmt::format("it has {} entries; more than {} are refused", count, kMostFiles));
    for (zip_int64_t i = 0; i < count; ++i) Check(static_cast<zip_uint64_t>(i));
    for (const std::string& name : names_) CheckFolders(name);
    fs::create_directories(folder);
    for (zip_int64_t i = 0; i < count; ++i) Write(static_cast<zip_uint64_t>(i), folder);
  }

 private:
  [[noreturn]] void Fail(const std::string& entry, const std::string& what) const {
    throw std::runtime_error(
        fmt::format("{}: error: {}{}{}", file_.string(), entry, entry.empty() ? "" : ": ", what));
  }

  std::string NameOf(zip_uint64_t i) const {
    const char* const name = zip_get_name(archive_.get(), i, 0);
    if (name == nullptr || *name == '\0')
      Fail(fmt::format("entry {}", i), "it has no name; pack the archive again");
    // Some tools pack as Windows writes paths.
    std::string slashes = name;
    std::ranges::replace(slashes, '\\', '/');
    return slashes;
  }

  void Check(zip_uint64_t i) {
    const std::string name = NameOf(i);
    const fs::path path(name);
    const bool is_outside = path.is_absolute() || std::ranges::find(path, fs::path("..")) != path.end();
    if (is_outside) Fail(name, "the name leads out of the archive; write relative names with '/'");
    for (const fs::path& part : path) {
      if (part.native().size() > kLongestName)
        Fail(name, fmt::format("a name in it is longer than {} bytes; choose a shorter one", kLongestName));
    }
    const bool is_folder = name.back() == '/';
    const std::string whole = (path.lexically_normal() / "").parent_path().generic_string();
    if (!names_.insert(whole).second || (whole == "." && !is_folder))
      Fail(name, "it is there twice; keep one of them");
    if (!is_folder) files_.insert(whole);
    zip_stat_t stat{};
    if (zip_stat_index(archive_.get(), i, 0, &stat) != 0) Fail(name, zip_strerror(archive_.get()));
    if ((stat.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && stat.encryption_method != ZIP_EM_NONE)
      Fail(name, "it is encrypted; FMI does not allow that");
    if ((stat.valid & ZIP_STAT_SIZE) == 0 || stat.size > kMostBytes - bytes_)
      Fail(name, "all entries together are larger than 4 GiB; such archives are refused");
    bytes_ += stat.size;
    zip_uint8_t system = 0;
    zip_uint32_t attributes = 0;
    zip_file_get_external_attributes(archive_.get(), i, 0, &system, &attributes);
    if (system == ZIP_OPSYS_UNIX && ((attributes >> 16) & kFileTypeMask) == kLink)
      Fail(name, "it is a link; pack the file itself");
  }

  void CheckFolders(const std::string& name) const {
    for (fs::path folder = fs::path(name).parent_path(); !folder.empty(); folder = folder.parent_path()) {
      if (files_.contains(folder.generic_string()))
        Fail(name, fmt::format("'{}' is a file and a folder; rename one of them", folder.generic_string()));
    }
  }

  void Write(zip_uint64_t i, const fs::path& folder) {
    const std::string name = NameOf(i);
    const fs::path target = folder / name;
    if (name.back() == '/') {
      fs::create_directories(target);
      return;
    }
    fs::create_directories(target.parent_path());
    zip_stat_t stat{};
    zip_stat_index(archive_.get(), i, 0, &stat);
    const std::unique_ptr<zip_file_t, CloseZip> entry(zip_fopen_index(archive_.get(), i, 0));
    if (entry == nullptr) Fail(name, std::string("it cannot be read: ") + zip_strerror(archive_.get()));
    std::ofstream stream(target, std::ios::binary);
    std::array<char, 1 << 16> buffer;
    zip_uint64_t written = 0;
    for (;;) {
      const zip_int64_t count = zip_fread(entry.get(), buffer.data(), buffer.size());
      if (count < 0) Fail(name, std::string("it is damaged: ") + zip_file_strerror(entry.get()));
      if (count == 0) break;
      written += static_cast<zip_uint64_t>(count);
      if (written > stat.size) Fail(name, "it is larger than the archive says; pack it again");
      stream.write(buffer.data(), count);
    }
    if (!stream.flush()) throw std::runtime_error(target.string() + ": cannot be written; is the disk full?");
  }

  fs::path file_;
  std::unique_ptr<zip_t, CloseZip> archive_;
  std::set<std::string> names_;  ///< without '/' at the end
  std::set<std::string> files_;  ///< those that are no folders
  zip_uint64_t bytes_ = 0;
};

}  // namespace

void UnpackZip(const fs::path& archive, const fs::path& folder) { ZipUnpacker(archive).Unpack(folder); }

}  // namespace davit
