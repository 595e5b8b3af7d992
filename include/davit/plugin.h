#pragma once

/// Public: a plug-in is models and one constant, `davit_plugin`.

#include "davit/component.h"         // IWYU pragma: export
#include "simulator/plugin_entry.h"  // IWYU pragma: export
