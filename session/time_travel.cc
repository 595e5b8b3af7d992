#include "session/time_travel.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "framework/nearest_name.h"
#include "framework/run_log.h"

namespace davit {
namespace {

using EntryKind = RunTape::Entry::Kind;

constexpr double kShareOfTrunk = 0.6;
constexpr double kShareOfBranch = 0.4 / TimeTravel::kMostBranches;
constexpr std::chrono::milliseconds kFlushInterval{200};

/// The first differences between a recording and a system, a line each, without the remedy for a snapshot.
std::string FirstDifferences(std::string_view faults) {
  constexpr std::size_t kMost = 3;
  std::string text;
  std::size_t count = 0;
  while (!faults.empty()) {
    const std::string_view line = faults.substr(0, faults.find('\n'));
    faults.remove_prefix(std::min(line.size() + 1, faults.size()));
    if (++count > kMost) continue;
    text += (text.empty() ? "" : "\n") + std::string(line.substr(0, line.find("; ")));
  }
  if (count > kMost) text += "\nand further differences";
  return text;
}

/// Sets a flag as long as it lives, unless it is left by an exception.
class BusyFlag {
 public:
  explicit BusyFlag(bool& flag) : flag_(flag) { flag_ = true; }
  void End() { flag_ = false; }

 private:
  bool& flag_;
};

}  // namespace

TimeTravel::TimeTravel(System& system, RecordingList& recordings, CauseLog* causes, TravelOptions options)
    : system_(system),
      manager_(SimulatorManager::Of(system)),
      recordings_(recordings),
      causes_(causes),
      options_(std::move(options)) {
  if (!options_.folder.empty()) Open();
  manager_.AddObserver(this);
  if (tape_ == nullptr && manager_.is_started()) BeginRun();
}

TimeTravel::~TimeTravel() {
  manager_.RemoveObserver(this);
  set_at_end(true);  // nobody is left to say when
}

void TimeTravel::Open() {
  folder_ = std::make_unique<RecordingFolder>(options_.folder);
  std::vector<std::string> losses;
  for (RunTape& tape : folder_->Read(losses)) tapes_.push_back(std::make_unique<RunTape>(std::move(tape)));
  if (tapes_.empty()) return;
  try {
    Reach(*tapes_.front(), tapes_.front()->end());
  } catch (const std::runtime_error& fault) {
    tape_ = nullptr;
    throw std::invalid_argument(fmt::format("{}: is a recording of another system; name another folder\n{}",
                                            options_.folder.string(), FirstDifferences(fault.what())));
  }
  for (const std::string& loss : losses) Log(loss);
  // Nothing follows what is lost.
  for (const auto& tape : tapes_) OnDisk([&](RecordingFolder& folder) { folder.WriteJournal(*tape); });
}

template <class Call>
void TimeTravel::OnDisk(Call call) {
  if (folder_ == nullptr) return;
  try {
    call(*folder_);
  } catch (const std::runtime_error& fault) {
    folder_.reset();
    Log(fmt::format(
        "{}; it continues in memory and is lost when the program ends; free some space and record "
        "into another folder",
        fault.what()));
  }
}

void TimeTravel::Log(const std::string& text) const {
  RunLog* const log = system_.root().run_log();
  if (log == nullptr) return;
  log->set_muted(false);
  log->set_time(manager_.time());
  log->Write(RunLog::Severity::kWarning, {}, text);
  log->set_muted(!is_at_end_);
}

double TimeTravel::begin_time() const {
  if (tape_ == nullptr) return 0;
  const RunTape* tape = tape_;
  while (tape->parent() != RunTape::kNone) tape = &TapeOf(tape->parent());
  return tape->begin_time();
}

RunTape& TimeTravel::TapeOf(std::uint64_t number) const {
  return **std::ranges::find(tapes_, number, [](const auto& tape) { return tape->number(); });
}

void TimeTravel::set_at_end(bool is_at_end) {
  is_at_end_ = is_at_end;
  if (RunLog* const log = system_.root().run_log()) log->set_muted(!is_at_end);
  recordings_.Activate(is_at_end && tape_ != nullptr ? tape_->number() : RunTape::kNone);
}

void TimeTravel::BeginRun() {
  is_busy_ = is_off_ = false;
  Begin(RunTape::kNone, 0);
  if (tape_ != nullptr) recordings_.MoveAllTo(tape_->number());
}

void TimeTravel::Begin(std::uint64_t parent, std::uint64_t parent_step) {
  if (tapes_.size() > kMostBranches) {
    tape_ = nullptr;
    return Log(
        fmt::format("this run is not recorded: there are {} branches already; record into another folder",
                    kMostBranches));
  }
  const std::uint64_t number = tapes_.empty() ? 0 : tapes_.back()->number() + 1;
  tapes_.push_back(std::make_unique<RunTape>(number, parent, parent_step, manager_.time()));
  tape_ = tapes_.back().get();
  step_ = 0;
  is_at_end_ = true;
  OnDisk([&](RecordingFolder& folder) { folder.WriteJournal(*tape_); });
  thinned_ = 0;
  TakeSnapshot();
  Limit();
}

void TimeTravel::BeginBranch() {
  const RunTape& trunk = *tape_;
  Begin(trunk.number(), step_);
  set_at_end(true);
  if (tape_ != nullptr) {
    try {
      recordings_.Branch(trunk.number(), tape_->name());
    } catch (const std::runtime_error& fault) {
      Log(fmt::format("{}: the results of {} are not written", fault.what(), tape_->name()));
    }
  }
  is_off_ = false;
}

void TimeTravel::OnInput(const Command& command, bool is_now) {
  if (is_busy_ || tape_ == nullptr) return;
  if (!is_at_end_) BeginBranch();
  if (tape_ == nullptr) return;
  Limit();
  if (tape_ == nullptr) return;
  Add({.kind = is_now ? EntryKind::kWrite : EntryKind::kCommand,
       .step = step_,
       .time = manager_.time(),
       .command = StoredCommand::Of(command)});
}

void TimeTravel::OnSave() {
  if (is_busy_ || tape_ == nullptr) return;
  if (is_at_end_) {
    Add({.kind = EntryKind::kSave, .step = step_, .time = manager_.time()});
  } else {
    is_off_ = true;
  }
}

void TimeTravel::Add(RunTape::Entry entry, std::string snapshot) {
  const RunTape::Entry& added = tape_->Add(std::move(entry), std::move(snapshot));
  entry_ = tape_->next_entry();
  OnDisk([&](RecordingFolder& folder) { folder.Append(*tape_, added); });
  is_flush_due_ = true;
}

void TimeTravel::TakeSnapshot() {
  const auto begin = std::chrono::steady_clock::now();
  BusyFlag busy(is_busy_);
  std::ostringstream stream;
  manager_.SaveState(stream);
  busy.End();
  Add({.kind = EntryKind::kSnapshot,
       .step = step_,
       .time = manager_.time(),
       .number = causes_ == nullptr ? 0 : causes_->count()},
      std::move(stream).str());
  OnDisk([&](RecordingFolder& folder) { folder.Write(*tape_, tape_->snapshots().back()); });
  cost_ = std::chrono::steady_clock::now() - begin;
  const auto by_cost = std::chrono::duration<double>(cost_) / options_.share;
  const std::chrono::duration<double> spacing =
      options_.spacing * (std::uint64_t{1} << std::min(thinned_, 30U));
  next_snapshot_ =
      CoarseClock::now() + std::chrono::duration_cast<CoarseClock::duration>(std::max(by_cost, spacing));
}

std::uint64_t TimeTravel::most_bytes() const {
  const double share = tape_->number() == 0 ? kShareOfTrunk : kShareOfBranch;
  return static_cast<std::uint64_t>(share * static_cast<double>(options_.most_bytes));
}

void TimeTravel::Limit() {
  if (tape_ == nullptr) return;
  const std::uint64_t most = most_bytes();
  const auto drop = [&](const RunTape::Snapshot& dropped) {
    OnDisk([&](RecordingFolder& folder) { folder.Remove(*tape_, dropped); });
  };
  while (tape_->bytes() > most) {
    const std::size_t count = tape_->snapshots().size();
    const bool is_full_of_entries = tape_->entry_bytes() > most / 2;
    if (count > 2 && !is_full_of_entries) {
      tape_->Thin(drop);
      ++thinned_;
    } else if (count > 1) {
      tape_->Forget(std::max<std::size_t>(1, count / 4), drop);
      OnDisk([&](RecordingFolder& folder) { folder.WriteJournal(*tape_); });
    } else if (is_full_of_entries) {
      TakeSnapshot();
    } else {
      Log(fmt::format("the run is not recorded any more: a snapshot has {} bytes, and {} has room for {}",
                      tape_->bytes(), tape_->name(), most));
      tape_ = nullptr;
      return;
    }
  }
  entry_ = tape_->next_entry();
}

void TimeTravel::BeforeStep() {
  if (tape_ != nullptr && !is_at_end_) {
    if (is_off_) Reach(*tape_, step_);
    ApplyEntries();
  }
  is_busy_ = true;
}

void TimeTravel::AfterStep() {
  is_busy_ = false;
  if (tape_ == nullptr) return;
  ++step_;
  if (!is_at_end_) {
    if (step_ == tape_->end()) ArriveAtEnd();
    return;
  }
  tape_->set_end(step_, manager_.time());
  const CoarseClock::time_point now = CoarseClock::now();
  if (now >= next_snapshot_) {
    TakeSnapshot();
    Limit();
  }
  if (is_flush_due_ && now >= next_flush_) {
    is_flush_due_ = false;
    next_flush_ = now + kFlushInterval;
    OnDisk([](RecordingFolder& folder) { folder.Flush(); });
  }
}

bool TimeTravel::Leave() {
  if (std::exchange(is_busy_, false)) {  // inside a step
    is_off_ = true;
    return true;
  }
  if (is_at_end_ &&
      (tape_->snapshots().back().step != step_ || tape_->snapshots().back().entry != tape_->next_entry())) {
    TakeSnapshot();
    Limit();
  }
  return false;
}

void TimeTravel::Close() {
  if (tape_ == nullptr || is_busy_) return;
  Leave();
  OnDisk([](RecordingFolder& folder) { folder.Flush(); });
}

void TimeTravel::Load(RunTape& tape, std::size_t snapshot) {
  const RunTape::Snapshot& from = tape.snapshots()[snapshot];
  const bool knows_causes = tape_ == &tape && causes_ != nullptr && from.causes <= causes_->count();
  set_at_end(false);
  BusyFlag busy(is_busy_);
  std::istringstream stream(from.bytes);
  Diagnostics diagnostics;
  manager_.LoadState(stream, {}, diagnostics);
  if (diagnostics.has_errors()) throw std::runtime_error(ToText(diagnostics));
  manager_.ForgetBrought();
  busy.End();
  is_off_ = false;
  tape_ = &tape;
  step_ = from.step;
  entry_ = from.entry;
  if (knows_causes) {
    causes_->Truncate(from.causes);
  } else if (causes_ != nullptr) {
    causes_->Clear(from.causes);
  }
}

void TimeTravel::ApplyEntries() {
  BusyFlag busy(is_busy_);
  for (; entry_ < tape_->next_entry() && tape_->entry(entry_).step == step_; ++entry_) {
    const RunTape::Entry& entry = tape_->entry(entry_);
    if (entry.kind == EntryKind::kSave || entry.kind == EntryKind::kSnapshot) {
      std::ostream nowhere(nullptr);
      manager_.SaveState(nowhere);
    } else if (entry.kind != EntryKind::kBegin) {
      Fault fault;
      std::optional<Command> command = entry.command.Find(system_, &fault);
      if (!command) throw std::runtime_error("the recording does not fit: " + fault.ToText());
      if (entry.kind == EntryKind::kCommand) {
        manager_.Submit(*std::move(command));
      } else {
        manager_.Apply(*command->write());
      }
    }
  }
  busy.End();
}

void TimeTravel::ArriveAtEnd() {
  ApplyEntries();
  set_at_end(true);
  next_snapshot_ = CoarseClock::now() + options_.spacing;
}

void TimeTravel::Replay(const std::function<bool()>& is_there) {
  while (!is_there() && step_ < tape_->end() && !manager_.is_finished()) {
    ApplyEntries();
    BusyFlag busy(is_busy_);
    manager_.Start();
    manager_.Step();
    busy.End();
    ++step_;
  }
  if (step_ == tape_->end() && !is_at_end_) ArriveAtEnd();
}

void TimeTravel::Reach(RunTape& tape, std::uint64_t step) {
  const std::size_t nearest = tape.SnapshotAt(step);
  const bool is_near = tape_ == &tape && !is_off_ && step_ <= step && step_ >= tape.snapshots()[nearest].step;
  if (!is_near) Load(tape, nearest);
  Replay([&] { return step_ >= step; });
}

void TimeTravel::GoTo(double t) {
  const double same = SimulatorManager::kSameStep * manager_.time_step();
  RunTape* tape = tape_;
  while (tape != nullptr && t < tape->fork_time() - same && tape->parent() != RunTape::kNone)
    tape = &TapeOf(tape->parent());
  if (tape == nullptr || !(t >= tape->begin_time() - same) || t > tape->end_time() + same) {
    throw std::invalid_argument(
        tape_ == nullptr
            ? std::string("nothing of this run is recorded")
            : fmt::format("{:.9g} s is not recorded; give a time from {:.9g} s to {:.9g} s{}", t,
                          begin_time(), end_time(), t > end_time() ? ", or run on with until" : ""));
  }
  Leave();
  const std::size_t nearest = tape->SnapshotAt(t + same);
  const bool is_near =
      tape_ == tape && !is_off_ && manager_.time() <= t + same && step_ >= tape->snapshots()[nearest].step;
  if (!is_near) Load(*tape, nearest);
  Replay([&] { return manager_.HasReached(t); });
}

void TimeTravel::Back() {
  if (tape_ == nullptr) throw std::invalid_argument("nothing of this run is recorded");
  if (Leave()) return Reach(*tape_, step_);
  RunTape* tape = tape_;
  std::uint64_t step = step_;
  if (step == 0 && tape->parent() != RunTape::kNone) {
    step = tape->parent_step();
    tape = &TapeOf(tape->parent());
  }
  if (step <= tape->snapshots().front().step)
    throw std::invalid_argument(fmt::format("the recording begins here, at {:.9g} s", manager_.time()));
  Reach(*tape, step - 1);
}

bool TimeTravel::BackUntil(const std::function<bool()>& is_true) {
  if (tape_ == nullptr) throw std::invalid_argument("nothing of this run is recorded");
  Leave();
  RunTape* const origin = tape_;
  const std::uint64_t origin_step = step_;
  RunTape* tape = tape_;
  std::uint64_t upper = step_;
  while (true) {
    if (upper <= tape->snapshots().front().step) {
      if (tape->parent() == RunTape::kNone || !tape->is_whole()) break;
      upper = tape->parent_step();
      tape = &TapeOf(tape->parent());
      continue;
    }
    const std::size_t nearest = tape->SnapshotAt(upper - 1);
    Load(*tape, nearest);
    bool was_true = is_true();
    std::uint64_t found = RunTape::kNone;
    while (step_ < upper) {
      const std::uint64_t next = step_ + 1;
      Replay([&] { return step_ >= next; });
      const bool is_true_now = is_true();
      const bool is_before = tape != origin || step_ < origin_step;
      if (is_true_now && !was_true && is_before) found = step_;
      was_true = is_true_now;
    }
    if (found != RunTape::kNone) {
      Reach(*tape, found);
      return true;
    }
    upper = tape->snapshots()[nearest].step;
  }
  Reach(*origin, origin_step);
  return false;
}

void TimeTravel::SwitchTo(std::string_view name) {
  std::vector<std::string> names;
  names.reserve(tapes_.size());
  for (const auto& tape : tapes_) names.push_back(tape->name());
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    throw std::invalid_argument("no branch " + Quoted(name) + "; " + SuggestName("there are", name, names));
  RunTape& tape = *tapes_[static_cast<std::size_t>(found - names.begin())];
  if (tape_ != nullptr) Leave();
  if (&tape == tape_) return;
  const double t = std::clamp(manager_.time(), tape.begin_time(), tape.end_time());
  Load(tape, tape.SnapshotAt(t + SimulatorManager::kSameStep * manager_.time_step()));
  Replay([&] { return manager_.HasReached(t); });
}

void TimeTravel::BranchHere() {
  if (tape_ == nullptr) throw std::invalid_argument("nothing of this run is recorded");
  Leave();
  if (is_at_end_) {
    throw std::invalid_argument(fmt::format(
        "nothing is recorded after {:.9g} s, so a branch would replace nothing; go back in time first",
        manager_.time()));
  }
  if (tapes_.size() > kMostBranches) {
    throw std::invalid_argument(fmt::format(
        "there are {} branches already; go to one of them and change it, or record into another folder",
        kMostBranches));
  }
  if (is_off_) Reach(*tape_, step_);
  BeginBranch();
}

void TimeTravel::Recollect(const std::function<bool()>& is_enough) {
  if (tape_ == nullptr || causes_ == nullptr) return;
  Leave();
  const std::uint64_t here = step_;
  const std::size_t last = tape_->SnapshotAt(here);
  for (std::size_t n = 1;; n *= 2) {
    const std::size_t first = last > n ? last - n : 0;
    causes_->Clear(0);  // whatever is known, it is collected from there
    Load(*tape_, first);
    causes_->Clear(tape_->snapshots()[first].causes);
    Replay([&] { return step_ >= here; });
    if (is_enough() || first == 0) return;
  }
}

}  // namespace davit
