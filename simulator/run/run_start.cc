#include "simulator/run/run_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <unordered_set>
#include <utility>

#include "simulator/checks/dae_check.h"
#include "simulator/component_fault.h"
#include "simulator/evaluation_failure.h"
#include "simulator/failure_text.h"
#include "simulator/islands/unwritten.h"
#include "simulator/run/run_context.h"
#include "simulator/run/steady_state.h"
#include "simulator/simulation_failure.h"
#include "simulator/start_reaction.h"

namespace davit {
namespace {

/// Inputs that depend on outputs may ask for the start anew again and again.
constexpr int kMostFirstInputs = 10;

/// Whether `call` is true of one of those that begin from what they read.
template <class Call>
bool AnyStart(const std::vector<DynamicSimComponent*>& components, const Call& call) {
  bool is_any = false;
  for (DynamicSimComponent* component : components) {
    if (auto* const start = dynamic_cast<StartReaction*>(component)) is_any = call(*start) || is_any;
  }
  return is_any;
}

/// Of which states, of which components.
std::string NoDerivative(const std::vector<std::pair<const Component*, std::string>>& unwritten) {
  std::string names;
  for (const auto& [owner, name] : unwritten) names += (names.empty() ? "" : ", ") + name;
  return fmt::format(
      "no derivative of {}: EvaluateDiffEquations of {} must write its ddt (an override of that "
      "name, public)",
      names, unwritten.front().first->model().name);
}

}  // namespace

void RunStart::CheckDaes(Diagnostics& diagnostics) {
  const auto& islands = run_.network->islands;
  const bool has_dae =
      std::any_of(islands.begin(), islands.end(), [](const auto& i) { return i->is_implicit(); });
  if (!has_dae || diagnostics.has_errors()) return;
  // As at the start of a run, which starts again with all of this.
  const double kept =
      std::exchange(run_.clock.time,
                    run_.clock.is_started ? run_.clock.time : static_cast<double>(run_.settings.start_time));
  try {
    ResetComponents();
    EvaluateAll();
    for (const auto& island : islands) {
      if (island->is_implicit()) DaeCheck(*island, run_.clock.time, diagnostics).Run();
    }
  } catch (const EvaluationFailure& failure) {
    diagnostics.Error(failure.owner().location(), failure.owner().DisplayPath(),
                      std::string(failure.what()) + "; give other start values with <Start>");
  }
  run_.clock.time = kept;
}

std::vector<std::pair<const Component*, std::string>> RunStart::FindUnwrittenDerivatives() {
  std::vector<std::pair<const Component*, std::string>> unwritten;
  std::unordered_set<const DynamicSimComponent*> members;
  for (const auto& island : run_.network->islands) {
    members.insert(island->members().begin(), island->members().end());
    for (const std::size_t i : island->FindUnwrittenDerivatives(run_.clock.time))
      unwritten.emplace_back(&island->states().Owner(i), island->states().Name(i));
  }
  // With fixed steps, the default step integrates what the equations of a component alone write.
  for (DynamicSimComponent* component : run_.components) {
    if (members.contains(component) || component->entry().has_own_timestep) continue;
    const auto for_each = [&](const auto& visit) {
      for (StateDeclaration& state : component->mutable_declarations().states) {
        if (state.is_algebraic || !state.is_in_use()) continue;
        for (std::uint32_t i = 0; i < state.count; ++i)
          visit(state, i, state.slots[i].memory->ddt[state.slots[i].offset]);
      }
    };
    for_each([](const StateDeclaration&, std::uint32_t, double& ddt) { ddt = kUnwritten; });
    component->EvaluateDiffEquations(run_.clock.time);
    for_each([&](const StateDeclaration& state, std::uint32_t i, double& ddt) {
      if (!IsUnwritten(ddt)) return;
      ddt = 0;
      unwritten.emplace_back(component, fmt::format("{}.{}{}", component->path(), state.label.name,
                                                    state.is_array ? fmt::format("[{}]", i) : std::string()));
    });
  }
  return unwritten;
}

void RunStart::ForEachLostStart(
    const std::function<void(const System::GivenStart& start, const std::string& text)>& tell) const {
  std::unordered_set<const void*> told;
  for (const System::GivenStart& start : run_.system->given_starts()) {
    const Item& item = start.state;
    const double wanted = item.state()->start[item.element()];
    const double now = item.Read();
    if (!item.state()->is_in_use() || now == wanted || !told.insert(item.target()).second) continue;
    tell(start,
         fmt::format("the start value of {}, {}, is not used: Reset of {} writes {} over it; give what "
                     "the model computes it from, or leave it out",
                     item.name(), item.TextOf(wanted), item.owner().model().name, item.TextOf(now)));
  }
}

void RunStart::Check(Diagnostics& diagnostics) {
  assert(run_.system != nullptr && !run_.clock.is_started);
  const double kept = std::exchange(run_.clock.time, static_cast<double>(run_.settings.start_time));
  try {
    ApplyFirstSwitches();
    run_.handed_down.Reset();
    ResetComponents();
    ForEachLostStart([&](const System::GivenStart& start, const std::string& text) {
      diagnostics.Warning(start.location, start.state.owner().DisplayPath(), text);
    });
    EvaluateFirst();
    const auto unwritten = FindUnwrittenDerivatives();
    for (const auto& one : unwritten)
      diagnostics.Error(one.first->location(), one.first->DisplayPath(), NoDerivative({one}));
    if (unwritten.empty()) {
      MakeConsistent();
      // With it a step begins: components refuse states that their equations do not hold for.
      for (const auto& rate : run_.network->rates) {
        CallEach(rate->pre_integrated, run_.clock.time, run_.watch, "PreIntegrate",
                 [](DynamicSimComponent& component) { component.PreIntegrate(); });
      }
    }
  } catch (const EvaluationFailure& failure) {
    diagnostics.Error(failure.owner().location(), failure.owner().DisplayPath(), failure.what());
  } catch (const SimulationFailure& failure) {  // names its component
    diagnostics.Error(run_.system->root().location(), {}, failure.what());
  }
  run_.clock.time = kept;
}

void RunStart::ApplyFirstSwitches() {
  // Scheduled levels are switches from those of the system at any time: so does davit levels run them.
  if (run_.settings.levels == LevelChoice::kScheduled) return;
  for (const Command& command : run_.system->schedule()) {
    if (!run_.clock.grid.HasReached(command.time)) break;
    const Assignment* write = command.write();
    if (write == nullptr || !write->item.is_behaviour()) continue;
    run_.system->ApplyAtLoad(*write);
    write->item.owner().ParametersChanged();
  }
}

void RunStart::ResetComponents() {
  methods.Choose();
  for (auto& rate : run_.network->rates) {
    for (DynamicSimComponent* component : rate->components) component->set_simulator_time_step(rate->h);
  }
  run_.switcher->Start(run_.clock.time);
  for (ChartBinding* chart : run_.charts.charts()) chart->ClearOutputs();  // read before the charts begin
  CallEach(run_.components, run_.clock.time, nullptr, "Reset",
           [](DynamicSimComponent& component) { component.Reset(); });
  for (auto& island : run_.network->islands) island->Start(run_.clock.time);
  run_.reporter.WatchModes(*run_.network);
  run_.loop->Start(threads, thread_use);
}

void RunStart::EvaluateAll() {
  // Twice: the first time islands and fixed-step components show their values, then they see those of the
  // others.
  // Operators and routes to parameters pass values on once each round.
  constexpr std::size_t kMostRounds = 8;
  const std::size_t hops = run_.network->operators.size() + (run_.parameter_routes.is_empty() ? 0 : 1);
  const std::size_t rounds = std::min(2 + hops, kMostRounds);
  for (std::size_t round = 0; round < rounds; ++round) {
    run_.network->InitializeWaves();
    run_.network->EvaluateAt(run_.clock.time);
    run_.parameter_routes.WriteFirst(run_.writer);
  }
  run_.network->InitializeWaves();
  for (auto& rate : run_.network->rates) rate->tlm.EvaluateAt(run_.clock.time);
}

void RunStart::EvaluateFirst() {
  const auto take = [this](StartReaction& start) { return start.TakeFirstInputs(run_.clock.time); };
  EvaluateAll();
  for (int round = 0; round < kMostFirstInputs && AnyStart(run_.components, take); ++round) EvaluateAll();
}

void RunStart::RequireDerivatives() {
  const auto unwritten = FindUnwrittenDerivatives();
  if (!unwritten.empty())
    throw EvaluationFailure(*unwritten.front().first, run_.clock.time, NoDerivative(unwritten));
}

void RunStart::WarnOfLostStarts() {
  ForEachLostStart([this](const System::GivenStart& start, const std::string& text) {
    run_.reporter.Log(RunLog::Severity::kWarning, start.state.owner().DisplayPath(), text);
  });
}

void RunStart::SearchSteadyState() {
  // What components hold between step points, and what providers hand down, follows from search to search.
  constexpr int kMostRounds = 60;
  SteadyStateResult result;
  int iterations = 0;
  bool is_settled = false;
  const Component* unsettled = nullptr;
  for (int round = 0; round < kMostRounds && !is_settled; ++round) {
    try {
      result = SteadyState(*run_.network, run_.clock.grid.time_step).Search(run_.clock.time);
    } catch (const EvaluationFailure& failure) {
      result.fault = fmt::format("{}: {}", failure.owner().DisplayPath(), failure.what());
    }
    if (!result.is_found)
      throw SimulationFailure("no steady state (equilibrium) was found: " + result.fault, run_.clock.time);
    iterations += result.iterations;
    is_settled = !run_.handed_down.Refresh();
    for (DynamicSimComponent* component : run_.components) {
      if (!component->SampleInSteadyState()) continue;
      unsettled = component;
      is_settled = false;
    }
  }
  result.iterations = iterations;
  run_.reporter.Log("", fmt::format("starts in steady state, found in {} iterations", result.iterations));
  if (!is_settled) {
    run_.reporter.Log(
        RunLog::Severity::kWarning, unsettled == nullptr ? "" : unsettled->DisplayPath(),
        "what it samples at communication points has not settled in the search for the steady state, so it "
        "changes in the run; give start values nearer to it");
  }
  for (const std::string& direction : result.free_directions) {
    run_.reporter.Log("", "the steady state leaves a direction undetermined (free): " + direction +
                              "; the one nearest to the start values is taken");
  }
  for (const std::string& place : result.creeping) {
    run_.reporter.Log("", "no steady state in this pose: the oil does not hold " + place +
                              "; its place is kept, all else is steady");
  }
  for (const std::string& path : result.unsettled) {
    run_.reporter.Log(path, "cannot compute its waves in steady state; those of its start values are kept");
  }
}

void RunStart::MakeConsistent() {
  bool has_moved = false;
  Checked([&] {
    for (auto& island : run_.network->islands) {
      const auto moved = island->MakeConsistent(run_.clock.time, run_.clock.time + run_.clock.grid.time_step);
      has_moved = has_moved || island->is_implicit();
      run_.reporter.ReportMoved(*island, moved, run_.clock.time);
    }
  });
  if (has_moved) EvaluateAll();
}

void RunStart::StartCharts() {
  bool has_changed = false;
  Checked([&] {
    has_changed = AnyStart(run_.components,
                           [this](StartReaction& start) { return start.CompleteStart(run_.clock.time); });
    if (has_changed) EvaluateAll();
  });
  if (has_changed) MakeConsistent();
  run_.queue.ClearAsked();
  for (ModeWatch* watch : run_.reporter.mode_watches()) watch->Start();
  run_.network->indicators.Start(run_.clock.time);
  run_.charts.Enter(run_.clock.time);
  run_.mirror->Start(run_.clock.time);
  run_.charts.Settle(run_.clock.time);
  run_.writer.ForgetWrites();
}

}  // namespace davit
