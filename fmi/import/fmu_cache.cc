#include "fmi/import/fmu_cache.h"

#include <fcntl.h>
#include <fmt/ranges.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "fmi/zip_reader.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

/// A lock on a folder that ends with the process, however that ends.
class FolderLock {
 public:
  /// Does not wait for others that have the lock.
  explicit FolderLock(const fs::path& folder)
      : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    is_held_ = descriptor_ >= 0 && flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
    is_of_another_ = !is_held_ && errno == EWOULDBLOCK;
  }
  ~FolderLock() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// Some file systems have no locks: then nobody holds it.
  bool is_held() const { return is_held_; }
  bool is_of_another() const { return is_of_another_; }

 private:
  int descriptor_;
  bool is_held_ = false;
  bool is_of_another_ = false;
};

/// Names of folders: the SHA-256 of bytes in hexadecimal digits.
std::string DigestOf(std::string_view bytes) {
  std::array<unsigned char, 32> digest;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("error: OpenSSL gives no SHA-256");
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

constexpr std::string_view kUnpacking = "unpacking-";

/// Removes what processes have left behind that were killed while they unpacked.
void RemoveRemains(const fs::path& cache) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(cache, ignored)) {
    if (!entry.path().filename().string().starts_with(kUnpacking)) continue;
    const FolderLock lock(entry.path());
    if (lock.is_held()) fs::remove_all(entry.path(), ignored);
  }
}

/// A new folder beside the final ones, which is locked, and removed again.
class NewFolder {
 public:
  explicit NewFolder(const fs::path& cache) {
    constexpr int kMostTries = 100;  // another process may remove it before it is locked
    for (int i = 0; i < kMostTries; ++i) {
      std::string name = (cache / kUnpacking).string() + "XXXXXX";
      if (mkdtemp(name.data()) == nullptr)
        throw std::runtime_error(
            fmt::format("error: the cache {} cannot be written; set DAVIT_FMU_CACHE to a folder that can be",
                        cache.string()));
      path_ = name;
      lock_.emplace(path_);
      std::error_code fault;
      if (!lock_->is_of_another() && fs::is_directory(path_, fault)) return;
    }
  }
  ~NewFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
  std::optional<FolderLock> lock_;
};

}  // namespace

fs::path FmuCacheFolder() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
    return value == nullptr ? fs::path() : fs::path(value);
  };
  if (const fs::path own = variable("DAVIT_FMU_CACHE"); !own.empty()) return fs::absolute(own);
  // The specification of XDG: a path that is not absolute is ignored.
  if (const fs::path cache = variable("XDG_CACHE_HOME"); cache.is_absolute()) return cache / "davit" / "fmu";
  if (const fs::path home = variable("HOME"); home.is_absolute()) return home / ".cache" / "davit" / "fmu";
  throw std::runtime_error(
      "error: it is not known where to unpack FMUs; set DAVIT_FMU_CACHE to a folder that can be written");
}

fs::path UnpackToCache(const fs::path& fmu) {
  const ZipReader archive(fmu);
  const fs::path cache = FmuCacheFolder();
  const fs::path folder = cache / DigestOf(archive.ReadArchive());
  if (archive.IsUnpackedIn(folder)) return folder;
  std::error_code fault;
  if (fs::create_directories(cache, fault))
    fs::permissions(cache, fs::perms::owner_all, fault);  // what is in it is run
  RemoveRemains(cache);
  const NewFolder unpacking(cache);
  archive.Unpack(unpacking.path() / "fmu");
  if (archive.IsUnpackedIn(folder)) return folder;  // another process was quicker
  fs::rename(folder, unpacking.path() / "damaged", fault);
  fs::rename(unpacking.path() / "fmu", folder, fault);
  if (fault && !archive.IsUnpackedIn(folder)) {
    throw std::runtime_error(
        fmt::format("error: the cache {} cannot be written: {}; set DAVIT_FMU_CACHE to a folder that can be",
                    cache.string(), fault.message()));
  }
  return folder;
}

}  // namespace davit
