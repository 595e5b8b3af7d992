#include "app/progress_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace davit {

ProgressBar::ProgressBar(std::ostream& out, bool is_shown) : out_(out), is_shown_(is_shown) {}

ProgressBar::~ProgressBar() {
  if (is_drawn_) out_ << "\r\033[K" << std::flush;
}

void ProgressBar::Show(double share, double t) {
  if (!is_shown_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  constexpr int kWidth = 40;
  const int filled = static_cast<int>(std::clamp(share, 0.0, 1.0) * kWidth);
  out_ << fmt::format("\r[{:=<{}}{: <{}}] {:3.0f} %  t = {:.3f} s", "", filled, "", kWidth - filled,
                      100 * share, t)
       << std::flush;
  is_drawn_ = true;
}

}  // namespace davit
