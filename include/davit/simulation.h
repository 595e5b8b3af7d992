#pragma once

/// Public: a system inside a program: loaded from a file or built in code, checked, stepped, read, written,
/// recorded, saved. davit::Simulation is where to begin.

#include "results/result_writer.h"     // IWYU pragma: export
#include "session/item_list.h"         // IWYU pragma: export
#include "session/real_time_record.h"  // IWYU pragma: export
#include "session/request.h"           // IWYU pragma: export
#include "session/run_host.h"          // IWYU pragma: export
#include "session/simulation.h"        // IWYU pragma: export
#include "session/system_builder.h"    // IWYU pragma: export
