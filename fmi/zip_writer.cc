#include "fmi/zip_writer.h"

#include <fmt/format.h>
#include <zip.h>

#include <memory>
#include <stdexcept>

namespace davit {
namespace {

constexpr zip_uint16_t kFirstDosDate = (1 << 5) | 1;  // 1980-01-01, the first day that the format knows
constexpr zip_uint32_t kFileMode = 0100644u << 16;    // a plain file that its owner may write

struct DiscardZip {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};

[[noreturn]] void Fail(const std::filesystem::path& file, const std::string& why) {
  throw std::runtime_error(
      fmt::format("{}: cannot be written: {}; check the path and the space on the disk", file.string(), why));
}

}  // namespace

void WriteZip(const std::filesystem::path& file, const std::vector<ZipEntry>& entries) {
  int code = 0;
  std::unique_ptr<zip_t, DiscardZip> archive(zip_open(file.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code));
  if (archive == nullptr) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string why = zip_error_strerror(&error);
    zip_error_fini(&error);
    Fail(file, why);
  }
  for (const ZipEntry& entry : entries) {
    zip_source_t* const source =
        zip_source_buffer(archive.get(), entry.content.data(), entry.content.size(), 0);
    if (source == nullptr) Fail(file, zip_strerror(archive.get()));
    const zip_int64_t index = zip_file_add(archive.get(), entry.name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
      zip_source_free(source);
      Fail(file, zip_strerror(archive.get()));
    }
    const auto i = static_cast<zip_uint64_t>(index);
    if (zip_set_file_compression(archive.get(), i, ZIP_CM_DEFLATE, 6) != 0 ||
        zip_file_set_dostime(archive.get(), i, 0, kFirstDosDate, 0) != 0 ||
        zip_file_set_external_attributes(archive.get(), i, 0, ZIP_OPSYS_UNIX, kFileMode) != 0) {
      Fail(file, zip_strerror(archive.get()));
    }
  }
  if (zip_close(archive.get()) != 0) Fail(file, zip_strerror(archive.get()));
  static_cast<void>(archive.release());  // zip_close has freed it
}

}  // namespace davit
