#include "components/marine/motion_source.h"

namespace davit {

const MotionSource* MotionSource::FindAny(const Component& component) {
  for (const Component* scope = component.parent(); scope != nullptr; scope = scope->parent()) {
    for (const Component* child : scope->children()) {
      if (const auto* source = dynamic_cast<const MotionSource*>(child)) return source;
    }
  }
  return nullptr;
}

const MotionSource* MotionSource::Find(const Component& component, Diagnostics& diagnostics) {
  if (const MotionSource* const source = FindAny(component)) return source;
  diagnostics.Error(component.location(), component.DisplayPath(),
                    "there is no marine.Vessel and no marine.RecordedMotion that moves this; add one to the "
                    "same system");
  return nullptr;
}

}  // namespace davit
