#include "framework/scene.h"

#include <cassert>
#include <utility>

namespace davit {

void SceneBuilder::Add(SceneItem item) {
  for (ScenePoint& point : item.points) point = Resolve(point);
  item.force = Resolve(item.force);
  items_.push_back(std::move(item));
}

std::optional<ScenePoint> SceneBuilder::FindPlace(const PortBase& port) const {
  const auto found = neighbours_.find(&port);
  return found == neighbours_.end() ? std::nullopt : std::optional(found->second);
}

SceneCoordinate SceneBuilder::Resolve(const SceneCoordinate& coordinate) const {
  if (coordinate.id() == nullptr) return coordinate;
  const Declarations& all = owner_.declarations();
  const auto signal = [&](std::string_view name) {
    return SceneCoordinate::OfSignal(owner_.path() + '.' + std::string(name));
  };
  for (const OutputDeclaration& output : all.outputs) {
    if (output.value == coordinate.id()) return signal(output.label.name);
  }
  for (const StateDeclaration& state : all.states) {
    if (state.variable == coordinate.id()) return signal(state.label.name);
  }
  for (const InputDeclaration& input : all.inputs) {
    if (input.source == coordinate.id()) return signal(input.label.name);
  }
  assert(false);  // of another component
  return coordinate;
}

}  // namespace davit
