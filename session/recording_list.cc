#include "session/recording_list.h"

#include <filesystem>
#include <utility>
#include <vector>

#include "session/first_fault.h"

namespace davit {

RecordingId RecordingList::Add(std::unique_ptr<ResultRecording> recording, bool has_row_now) {
  const auto id = static_cast<RecordingId>(next_id_++);
  recording->set_tape(active_tape_);
  Recorder& recorder = recording->recorder();
  manager_.AddObserver(&recorder);
  has_files_ = has_files_ || recording->has_files();
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

void RecordingList::Activate(std::uint64_t tape) {
  if (tape == active_tape_) return;
  for (const auto& [id, recording] : recordings_) {
    if (IsActive(*recording)) manager_.RemoveObserver(&recording->recorder());
  }
  active_tape_ = tape;
  for (const auto& [id, recording] : recordings_) {
    if (IsActive(*recording)) manager_.ReturnObserver(&recording->recorder());
  }
}

void RecordingList::MoveAllTo(std::uint64_t tape) {
  for (const auto& [id, recording] : recordings_) {
    if (!IsActive(*recording)) manager_.ReturnObserver(&recording->recorder());
    recording->set_tape(tape);
  }
  active_tape_ = tape;
}

void RecordingList::Branch(std::uint64_t from, const std::string& name) {
  std::vector<const ResultRecording*> parents;
  for (const auto& [id, recording] : recordings_) {
    if (recording->tape() == from && !recording->files().empty()) parents.push_back(recording.get());
  }
  for (const ResultRecording* parent : parents) {
    std::vector<std::filesystem::path> files = parent->files();
    for (std::filesystem::path& file : files) {
      // A branch of a branch has the name of the trunk's files in front, too.
      const std::string ending = "." + name + file.extension().string();
      file.replace_extension(ending);
    }
    Add(std::make_unique<ResultRecording>(parent->plan(), files, RowTaker()), true);
  }
}

void RecordingList::CloseFilesWithRows() {
  FirstFault faults;
  for (const auto& [id, recording] : recordings_) {
    if (recording->rows() > 0) faults.Try([&one = *recording] { one.CloseFiles(); });
  }
  faults.Rethrow();
}

void RecordingList::FlushDue() {
  if (!has_files_) return;
  const CoarseClock::time_point now = CoarseClock::now();
  const bool is_rare = now - last_look_ >= kRareLooks;
  last_look_ = now;
  if (is_rare || now >= next_flush_) Flush();
}

void RecordingList::FlushBefore(CoarseClock::time_point when) {
  if (has_files_ && when >= next_flush_) Flush();
}

void RecordingList::Flush() {
  for (const auto& [id, recording] : recordings_) recording->Flush();
  next_flush_ = CoarseClock::now() + kFlushInterval;
}

void RecordingList::RethrowFault() {
  for (const auto& [id, recording] : recordings_) {
    if (std::exception_ptr fault = recording->TakeFault()) std::rethrow_exception(fault);
  }
}

}  // namespace davit
