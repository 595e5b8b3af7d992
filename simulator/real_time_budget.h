#pragma once

#include <cstdint>
#include <string_view>

#include "framework/archive.h"

namespace davit {

/// Compares how much real time computing takes with a budget. When a period of 1/fs has taken more, the
/// budget is overrun; when all periods of a simulated second have kept to it again, it has recovered. Where
/// it is overrun soon after, the next recovery takes twice as long, up to 64 s.
class RealTimeBudget {
 public:
  void Reset() { *this = {}; }
  /// `share` of a period that computing has taken, `budget` the share it may take, > 0. Returns the event
  /// that charts must hear, `budget.overrun` or `budget.recovered`; empty where nothing has changed.
  std::string_view Report(double share, double budget, double fs);
  void ArchiveMemory(Archive& archive) { archive(is_over_, calm_periods_, calm_time_); }

 private:
  bool is_over_ = false;            ///< since the last event
  std::uint64_t calm_periods_ = 0;  ///< in a row, within the budget
  double calm_time_ = 0;            ///< that the next recovery takes [s]; 0 before the first overrun
};

}  // namespace davit
