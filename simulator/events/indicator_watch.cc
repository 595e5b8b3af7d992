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
  for (Component* component : watched_) StartIndicators(*component, t);
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
