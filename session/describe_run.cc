#include "session/describe_run.h"

namespace davit {
namespace {

Described SpeedOf(const RunState& run) { return run.speed ? Described(*run.speed) : Described(nullptr); }

Described QuantilesOf(const std::optional<ShownDurations>& durations) {
  if (!durations) return std::nullopt;
  DescribedList list;
  list.reserve(durations->size());
  for (std::size_t i = 0; i < durations->size(); ++i)
    list.push_back({{{"share", kShownShares[i]}, {"seconds", (*durations)[i]}}});
  return list;
}

}  // namespace

DescribedFields<RunState> RunFields() {
  using R = const RunState&;
  static constexpr DescribedField<RunState> kFields[] = {
      {"time", "number", [](R r) { return Described(r.time); }, "Simulated [s]"},
      {"stop_time", "number", [](R r) { return r.stop_time ? *r.stop_time : Described(); }, {}, true},
      {"status", "'waiting' | 'running' | 'paused' | 'finished' | 'failed' | 'loading'",
       [](R r) { return AsText(r.status); }},
      {"failure", "string[]", [](R r) { return AsTexts(r.failure); }, "Why it cannot continue"},
      {"speed", "number | null", SpeedOf,
       "Requested simulated seconds per second; null: as fast as possible"},
      {"real_time_factor", "number", [](R r) { return Described(r.real_time_factor); },
       "Simulated time per wall-clock time, over about the last second"},
      {"missed_periods", "number",
       [](R r) { return Described(static_cast<std::int64_t>(r.missed_periods)); }},
      {"lateness", "{share: number; seconds: number}[]", [](R r) { return QuantilesOf(r.lateness); },
       "How late the system has woken the run for a period of 1/fs: quantiles [s]", true},
      {"step_duration", "{share: number; seconds: number}[]", [](R r) { return QuantilesOf(r.steps); },
       "What a TimeStep has taken: quantiles [s]", true},
  };
  return kFields;
}

RunState StateOf(const Simulation& simulation) {
  const bool has_failed = !simulation.failure().empty();
  return {.time = simulation.time(),
          .stop_time = simulation.stop_time(),
          .status = has_failed                     ? "failed"
                    : !simulation.is_initialized() ? "waiting"
                    : simulation.is_finished()     ? "finished"
                                                   : "paused",
          .failure = simulation.failure()};
}

}  // namespace davit
