#include "analysis/study/case_pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "analysis/study/case_message.h"
#include "analysis/study/rank_channel.h"
#include "simulator/network/worker_pool.h"

namespace davit {

/// One call of Run.
struct CasePool::Work {
  std::span<const std::uint64_t> numbers;
  const std::function<std::vector<CaseValue>(std::uint64_t)>& values_of;
  const Taker& taker;
  const std::stop_token& stop;
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> has_failed = false;
  std::mutex mutex;  // of all that follows
  std::exception_ptr fault = nullptr;
  std::uint64_t runs = 0;
  std::map<std::uint64_t, std::vector<CaseValue>> elsewhere = {};  // cases that other ranks run

  /// The number of a case that nobody runs yet.
  std::optional<std::uint64_t> Next() {
    if (stop.stop_requested() || has_failed) return std::nullopt;
    const std::size_t place = next++;
    return place < numbers.size() ? std::optional(numbers[place]) : std::nullopt;
  }
  void Take(std::uint64_t number, std::span<const CaseValue> values, const CaseResult& result) {
    const std::lock_guard lock(mutex);
    if (result.is_interrupted) return;
    ++runs;
    if (has_failed) return;
    try {
      taker(number, values, result);
    } catch (...) {
      fault = std::current_exception();
      has_failed = true;
    }
  }
};

CasePool::CasePool(unsigned workers, const MakeCaseWorker& make, RankChannel* ranks)
    : ranks_(ranks != nullptr && ranks->size() > 1 ? ranks : nullptr) {
  for (unsigned i = 0; i < std::max(workers, 1U); ++i) workers_.push_back(make());
}

CasePool::CasePool(const CaseSetup& setup, const Registry& registry, unsigned workers,
                   std::unique_ptr<Simulation> first)
    : CasePool(
          workers, [&] { return std::make_unique<CaseRunner>(setup, registry, std::move(first)); },
          setup.ranks) {}

CasePool::~CasePool() {
  if (ranks_ == nullptr) return;
  try {
    for (int rank = 1; rank < ranks_->size(); ++rank) {
      if (!ranks_->gone.contains(rank)) ranks_->Send(rank, ToBytes({.kind = CaseMessage::Kind::kEnd}));
    }
    // All are heard to their end, so that messages of the next study are its own.
    std::size_t silent = free_.size() + ranks_->gone.size();
    while (silent + 1 < static_cast<std::size_t>(ranks_->size())) {
      const RankChannel::Message message = ranks_->Receive();
      if (ReadCaseMessage(message.bytes).kind == CaseMessage::Kind::kGone) ranks_->gone.insert(message.from);
      ++silent;
    }
  } catch (const std::exception&) {  // the job is about to end
  }
}

void CasePool::Hear(Work& work, int from, std::string_view bytes) {
  CaseMessage message = ReadCaseMessage(bytes);
  if (message.kind == CaseMessage::Kind::kGone) {
    ranks_->gone.insert(from);
    throw std::runtime_error("process " + std::to_string(from) + " has ended: " + message.text);
  }
  free_.push_back(from);
  if (message.kind != CaseMessage::Kind::kResult) return;
  --handed_out_;
  const auto place = work.elsewhere.find(message.number);
  work.Take(message.number, place->second, message.result);
  work.elsewhere.erase(place);
}

void CasePool::HandOut(Work& work, const std::atomic<bool>& own_end) {
  constexpr std::chrono::microseconds kPause(200);
  for (;;) {
    while (!free_.empty()) {
      const std::optional<std::uint64_t> number = work.Next();
      if (!number) break;
      std::vector<CaseValue> values = work.values_of(*number);
      ranks_->Send(free_.back(),
                   ToBytes({.kind = CaseMessage::Kind::kCase, .number = *number, .values = values}));
      free_.pop_back();
      ++handed_out_;
      work.elsewhere[*number] = std::move(values);
    }
    if (const auto message = ranks_->Poll()) {
      Hear(work, message->from, message->bytes);
    } else if (own_end && handed_out_ == 0) {
      return;
    } else {
      std::this_thread::sleep_for(kPause);
    }
  }
}

std::uint64_t CasePool::Run(std::span<const std::uint64_t> numbers,
                            const std::function<std::vector<CaseValue>(std::uint64_t)>& values_of,
                            const Taker& taker, const std::stop_token& stop) {
  Work work{.numbers = numbers, .values_of = values_of, .taker = taker, .stop = stop, .mutex = {}};
  const auto run = [&](CaseWorker& worker) {
    while (const std::optional<std::uint64_t> number = work.Next()) {
      const std::vector<CaseValue> values = values_of(*number);
      work.Take(*number, values, worker.Run(*number, values, stop));
    }
  };
  const auto most = static_cast<unsigned>(std::clamp<std::size_t>(numbers.size(), 1, workers_.size()));
  if (ranks_ == nullptr) {
    WorkerPool(most).Run([&](unsigned k) { run(*workers_[k]); });
  } else {
    WorkerPool pool(most + 1);
    std::atomic<bool> own_end = pool.threads() == 1;
    pool.Run([&](unsigned k) {
      if (k > 0) {
        run(*workers_[k - 1]);
        if (k == 1) own_end = true;
        return;
      }
      try {
        HandOut(work, own_end);
      } catch (...) {
        const std::lock_guard lock(work.mutex);
        work.fault = std::current_exception();
        work.has_failed = true;
      }
      run(*workers_.front());  // the remaining cases, if no thread could be started
    });
  }
  if (work.fault) std::rethrow_exception(work.fault);
  return work.runs;
}

std::vector<CaseResult> CasePool::Run(const std::vector<std::vector<CaseValue>>& cases,
                                      const std::stop_token& stop) {
  std::vector<CaseResult> results(cases.size(), CaseResult{.is_interrupted = true});
  std::vector<std::uint64_t> numbers(cases.size());
  std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
  Run(
      numbers, [&](std::uint64_t n) { return cases[n]; },
      [&](std::uint64_t n, std::span<const CaseValue> /*values*/, const CaseResult& result) {
        results[n] = result;
      },
      stop);
  return results;
}

}  // namespace davit
