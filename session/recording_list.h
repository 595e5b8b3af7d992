#pragma once

#include <map>
#include <memory>

#include "session/result_recording.h"
#include "simulator/simulator_manager.h"

namespace davit {

/// One of the recordings of a simulation.
enum class RecordingId : std::uint32_t {};

/// The recordings of a run. They come and go between two steps.
class RecordingList {
 public:
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
  /// Throws on what ended a recording since the last call. The rest of the run is not touched by it.
  void RethrowFault();

 private:
  SimulatorManager& manager_;
  std::map<RecordingId, std::unique_ptr<ResultRecording>> recordings_;
  std::uint32_t next_id_ = 0;
};

}  // namespace davit
