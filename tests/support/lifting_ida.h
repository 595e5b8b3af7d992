#pragma once

#include <cstdint>
#include <vector>

#include "tests/support/lifting_equations.h"

namespace davit::lifting {

/// What a run did.
struct IdaCounters {
  std::int64_t steps = 0;
  std::int64_t rejected = 0;
  std::int64_t evaluations = 0;  ///< of the right-hand side, those for Jacobians included
};

/// Values at the times i*interval, 0 <= t <= kStopTime. At a switching time they are left-hand limits.
struct IdaRun {
  std::vector<Values> values;
  IdaCounters counters;
};

struct IdaOptions {
  double rtol = 1e-6;
  double atol = 1e-8;       ///< multiplied by the nominal value of each state
  double interval = 10e-3;  ///< [s], of which kStopTime is a multiple
};

/// The equations solved as one does with SUNDIALS alone: IDA with a dense matrix by difference quotients,
/// running freely, values by its interpolation, restarted at each switching time.
///
/// `System` is Ideal, Standard or Advanced. A failure of IDA throws std::runtime_error.
template <class System>
IdaRun SolveWithIda(const IdaOptions& options);

extern template IdaRun SolveWithIda<Ideal>(const IdaOptions&);
extern template IdaRun SolveWithIda<Standard>(const IdaOptions&);
extern template IdaRun SolveWithIda<Advanced>(const IdaOptions&);

}  // namespace davit::lifting
