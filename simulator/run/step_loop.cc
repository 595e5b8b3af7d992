#include "simulator/run/step_loop.h"

#include <fmt/format.h>

#include <algorithm>

#include "framework/symptom.h"
#include "simulator/component_fault.h"
#include "simulator/failure_text.h"

namespace davit {

void StepLoop::Start(unsigned threads, ThreadUse use) {
  for (auto& rate : network_.rates) rate->executor = nullptr;
  pool_ = threads > 1 ? std::make_unique<WorkerPool>(threads) : nullptr;
  for (auto& rate : network_.rates) {
    rate->executor = std::make_unique<StepExecutor>(rate->tlm, rate->islands, pool_.get(), use);
  }
}

void StepLoop::set_watch(CallWatch* watch) {
  watch_ = watch;
  for (auto& island : network_.islands)
    island->set_watch(watch == nullptr ? nullptr : watch->ForIsland(*island));
  schedule_watches_.clear();
  for (auto& rate : network_.rates) {
    rate->tlm.set_watch(watch == nullptr ? nullptr : watch->ForSchedule());
    if (watch != nullptr) schedule_watches_.push_back(rate->tlm.watch());
  }
}

void StepLoop::ChooseWatches() {
  for (std::size_t i = 0; i < schedule_watches_.size(); ++i)
    network_.rates[i]->tlm.set_watch(schedule_watches_[i]->ForEvaluation());
}

unsigned StepLoop::threads_in_use() const {
  unsigned threads = 1;
  for (const auto& rate : network_.rates) {
    if (rate->executor != nullptr) threads = std::max(threads, rate->executor->threads_in_use());
  }
  return threads;
}

void StepLoop::Run(std::uint64_t n, double t0, double t1, double horizon) {
  const std::uint64_t ticks = network_.ticks;
  if (network_.exchange != nullptr) [[unlikely]] {  // of one rate
    network_.exchange->BeforeStep();
    RunTick(n + 1, t0, t1, horizon);
    LookAtIndicators(t1);
    return network_.exchange->AfterStep(t1);
  }
  if (ticks == 1) [[likely]] {
    RunTick(n + 1, t0, t1, horizon);
    return LookAtIndicators(t1);
  }
  double begin = t0;
  for (std::uint64_t i = 1; i <= ticks; ++i) {
    const double end =
        i == ticks ? t1 : t0 + (t1 - t0) * (static_cast<double>(i) / static_cast<double>(ticks));
    RunTick(n * ticks + i, begin, end, horizon);
    begin = end;
  }
  LookAtIndicators(t1);
}

void StepLoop::RunTick(std::uint64_t tick, double t_begin, double t_end, double horizon) {
  const WatchedPart part(watch_, StepPart::kNetwork);
  if (watch_ != nullptr) ChooseWatches();
  Checked([&] { RunPhases(tick, t_begin, t_end, horizon); });
  CheckFinite(t_end);
  PostIntegrate(tick, t_end);
}

bool StepLoop::is_divisible() const {
  return network_.rates.size() == 1 && network_.ticks == 1 && !network_.has_fixed_steps();
}

void StepLoop::RunFirstPart(double t0, double t1, double horizon) {
  Checked([&] {
    Rate& rate = *network_.rates.front();
    network_.operators.RunInputs(0, t0);
    for (Island* island : rate.islands) island->UpdateLatches();
    PreIntegrate(rate, t0);
    AdvanceIslands(t0, t1, horizon);
  });
}

void StepLoop::RunPart(double t0, double t1, double horizon) {
  for (Island* island : network_.rates.front()->islands) island->KeepLatches();
  Checked([&] { AdvanceIslands(t0, t1, horizon); });
}

void StepLoop::RunRest(double t0, double t1, double horizon) {
  RunPart(t0, t1, horizon);
  PostIntegrate(network_.ticks, t1);
  LookAtIndicators(t1);
}

void StepLoop::AdvanceIslands(double t0, double t1, double horizon) {
  Rate& rate = *network_.rates.front();
  rate.step_begin = t0;
  rate.executor->RunQ(t0, t1, horizon);
}

void StepLoop::PreIntegrate(Rate& rate, double t) {
  CallEach(rate.pre_integrated, t, watch_, "PreIntegrate",
           [](DynamicSimComponent& component) { component.PreIntegrate(); });
}

void StepLoop::PostIntegrate(std::uint64_t tick, double t) {
  const bool has_operators = !network_.operators.is_empty();
  if (only_rate_ != nullptr && !has_operators) [[likely]] {
    const auto& components = only_rate_->TakePostIntegrated();
    if (!components.empty()) CallPostIntegrate(components, t);
    return;
  }
  for (std::size_t r = 0; r < network_.rates.size(); ++r) {
    Rate& rate = *network_.rates[r];
    if (!rate.IsStepPoint(tick)) continue;
    const auto& components = rate.TakePostIntegrated();
    if (!components.empty()) CallPostIntegrate(components, t);
    if (has_operators) Checked([&] { network_.operators.RunOutputs(r, t); });
  }
}

void StepLoop::CallPostIntegrate(const std::vector<DynamicSimComponent*>& components, double t) {
  Checked([&] {
    CallEach(components, t, watch_, "PostIntegrate",
             [](DynamicSimComponent& component) { component.PostIntegrate(); });
    for (auto& island : network_.islands) {
      const bool is_outdated = island->is_outdated();
      if (is_outdated) island->RearrangeStates();
      if (is_outdated || island->is_overridden()) island->EvaluateAt(t);
    }
  });
}

void StepLoop::CheckFinite(double t) const {
  for (const auto& rate : network_.rates) {
    if (rate->tlm.states().y.empty()) continue;
    if (!rate->tlm.IsFinite()) [[unlikely]]
      ThrowNotFinite(rate->tlm.states(), t);
  }
}

void StepLoop::ThrowNotFinite(const StateVectors& states, double t) {
  const std::size_t bad = states.FindNotFinite();
  throw SimulationFailure(
      fmt::format("{}: the run diverged at t = {:.9g} s: {} is not finite; try a smaller TimeStep{}",
                  states.Owner(bad).DisplayPath(), t, states.Name(bad), SeeSection(Symptom::kDiverged)),
      t);
}

void StepLoop::RunPhases(std::uint64_t tick, double t_begin, double t_end, double horizon) {
  const bool has_operators = !network_.operators.is_empty();
  for (std::size_t r = 0; has_operators && r < network_.rates.size(); ++r) {
    if (network_.rates[r]->IsStepPoint(tick - 1)) network_.operators.RunInputs(r, t_begin);
  }
  if (only_rate_ != nullptr && only_rate_->islands.empty()) [[likely]] {
    Rate& rate = *only_rate_;
    rate.step_begin = t_begin;
    rate.tlm.RestartOverridden(t_begin);
    rate.tlm.UpdateLatches();
    rate.tlm.Extrapolate(t_end - t_begin);
    if (rate.has_no_exchange()) {
      rate.executor->RunAll(t_begin, t_end, horizon);
    } else {
      rate.executor->RunSignals(t_end);
      PreIntegrate(rate, t_begin);
      rate.tlm.RestartOverridden(t_begin);
      rate.executor->RunC(t_end);
      rate.executor->RunQ(t_begin, t_end, horizon);
    }
    if (!rate.modes.is_empty()) rate.modes.LookAt(t_end);
    return;
  }
  ForEachRateAt(tick - 1, [&](Rate& rate) {
    rate.step_begin = t_begin;
    rate.tlm.RestartOverridden(t_begin);
  });
  ForEachRateAt(tick, [&](Rate& rate) {
    rate.tlm.UpdateLatches();
    rate.tlm.Extrapolate(t_end - rate.step_begin);
  });
  ForEachRateAt(tick, [&](Rate& rate) { rate.executor->RunSignals(t_end); });
  ForEachRateAt(tick - 1, [&](Rate& rate) {
    for (Island* island : rate.islands) {
      island->UpdateLatches();
      island->HoldWaves();
    }
    if (rate.pre_integrated.empty()) return;
    PreIntegrate(rate, t_begin);
    rate.tlm.RestartOverridden(t_begin);
  });
  ForEachRateAt(tick, [&](Rate& rate) { rate.executor->RunC(t_end); });
  ForEachRateAt(tick, [&](Rate& rate) {
    rate.executor->RunQ(rate.step_begin, t_end, horizon);
    if (!rate.modes.is_empty()) rate.modes.LookAt(t_end);
  });
}

}  // namespace davit
