#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/requests/stored_command.h"

namespace davit {

/// Snapshots of a run, and all that it was given from outside between them. Whoever restarts from a snapshot
/// and gives the same has the same bits.
///
/// A tape counts its steps from its beginning. Entries and snapshots are in the order in which they came.
class RunTape {
 public:
  struct Entry {
    enum class Kind : std::uint8_t {
      kCommand,   ///< was submitted
      kWrite,     ///< was written at once
      kSave,      ///< somebody has saved the state: solvers with a long history began anew
      kSnapshot,  ///< the same, for this tape
      kBegin,     ///< the first entry: number and parent of the tape
    };
    Kind kind = Kind::kCommand;
    std::uint64_t step = 0;      ///< before the step that leaves it
    double time = 0;             ///< [s]
    StoredCommand command = {};  ///< of kCommand and kWrite
    std::uint64_t number = 0;    ///< of kBegin: of the tape; of kSnapshot: CauseLog::count()
    std::uint64_t parent = kNone;
    std::uint64_t parent_step = 0;

    void ArchiveMemory(Archive& archive) { archive(kind, step, time, command, number, parent, parent_step); }
  };
  struct Snapshot {
    std::uint64_t step = 0;
    double time = 0;          ///< [s]
    std::uint64_t entry = 0;  ///< number of the first entry behind it
    std::string bytes = {};
    std::uint64_t causes = 0;  ///< CauseLog::count()
  };
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  /// To be read: Add with an entry kBegin follows.
  RunTape() = default;
  /// `parent` is the tape from which it branches at `parent_step`; kNone: it begins by itself.
  RunTape(std::uint64_t number, std::uint64_t parent, std::uint64_t parent_step, double time);

  static std::string Seal(Entry entry);
  /// Nothing where it is damaged; `fault` tells.
  static std::optional<Entry> Unseal(std::string_view bytes, std::string* fault);

  /// `trunk`, `branch-1`, ...
  std::string name() const;
  std::uint64_t number() const { return number_; }
  std::uint64_t parent() const { return parent_; }
  std::uint64_t parent_step() const { return parent_step_; }
  const std::deque<Entry>& entries() const { return entries_; }
  /// Number of the first one that is still there; of the one that comes next.
  std::uint64_t first_entry() const { return first_entry_; }
  std::uint64_t next_entry() const { return first_entry_ + entries_.size(); }
  const Entry& entry(std::uint64_t number) const { return entries_[number - first_entry_]; }
  const std::deque<Snapshot>& snapshots() const { return snapshots_; }
  /// The last snapshot that is not behind a step, or a time; the first one where all are.
  std::size_t SnapshotAt(std::uint64_t step) const;
  std::size_t SnapshotAt(double time) const;
  std::uint64_t end() const { return end_; }
  double end_time() const { return end_time_; }
  /// Where it branches from its parent.
  double fork_time() const { return entries_.front().time; }
  /// Whether it has its beginning: nothing was dropped.
  bool is_whole() const { return !snapshots_.empty() && snapshots_.front().step == 0; }
  double begin_time() const { return snapshots_.empty() ? end_time_ : snapshots_.front().time; }
  /// Of snapshots and entries.
  std::size_t bytes() const { return snapshot_bytes_ + entry_bytes_; }
  std::size_t entry_bytes() const { return entry_bytes_; }

  /// Returns what has become of it. `snapshot`: the bytes of a kSnapshot; empty: it was dropped.
  const Entry& Add(Entry entry, std::string snapshot = {});
  void set_end(std::uint64_t step, double time) {
    end_ = step;
    end_time_ = time;
  }
  /// Drops every second snapshot but the first and the last; gives them to `drop`.
  template <class Drop>
  void Thin(Drop drop) {
    std::deque<Snapshot> kept;
    for (std::size_t i = 0; i < snapshots_.size(); ++i) {
      if (i % 2 == 0 || i + 1 == snapshots_.size()) {
        kept.push_back(std::move(snapshots_[i]));
      } else {
        snapshot_bytes_ -= snapshots_[i].bytes.size();
        drop(snapshots_[i]);
      }
    }
    snapshots_ = std::move(kept);
  }
  /// Drops the first `count` snapshots and what comes before those that are left. Pre: some are left.
  template <class Drop>
  void Forget(std::size_t count, Drop drop) {
    for (; count > 0; --count) {
      snapshot_bytes_ -= snapshots_.front().bytes.size();
      drop(snapshots_.front());
      snapshots_.pop_front();
    }
    ForgetEntries();
  }

 private:
  void ForgetEntries();

  std::uint64_t number_ = 0;
  std::uint64_t parent_ = kNone;
  std::uint64_t parent_step_ = 0;
  std::deque<Entry> entries_;
  std::uint64_t first_entry_ = 0;
  std::deque<Snapshot> snapshots_;
  std::uint64_t end_ = 0;
  double end_time_ = 0;
  std::size_t snapshot_bytes_ = 0;
  std::size_t entry_bytes_ = 0;
};

}  // namespace davit
