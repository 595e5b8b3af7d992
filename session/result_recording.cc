#include "session/result_recording.h"

#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "results/csv_writer.h"
#include "results/load_result.h"
#include "session/first_fault.h"
#include "session/result_columns.h"

namespace davit {
namespace {

void CheckKinds(const std::vector<std::filesystem::path>& files) {
  std::string faults;
  for (const std::filesystem::path& file : files) {
    if (IsResultFile(file)) continue;
    faults += (faults.empty() ? "" : "\n") + file.string() +
              ": error: unknown kind of result file; name a .csv, .mat or .h5 file";
  }
  if (!faults.empty()) throw std::invalid_argument(faults);
}

}  // namespace

ResultRecording::ResultRecording(RecordPlan plan, const std::vector<std::filesystem::path>& files,
                                 RowTaker on_row)
    : plan_(std::move(plan)),
      files_(files),
      columns_(ResultColumnsOf(plan_)),
      on_row_(std::move(on_row)),
      recorder_(plan_) {
  CheckKinds(files);
  try {
    for (const std::filesystem::path& file : files) writers_.push_back(MakeResultWriter(file, columns_));
  } catch (...) {
    RemoveFiles();
    throw;
  }
  recorder_.AddSink([this](double t, std::span<const double> values) { TakeRow(t, values); });
}

void ResultRecording::RemoveFiles() {
  for (const auto& writer : std::exchange(writers_, {})) {
    std::error_code ignored;
    const std::filesystem::path file = writer->path();
    if (!std::filesystem::is_regular_file(file, ignored)) continue;
    std::filesystem::remove(file, ignored);
    std::filesystem::remove(UnitsFileOf(file), ignored);
  }
}

void ResultRecording::TakeRow(double t, std::span<const double> values) {
  if (has_ended_) return;
  try {
    ++rows_;
    for (const auto& writer : writers_) writer->WriteRow(t, values);
    if (on_row_) on_row_(t, values);
  } catch (...) {
    has_ended_ = true;
    fault_ = std::current_exception();
  }
}

void ResultRecording::Flush() {
  if (has_ended_) return;
  try {
    for (const auto& writer : writers_) writer->Flush();
  } catch (...) {
    has_ended_ = true;
    fault_ = std::current_exception();
  }
}

void ResultRecording::CloseFiles() {
  FirstFault faults;
  for (const auto& writer : writers_) faults.Try([&writer] { writer->Close(); });
  writers_.clear();
  rows_ = 0;
  faults.Rethrow();
}

}  // namespace davit
