#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace davit {

/// Where the time of the solver of an island goes, and which states set its steps (`davit run --profile`).
///
/// Call sequence: SetStates, then Limit, Reject and Time; SetStates again when states get other places.
class SolverProfile {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Part : std::uint8_t { kJacobian, kFactors, kSolves };
  static constexpr std::size_t kParts = 3;
  struct PartCost {
    Clock::duration time{};
    std::uint64_t count = 0;
  };
  struct StateCost {
    std::uint64_t limited = 0;   ///< accepted steps in which it had the largest error
    std::uint64_t rejected = 0;  ///< the same of rejected ones
  };

  /// The states by their places in the solver. What was counted stays with their names.
  void SetStates(std::vector<std::string> names) {
    states_ = States();
    names_ = std::move(names);
    counts_.assign(names_.size(), {});
  }
  void Limit(std::size_t state) {
    if (state < counts_.size()) ++counts_[state].limited;
  }
  void Reject(std::size_t state) {
    if (state < counts_.size()) ++counts_[state].rejected;
  }
  const PartCost& part(Part part) const { return parts_[static_cast<std::size_t>(part)]; }
  /// By name.
  std::map<std::string, StateCost> States() const {
    std::map<std::string, StateCost> states = states_;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      if (counts_[i].limited == 0 && counts_[i].rejected == 0) continue;
      StateCost& state = states[names_[i]];
      state.limited += counts_[i].limited;
      state.rejected += counts_[i].rejected;
    }
    return states;
  }

 private:
  friend class TimedPart;

  std::array<PartCost, kParts> parts_;
  std::vector<std::string> names_;
  std::vector<StateCost> counts_;            ///< by place
  std::map<std::string, StateCost> states_;  ///< of places before
};

/// Times a part of a solver's work; does nothing without a profile.
class TimedPart {
 public:
  TimedPart(SolverProfile* profile, SolverProfile::Part part) : profile_(profile), part_(part) {
    if (profile_ != nullptr) begin_ = SolverProfile::Clock::now();
  }
  ~TimedPart() {
    if (profile_ == nullptr) return;
    SolverProfile::PartCost& cost = profile_->parts_[static_cast<std::size_t>(part_)];
    cost.time += SolverProfile::Clock::now() - begin_;
    ++cost.count;
  }
  TimedPart(const TimedPart&) = delete;
  TimedPart& operator=(const TimedPart&) = delete;

 private:
  SolverProfile* profile_;
  SolverProfile::Part part_;
  SolverProfile::Clock::time_point begin_;
};

}  // namespace davit
