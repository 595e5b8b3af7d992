#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <vector>

#include "simulator/network/thread_choice.h"
#include "simulator/network/tlm_schedule.h"
#include "simulator/network/worker_pool.h"
#include "simulator/thread_use.h"

namespace davit {

class Island;

/// Runs the phases of a step, signals, C and Q, on one or several threads.
///
/// Within a phase components of different places do not depend on each other, so results are the same bit for
/// bit for any number of threads. The first steps run on one thread and are timed; then each thread gets a
/// stretch of the system that takes its share of that time, so that what is connected stays with one thread.
/// While several threads do not pay, one does all, unless the use is kAlways: see `threads_in_use`.
class StepExecutor {
 public:
  /// Schedule, islands and pool must outlive the executor; without a pool all runs on one thread.
  StepExecutor(const TlmSchedule& tlm, const std::vector<Island*>& islands, WorkerPool* pool, ThreadUse use);

  /// RunSignals, RunC and RunQ, where nothing is to be done between them and there are no islands. On one
  /// thread block by block (FindStepBlocks), so that what a block reads and writes stays in the cache.
  void RunAll(double t0, double t1, double horizon) {
    if (pool_ == nullptr) [[likely]] {
      RunItems(all_, {t0, t1, horizon});
    } else if (has_shares_ && !is_parallel_) {
      RunAllAlone({t0, t1, horizon});
    } else {
      RunSignals(t1);
      RunC(t1);
      RunQ(t0, t1, horizon);
    }
  }
  void RunSignals(double t1) { RunPhase(signals_, {t1, t1, t1}); }
  void RunC(double t1) { RunPhase(c_, {t1, t1, t1}); }
  /// Also advances the islands. Rethrows what the first of the islands threw.
  void RunQ(double t0, double t1, double horizon);
  unsigned threads_in_use() const { return is_parallel_ ? pool_->threads() : 1; }

 private:
  using Clock = std::chrono::steady_clock;

  /// Components of one type, or one island.
  struct Item {
    BatchStep run = nullptr;  ///< null for an island
    Component* const* components = nullptr;
    const std::uint32_t* places = nullptr;
    std::size_t count = 0;
    Island* island = nullptr;
    double seconds = 0;  ///< measured, for all of it together
  };
  struct Times {
    double t0, t1, horizon;
  };
  /// One component, or one island, on its way to a thread.
  struct Piece {
    std::uint32_t place;
    std::uint32_t item;
    std::uint32_t number;  ///< in the item
    float seconds;
  };
  struct Share {
    std::vector<Component*> components;
    std::vector<Item> items;
  };
  struct Phase {
    std::vector<Item> items;
    std::vector<Piece> pieces;               ///< work space
    std::vector<Share> shares;               ///< by thread
    std::vector<std::exception_ptr> faults;  ///< by thread
    double serial_seconds = 0;               ///< of one step, as measured
  };
  void RunItems(std::span<const Item> items, const Times& times) const;
  void RunWatchedItems(std::span<const Item> items, const Times& times) const;
  /// To be called while an exception is handled that left an item.
  [[noreturn]] static void Blame(const Item& item, double t);
  void RunPhase(Phase& phase, const Times& times) {
    if (!is_parallel_ && !is_timed_) [[likely]] {
      RunItems(phase.items, times);
    } else if (has_shares_) {
      RunTimed(phase, times);
    } else {
      MeasureItems(phase, times);
    }
  }
  /// RunAll with a pool that takes no part.
  void RunAllAlone(const Times& times);
  void MeasureItems(Phase& phase, const Times& times) const;
  void RunTimed(Phase& phase, const Times& times);
  void RunShares(Phase& phase, const Times& times);
  static void Distribute(Phase& phase);
  static void Append(const Item& from, std::size_t number, Share& share);
  /// After a step, with several threads at hand.
  void Decide();
  void MakeShares();

  const TlmSchedule& tlm_;
  Phase signals_, c_, q_;
  std::vector<Item> all_;  ///< of all phases, but for islands; by block
  WorkerPool* pool_;       ///< null with one thread
  ThreadUse use_;
  ThreadChoice choice_;
  bool is_timed_ = false;
  bool is_parallel_ = false;
  bool has_shares_ = false;
  std::uint64_t steps_ = 0;
  double step_seconds_ = 0;  ///< of the present step, as far as it is timed
};

}  // namespace davit
