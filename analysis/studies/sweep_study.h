#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/studies/study.h"
#include "analysis/study/case_list.h"
#include "analysis/study/study_table.h"

namespace davit {

struct SweepOptions : StudyOptions {
  std::optional<std::filesystem::path> output = {};  ///< without one the rows are in the result only
  std::optional<std::filesystem::path> cases = {};   ///< CSV
  std::optional<std::uint64_t> samples = {};
  Sampling sampling = Sampling::kLatinHypercube;
  std::uint64_t seed = 1;
  bool is_resumed = false;
  std::optional<std::string> shard = {};  ///< `i/n`; nothing: all cases
  bool keeps_curves = false;              ///< in a folder beside the table
  std::optional<std::filesystem::path> plot = {};
};

struct SweepResult {
  std::vector<StudyColumn> columns;
  std::map<std::uint64_t, std::string> rows;  ///< by number of the case, see StudyRow
  std::uint64_t cases = 0;                    ///< of this shard
  std::uint64_t resumed = 0, failed = 0;      ///< of the rows
  unsigned workers = 0;
  double wall_s = 0;

  bool is_complete() const { return rows.size() == cases; }
};

/// Runs a system for many values of its parameters: a table of measures.
class SweepStudy final : public Study {
 public:
  explicit SweepStudy(SweepOptions given = {}) : Study(options), options(std::move(given)) {}
  static const StudyKind& Kind();
  const StudyKind& kind() const override { return Kind(); }
  StudyFacts Facts() const override;
  void WriteNoFiles() override {
    options.output = options.plot = std::nullopt;
    options.is_resumed = options.keeps_curves = false;
  }
  const SweepResult& result() const { return result_; }

  SweepOptions options;

 protected:
  void CheckOptions() override;
  void Execute(const StudyCalls& calls) override;

 private:
  void ReadCases();
  void CheckNames();
  void CheckFiles();
  void ReadTable();
  void WriteHdf5() const;
  void Draw();

  CaseList cases_;
  std::vector<std::uint64_t> numbers_;         ///< of the cases that this shard has
  std::map<std::uint64_t, std::string> rows_;  ///< that are there already
  SweepResult result_;
};

}  // namespace davit
