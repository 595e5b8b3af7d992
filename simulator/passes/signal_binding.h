#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "framework/item.h"
#include "framework/state_slot.h"

namespace davit {

class SystemIndex;
struct EvaluationBatches;
struct EvaluationContexts;
struct EvaluationGraph;

/// From where the routed inputs of one context read.
struct SignalBinding {
  enum class Source : std::uint8_t {
    kValue,         ///< a parameter, or an output as it is evaluated
    kHeld,          ///< a zero-order hold: the value at the last step point
    kState,         ///< a state of the context
    kDerivative,    ///< a derivative of the context
    kExtrapolated,  ///< a state of a schedule, carried on to the end of the step
  };
  struct BoundInput {
    const double** slot = nullptr;  ///< the input keeps here the address that it reads
    Source source = Source::kValue;
    std::size_t number = 0;      ///< into the list of its source
    const void* item = nullptr;  ///< the id of the input
  };

  std::vector<BoundInput> inputs;
  std::vector<const double*> values;
  std::vector<Item> held;
  std::vector<const StateSlot*> states;
  std::vector<const StateSlot*> derivatives;
  std::vector<std::uint32_t> derivative_owners;  ///< by derivative: the member whose state it is
  std::vector<const StateSlot*> extrapolated;
};

/// Binds the routed inputs of the members of a context.
///
/// In an island, what a member computes is read as it is inside the step; states and derivatives once each,
/// whoever reads them; everything else is held over a step. In a fixed-step schedule signals come first in a
/// step and alone, so everybody may read them, and they may read everybody: outputs as they were at the
/// beginning of the step, states extrapolated to its end. C and Q components read each other as they were at
/// the beginning of the step.
SignalBinding BindSignals(const SystemIndex& index, const EvaluationContexts& contexts,
                          std::uint32_t context);

/// When the derivatives that inputs of an island read become known.
struct DerivativeOrder {
  std::vector<std::size_t> order;  ///< positions in SignalBinding::derivatives, as their owners are evaluated
  std::vector<std::size_t> ends;   ///< by batch: how many of `order` are known after it
};
DerivativeOrder OrderDerivatives(const SignalBinding& binding, const EvaluationGraph& graph,
                                 const EvaluationBatches& batches);

}  // namespace davit
