#include "simulator/events/indicator_watch.h"

#include "framework/indicator.h"

namespace davit {

void IndicatorWatch::Add(Component& component) {
  if (!component.declarations().indicators.empty()) watched_.push_back(&component);
}

void IndicatorWatch::Start(double t) {
  for (Component* component : watched_) StartIndicators(*component, t);
}

void IndicatorWatch::LookAt(double t) {
  for (Component* component : watched_) {
    if (component->declarations().are_indicators_read || component->chooses_its_level())
      EvaluateIndicators(*component, t);
  }
}

}  // namespace davit
