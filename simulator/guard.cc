#include "simulator/guard.h"

#include <utility>

#include "simulator/dynamic_sim_component.h"

namespace davit {

Guard::Guard(DynamicSimComponent* owner, Text name, Text text, Direction direction, Value value,
             Reaction reaction, Reaction rest)
    : owner_(owner),
      name_(name),
      text_(text),
      direction_(direction),
      value_(std::move(value)),
      reaction_(std::move(reaction)),
      rest_(std::move(rest)) {
  owner->AddGuard(*this);
}

}  // namespace davit
