#include "fmi/import/fmu_cache.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <system_error>

#include "fmi/import/sha256.h"
#include "fmi/zip_reader.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostArchiveBytes = 2ull << 30;

std::string ReadArchive(const fs::path& fmu) {
  std::error_code fault;
  if (!fs::is_regular_file(fmu, fault))
    throw std::runtime_error(fmt::format("{}: error: {}; name an FMU", fmu.string(),
                                         fs::exists(fmu, fault) ? "it is no file" : "there is no such file"));
  if (fs::file_size(fmu, fault) > kMostArchiveBytes)
    throw std::runtime_error(fmu.string() + ": error: it is larger than 2 GiB; such archives are refused");
  std::ifstream stream(fmu, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  if (stream.bad() || !stream.is_open())
    throw std::runtime_error(fmu.string() + ": error: it cannot be read; look at its permissions");
  return bytes;
}

/// A new folder beside the final ones, which is removed unless it becomes one.
class NewFolder {
 public:
  explicit NewFolder(const fs::path& cache) {
    std::string name = (cache / "unpacking-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw std::runtime_error(
          fmt::format("error: the cache {} cannot be written; set DAVIT_FMU_CACHE to a folder that can be",
                      cache.string()));
    path_ = name;
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
  const std::string bytes = ReadArchive(fmu);
  const fs::path cache = FmuCacheFolder();
  const fs::path folder = cache / Sha256Digits(bytes);
  std::error_code fault;
  if (fs::is_directory(folder, fault)) return folder;
  if (fs::create_directories(cache, fault))
    fs::permissions(cache, fs::perms::owner_all, fault);  // what is in it is run
  const NewFolder unpacking(cache);
  UnpackZip(fmu, unpacking.path() / "fmu");
  fs::rename(unpacking.path() / "fmu", folder, fault);
  if (fault && !fs::is_directory(folder)) {  // else another process was quicker
    throw std::runtime_error(
        fmt::format("error: the cache {} cannot be written: {}; set DAVIT_FMU_CACHE to a folder that can be",
                    cache.string(), fault.message()));
  }
  return folder;
}

}  // namespace davit
