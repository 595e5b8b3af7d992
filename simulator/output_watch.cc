#include "simulator/output_watch.h"

#include <fmt/format.h>

#include <cmath>

#include "framework/symptom.h"
#include "simulator/simulation_failure.h"

namespace davit {

void OutputWatch::Watch(const Component& component) {
  if (!component.declarations().outputs.empty()) components_.push_back(&component);
}

std::optional<OutputWatch::Fault> OutputWatch::Find() const {
  for (const Component* component : components_) {
    for (const OutputDeclaration& output : component->declarations().outputs) {
      if (!std::isnan(*output.value)) continue;
      return Fault{component->DisplayPath(),
                   fmt::format("its output {} is not a number; correct the equations of {}, or look for an "
                               "input that they do not expect",
                               output.label.name, component->model().name)};
    }
  }
  return std::nullopt;
}

void OutputWatch::Look(double t) const {
  if (const std::optional<Fault> fault = Find()) {
    throw SimulationFailure(fmt::format("{}: the run failed at t = {:.9g} s: {}{}", fault->path, t,
                                        fault->text, SeeSection(Symptom::kDiverged)),
                            t);
  }
}

}  // namespace davit
