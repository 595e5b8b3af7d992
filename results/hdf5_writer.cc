#include "results/hdf5_writer.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

#include "results/hdf5_handle.h"
#include "results/option_names.h"
#include "results/output_failure.h"
#include "results/output_file.h"

namespace davit {
namespace {

constexpr std::size_t kHdf5BufferValues = 256 * 1024;
constexpr std::size_t kMostRows = 1024;

}  // namespace

struct Hdf5Writer::File {
  Hdf5Handle file;
  std::vector<Hdf5Handle> datasets;

  explicit File(const std::filesystem::path& path) : file(Create(path), H5Fclose) {}

  /// The datasets keep the order in which they are made.
  static hid_t Create(const std::filesystem::path& path) {
    const Hdf5Handle options(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    H5Pset_obj_track_times(options.get(), false);
    H5Pset_link_creation_order(options.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_file_locking(access.get(), false, true);  // it may be read while it is written
    // What describes the file is written by H5Fflush only: between two of these a crash finds the file as the
    // first one left it.
    H5AC_cache_config_t cache{};
    cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
    if (H5Pget_mdc_config(access.get(), &cache) >= 0) {
      cache.evictions_enabled = false;
      cache.incr_mode = H5C_incr__off;
      cache.flash_incr_mode = H5C_flash_incr__off;
      cache.decr_mode = H5C_decr__off;
      H5Pset_mdc_config(access.get(), &cache);
    }
    return H5Fcreate(path.c_str(), H5F_ACC_TRUNC, options.get(), access.get());
  }

  static bool WriteAttribute(hid_t of, const char* name, const std::string& value) {
    const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.get(), std::max<std::size_t>(value.size(), 1));
    H5Tset_cset(type.get(), H5T_CSET_UTF8);
    const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Hdf5Handle attribute(H5Acreate2(of, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
                               H5Aclose);
    return attribute.get() >= 0 && H5Awrite(attribute.get(), type.get(), value.c_str()) >= 0;
  }

  bool Add(const ResultColumn& column, std::size_t chunk) {
    const hsize_t now = 0, most = H5S_UNLIMITED, chunk_size = chunk;
    const Hdf5Handle space(H5Screate_simple(1, &now, &most), H5Sclose);
    const Hdf5Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(layout.get(), 1, &chunk_size);
    H5Pset_obj_track_times(layout.get(), false);  // the same run writes the same bytes
    const Hdf5Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
    // No cache: rows go to the file as they are, and a full disk is found by H5Dwrite, not by a flush, which
    // does not survive it.
    H5Pset_chunk_cache(access.get(), 1, 0, 1.0);
    datasets.emplace_back(H5Dcreate2(file.get(), column.path.c_str(), H5T_IEEE_F64LE, space.get(),
                                     H5P_DEFAULT, layout.get(), access.get()),
                          H5Dclose);
    const hid_t id = datasets.back().get();
    return id >= 0 && WriteAttribute(id, "unit", column.unit) && WriteAttribute(id, "text", column.text) &&
           (column.options.empty() || WriteAttribute(id, "options", JoinOptions(column.options)));
  }

  static bool Append(hid_t dataset, std::uint64_t at, const double* values, std::size_t count) {
    const hsize_t size = at + count, offset = at, length = count;
    if (H5Dset_extent(dataset, &size) < 0) return false;
    const Hdf5Handle in_file(H5Dget_space(dataset), H5Sclose);
    const Hdf5Handle in_memory(H5Screate_simple(1, &length, nullptr), H5Sclose);
    return H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, &offset, nullptr, &length, nullptr) >= 0 &&
           H5Dwrite(dataset, H5T_NATIVE_DOUBLE, in_memory.get(), in_file.get(), H5P_DEFAULT, values) >= 0;
  }
};

void Hdf5Writer::SkipWorkAtExit() { H5dont_atexit(); }

Hdf5Writer::Hdf5Writer(const std::filesystem::path& path, const std::vector<ResultColumn>& columns)
    : path_(path),
      width_(columns.size() + 1),
      most_rows_(std::clamp<std::size_t>(kHdf5BufferValues / width_, 1, kMostRows)),
      buffer_(width_ * most_rows_) {
  OutputFile(path).Close();                     // reports why it cannot be written
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // faults are thrown, not printed
  file_ = std::make_unique<File>(path);
  bool is_good = file_->file.get() >= 0 && file_->Add({"time", "s", "Time"}, most_rows_);
  for (const ResultColumn& column : columns) is_good = is_good && file_->Add(column, most_rows_);
  is_good = is_good && H5Fflush(file_->file.get(), H5F_SCOPE_LOCAL) >= 0;
  if (is_good) return;
  file_ = nullptr;
  OutputFile(path).Discard();
  Fail();
}

Hdf5Writer::~Hdf5Writer() {
  try {
    Close();
  } catch (const std::exception&) {  // Close reports it to those who ask
  }
}

void Hdf5Writer::WriteRow(double time, std::span<const double> values) {
  assert(values.size() + 1 == width_);
  if (file_ == nullptr) throw std::runtime_error(path_.string() + ": is closed and accepts no more results");
  buffer_[buffered_] = time;
  for (std::size_t i = 0; i < values.size(); ++i) buffer_[(i + 1) * most_rows_ + buffered_] = values[i];
  if (++buffered_ == most_rows_) Append();
}

void Hdf5Writer::Append() {
  bool is_good = true;
  for (std::size_t i = 0; i < width_; ++i) {
    is_good =
        is_good && File::Append(file_->datasets[i].get(), written_, &buffer_[i * most_rows_], buffered_);
  }
  written_ += buffered_;
  buffered_ = 0;
  if (!is_good) Fail();
}

void Hdf5Writer::Flush() {
  if (file_ == nullptr || written_ + buffered_ == flushed_) return;
  if (buffered_ > 0) Append();
  flushed_ = written_;
  if (H5Fflush(file_->file.get(), H5F_SCOPE_LOCAL) < 0) Fail();
}

void Hdf5Writer::Close() {
  if (file_ == nullptr) return;
  if (buffered_ > 0) Append();
  bool is_good = true;
  for (Hdf5Handle& dataset : file_->datasets) is_good = dataset.Close() && is_good;
  is_good = file_->file.Close() && is_good;
  file_ = nullptr;
  if (!is_good) Fail();
}

void Hdf5Writer::Fail() {
  file_ = nullptr;
  throw OutputFailure(path_.string() + ": cannot be written as HDF5; is there room on the disk?", EIO);
}

}  // namespace davit
