#pragma once

#include <cstdint>
#include <vector>

#include "simulator/passes/evaluation_contexts.h"
#include "simulator/passes/system_index.h"

namespace davit {

/// Machines of a fixed-step schedule: members that connections or routes join, directly or through others.
/// Within a step nothing passes from one to another, so each may take its whole step before the next one
/// begins it. Those that take it together are a block: small enough that what they read and write stays in
/// the cache of a core from phase to phase, large enough that components of one type fill batches.
///
/// Returns the block of each member of the schedule `context`, counted from 0 in the order of their first
/// members.
std::vector<std::uint32_t> FindStepBlocks(const SystemIndex& index, const EvaluationContexts& contexts,
                                          std::uint32_t context);

}  // namespace davit
