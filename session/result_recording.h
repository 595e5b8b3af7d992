#pragma once

#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "framework/system.h"
#include "results/result_writer.h"
#include "session/recording_options.h"
#include "simulator/recorder.h"

namespace davit {

/// One recording of a run: reads the columns of a plan when rows are due and hands the rows to result files
/// and to a function.
///
/// What a file or the function throws ends the recording, not the step: TakeFault gives it afterwards.
class ResultRecording {
 public:
  /// The name determines the kind of a file: .csv, .mat, .h5. Throws std::invalid_argument where it is none
  /// of these, before any file is made, and OutputFailure where one cannot be written; none is left then.
  ResultRecording(RecordPlan plan, const std::vector<std::filesystem::path>& files, RowTaker on_row);
  ResultRecording(const ResultRecording&) = delete;
  ResultRecording& operator=(const ResultRecording&) = delete;

  const std::vector<ResultColumn>& columns() const { return columns_; }
  Recorder& recorder() { return recorder_; }
  const RecordPlan& plan() const { return plan_; }
  /// As they were given.
  const std::vector<std::filesystem::path>& files() const { return files_; }
  /// To which tape of TimeTravel it belongs.
  std::uint64_t tape() const { return tape_; }
  void set_tape(std::uint64_t tape) { tape_ = tape; }
  /// Rows taken by the open files, and by the function since these were opened.
  std::uint64_t rows() const { return rows_; }
  bool has_files() const { return !writers_.empty(); }
  /// Writes what is buffered. What goes wrong ends the recording, as with a row.
  void Flush();
  /// What ended the recording; nothing the second time.
  std::exception_ptr TakeFault() { return std::exchange(fault_, nullptr); }
  /// Writes what is buffered and closes the files; the function stays subscribed. Throws std::runtime_error
  /// for the first file that could not be written, when all are closed.
  void CloseFiles();

 private:
  /// Where not all can be made.
  void RemoveFiles();
  void TakeRow(double t, std::span<const double> values);

  RecordPlan plan_;
  std::vector<std::filesystem::path> files_;
  std::uint64_t tape_ = 0;
  std::vector<ResultColumn> columns_;
  std::vector<std::unique_ptr<ResultWriter>> writers_;
  RowTaker on_row_;
  Recorder recorder_;
  std::uint64_t rows_ = 0;
  bool has_ended_ = false;
  std::exception_ptr fault_;
};

}  // namespace davit
