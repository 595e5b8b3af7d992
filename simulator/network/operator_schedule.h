#pragma once

#include <vector>

#include "framework/diagnostics.h"
#include "simulator/operator_chain.h"

namespace davit {

/// The operators of a system, in the order of its file, and when they run: those of inputs where a step of
/// their component begins, those of outputs where it ends.
class OperatorSchedule {
 public:
  /// Adds the operators of a signal of a component that belongs to the rate number `rate`, whose TimeStep is
  /// `h` [s].
  void Add(OperatorChain& chain, std::size_t rate, double h) {
    (chain.is_of_input() ? inputs_ : outputs_).push_back({&chain, rate, h});
  }

  std::size_t size() const { return inputs_.size() + outputs_.size(); }
  bool is_empty() const { return size() == 0; }
  /// Operators that cannot run with the TimeStep of their component; to `diagnostics`.
  void CheckPeriods(Diagnostics& diagnostics) const;
  /// At the start of a run: with the present values, as if they had always been there.
  void BeginInputs(double t) const;
  void BeginOutputs(double t) const;
  /// Those of a rate at a step point t. Throws SimulationFailure where what comes out is not finite.
  void RunInputs(std::size_t rate, double t) const;
  void RunOutputs(std::size_t rate, double t) const;

 private:
  struct Entry {
    OperatorChain* chain;
    std::size_t rate;
    double h;
  };

  std::vector<Entry> inputs_, outputs_;
};

}  // namespace davit
