#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/study/case_runner.h"
#include "framework/diagnostics.h"
#include "results/output_file.h"

namespace davit {

/// A column of the table of a study.
struct StudyColumn {
  std::string name;
  std::string unit;       ///< SI; empty without
  bool is_number = true;  ///< else texts
};

/// The columns `case`, the varied paths, the measures, those `judged` (CaseSetup), `status`, `message`,
/// `wall_s`.
std::vector<StudyColumn> StudyColumns(std::span<const VariedItem> items,
                                      std::span<const MeasureDefinition> measures,
                                      const std::vector<std::string>& units,
                                      const std::vector<std::string>& judged = {});

/// One line of the table, without its end: numbers in SI that read back to the same bits, `done` or `failed`.
/// All but the last cell is the same in each study of the same cases.
std::string StudyRow(std::uint64_t number, std::span<const CaseValue> values,
                     std::span<const VariedItem> items, const CaseResult& result);
/// How the row of a case begins: its number and values.
std::string StudyRowBegin(std::uint64_t number, std::span<const CaseValue> values,
                          std::span<const VariedItem> items);

/// The table of a study in a CSV file, while the study goes on. A row is in the file as soon as its case has
/// ended; Finish puts the rows in the order of the cases. The units are in a file beside it, FILE.units.
///
/// To a pipe or a device rows go in the order of the cases, each as soon as those before it have ended.
/// Constructor, Add and Finish throw OutputFailure.
class StudyTable {
 public:
  /// Begins the file with the rows that are there already, by number: those of a study that is continued.
  /// `numbers`: all cases that come, in their order, the old ones among them. An empty `file`: the table is
  /// kept in memory only.
  StudyTable(const std::filesystem::path& file, const std::vector<StudyColumn>& columns,
             std::map<std::uint64_t, std::string> rows, std::span<const std::uint64_t> numbers);

  /// Further cases that come, in their order.
  void Expect(std::span<const std::uint64_t> numbers);
  /// A row of a number that is there already takes its place.
  void Add(std::uint64_t number, std::string row);
  /// There are no cases behind number `last`: their rows leave the file with Finish.
  void EndAt(std::uint64_t last);
  void Finish();
  const std::map<std::uint64_t, std::string>& rows() const { return rows_; }

 private:
  /// All rows, in order.
  std::string Text() const;

  std::filesystem::path path_;
  std::string head_;
  std::map<std::uint64_t, std::string> rows_;
  std::vector<std::uint64_t> numbers_;  ///< of a pipe or device: not yet written
  std::size_t next_ = 0;
  std::unique_ptr<OutputFile> file_;
  bool is_ordered_ = true;  ///< the rows of the file are in the order of the cases
};

/// The cells of a column.
struct StudyColumnValues {
  std::vector<double> numbers;     ///< of a column of numbers; NaN where a case has none
  std::vector<std::string> texts;  ///< of any other
};
/// The values of rows, by column.
std::vector<StudyColumnValues> ValuesOfRows(const std::vector<StudyColumn>& columns,
                                            const std::map<std::uint64_t, std::string>& rows);

/// A table that was read.
struct StudyRows {
  std::string head;                           ///< the first line
  std::vector<std::string> columns;           ///< its cells
  std::map<std::uint64_t, std::string> rows;  ///< by number of the case
};

/// Reads a table as StudyTable writes it; a last line without an end is left out. Faults go to `diagnostics`.
/// `resume`: how the user writes that a study continues.
StudyRows LoadStudyRows(const std::filesystem::path& file, std::string_view resume, Diagnostics& diagnostics);

/// The first line of a table.
std::string StudyHead(const std::vector<StudyColumn>& columns);

/// Joins the tables of shards. Tables with other columns, and cases with different rows but for `wall_s`, go
/// to `diagnostics`.
StudyRows JoinStudyRows(const std::vector<std::filesystem::path>& files, std::string_view resume,
                        Diagnostics& diagnostics);

/// Cases that a table lacks.
struct MissingCases {
  std::uint64_t count = 0, first = 0;
};

/// Which of the cases 1 ... `cases` a table lacks; without `cases` only what is before its last one is known.
MissingCases FindMissingCases(const StudyRows& table, std::optional<std::uint64_t> cases);

/// Writes the file of units of a table.
void WriteStudyUnits(const std::filesystem::path& table, const std::vector<StudyColumn>& columns);

}  // namespace davit
