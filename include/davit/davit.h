#pragma once

/// Public: all that a program needs which has systems of davit inside: the simulation, the models, the
/// results.

#include "davit/models.h"      // IWYU pragma: export
#include "davit/results.h"     // IWYU pragma: export
#include "davit/simulation.h"  // IWYU pragma: export
