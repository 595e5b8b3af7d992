#pragma once

/// Public: what a model is written with. A model derives from DynamicSimComponent, or from TlmComponent where
/// it advances with a fixed step only, and declares its items as members.

#include "framework/archive.h"                // IWYU pragma: export
#include "framework/aspect.h"                 // IWYU pragma: export
#include "framework/component.h"              // IWYU pragma: export
#include "framework/domains/standard.h"       // IWYU pragma: export
#include "framework/indicator.h"              // IWYU pragma: export
#include "framework/message.h"                // IWYU pragma: export
#include "framework/mode.h"                   // IWYU pragma: export
#include "framework/parameter.h"              // IWYU pragma: export
#include "framework/property.h"               // IWYU pragma: export
#include "framework/registry.h"               // IWYU pragma: export
#include "framework/scene.h"                  // IWYU pragma: export
#include "framework/signal.h"                 // IWYU pragma: export
#include "framework/tree/item_element.h"      // IWYU pragma: export
#include "simulator/dynamic_sim_component.h"  // IWYU pragma: export
#include "simulator/energy_account.h"         // IWYU pragma: export
#include "simulator/guard.h"                  // IWYU pragma: export
#include "simulator/operator.h"               // IWYU pragma: export
#include "simulator/partial_derivatives.h"    // IWYU pragma: export
#include "simulator/state_failure.h"          // IWYU pragma: export
#include "simulator/state_variable.h"         // IWYU pragma: export
#include "simulator/tlm_component.h"          // IWYU pragma: export
