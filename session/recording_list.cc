#include "session/recording_list.h"

#include <utility>

#include "session/first_fault.h"

namespace davit {

RecordingId RecordingList::Add(std::unique_ptr<ResultRecording> recording, bool has_row_now) {
  const auto id = static_cast<RecordingId>(next_id_++);
  Recorder& recorder = recording->recorder();
  manager_.AddObserver(&recorder);
  recordings_.emplace(id, std::move(recording));
  if (manager_.is_started() && has_row_now) recorder.WriteNow(manager_.time());
  return id;
}

ResultRecording* RecordingList::Find(RecordingId id) const {
  const auto found = recordings_.find(id);
  return found == recordings_.end() ? nullptr : found->second.get();
}

void RecordingList::Remove(RecordingId id) {
  auto node = recordings_.extract(id);
  if (node.empty()) return;
  manager_.RemoveObserver(&node.mapped()->recorder());
  node.mapped()->CloseFiles();
}

void RecordingList::RemoveAll() {
  auto all = std::exchange(recordings_, {});
  for (const auto& [id, recording] : all) manager_.RemoveObserver(&recording->recorder());
  FirstFault faults;
  for (const auto& [id, recording] : all) faults.Try([&one = *recording] { one.CloseFiles(); });
  faults.Rethrow();
}

void RecordingList::CloseFilesWithRows() {
  FirstFault faults;
  for (const auto& [id, recording] : recordings_) {
    if (recording->rows() > 0) faults.Try([&one = *recording] { one.CloseFiles(); });
  }
  faults.Rethrow();
}

void RecordingList::RethrowFault() {
  for (const auto& [id, recording] : recordings_) {
    if (std::exception_ptr fault = recording->TakeFault()) std::rethrow_exception(fault);
  }
}

}  // namespace davit
