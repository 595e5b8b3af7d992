#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "framework/system.h"
#include "simulator/step_observer.h"

namespace davit {

/// Reads the variables of a record plan when rows are due and hands them on.
///
/// A row is due at the first step point at or after each multiple of an interval, counted from the start, and
/// at or after each single instant. Where rows come at intervals, each event adds one before and one after
/// its reactions: there, variables of other islands are interpolated between the step points; and each change
/// of levels or aspects has a row before and one after. A run that restarts from a snapshot has the rows
/// after it. Nothing is allocated in OnStep.
class Recorder final : public StepObserver {
 public:
  using Sink = std::function<void(double t, std::span<const double> values)>;

  /// `plan` must outlive the recorder.
  explicit Recorder(const RecordPlan& plan);
  /// Each row goes to all sinks.
  void AddSink(Sink sink) { sinks_.push_back(std::move(sink)); }

  void OnStart(double t) override;
  void OnContinue(double start, double t_before, double t) override;
  void OnStep(double t) override;
  void OnPartialStep(double t) override;
  std::span<const Item> EventVariables() const override;
  void OnEvent(double t, double step_end, std::span<const std::uint32_t> columns,
               std::span<const double> values) override;
  void OnSwitch(double t, bool is_before) override;
  void ExpectEvents() override { has_events_ = true; }
  /// A row of the present values, between two steps: for a recorder that has joined a run at t.
  void WriteNow(double t);
  std::uint64_t rows() const { return rows_; }

 private:
  void Begin(double start, double t);
  bool IsDue(double t) {
    // Most steps: nothing is near, by far more than rounding.
    const bool is_idle = t < idle_until_ && next_time_ == plan_.times.size();
    if (!is_idle) return LooksDue(t);
    last_ = t;
    return false;
  }
  bool LooksDue(double t);
  /// When an interval ends next, less a margin that is large beside rounding.
  double EndOfIdleness() const;
  void Write(double t, std::span<const double> values);
  void ReadValues() {
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = plan_.columns[i].Read();
  }

  const RecordPlan& plan_;
  std::vector<Sink> sinks_;
  std::vector<double> values_;
  std::vector<std::uint64_t> next_;  ///< by interval: the multiple that is due next
  std::size_t next_time_ = 0;
  double start_ = 0;
  double last_ = 0;
  double idle_until_ = -std::numeric_limits<double>::infinity();  ///< no interval ends before [s]
  double written_ = std::numeric_limits<double>::quiet_NaN();     ///< time of the last row
  bool has_events_ = false;  ///< values_ must be those of the last step point, recorded or not
  std::vector<double> event_row_;
  double before_time_ = 0;  ///< the last step point
  std::uint64_t rows_ = 0;
};

}  // namespace davit
