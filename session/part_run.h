#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/result_writer.h"
#include "session/coarse_clock.h"
#include "session/recording_list.h"
#include "session/simulation.h"
#include "simulator/parts/part_exchange.h"
#include "simulator/parts/part_mail.h"

namespace davit {

/// What one part of a run has done.
struct PartStatistics {
  int rank = 0;
  std::uint64_t components = 0;  ///< that take steps there
  double work_seconds = 0;       ///< of the processor
  double wait_seconds = 0;       ///< by the clock, for messages of other parts
  int waits_most_for = -1;       ///< the rank; -1: it has not waited
  std::uint64_t messages = 0;    ///< sent
  std::uint64_t bytes = 0;
};

/// One system over several processes or threads: each has a Simulation of the whole system, advances its part
/// (PartExchange), and rank 0 has the results.
///
/// Call sequence, of all parts: Agree when the system is loaded, or nothing if it cannot be loaded;
/// Initialize or LoadState of the simulation; Begin; Run of the simulation; Fail if that has failed; End.
/// Rows of a recording that each part has of the same columns go to TakeRow.
class PartRun {
 public:
  /// The channel must outlive it.
  explicit PartRun(PartChannel& channel) : mail_(channel) {}
  /// Where Agree was never called the others learn that there is no run.
  ~PartRun();
  PartRun(const PartRun&) = delete;
  PartRun& operator=(const PartRun&) = delete;

  bool is_first() const { return mail_.rank() == 0; }
  int size() const { return mail_.size(); }
  /// All parts have loaded the same system; of rank 0: what is wrong, a line each.
  std::vector<std::string> Agree(const Simulation& simulation);
  /// Before Begin: rows of all parts, put together, go to these files and to the function. Of rank 0.
  void set_sinks(std::vector<std::filesystem::path> files, RowTaker on_row);
  /// Deals the system out. Returns what keeps it from that, the same in all parts; then only the destructor
  /// may follow. Throws OutputFailure where files cannot be made.
  std::vector<std::string> Begin(Simulation& simulation, const std::vector<ResultColumn>& columns);
  /// Nothing more is to happen: the destructor tells the others.
  void CallOff() { is_off_ = true; }
  /// Whether all of the system has fallen to one part.
  bool is_undivided() const { return atoms_ < 2; }
  void TakeRow(double t, std::span<const double> values);
  /// A line of the run log of this part; whether it is to be shown here.
  bool TakeLine(const RunLog::Entry& entry);
  /// Lines of other parts that have come; calls `show(severity, line)`.
  void ShowLines(const std::function<void(RunLog::Severity, std::string_view)>& show);
  /// The run has failed here at t [s].
  void Fail(const std::string& what, double t) { mail_.SendFailure(what, t); }
  /// Waits for the ends of all. Of rank 0: rows are complete as far as all parts have come, files closed.
  void End();
  /// Why the run has failed, in whichever part did so first; null if it has not. After End.
  const SimulationFailure* failure() { return mail_.FindFirstFailure(); }

  // Of rank 0, after End.
  /// Of all parts.
  const std::vector<PartStatistics>& parts() const { return parts_; }
  /// What one part has counted becomes what all have.
  void AddTo(RunStatistics& statistics) const;

 private:
  static constexpr std::size_t kRowsInMessage = 64;
  static constexpr std::uint64_t kMostRowsAhead = 4096;

  struct Row {
    double t;
    std::vector<double> values;
  };
  /// What another part gives to rows.
  struct Share {
    std::vector<std::uint32_t> columns;
    std::deque<double> values;
  };

  void MakeWriters(const std::vector<ResultColumn>& columns);
  void SendRows();
  void MergeRows();
  void WriteRow(const Row& row);
  void TakeShares();
  std::string LastWords();

  PartMail mail_;
  Simulation* simulation_ = nullptr;
  std::unique_ptr<PartExchange> exchange_;
  std::size_t atoms_ = 0;
  bool has_agreed_ = false;
  bool is_off_ = false;  ///< it was not dealt out

  std::vector<std::filesystem::path> files_;
  RowTaker on_row_;
  std::vector<std::unique_ptr<ResultWriter>> writers_;
  std::deque<Row> rows_;       ///< of rank 0, not complete yet
  std::vector<Share> shares_;  ///< by rank; of another rank than 0 its own alone
  std::string outgoing_;
  std::size_t outgoing_rows_ = 0;
  std::uint64_t rows_sent_ = 0, rows_taken_ = 0;

  CoarseClock::time_point next_flush_;

  RunStatistics at_begin_, added_;
  double work_at_begin_ = 0;
  std::vector<PartStatistics> parts_;
};

}  // namespace davit
