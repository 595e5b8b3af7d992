#pragma once

#include <cstdint>

#include "framework/diagnostics.h"
#include "simulator/network/tlm_schedule.h"
#include "simulator/passes/evaluation_contexts.h"
#include "simulator/passes/system_index.h"

namespace davit {

/// Plans the phases of the fixed-step (TLM) components of one rate.
///
/// Signals are sorted so that each runs after those it reads; signals that read each other share one place,
/// the number of the first of them. Components with ports are kept together by model: those with C ports in
/// the C phase, others in the Q phase; the place of each is its number, 0 for a copy. An algebraic loop of
/// signals goes to `diagnostics`.
TlmSchedule::Plan PlanSchedule(const SystemIndex& index, const EvaluationContexts& contexts,
                               std::uint32_t context, Diagnostics& diagnostics);

/// Reports the members of a schedule that have events: these cannot be located inside fixed steps.
void CheckEventsOfSchedule(const EvaluationContexts& contexts, std::uint32_t context,
                           Diagnostics& diagnostics);

}  // namespace davit
