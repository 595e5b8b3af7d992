#include "session/run_tape.h"

#include <algorithm>
#include <utility>

namespace davit {
namespace {

template <class Key>
std::size_t LastAt(const std::deque<RunTape::Snapshot>& snapshots, Key key, Key RunTape::Snapshot::*member) {
  const auto behind = std::ranges::upper_bound(snapshots, key, {}, member);
  return behind == snapshots.begin() ? 0 : static_cast<std::size_t>(behind - snapshots.begin()) - 1;
}

}  // namespace

RunTape::RunTape(std::uint64_t number, std::uint64_t parent, std::uint64_t parent_step, double time) {
  Add({.kind = Entry::Kind::kBegin,
       .step = 0,
       .time = time,
       .number = number,
       .parent = parent,
       .parent_step = parent_step});
}

std::string RunTape::Seal(Entry entry) {
  Archive archive;
  archive(entry);
  return SealArchive(archive.Take());
}

std::optional<RunTape::Entry> RunTape::Unseal(std::string_view bytes, std::string* fault) {
  std::optional<std::string> content = OpenArchive(bytes, fault);
  if (!content) return std::nullopt;
  Archive archive(std::move(*content));
  Entry entry;
  archive(entry);
  return archive.is_good() && archive.is_at_end() ? std::optional(std::move(entry)) : std::nullopt;
}

std::string RunTape::name() const { return number_ == 0 ? "trunk" : "branch-" + std::to_string(number_); }

std::size_t RunTape::SnapshotAt(std::uint64_t step) const {
  return LastAt(snapshots_, step, &Snapshot::step);
}
std::size_t RunTape::SnapshotAt(double time) const { return LastAt(snapshots_, time, &Snapshot::time); }

const RunTape::Entry& RunTape::Add(Entry entry, std::string snapshot) {
  if (entry.kind == Entry::Kind::kBegin) {
    number_ = entry.number;
    parent_ = entry.parent;
    parent_step_ = entry.parent_step;
  }
  if (entry.step >= end_) set_end(entry.step, entry.time);
  entry_bytes_ += Seal(entry).size();
  entries_.push_back(std::move(entry));
  if (!snapshot.empty()) {
    snapshot_bytes_ += snapshot.size();
    snapshots_.push_back({.step = entries_.back().step,
                          .time = entries_.back().time,
                          .entry = next_entry(),
                          .bytes = std::move(snapshot),
                          .causes = entries_.back().number});
  }
  return entries_.back();
}

void RunTape::ForgetEntries() {
  // The first entry says what the tape is; the snapshot that is the first now keeps its own.
  Entry begin = std::move(entries_.front());
  entries_.pop_front();
  ++first_entry_;
  while (first_entry_ + 1 < snapshots_.front().entry) {
    entries_.pop_front();
    ++first_entry_;
  }
  entries_.push_front(std::move(begin));
  --first_entry_;
  entry_bytes_ = 0;
  for (const Entry& entry : entries_) entry_bytes_ += Seal(entry).size();
}

}  // namespace davit
