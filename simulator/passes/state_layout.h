#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace davit {

class Component;
struct ContextMember;
struct EvaluationBatches;
struct EvaluationGraph;

/// Which unknown of an island has which place in its vectors.
struct StateLayout {
  /// An output, flow or effort that is solved for.
  struct SolvedOutput {
    Component* owner = nullptr;
    double* value = nullptr;
    std::string name;
    double nominal = 1;
  };

  /// All members, in the order in which their states get places.
  std::vector<std::uint32_t> members;
  /// In the order of their evaluation; their places follow those of all states.
  std::vector<SolvedOutput> outputs;
  std::vector<std::size_t> outputs_end;  ///< by batch: how many outputs have been computed after it
  std::vector<std::uint32_t> owners;     ///< by place: the member
  /// Places of the states of members that compute derivatives; all others state residuals. Of a DAE only.
  std::vector<std::uint32_t> explicit_states;

  std::uint32_t state_count() const { return static_cast<std::uint32_t>(owners.size() - outputs.size()); }
};

/// Gives each active state of the members a place in the order of evaluation, so that a batch walks through
/// the vectors; each output that is solved for a place after them.
StateLayout LayOutStates(const std::vector<ContextMember>& members, const EvaluationGraph& graph,
                         const EvaluationBatches& batches);

}  // namespace davit
