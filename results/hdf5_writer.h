#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "results/result_writer.h"

namespace davit {

/// Writes a result as HDF5: a dataset `time` and one for each signal, named by its path, all of the same
/// length; the attributes `unit` and `text` of each say what it is.
///
///     h5dump -d cylinder.p_a run.h5
///     h5py.File("run.h5")["cylinder.p_a"][:]
///
/// From the constructor on the file can be opened, with the rows of the last Flush, also while it is written
/// and after a crash; the part of a millisecond that a Flush takes is not safe.
class Hdf5Writer final : public ResultWriter {
 public:
  /// For a program, before it uses HDF5: the library does nothing when the process ends. All files are closed
  /// by then, and after a disk was full it would crash.
  static void SkipWorkAtExit();

  Hdf5Writer(const std::filesystem::path& path, const std::vector<ResultColumn>& columns);
  ~Hdf5Writer() override;

  void WriteRow(double time, std::span<const double> values) override;
  void Flush() override;
  void Close() override;
  const std::filesystem::path& path() const override { return path_; }

 private:
  struct File;

  /// Hands the buffer to the library.
  void Append();
  [[noreturn]] void Fail();

  std::filesystem::path path_;
  std::unique_ptr<File> file_;  ///< null when closed
  std::size_t width_;           ///< signals with the time
  std::size_t most_rows_;       ///< of the buffer
  std::vector<double> buffer_;  ///< signal by signal, most_rows_ each
  std::size_t buffered_ = 0;    ///< rows of the buffer
  std::uint64_t written_ = 0;   ///< rows that the library has
  std::uint64_t flushed_ = 0;   ///< rows that the file has
};

}  // namespace davit
