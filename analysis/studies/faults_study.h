#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/faults/fault_worker.h"
#include "analysis/faults/fmea_sheet.h"
#include "analysis/studies/study.h"
#include "analysis/study/study_table.h"

namespace davit {

struct FaultsOptions : StudyOptions {
  std::vector<VariationText> faults = {};    ///< SelectFaults; none: all
  bool has_pairs = false;                    ///< all pairs of them, too
  bool lists = false;                        ///< which there are, without any run
  std::optional<VariationText> at = {};      ///< when they happen; default StartTime, or that of the snapshot
  std::optional<VariationText> window = {};  ///< how long each case goes on; default: to StopTime
  std::optional<std::filesystem::path> snapshot = {};  ///< that the campaign begins with
  std::vector<VariationText> detectors = {};           ///< globs of charts, states and alarms
  std::optional<std::filesystem::path> output = {};    ///< table (.csv)
  std::optional<std::filesystem::path> fmea = {};      ///< sheet (.html)
  bool is_resumed = false;
  std::optional<std::string> shard = {};
};

struct FaultsResult {
  std::vector<SystemFault> listed;  ///< with FaultsOptions::lists
  std::vector<StudyColumn> columns;
  std::map<std::uint64_t, std::string> table;  ///< by number of the case, as in the file
  std::vector<FaultHazard> hazards;
  std::vector<FaultRow> rows;
  std::uint64_t cases = 0;    ///< of this shard
  std::uint64_t resumed = 0;  ///< of the rows
  double time = 0, end = 0;   ///< of the faults, and of each case [s]
  unsigned workers = 0;
  double wall_s = 0;

  bool is_complete() const { return rows.size() == cases; }
};

/// Lets the faults happen that the models of a system declare, one or two in a case, and tells what has
/// detected them, after how long, and what has become of the hazards.
class FaultsStudy final : public Study {
 public:
  explicit FaultsStudy(FaultsOptions given = {}) : Study(options), options(std::move(given)) {}
  static const StudyKind& Kind();
  const StudyKind& kind() const override { return Kind(); }
  StudyFacts Facts() const override;
  void WriteNoFiles() override {
    options.output = options.fmea = std::nullopt;
    options.is_resumed = false;
  }
  const FaultsResult& result() const { return result_; }

  FaultsOptions options;

 protected:
  void CheckOptions() override;
  void Execute(const StudyCalls& calls) override;
  void Serve() override;

 private:
  void ReadHazards();
  void ReadTimes();
  void ReadDetectors();
  void CheckFiles();
  void ReadTable();
  std::string RowBegin(std::uint64_t number) const;
  std::string RowOf(std::uint64_t number, const CaseResult& result) const;
  FaultRow ReadRow(std::uint64_t number, const std::string& row) const;

  FaultSetup faults_;
  std::vector<SystemFault> chosen_;
  std::vector<FaultCase> cases_;
  std::vector<std::uint64_t> numbers_;         ///< of the cases that this shard has
  std::map<std::uint64_t, std::string> rows_;  ///< that are there already
  FaultsResult result_;
};

}  // namespace davit
