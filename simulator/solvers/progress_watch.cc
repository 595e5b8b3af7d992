#include "simulator/solvers/progress_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "framework/symptom.h"
#include "simulator/solvers/integration_error.h"
#include "simulator/step_interrupted.h"

namespace davit {

void ProgressWatch::Reserve(std::size_t most) {
  nominal_.reserve(most);
  y_begin_.reserve(most);
  blamed_.reserve(most);
}

void ProgressWatch::Resize(std::span<const double> nominal) {
  nominal_.assign(nominal.begin(), nominal.end());
  y_begin_.resize(nominal.size());
  blamed_.resize(nominal.size());
  is_looking_ = false;
}

void ProgressWatch::Interrupt(double t) const { throw StepInterrupted(step_begin_, t); }

void ProgressWatch::LookFrom(double t, std::span<const double> y) {
  t_begin_ = t;
  attempts_ = rejected_ = 0;
  next_look_ = kBetweenLooks;
  is_looking_ = true;
  std::copy(y.begin(), y.end(), y_begin_.begin());
  std::fill(blamed_.begin(), blamed_.end(), 0);
}

bool ProgressWatch::HasMoved(std::span<const double> y) const {
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double size = std::max({nominal_[i], std::abs(y[i]), std::abs(y_begin_[i])});
    if (std::abs(y[i] - y_begin_[i]) > kMoved * size) return true;
  }
  return false;
}

void ProgressWatch::Look(double t, std::span<const double> y) {
  if (!is_looking_ || HasMoved(y)) return LookFrom(t, y);
  next_look_ += kBetweenLooks;
  if (attempts_ < kAttempts) return;
  const auto attempts = static_cast<double>(attempts_);
  const double needed = attempts * ((t_end_ - t) / (t - t_begin_));
  const bool is_rough = static_cast<double>(rejected_) >= kRoughShare * attempts;
  const double most_rough = std::min(kMostAttempts, kMostWork / static_cast<double>(y.size()));
  if (needed > (is_rough ? most_rough : kMostSmoothAttempts)) Fail(t, needed);
  LookFrom(t, y);
}

void ProgressWatch::Fail(double t, double needed) const {
  const auto worst = std::max_element(blamed_.begin(), blamed_.end()) - blamed_.begin();
  const auto attempts = static_cast<double>(attempts_);
  const double share = static_cast<double>(rejected_) / attempts;
  throw IntegrationError(
      fmt::format(
          "{} steps were tried, {:.0f} % of them rejected, for {:.3g} s, in which no state has moved by "
          "more than {:.0f} %; the rest of the TimeStep would take {:.2g} more",
          attempts_, 100 * share, t - t_begin_, 100 * kMoved, needed),
      t, static_cast<std::size_t>(worst),
      "the error of this state does not fall with the step: look for a discontinuity in its equations, or a "
      "parameter that makes it stiff",
      Symptom::kNoProgress);
}

}  // namespace davit
