#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "session/coarse_clock.h"
#include "session/recording_options.h"
#include "session/result_recording.h"
#include "simulator/simulator_manager.h"

namespace davit {

/// The recordings of a run. They come and go between two steps.
///
/// Files get their rows by the clock, so that a crash loses less than a second of them: the first at once,
/// later ones every kFlushInterval, at each look where looks come more seldom than kRareLooks.
class RecordingList {
 public:
  static constexpr std::chrono::milliseconds kFlushInterval{800};
  static constexpr std::chrono::milliseconds kRareLooks{50};

  explicit RecordingList(SimulatorManager& manager) : manager_(manager) {}
  RecordingList(const RecordingList&) = delete;
  RecordingList& operator=(const RecordingList&) = delete;

  /// It begins with the run. One that comes during a run begins at once: with a row of the present values if
  /// `has_row_now`, then with those that are due after the present step point, counted from StartTime.
  RecordingId Add(std::unique_ptr<ResultRecording> recording, bool has_row_now);
  /// Null where there is none.
  ResultRecording* Find(RecordingId id) const;
  /// Closes its files; throws std::runtime_error as ResultRecording::CloseFiles does, when it is removed.
  void Remove(RecordingId id);
  void RemoveAll();
  /// Files that have rows are complete: another run would overwrite them. Throws as Remove does.
  void CloseFilesWithRows();
  // Of runs that branch (TimeTravel): each recording belongs to a tape, those that are added to the active
  // one.
  /// Those of this tape take rows from now on, where they have left off; the others do not.
  void Activate(std::uint64_t tape);
  void MoveAllTo(std::uint64_t tape);
  /// Files beside those of the tape `from` take the rows of the active one, `x.NAME.csv`; they begin now.
  /// Throws std::runtime_error where one cannot be written.
  void Branch(std::uint64_t from, const std::string& name);
  /// After each step: writes the files where it is time to.
  void FlushDue();
  /// Before the run waits until `when`: writes the files where it would be time to meanwhile.
  void FlushBefore(CoarseClock::time_point when);
  /// Writes all files.
  void Flush();
  /// Throws on what ended a recording since the last call. The rest of the run is not touched by it.
  void RethrowFault();

 private:
  bool IsActive(const ResultRecording& recording) const { return recording.tape() == active_tape_; }

  SimulatorManager& manager_;
  std::uint64_t active_tape_ = 0;
  std::map<RecordingId, std::unique_ptr<ResultRecording>> recordings_;
  std::uint32_t next_id_ = 0;
  bool has_files_ = false;
  CoarseClock::time_point last_look_, next_flush_;
};

}  // namespace davit
