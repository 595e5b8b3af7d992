#include "simulator/network/operator_schedule.h"

#include <fmt/format.h>

#include <cmath>

#include "framework/symptom.h"
#include "simulator/component_fault.h"
#include "simulator/simulation_failure.h"

namespace davit {
namespace {

template <class Do>
void Call(OperatorChain& chain, double t, Do run) {
  try {
    run(chain);
  } catch (...) {
    BlameComponent(chain.running(), t);
  }
}

/// Names the operator that has made a value which is no number.
void CheckFinite(const OperatorChain& chain, double t) {
  if (std::isfinite(chain.y())) return;
  for (const Operator* one : chain.operators()) {
    const double y = *one->declarations().outputs.front().value;
    if (std::isfinite(y)) continue;
    throw SimulationFailure(
        fmt::format("{}: {} gives a value that is not finite at t = {:.9g} s; limit what "
                    "goes in, or correct its parameters{}",
                    one->DisplayPath(), one->model().name, t, SeeSection(Symptom::kDiverged)),
        t);
  }
}

}  // namespace

void OperatorSchedule::CheckPeriods(Diagnostics& diagnostics) const {
  for (const auto* list : {&inputs_, &outputs_}) {
    for (const Entry& entry : *list) {
      for (const Operator* one : entry.chain->operators()) one->CheckPeriod(entry.h, diagnostics);
    }
  }
}

void OperatorSchedule::BeginInputs(double t) const {
  for (const Entry& entry : inputs_) Call(*entry.chain, t, [t](OperatorChain& chain) { chain.Begin(t); });
}

void OperatorSchedule::BeginOutputs(double t) const {
  for (const Entry& entry : outputs_) Call(*entry.chain, t, [t](OperatorChain& chain) { chain.Begin(t); });
}

void OperatorSchedule::RunInputs(std::size_t rate, double t) const {
  for (const Entry& entry : inputs_) {
    if (entry.rate != rate) continue;
    Call(*entry.chain, t, [t](OperatorChain& chain) { chain.Run(t); });
    CheckFinite(*entry.chain, t);
  }
}

void OperatorSchedule::RunOutputs(std::size_t rate, double t) const {
  for (const Entry& entry : outputs_) {
    if (entry.rate != rate) continue;
    Call(*entry.chain, t, [t](OperatorChain& chain) { chain.Run(t); });
    CheckFinite(*entry.chain, t);
  }
}

}  // namespace davit
