#include "simulator/call_watch.h"

namespace davit {
namespace {

std::string_view NameOf(BatchEvaluation run, const ModelEntry& entry) {
  if (run == entry.evaluate_efforts) return "EvaluateEfforts";
  if (run == entry.evaluate_flows || run == entry.evaluate_independent_flows) return "EvaluateDiffEquations";
  if (run == entry.evaluate_algebraic) return "EvaluateAlgebraicEquations";
  return "SimulateOneTimestep";
}

}  // namespace

void CallWatch::RunBatch(BatchEvaluation run, Component* const* components, std::size_t count, double t) {
  for (std::size_t i = 0; i < count; ++i)
    Run(*components[i], NameOf(run, components[i]->entry()), [&] { run(components + i, 1, t); });
}

}  // namespace davit
