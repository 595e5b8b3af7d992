#pragma once

#include <cstdint>

#include "framework/diagnostics.h"
#include "framework/registry.h"
#include "session/run_host.h"

namespace davit {

class Component;
class Simulation;
enum class IoReach : std::uint8_t;

// Defined in the part io.

/// Adds `<ModbusServer>` and what else connects a run to partners outside of it.
void RegisterInterfaces(Registry& registry);

/// Whether a component is one of those.
bool IsInterface(const Component& component);

/// Opens the interfaces of a system; what is wrong goes to `diagnostics`. The function that it returns
/// exchanges values before a step; empty where there are none. They are open as long as
/// it lives, which is not longer than the simulation.
PartnerExchange OpenInterfaces(Simulation& simulation, IoReach reach, Diagnostics& diagnostics);

}  // namespace davit
