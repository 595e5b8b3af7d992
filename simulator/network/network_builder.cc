#include <unordered_map>
#include <utility>

#include "simulator/network/fixed_step_schedule.h"
#include "simulator/network/network.h"
#include "simulator/passes/algebraic_loop.h"
#include "simulator/passes/couplings.h"
#include "simulator/passes/evaluation_batches.h"
#include "simulator/passes/evaluation_contexts.h"
#include "simulator/passes/evaluation_graph.h"
#include "simulator/passes/partition.h"
#include "simulator/passes/pure_components.h"
#include "simulator/passes/signal_binding.h"
#include "simulator/passes/solver_choice.h"
#include "simulator/passes/state_layout.h"
#include "simulator/passes/system_index.h"
#include "simulator/passes/time_step_plan.h"

namespace davit {
namespace {

/// Writes into components what was chosen for them.
void ConfigureComponents(const SystemIndex& index, const Partition& partition, const TimeStepPlan& steps) {
  for (std::uint32_t i = 0; i < index.size(); ++i) index.component(i).ChooseSolver(partition.solvers[i]);
  for (const auto& [line, port, partner_steps] : steps.partner_steps) {
    line->SetPartnerSteps(*port, partner_steps);
  }
}

/// Makes the copies of pure components that the contexts ask for.
void MakeCopies(System& system, EvaluationContexts& contexts, Network& network) {
  for (const auto& instances : contexts.instances) {
    for (const auto& [context, position] : instances) {
      ContextMember& member = contexts.members[context][position];
      if (!member.is_copy) continue;
      const auto& original = instances.front();
      DynamicSimComponent* source = contexts.members[original.context][original.member].component;
      member.component = static_cast<DynamicSimComponent*>(&system.MakeShadow(*source));
      network.shadows.emplace_back(member.component, source);
    }
  }
}

/// The evaluations of an island, before it gets its memory.
struct IslandEvaluations {
  EvaluationGraph graph;
  EvaluationBatches batches;
};

std::vector<IslandEvaluations> SortIslands(const SystemIndex& index, const EvaluationContexts& contexts,
                                           Diagnostics& diagnostics) {
  std::vector<IslandEvaluations> islands;
  for (std::uint32_t c = contexts.schedule_count; c < contexts.size(); ++c) {
    auto& [graph, batches] = islands.emplace_back();
    graph = MakeEvaluationGraph(index, contexts, c);
    EvaluationOrder order = SortEvaluations(graph.types, graph.edges);
    if (!order.loop.empty()) ReportLoop(index, graph, order.loop, diagnostics);
    batches = MakeBatches(graph, std::move(order.order));
  }
  return islands;
}

IslandPlan PlanIsland(const SystemIndex& index, const EvaluationContexts& contexts, std::uint32_t context,
                      const IslandEvaluations& evaluations, IntegratorOptions options) {
  const auto& [graph, batches] = evaluations;
  const std::vector<ContextMember>& members = contexts.members[context];
  IslandPlan plan;
  for (const ContextMember& member : members) plan.members.push_back(member.component);
  for (const std::uint32_t node : batches.order) plan.evaluated.push_back(graph.nodes[node].owner);
  plan.batches = batches.batches;
  plan.layout = LayOutStates(members, graph, batches);
  plan.is_implicit = IsDae(members);
  plan.options = std::move(options);
  plan.signals = BindSignals(index, contexts, context);
  plan.couplings = FindCouplings(index, contexts, context, graph, batches, plan.layout, plan.signals);
  plan.derivatives = OrderDerivatives(plan.signals, graph, batches);
  return plan;
}

std::vector<TlmSchedule::Plan> PlanSchedules(const SystemIndex& index, const EvaluationContexts& contexts,
                                             Diagnostics& diagnostics) {
  std::vector<TlmSchedule::Plan> plans;
  for (std::uint32_t c = 0; c < contexts.schedule_count; ++c) {
    plans.push_back(PlanSchedule(index, contexts, c, diagnostics));
    plans.back().binding = BindSignals(index, contexts, c);
  }
  return plans;
}

void MakeRates(const SystemIndex& index, const TimeStepPlan& steps, double time_step,
               std::vector<TlmSchedule::Plan> plans, Network& network) {
  network.ticks = steps.manager_ticks;
  for (std::size_t r = 0; r < plans.size(); ++r) {
    const double h =
        time_step * static_cast<double>(steps.rates[r]) / static_cast<double>(steps.manager_ticks);
    network.rates.push_back(std::make_unique<Rate>(steps.rates[r], h, std::move(plans[r])));
  }
  for (std::uint32_t i = 0; i < index.size(); ++i) {
    DynamicSimComponent* component = &index.component(i);
    Rate& rate = *network.rates[steps.RateOf(steps.ticks[i])];
    rate.components.push_back(component);
    rate.AddHooks(*component);
  }
}

void AddOperators(const System& system, Network& network) {
  std::unordered_map<const Component*, std::size_t> rate_of;
  for (std::size_t r = 0; r < network.rates.size(); ++r) {
    for (const DynamicSimComponent* component : network.rates[r]->components) rate_of.emplace(component, r);
  }
  for (Component* component : system.components()) {
    auto* const chain = dynamic_cast<OperatorChain*>(component);
    if (chain == nullptr || !chain->is_attached()) continue;
    chain->Bind(system);
    const std::size_t rate = rate_of.at(&chain->owner());
    network.operators.Add(*chain, rate, network.rates[rate]->h);
  }
}

void MakeIslands(const EvaluationContexts& contexts, std::vector<IslandPlan> plans, Network& network) {
  for (std::size_t i = 0; i < plans.size(); ++i) {
    network.islands.push_back(std::make_unique<Island>(std::move(plans[i])));
    const std::uint32_t rate = contexts.rate[contexts.schedule_count + i];
    network.rates[rate]->islands.push_back(network.islands.back().get());
  }
}

}  // namespace

std::unique_ptr<Network> BuildNetwork(System& system, const IntegrationDefaults& defaults, double time_step,
                                      Diagnostics& diagnostics) {
  // After an error of the load components have not prepared themselves: which events they have is not known.
  const bool is_prepared = !diagnostics.has_errors();
  auto network = std::make_unique<Network>();
  const SystemIndex index(system);
  const SolverTypes solvers = ChooseSolvers(index, diagnostics);
  const TimeStepPlan steps = PlanTimeSteps(index, time_step, diagnostics);
  const std::vector<bool> is_pure = FindPureComponents(index, solvers);
  const Partition partition = MakePartition(index, solvers, is_pure, steps, diagnostics);
  EvaluationContexts contexts = MakeEvaluationContexts(index, partition, is_pure, steps);
  ConfigureComponents(index, partition, steps);
  MakeCopies(system, contexts, *network);

  // Faults go to `diagnostics` pass by pass: first all loops, then what integrations cannot do.
  const std::vector<IslandEvaluations> evaluations = SortIslands(index, contexts, diagnostics);
  std::vector<TlmSchedule::Plan> schedules = PlanSchedules(index, contexts, diagnostics);
  WaveBoundaries boundaries = FindWaveBoundaries(index, partition, contexts);
  std::vector<IslandPlan> islands;
  for (std::uint32_t c = contexts.schedule_count; c < contexts.size(); ++c) {
    IntegratorOptions options = ChooseIntegration(contexts.members[c], defaults, time_step, diagnostics);
    islands.push_back(PlanIsland(index, contexts, c, evaluations[islands.size()], std::move(options)));
    islands.back().waves = std::move(boundaries.waves[c]);
  }
  for (std::uint32_t c = 0; is_prepared && c < contexts.schedule_count; ++c) {
    CheckEventsOfSchedule(contexts, c, diagnostics);
  }

  network->wave_ends = std::move(boundaries.ends);
  MakeRates(index, steps, time_step, std::move(schedules), *network);
  MakeIslands(contexts, std::move(islands), *network);
  WarnOfUnusedIntegrations(system, network->islands, diagnostics);
  for (auto& island : network->islands) island->PrepareBatches();
  for (auto& rate : network->rates) rate->tlm.PrepareBatches();
  AddOperators(system, *network);
  network->operators.CheckPeriods(diagnostics);
  return network;
}

}  // namespace davit
