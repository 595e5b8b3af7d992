#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "session/cause_log.h"
#include "session/coarse_clock.h"
#include "session/recording_folder.h"
#include "session/recording_list.h"
#include "session/run_tape.h"
#include "simulator/step_observer.h"

namespace davit {

/// How a run is recorded to travel in its time.
struct TravelOptions {
  std::filesystem::path folder = {};  ///< empty: in memory only
  std::size_t most_bytes = 100'000'000;
  /// Computing time between two snapshots: at least this, and so long that snapshots take this share of it.
  std::chrono::milliseconds spacing{100};
  double share = 0.05;
};

/// Records a run, and takes it to any step point that it has passed, with the bits that it had there.
///
/// The tape of a run contains snapshots and what the run was given from outside; between two snapshots the
/// run is computed once more. Snapshots are thinned out, and of a long run with many inputs the beginning is
/// dropped: a recording never has more than most_bytes. Where somebody gives a run in its past something
/// else, a branch begins, with a tape of its own; that of the trunk stays as it is. Results are written at
/// the end of a tape only, so that rows come once; a branch has files of its own, `x.branch-1.csv`.
///
/// A disk that is full ends the copy on disk, not the recording. Used by the thread that drives, between two
/// steps. What moves throws SimulationFailure where the run fails on the way.
class TimeTravel final : private StepObserver {
 public:
  static constexpr std::uint64_t kMostBranches = 8;

  /// Begins at the present point of a run that is under way, else with the run. A folder that contains a
  /// recording of this system is continued: the run goes to its end. Throws std::invalid_argument where it is
  /// of another system or no recording, std::runtime_error where it cannot be written. All must outlive it;
  /// `causes` may be null.
  TimeTravel(System& system, RecordingList& recordings, CauseLog* causes, TravelOptions options);
  ~TimeTravel() override;

  // For whoever steps the run.
  void BeginRun();
  void BeforeStep();
  void AfterStep();
  /// The run is over, or pauses for long: what was recorded is complete on disk.
  void Close();

  const std::vector<std::unique_ptr<RunTape>>& tapes() const { return tapes_; }
  /// The tape of the present run; null for one that is not recorded.
  const RunTape* tape() const { return tape_; }
  /// Whether nothing is recorded behind the present point.
  bool is_at_end() const { return is_at_end_; }
  /// The times that GoTo reaches.
  double begin_time() const;
  double end_time() const { return tape_ == nullptr ? 0 : tape_->end_time(); }

  /// To the first step point at or after t [s]. Throws std::invalid_argument for a time that is not recorded.
  void GoTo(double t);
  /// To the step point before. Throws std::invalid_argument at the beginning.
  void Back();
  /// To the last point before the present one at which `is_true` became true. False, and nothing happens,
  /// where there is none.
  bool BackUntil(const std::function<bool()>& is_true);
  /// To the same time of another tape, or to its end where that is earlier. Throws std::invalid_argument
  /// where there is none of this name.
  void SwitchTo(std::string_view name);
  /// Begins a branch at the present point of the past, before anything is changed: without what the run was
  /// given here and later. Throws std::invalid_argument at the end of a recording, and with kMostBranches.
  void BranchHere();
  /// Computes the past once more, from ever earlier snapshots, until the causes are enough.
  void Recollect(const std::function<bool()>& is_enough);

 private:
  // StepObserver
  void OnStart(double /*t*/) override {}
  void OnContinue(double /*start*/, double /*t_before*/, double /*t*/) override {}
  void OnStep(double /*t*/) override {}
  bool TakesInputs() const override { return true; }
  void OnInput(const Command& command, bool is_now) override;
  void OnSave() override;

  std::uint64_t most_bytes() const;
  void Open();
  void Begin(std::uint64_t parent, std::uint64_t parent_step);
  /// Pre: in the past. The tape is null afterwards if there are too many branches.
  void BeginBranch();
  void TakeSnapshot();
  void Limit();
  void Add(RunTape::Entry entry, std::string snapshot = {});
  /// What goes wrong there ends the copy on disk.
  template <class Call>
  void OnDisk(Call call);
  void Log(const std::string& text) const;

  RunTape& TapeOf(std::uint64_t number) const;
  /// The point that the run leaves can be reached again. Returns whether the run has failed behind it.
  bool Leave();
  void Load(RunTape& tape, std::size_t snapshot);
  /// Pre: left. Takes what is nearest: the present point, or a snapshot.
  void Reach(RunTape& tape, std::uint64_t step);
  void Replay(const std::function<bool()>& is_there);
  void ApplyEntries();
  /// At the end of a tape the run is what it was when it left.
  void ArriveAtEnd();
  void set_at_end(bool is_at_end);

  System& system_;
  SimulatorManager& manager_;
  RecordingList& recordings_;
  CauseLog* causes_;
  TravelOptions options_;
  std::unique_ptr<RecordingFolder> folder_;
  std::vector<std::unique_ptr<RunTape>> tapes_;
  RunTape* tape_ = nullptr;
  std::uint64_t step_ = 0;   ///< of tape_
  std::uint64_t entry_ = 0;  ///< of tape_: the next one to be given to the run
  bool is_at_end_ = false;
  bool is_busy_ = false;  ///< what comes now is from here, or from inside a step
  bool is_off_ = false;   ///< the run is not quite what the tape has here: it must be loaded
  bool is_flush_due_ = false;
  CoarseClock::time_point next_snapshot_{}, next_flush_{};
  std::chrono::nanoseconds cost_{};  ///< of the last snapshot
  unsigned thinned_ = 0;             ///< how often
};

}  // namespace davit
