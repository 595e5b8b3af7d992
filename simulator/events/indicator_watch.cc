#include "simulator/events/indicator_watch.h"

#include "framework/indicator.h"

namespace davit {
namespace {

bool IsRead(const Component& component) {
  const Declarations& declarations = component.declarations();
  return declarations.are_indicators_read || declarations.are_indicators_shown ||
         component.chooses_its_level();
}

}  // namespace

void IndicatorWatch::Add(Component& component) {
  if (!component.declarations().indicators.empty()) watched_.push_back(&component);
}

void IndicatorWatch::Start(double t) {
  for (Component* component : watched_) {
    if (IsRead(*component)) {
      StartIndicators(*component, t);
      continue;
    }
    // Of no time until something reads them, as in a run that was restarted from a snapshot.
    for (ObservedRate* rate : component->declarations().observed_rates) rate->Start();
    for (const OutputDeclaration& output : component->declarations().outputs) {
      if (output.is_indicator) *output.value = 0;
    }
  }
}

void IndicatorWatch::LookAt(double t) {
  for (Component* component : watched_) {
    if (IsRead(*component)) EvaluateIndicators(*component, t);
  }
}

void IndicatorWatch::Show() {
  for (Component* component : watched_) {
    if (IsRead(*component)) ShowIndicators(*component);
  }
}

}  // namespace davit
