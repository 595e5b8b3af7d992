#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "simulator/passes/evaluation_batches.h"
#include "simulator/passes/evaluation_contexts.h"
#include "simulator/passes/evaluation_graph.h"
#include "simulator/passes/signal_binding.h"
#include "simulator/passes/state_layout.h"

namespace davit {

/// The numbers that evaluations of an island hand to each other inside a step, and who reads and writes them.
///
/// They are found in what connections, routes and ports declare, not by trying: none is missing.
struct Couplings {
  enum class Source : std::uint8_t {
    kEvaluation,  ///< a bond variable or an output, written by an evaluation
    kState,       ///< a state, published before all evaluations
    kDerivative,  ///< a derivative, published after the evaluation that writes it
    kSolved,      ///< an output that is an unknown
  };
  struct Coupling {
    Source source = Source::kEvaluation;
    double* place = nullptr;   ///< where readers find it; null where the island publishes it
    std::uint32_t number = 0;  ///< into SignalBinding::states or derivatives, or StateLayout::outputs
  };
  /// A coupling as an input or a port of one component has it, or an output.
  struct End {
    std::uint32_t coupling = 0;
    const void* item = nullptr;  ///< its id (DynamicSimComponent::Reads)

    friend auto operator<=>(const End&, const End&) = default;
  };
  struct Evaluation {
    Component* owner = nullptr;
    BatchEvaluation evaluate = nullptr;
    std::uint32_t member = 0;
    std::uint32_t efforts =
        kNoNumber;                    ///< of flows: the efforts of the same member, whose values it may read
    std::uint32_t flows = kNoNumber;  ///< of efforts: the flows of the same member
    std::vector<End> reads;           ///< ascending
    std::vector<End> writes;          ///< that somebody reads, ascending
  };

  std::vector<Coupling> all;
  std::vector<Evaluation> evaluations;  ///< in their order
};

Couplings FindCouplings(const SystemIndex& index, const EvaluationContexts& contexts, std::uint32_t context,
                        const EvaluationGraph& graph, const EvaluationBatches& batches,
                        const StateLayout& layout, const SignalBinding& signals);

}  // namespace davit
