#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "results/output_file.h"
#include "results/result_writer.h"

namespace davit {

/// Writes a result as a MATLAB file of version 4 in the layout of Dymola, which MATLAB, Dymola, OpenModelica
/// and Python (DyMat, scipy.io.loadmat) read:
///
///     Aclass       "Atrajectory", "1.1", "", "binTrans"
///     name         one column of characters for each signal, the time first
///     description  the same: text and unit, `Pressure in chamber A [Pa]`
///     dataInfo     4 whole numbers for each signal: matrix, place in it, 0, -1
///     data_1       begin and end of the time
///     data_2       one column for each row of the result: time and values
///
/// data_2 is last and its size is brought up to date with each buffer, so the file can be read at any
/// time. Written here and not by matio, which cannot let a matrix of this version grow.
class MatWriter final : public ResultWriter {
 public:
  MatWriter(const std::filesystem::path& path, const std::vector<ResultColumn>& columns);
  ~MatWriter() override;

  void WriteRow(double time, std::span<const double> values) override;
  void Flush() override;
  void Close() override;
  const std::filesystem::path& path() const override { return file_.path(); }

 private:
  OutputFile file_;
  std::size_t rows_ = 0;       ///< of data_2: signals with the time
  std::size_t times_ = 0;      ///< columns of data_2
  std::size_t size_at_ = 0;    ///< of the number of columns of data_2 in the file [byte]
  std::size_t limits_at_ = 0;  ///< of the values of data_1 [byte]
  double first_ = 0, last_ = 0;
  std::vector<double> buffer_;
  bool is_open_ = true;
};

}  // namespace davit
