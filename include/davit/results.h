#pragma once

/// Public: result files, written and read: CSV, MATLAB v4 (.mat) and HDF5 (.h5).

#include "results/comparison.h"     // IWYU pragma: export
#include "results/load_result.h"    // IWYU pragma: export
#include "results/result_table.h"   // IWYU pragma: export
#include "results/result_writer.h"  // IWYU pragma: export
