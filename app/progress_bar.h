#pragma once

#include <chrono>
#include <iosfwd>
#include <string>

namespace davit {

/// A line that shows how far a run is and how long it will take, on terminals only.
class ProgressBar {
 public:
  /// Draws on `out` if `is_shown`.
  ProgressBar(std::ostream& out, bool is_shown);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  /// `share` of the run from 0 to 1, `t` the simulated time [s]. Draws at most ten times a second. The time
  /// left is that of a run as fast as it was on average since the first call.
  void Show(double share, double t);
  /// The same with a text in place of the time: `37 of 1000 cases`.
  void Show(double share, const std::string& what);
  /// Takes the line away, so that another can be written in its place; the next Show draws it again.
  void Clear();

 private:
  using Clock = std::chrono::steady_clock;

  std::ostream& out_;
  bool is_shown_;
  bool is_drawn_ = false;
  Clock::time_point begin_{};  ///< of the first Show
  double first_share_ = 0;
  Clock::time_point next_{};
};

}  // namespace davit
