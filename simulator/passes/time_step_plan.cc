#include "simulator/passes/time_step_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "framework/tree/subsystem.h"

namespace davit {
namespace {

constexpr double kSameRatio = 1e-9;
constexpr double kLargestRatio = 1e6;
constexpr std::uint64_t kMostTicks = 1'000'000;  // in a TimeStep of the manager

/// The TimeStep asked for: its own, that of the sub-system around it, or that of the manager.
double RequestedTimeStep(const DynamicSimComponent& component, double of_manager) {
  if (component.requested_time_step() > 0) return component.requested_time_step();
  for (const Component* above = component.parent(); above != nullptr; above = above->parent()) {
    const auto* subsystem = dynamic_cast<const Subsystem*>(above);
    if (subsystem != nullptr && subsystem->time_step() > 0) return subsystem->time_step();
  }
  return of_manager;
}

/// A TimeStep as a multiple (or, if shorter, as a fraction) of that of the manager.
struct Ratio {
  double whole = 1;
  bool is_fraction = false;
  double value() const { return is_fraction ? 1 / whole : whole; }
};

class TimeStepPlanner {
 public:
  TimeStepPlanner(const SystemIndex& index, double time_step, Diagnostics& diagnostics)
      : index_(index), time_step_(time_step), diagnostics_(diagnostics) {}

  TimeStepPlan Plan() {
    std::vector<double> ratios;
    ratios.reserve(index_.size());
    for (std::uint32_t i = 0; i < index_.size(); ++i) ratios.push_back(TakeRatio(i).value());
    const auto ticks = static_cast<double>(plan_.manager_ticks);
    for (const double ratio : ratios) {
      plan_.ticks.push_back(static_cast<std::uint64_t>(std::llround(ratio * ticks)));
    }
    for (std::uint32_t i = 0; i < index_.size(); ++i) JoinRatesOfLine(i);
    for (std::uint32_t c = 0; c < index_.connection_count(); ++c) PlanPartner(c);
    ListRates();
    return std::move(plan_);
  }

 private:
  /// The ratio of a component; whole fractions make the grid of ticks finer.
  Ratio TakeRatio(std::uint32_t i) {
    const double step = RequestedTimeStep(index_.component(i), time_step_);
    if (step == time_step_) return {};
    const bool is_fraction = step < time_step_;
    const double times = is_fraction ? time_step_ / step : step / time_step_;
    const Ratio ratio{std::round(times), is_fraction};
    if (std::abs(times - ratio.whole) > kSameRatio * times || times > kLargestRatio) {
      const Ratio nearest{std::min(ratio.whole, kLargestRatio), is_fraction};
      Refuse(i, fmt::format(
                    "its TimeStep of {:.9g} s is not an integer multiple or submultiple of the {:.9g} s "
                    "of SimulatorManager; take for example {:.9g} s",
                    step, time_step_, is_fraction ? time_step_ / nearest.whole : time_step_ * nearest.whole));
      return {};
    }
    if (!is_fraction) return ratio;
    const std::uint64_t finer = std::lcm(plan_.manager_ticks, static_cast<std::uint64_t>(ratio.whole));
    if (finer > kMostTicks) {
      Refuse(i, fmt::format("its TimeStep of {:.9g} s has no common grid with those of others; choose "
                            "submultiples of the TimeStep that divide one another",
                            step));
      return {};
    }
    plan_.manager_ticks = finer;
    return ratio;
  }

  /// The component as a line between TimeSteps; null for what is none.
  TlmComponent* LineAt(std::uint32_t i) const {
    if (!index_.component(i).entry().is_tlm) return nullptr;
    auto& tlm = static_cast<TlmComponent&>(index_.component(i));
    return tlm.JoinsRates() ? &tlm : nullptr;
  }

  void JoinRatesOfLine(std::uint32_t i) {
    if (LineAt(i) == nullptr) return;
    std::uint64_t common = 0;
    for (const std::uint32_t c : index_.ConnectionsOf(i)) {
      common = std::gcd(common, plan_.ticks[index_.Partner(c, i)]);
    }
    if (common > 0) plan_.ticks[i] = common;
  }

  void PlanPartner(std::uint32_t connection) {
    const std::uint32_t c = index_.CSide(connection);
    const std::uint32_t q = index_.QSide(connection);
    if (!index_.component(c).entry().is_tlm) return;
    if (TlmComponent* line = LineAt(c)) {
      const PortBase* port = index_.connection(connection).c.port->port;
      plan_.partner_steps.push_back({line, port, plan_.ticks[q] / plan_.ticks[c]});
    } else if (plan_.ticks[c] != plan_.ticks[q]) {
      Refuse(q, fmt::format("has another TimeStep than {} at its port {}; only lines may connect different "
                            "TimeSteps (multirate): put a line there",
                            index_.component(c).DisplayPath(), index_.connection(connection).q.path));
    }
  }

  void ListRates() {
    plan_.rates = {plan_.manager_ticks};
    for (const std::uint64_t ticks : plan_.ticks) {
      const auto& rates = plan_.rates;
      if (std::find(rates.begin(), rates.end(), ticks) == rates.end()) plan_.rates.push_back(ticks);
    }
  }

  void Refuse(std::uint32_t i, std::string_view text) const { index_.Refuse(i, text, diagnostics_); }

  const SystemIndex& index_;
  double time_step_;
  Diagnostics& diagnostics_;
  TimeStepPlan plan_;
};

}  // namespace

std::uint32_t TimeStepPlan::RateOf(std::uint64_t rate_ticks) const {
  return static_cast<std::uint32_t>(std::find(rates.begin(), rates.end(), rate_ticks) - rates.begin());
}

TimeStepPlan PlanTimeSteps(const SystemIndex& index, double time_step, Diagnostics& diagnostics) {
  return TimeStepPlanner(index, time_step, diagnostics).Plan();
}

}  // namespace davit
