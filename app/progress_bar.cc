#include "app/progress_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>

namespace davit {
namespace {

/// `12 s`, `4 min 05 s`, `2 h 03 min`.
std::string DurationText(double seconds) {
  constexpr double kLongest = 1e9;
  const auto whole = static_cast<long>(std::ceil(std::clamp(seconds, 0.0, kLongest)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

}  // namespace

ProgressBar::ProgressBar(std::ostream& out, bool is_shown) : out_(out), is_shown_(is_shown) {}

ProgressBar::~ProgressBar() { Clear(); }

void ProgressBar::Clear() {
  if (!is_drawn_) return;
  out_ << "\r\033[K" << std::flush;
  is_drawn_ = false;
  next_ = {};
}

void ProgressBar::Show(double share, double t) {
  if (is_shown_) Show(share, fmt::format("t = {:.3f} s", t));
}

void ProgressBar::Show(double share, const std::string& what) {
  if (!is_shown_) return;
  const Clock::time_point now = Clock::now();
  if (begin_ == Clock::time_point()) {
    begin_ = now;
    first_share_ = share;
  }
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  constexpr int kWidth = 30;
  constexpr double kLeastMeasured = 0.5;  // [s] before which a forecast would only flicker
  const int filled = static_cast<int>(std::clamp(share, 0.0, 1.0) * kWidth);
  const double passed = std::chrono::duration<double>(now - begin_).count();
  const double done = share - first_share_;
  const std::string left = passed >= kLeastMeasured && done > 0
                               ? "  " + DurationText(passed * (1 - share) / done) + " left"
                               : std::string();
  out_ << fmt::format("\r[{:=<{}}{: <{}}] {:3.0f} %  {}{}\033[K", "", filled, "", kWidth - filled,
                      100 * share, what, left)
       << std::flush;
  is_drawn_ = true;
}

}  // namespace davit
