#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/support/component_harness.h"

namespace davit {

/// What the derivatives of a component read of its states, ports and inputs, and it has not declared
/// (DynamicSimComponent::Reads), as in `flows[3] reads pressures[5]`. Changes each by a thousandth of its
/// size at the present point, so call it at several points. Pre: `harness` has started; nothing is routed to
/// the inputs.
std::vector<std::string> ReadsBeyondReach(ComponentHarness& harness, const Component& component);

}  // namespace davit
