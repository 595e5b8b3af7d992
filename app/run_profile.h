#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <iosfwd>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/call_watch.h"
#include "simulator/solvers/solver_profile.h"

namespace davit {

/// Where the time of a run goes: `davit run --profile`.
///
/// Islands, charts and output are timed in each step. Of the evaluations of components each kEach-th is timed
/// and stands for the others, since a look at the clock takes as long as some components; how often they run
/// is counted.
class RunProfile final : public CallWatch {
 public:
  static constexpr std::uint64_t kEach = 31;  ///< prime: no method repeats itself after so many stages

  RunProfile();

  void Run(const Component& component, std::string_view name, const std::function<void()>& code) override;
  CallWatch* ForIsland(const Island& island) override;
  CallWatch* ForSchedule() override;
  void Begin(StepPart part) override;
  void End(StepPart part) override;

  /// The table: what took most first, then the states that set the steps of the solvers. The rows sum up to
  /// `wall_seconds`, the time of the whole run, of which `start_seconds` were spent before the first step.
  /// With several threads islands and components get their shares of the time that a step took.
  void Print(double start_seconds, double wall_seconds, std::ostream& err) const;

 private:
  using Clock = std::chrono::steady_clock;

  struct Cost {
    double seconds = 0;
    std::uint64_t count = 0;
  };
  /// By what the table calls it.
  using Costs = std::map<std::string, Cost>;

  /// Watches one island. One thread at a time.
  class IslandWatch final : public CallWatch {
   public:
    IslandWatch(const Island& island, double clock_seconds);
    void Run(const Component& component, std::string_view name, const std::function<void()>& code) override;
    void RunBatch(BatchEvaluation run, Component* const* components, std::size_t count, double t) override;
    CallWatch* ForEvaluation() override;
    CallWatch* ForJacobian() override { return nullptr; }  // timed as a whole
    SolverProfile* solver_profile() override { return &solver_; }
    void Begin(StepPart part) override;
    void End(StepPart part) override;
    /// Its solver and its components.
    void AddTo(Costs& costs) const;
    /// Which states set the steps; nothing where there were none.
    void PrintStates(std::ostream& err) const;

   private:
    struct Batch {
      std::string_view model;
      std::size_t components = 0;
      Clock::duration time{};
    };
    std::string method_;
    std::string name_;
    double clock_seconds_;
    SolverProfile solver_;
    Clock::duration time_{};  ///< advancing
    Clock::time_point begin_{}, last_{};
    std::uint64_t evaluations_ = 0, timed_ = 0;
    std::vector<Batch> batches_;  ///< in the order of evaluation
    std::size_t next_ = 0;
  };

  /// Watches the fixed-step components of a rate; from all threads.
  class ScheduleWatch final : public CallWatch {
   public:
    explicit ScheduleWatch(double clock_seconds) : clock_seconds_(clock_seconds) {}
    void Run(const Component& component, std::string_view name, const std::function<void()>& code) override;
    void RunBatch(BatchEvaluation run, Component* const* components, std::size_t count, double t) override;
    CallWatch* ForEvaluation() override;
    void AddTo(Costs& costs) const;

   private:
    double clock_seconds_;
    std::uint64_t steps_ = 0, timed_ = 0;
    std::mutex mutex_;
    std::map<std::string_view, Cost> models_;
  };

  double clock_seconds_;  ///< that a look at the clock takes
  Clock::time_point begin_{};
  Clock::duration network_{}, charts_{}, output_{};
  std::uint64_t chart_steps_ = 0, output_steps_ = 0;
  std::deque<IslandWatch> islands_;  ///< also those that were built again
  std::deque<ScheduleWatch> schedules_;
};

}  // namespace davit
