#include "simulator/passes/signal_binding.h"

#include <cassert>
#include <unordered_map>
#include <utility>

#include "simulator/passes/evaluation_batches.h"
#include "simulator/passes/evaluation_contexts.h"
#include "simulator/passes/evaluation_graph.h"
#include "simulator/passes/system_index.h"

namespace davit {
namespace {

using Source = SignalBinding::Source;

/// The input of a member at which a route ends.
const InputDeclaration& InputOf(const Route& route, const ContextMember& to) {
  if (!to.is_copy) return *route.to;
  const auto position = route.to - route.to_owner->declarations().inputs.data();
  return to.component->declarations().inputs[static_cast<std::size_t>(position)];
}

/// The output of a member at which a route begins.
const double* OutputOfMember(const Route& route, const ContextMember& from) {
  assert(SourceOf(route) == RouteSource::kOutput);
  if (!from.is_copy) return route.from.place();
  const auto position = &OutputOf(route) - route.from.owner().declarations().outputs.data();
  return from.component->declarations().outputs[static_cast<std::size_t>(position)].value;
}

class SignalBinder {
 public:
  SignalBinder(const SystemIndex& index, const EvaluationContexts& contexts, std::uint32_t context)
      : index_(index), contexts_(contexts), context_(context) {}

  SignalBinding Bind() {
    for (const std::uint32_t r : contexts_.routes_into[context_]) {
      const ContextMember& to = Member(contexts_.FindMember(index_.To(r), context_));
      const auto [source, number] = SourceOfInput(r, to);
      const InputDeclaration& input = InputOf(index_.route(r), to);
      const double** slot = input.is_array ? &(*input.sources)[index_.route(r).element] : input.source;
      const void* item = input.is_array ? static_cast<const void*>(input.sources) : input.source;
      binding_.inputs.push_back({slot, source, number, item});
    }
    return std::move(binding_);
  }

 private:
  using Place = std::pair<Source, std::size_t>;

  const ContextMember& Member(std::uint32_t member) const { return contexts_.members[context_][member]; }

  Place SourceOfInput(std::uint32_t r, const ContextMember& to) {
    if (SourceOf(index_.route(r)) == RouteSource::kParameter) return AddValue(index_.route(r).from.place());
    return contexts_.IsSchedule(context_) ? SourceInSchedule(r, to) : SourceInIsland(r);
  }

  Place SourceInIsland(std::uint32_t r) {
    const std::uint32_t writer = contexts_.FindContinuousWriter(index_, r, context_);
    if (writer == kNoNumber) return AddHeld(r);
    const Route& route = index_.route(r);
    switch (SourceOf(route)) {
      case RouteSource::kState: return AddState(*route.from.slot());
      case RouteSource::kDerivative: return AddDerivative(*route.from.slot(), writer);
      default: return AddValue(OutputOfMember(route, Member(writer)));
    }
  }

  Place SourceInSchedule(std::uint32_t r, const ContextMember& to) {
    const Route& route = index_.route(r);
    const std::uint32_t from = index_.From(r);
    const std::uint32_t writer = from == kNoNumber ? kNoNumber : contexts_.FindMember(from, context_);
    if (writer == kNoNumber) return AddHeld(r);
    const bool is_from_signal = !index_.HasPorts(from) && route.hold != Hold::kStep;
    const bool is_to_signal = !index_.HasPorts(to.number);
    if (!is_from_signal && !is_to_signal) return AddHeld(r);
    switch (SourceOf(route)) {
      case RouteSource::kState:
        return is_from_signal ? AddState(*route.from.slot()) : AddExtrapolated(*route.from.slot());
      case RouteSource::kDerivative: return AddDerivative(*route.from.slot(), writer);
      default: return AddValue(OutputOfMember(route, Member(writer)));
    }
  }

  Place AddValue(const double* value) {
    binding_.values.push_back(value);
    return {Source::kValue, binding_.values.size() - 1};
  }
  Place AddHeld(std::uint32_t r) {
    binding_.held.push_back(index_.route(r).from);
    return {Source::kHeld, binding_.held.size() - 1};
  }
  Place AddExtrapolated(const StateSlot& slot) {
    binding_.extrapolated.push_back(&slot);
    return {Source::kExtrapolated, binding_.extrapolated.size() - 1};
  }
  Place AddState(const StateSlot& slot) {
    const auto [it, is_new] = states_.emplace(&slot, binding_.states.size());
    if (is_new) binding_.states.push_back(&slot);
    return {Source::kState, it->second};
  }
  Place AddDerivative(const StateSlot& slot, std::uint32_t owner) {
    const auto [it, is_new] = derivatives_.emplace(&slot, binding_.derivatives.size());
    if (is_new) {
      binding_.derivatives.push_back(&slot);
      binding_.derivative_owners.push_back(owner);
    }
    return {Source::kDerivative, it->second};
  }

  const SystemIndex& index_;
  const EvaluationContexts& contexts_;
  const std::uint32_t context_;
  std::unordered_map<const StateSlot*, std::size_t> states_, derivatives_;  ///< into the lists
  SignalBinding binding_;
};

}  // namespace

SignalBinding BindSignals(const SystemIndex& index, const EvaluationContexts& contexts,
                          std::uint32_t context) {
  return SignalBinder(index, contexts, context).Bind();
}

DerivativeOrder OrderDerivatives(const SignalBinding& binding, const EvaluationGraph& graph,
                                 const EvaluationBatches& batches) {
  std::unordered_map<std::uint32_t, std::vector<std::size_t>>
      derivatives_of;  // by the last node of the owner
  for (std::size_t d = 0; d < binding.derivatives.size(); ++d) {
    derivatives_of[graph.nodes_of[binding.derivative_owners[d]].flows].push_back(d);
  }
  DerivativeOrder result;
  for (const EvaluationBatch& batch : batches.batches) {
    for (std::size_t i = 0; i < batch.count; ++i) {
      const auto known = derivatives_of.find(batches.order[batch.begin + i]);
      if (known == derivatives_of.end()) continue;
      result.order.insert(result.order.end(), known->second.begin(), known->second.end());
    }
    result.ends.push_back(result.order.size());
  }
  return result;
}

}  // namespace davit
