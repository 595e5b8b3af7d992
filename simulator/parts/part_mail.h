#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/parts/part_channel.h"
#include "simulator/simulation_failure.h"

namespace davit {

/// The messages of one run between its parts, sorted by what they are and who has sent them. Whoever waits
/// learns of a part that has failed or ended.
class PartMail {
 public:
  enum class Kind : std::uint8_t {
    kReady,    ///< to rank 0: the system is loaded; the bytes say what is wrong, if anything
    kDeal,     ///< from rank 0: which part has which atom; empty: there is no run
    kSteps,    ///< waves and sampled signals
    kRows,     ///< to rank 0: values of recorded rows
    kTaken,    ///< from rank 0: how many rows it has taken
    kMemory,   ///< to rank 0: for a snapshot
    kLog,      ///< to rank 0: a line of the run log
    kFailure,  ///< the run has failed
    kEnd,      ///< the last message of a part
  };
  static constexpr std::size_t kKinds = 9;

  /// The channel must outlive it.
  explicit PartMail(PartChannel& channel)
      : channel_(channel),
        queues_(static_cast<std::size_t>(channel.size())),
        waited_for_(static_cast<std::size_t>(channel.size()), 0.0) {}
  PartMail(const PartMail&) = delete;
  PartMail& operator=(const PartMail&) = delete;

  int rank() const { return channel_.rank(); }
  int size() const { return channel_.size(); }
  void Send(int to, Kind kind, std::string_view bytes);
  void SendToAll(Kind kind, std::string_view bytes);
  /// Sorts what has come; whether anything has.
  bool Take();
  /// What has come of a kind, the oldest first.
  std::deque<std::string>& Queue(int from, Kind kind) {
    return queues_[static_cast<std::size_t>(from)][static_cast<std::size_t>(kind)];
  }
  /// Waits for a message, and takes it. Where `from` has ended it throws SimulationFailure if a part has
  /// failed, else StepInterrupted at the time t [s].
  std::string Receive(int from, Kind kind, double t);
  /// Waits until there is one; the same faults.
  void WaitFor(int from, Kind kind, double t);

  /// Throws SimulationFailure where another part has failed at or before t. Until there the others run on, so
  /// that what is recorded before it is complete.
  void ThrowFailureBefore(double t);
  /// Tells all others that the run has failed here, and why.
  void SendFailure(const std::string& what, double t);
  /// Of all parts that have failed the one that did so first, of those the lowest rank; null if none has.
  const SimulationFailure* FindFirstFailure();
  /// Tells all others that nothing more will come; `bytes` for rank 0.
  void SendEnd(std::string_view bytes);
  /// Whether the last message of a part has come.
  bool HasEnded(int rank) { return !Queue(rank, Kind::kEnd).empty(); }
  bool HaveAllEnded();
  /// What it has said with it. Pre: HasEnded.
  const std::string& last_words(int rank) { return Queue(rank, Kind::kEnd).front(); }
  /// Nothing has come for the so manieth time: lets others have the processor.
  static void Pause(std::uint64_t times);

  // What it has cost so far.
  std::uint64_t messages() const { return messages_; }
  std::uint64_t bytes() const { return bytes_; }
  /// By the clock [s], by rank.
  const std::vector<double>& waited_for() const { return waited_for_; }
  /// Of the processor, while waiting [s].
  double idle_seconds() const { return idle_seconds_; }
  PartChannel& channel() { return channel_; }

 private:
  void NoteFailures();

  PartChannel& channel_;
  std::vector<std::array<std::deque<std::string>, kKinds>> queues_;
  std::uint64_t messages_ = 0, bytes_ = 0;
  std::vector<double> waited_for_;
  double idle_seconds_ = 0;
  std::optional<SimulationFailure> failure_;
};

}  // namespace davit
