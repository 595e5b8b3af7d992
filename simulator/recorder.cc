#include "simulator/recorder.h"

#include <algorithm>
#include <cmath>

namespace davit {
namespace {
/// Shares of an interval below which times count as equal.
constexpr double kSame = 1e-9;
}  // namespace

Recorder::Recorder(const RecordPlan& plan)
    : plan_(plan),
      values_(plan.columns.size()),
      next_(plan.intervals.size()),
      event_row_(plan.columns.size()) {
  for (const Item& column : plan.columns) column.MarkRead();
}

void Recorder::Begin(double start, double t) {
  start_ = start;
  last_ = t;
  std::fill(next_.begin(), next_.end(), 0);
  next_time_ = 0;
  idle_until_ = -std::numeric_limits<double>::infinity();
  rows_ = 0;
  written_ = std::numeric_limits<double>::quiet_NaN();
}

void Recorder::OnStart(double t) {
  Begin(t, t);
  OnStep(t);
}

void Recorder::OnContinue(double start, double t_before, double t) {
  Begin(start, t_before);
  if (IsDue(t)) written_ = t;  // by the run that saved
  ReadValues();
  before_time_ = t;
}

bool Recorder::LooksDue(double t) {
  bool is_due = false;
  for (std::size_t i = 0; i < next_.size(); ++i) {
    const double interval = plan_.intervals[i];
    if (interval <= 0) {
      is_due = true;
      continue;
    }
    const double position = (t - start_) / interval;
    if (position < static_cast<double>(next_[i]) - kSame) continue;
    is_due = true;
    next_[i] = static_cast<std::uint64_t>(std::floor(position + kSame)) + 1;
  }
  const double same = kSame * std::max(t - last_, 1e-6);
  while (next_time_ < plan_.times.size() && plan_.times[next_time_] <= t + same) {
    is_due = is_due || plan_.times[next_time_] > last_ || t == start_;
    ++next_time_;
  }
  last_ = t;
  idle_until_ = EndOfIdleness();
  return is_due;
}

double Recorder::EndOfIdleness() const {
  constexpr double kMargin = 1e-3;  // of an interval
  constexpr std::uint64_t kMost =
      1'000'000'000;  // intervals; beyond, rounding is not small beside the margin
  double end = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < next_.size(); ++i) {
    const bool is_exact = plan_.intervals[i] > 0 && next_[i] < kMost;
    if (!is_exact) return -std::numeric_limits<double>::infinity();
    end = std::min(end, start_ + (static_cast<double>(next_[i]) - kMargin) * plan_.intervals[i]);
  }
  return end;
}

std::span<const Item> Recorder::EventVariables() const {
  return plan_.intervals.empty() ? std::span<const Item>() : std::span<const Item>(plan_.columns);
}

void Recorder::OnEvent(double t, double step_end, std::span<const std::uint32_t> columns,
                       std::span<const double> values) {
  // Called after the step: the present values are those of its end.
  const double share = step_end > before_time_ ? (t - before_time_) / (step_end - before_time_) : 1.0;
  for (std::size_t i = 0; i < event_row_.size(); ++i) {
    event_row_[i] = values_[i] + share * (plan_.columns[i].Read() - values_[i]);
  }
  for (std::size_t i = 0; i < columns.size(); ++i) event_row_[columns[i]] = values[i];
  Write(t, event_row_);
}

void Recorder::OnSwitch(double t, bool is_before) {
  if (plan_.intervals.empty()) return;
  if (is_before && written_ == t) return;
  for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = plan_.columns[i].Read();
  Write(t, values_);
}

void Recorder::Write(double t, std::span<const double> values) {
  for (const Sink& sink : sinks_) sink(t, values);
  written_ = t;
  ++rows_;
}

void Recorder::OnStep(double t) {
  const bool is_due = IsDue(t);
  if (is_due || has_events_) ReadValues();
  before_time_ = t;
  if (!is_due) return;
  Write(t, values_);
}

void Recorder::OnPartialStep(double t) {
  if (has_events_) ReadValues();
  before_time_ = t;
}

void Recorder::WriteNow(double t) {
  ReadValues();
  Write(t, values_);
}

}  // namespace davit
