#pragma once

#include <chrono>
#include <iosfwd>

namespace davit {

/// A line that shows how far a run is, on terminals only.
class ProgressBar {
 public:
  /// Draws on `out` if `is_shown`.
  ProgressBar(std::ostream& out, bool is_shown);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  /// `share` of the run from 0 to 1, `t` the simulated time [s]. Draws at most ten times a second.
  void Show(double share, double t);

 private:
  std::ostream& out_;
  bool is_shown_;
  bool is_drawn_ = false;
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace davit
