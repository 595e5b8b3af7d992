#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/support/component_harness.h"

namespace davit {

/// Where the partial derivatives that a component writes (DynamicSimComponent::WritePartials) differ from
/// central differences at the present point, which must not be at a kink: `flow.ddt over inlet.c is 2,
/// WritePartials has 1`. One line where it writes none. Pre: `harness` has started; nothing is routed to the
/// inputs.
std::vector<std::string> WrongPartials(ComponentHarness& harness, const DynamicSimComponent& component);

/// The same of what states and ports have, without outputs, for a component of any surroundings. `evaluate`
/// evaluates it.
std::vector<std::string> WrongPartials(const std::function<void()>& evaluate,
                                       const DynamicSimComponent& component);

}  // namespace davit
