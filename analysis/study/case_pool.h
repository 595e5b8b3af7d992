#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "analysis/study/case_list.h"
#include "analysis/study/case_runner.h"

namespace davit {

/// Runs cases on several threads, each with systems of its own, and in the other processes of a parallel job
/// (ServeCases), whose ranks are told the end with the pool. Results depend neither on the number of them nor
/// on the order in which cases end.
class CasePool {
 public:
  /// `ranks`: the other processes of a parallel job, which make the same workers; may be null.
  CasePool(unsigned workers, const MakeCaseWorker& make, RankChannel* ranks);
  /// With CaseRunners: `first` as they take it. `registry` must outlive the pool.
  CasePool(const CaseSetup& setup, const Registry& registry, unsigned workers,
           std::unique_ptr<Simulation> first = nullptr);
  ~CasePool();
  CasePool(const CasePool&) = delete;
  CasePool& operator=(const CasePool&) = delete;

  /// Called for each case as it ends, by one thread at a time. What it throws ends the study, after the cases
  /// that run; Run throws it then.
  using Taker =
      std::function<void(std::uint64_t number, std::span<const CaseValue> values, const CaseResult& result)>;

  /// Runs the cases `numbers`, of which case n has the values `values_of(n)`; that is called by several
  /// threads. Where `stop` is requested, cases that run are given up and no taker hears of them. Returns how
  /// many have run.
  std::uint64_t Run(std::span<const std::uint64_t> numbers,
                    const std::function<std::vector<CaseValue>(std::uint64_t)>& values_of, const Taker& taker,
                    const std::stop_token& stop);
  /// The same for cases in memory, whose results are in the same order: what an optimiser asks for. Cases
  /// that were not run, or given up, because of `stop` are interrupted.
  std::vector<CaseResult> Run(const std::vector<std::vector<CaseValue>>& cases, const std::stop_token& stop);

 private:
  struct Work;

  /// Hands out cases to other ranks until there are no more, and `own_end` is true; takes their results.
  void HandOut(Work& work, const std::atomic<bool>& own_end);
  /// What a rank has sent.
  void Hear(Work& work, int from, std::string_view bytes);

  std::vector<std::unique_ptr<CaseWorker>> workers_;
  RankChannel* ranks_;
  std::vector<int> free_;         ///< ranks that wait for a case
  std::uint64_t handed_out_ = 0;  ///< cases that run elsewhere
};

}  // namespace davit
