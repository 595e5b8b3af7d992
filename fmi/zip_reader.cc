#include "fmi/zip_reader.h"

#include <fmt/format.h>
#include <zip.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "framework/load_bytes.h"
#include "framework/xml/xml_file.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostArchiveBytes = 2ull << 30;
constexpr zip_int64_t kMostFiles = 100'000;
constexpr zip_uint64_t kMostBytes = 4ull << 30;
constexpr std::size_t kLongestName = 255;  ///< of a file or folder: NAME_MAX
constexpr zip_uint32_t kFileTypeMask = 0170000;
constexpr zip_uint32_t kLink = 0120000;

struct CloseZipFile {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};

std::string TextOf(zip_error_t& error) {
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return text;
}

/// The file that is an archive around `file`; empty: there is none.
fs::path FindOuterArchive(const fs::path& file) {
  std::error_code fault;
  for (fs::path outer = file.parent_path(); outer.has_relative_path(); outer = outer.parent_path()) {
    if (fs::is_regular_file(outer, fault)) return outer;
  }
  return {};
}

}  // namespace

void ZipReader::Discard::operator()(zip* archive) const { zip_discard(archive); }

ZipReader::ZipReader(const fs::path& file) : file_(file) {
  std::error_code fault;
  if (!fs::is_regular_file(file, fault)) {
    const fs::path outer = FindOuterArchive(file);
    const std::string name = outer.empty() ? std::string() : file.lexically_relative(outer).generic_string();
    const std::unique_ptr<ZipReader> archive = outer.empty() ? nullptr : std::make_unique<ZipReader>(outer);
    if (archive == nullptr || !archive->Has(name))
      Fail("",
           fs::exists(file, fault) ? "it is not a file; name an FMU" : "there is no such file; name an FMU");
    const Entry& entry = archive->Get(name);
    if (entry.size > kMostArchiveBytes) Fail("", "it is larger than 2 GiB; such archives are refused");
    archive->Read(name, entry, [this](std::string_view piece) { inner_ += piece; });
  } else if (fs::file_size(file, fault) > kMostArchiveBytes) {
    Fail("", "it is larger than 2 GiB; such archives are refused");
  }
  Open();
  const zip_int64_t count = zip_get_num_entries(archive_.get(), 0);
  if (count > kMostFiles)
    Fail("", fmt::format("it has {} entries; more than {} are refused", count, kMostFiles));
  for (zip_int64_t i = 0; i < count; ++i) Check(static_cast<zip_uint64_t>(i));
  for (const auto& [name, entry] : files_) CheckFolders(name);
  for (const std::string& name : folders_) CheckFolders(name + "/");
}

ZipReader::~ZipReader() = default;

void ZipReader::Open() {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* const source = inner_.empty()
                                   ? zip_source_file_create(file_.c_str(), 0, -1, &error)
                                   : zip_source_buffer_create(inner_.data(), inner_.size(), 0, &error);
  // Not ZIP_CHECKCONS: it refuses what CMake packs, whose local headers leave the sizes to what follows.
  if (source != nullptr) archive_.reset(zip_open_from_source(source, ZIP_RDONLY, &error));
  if (archive_ == nullptr && source != nullptr) zip_source_free(source);
  const std::string why = TextOf(error);
  if (archive_ == nullptr)
    Fail("", fmt::format("it is not a zip archive that can be read: {}; name an FMU", why));
}

void ZipReader::Fail(const std::string& entry, const std::string& what) const {
  throw std::runtime_error(
      fmt::format("{}: error: {}{}{}", file_.string(), entry, entry.empty() ? "" : ": ", what));
}

std::string ZipReader::NameOf(std::uint64_t index) const {
  const char* const name = zip_get_name(archive_.get(), index, 0);
  if (name == nullptr || *name == '\0')
    Fail(fmt::format("entry {}", index), "it has no name; pack the archive again");
  // Some tools pack as Windows writes paths.
  std::string slashes = name;
  std::ranges::replace(slashes, '\\', '/');
  return slashes;
}

void ZipReader::Check(std::uint64_t index) {
  const std::string name = NameOf(index);
  const fs::path path(name);
  const bool is_outside = path.is_absolute() || std::ranges::find(path, fs::path("..")) != path.end();
  if (is_outside) Fail(name, "the name leads out of the archive; write relative names with '/'");
  for (const fs::path& part : path) {
    if (part.native().size() > kLongestName)
      Fail(name, fmt::format("a name in it is longer than {} bytes; choose a shorter one", kLongestName));
  }
  zip_stat_t stat{};
  if (zip_stat_index(archive_.get(), index, 0, &stat) != 0) Fail(name, zip_strerror(archive_.get()));
  if ((stat.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && stat.encryption_method != ZIP_EM_NONE)
    Fail(name, "it is encrypted; FMI does not allow that");
  if ((stat.valid & ZIP_STAT_SIZE) == 0 || stat.size > kMostBytes - bytes_)
    Fail(name, "all entries together are larger than 4 GiB; such archives are refused");
  bytes_ += stat.size;
  zip_uint8_t system = 0;
  zip_uint32_t attributes = 0;
  zip_file_get_external_attributes(archive_.get(), index, 0, &system, &attributes);
  if (system == ZIP_OPSYS_UNIX && ((attributes >> 16) & kFileTypeMask) == kLink)
    Fail(name, "it is a link; pack the file itself");
  const std::string whole = (path.lexically_normal() / "").parent_path().generic_string();
  if (name.back() == '/') {
    if (whole != ".") folders_.insert(whole);
    return;
  }
  if (whole == ".") Fail(name, "it has no name; pack the archive again");
  const auto [known, is_new] = files_.try_emplace(whole, Entry{index, stat.size, stat.crc});
  if (!is_new && (known->second.size != stat.size || known->second.crc != stat.crc))
    Fail(name, "it is there twice, with different contents; keep one of them");
}

void ZipReader::CheckFolders(const std::string& name) const {
  for (fs::path folder = fs::path(name).parent_path(); !folder.empty(); folder = folder.parent_path()) {
    if (files_.contains(folder.generic_string()))
      Fail(name, fmt::format("'{}' is a file and a folder; rename one of them", folder.generic_string()));
  }
}

const ZipReader::Entry& ZipReader::Get(std::string_view file) const { return files_.find(file)->second; }

void ZipReader::Read(const std::string& name, const Entry& entry, const Pieces& take) const {
  const std::unique_ptr<zip_file_t, CloseZipFile> file(zip_fopen_index(archive_.get(), entry.index, 0));
  if (file == nullptr) Fail(name, std::string("it cannot be read: ") + zip_strerror(archive_.get()));
  std::array<char, 1 << 16> buffer;
  zip_uint64_t read = 0;
  for (;;) {
    const zip_int64_t count = zip_fread(file.get(), buffer.data(), buffer.size());
    if (count < 0) Fail(name, std::string("it is damaged: ") + zip_file_strerror(file.get()));
    if (count == 0) break;
    read += static_cast<zip_uint64_t>(count);
    if (read > entry.size) Fail(name, "it is larger than the archive says; pack it again");
    take({buffer.data(), static_cast<std::size_t>(count)});
  }
}

std::string ZipReader::ReadArchive() const {
  if (!inner_.empty()) return inner_;
  std::optional<std::string> bytes = LoadBytes(file_);
  if (!bytes) Fail("", "it cannot be read; look at its permissions");
  return std::move(*bytes);
}

std::vector<std::string> ZipReader::FilesBelow(std::string_view folder) const {
  const std::string begin = std::string(folder) + "/";
  std::vector<std::string> names;
  for (auto file = files_.lower_bound(begin); file != files_.end() && file->first.starts_with(begin); ++file)
    names.push_back(file->first.substr(begin.size()));
  return names;
}

TextResult ZipReader::ReadText(std::string_view file, std::string_view noun) const {
  const auto refuse = [&](std::string_view why) {
    return TextResult{{}, fmt::format("cannot read '{}': {}", (file_ / file).string(), why)};
  };
  const auto entry = files_.find(file);
  if (entry == files_.end()) return refuse(fmt::format("no such file; name a readable {}", noun));
  if (entry->second.size > kLargestText)
    return refuse(fmt::format("it has more than {} MiB; a {} has less", kLargestText >> 20U, noun));
  TextResult result;
  Read(entry->first, entry->second, [&](std::string_view piece) { result.text += piece; });
  return result;
}

void ZipReader::Unpack(const fs::path& folder) const {
  fs::create_directories(folder);
  for (const std::string& name : folders_) fs::create_directories(folder / name);
  for (const auto& [name, entry] : files_) {
    const fs::path target = folder / name;
    fs::create_directories(target.parent_path());
    std::ofstream stream(target, std::ios::binary);
    Read(name, entry, [&](std::string_view piece) {
      stream.write(piece.data(), static_cast<std::streamsize>(piece.size()));
    });
    if (!stream.flush()) throw std::runtime_error(target.string() + ": cannot be written; is the disk full?");
  }
}

bool ZipReader::IsUnpackedIn(const fs::path& folder) const {
  std::error_code fault;
  for (const std::string& name : folders_) {
    if (!fs::is_directory(folder / name, fault)) return false;
  }
  std::array<char, 1 << 16> buffer;
  for (const auto& [name, entry] : files_) {
    const fs::path file = folder / name;
    if (!fs::is_regular_file(file, fault) || fs::file_size(file, fault) != entry.size) return false;
    std::ifstream stream(file, std::ios::binary);
    uLong crc = 0;
    while (stream) {
      stream.read(buffer.data(), buffer.size());
      crc = crc32_z(crc, reinterpret_cast<const Bytef*>(buffer.data()),
                    static_cast<std::size_t>(stream.gcount()));
    }
    if (crc != entry.crc) return false;
  }
  return true;
}

void UnpackZip(const fs::path& archive, const fs::path& folder) { ZipReader(archive).Unpack(folder); }

}  // namespace davit
