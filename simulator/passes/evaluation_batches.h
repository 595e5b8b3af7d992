#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "framework/registry.h"

namespace davit {

struct EvaluationGraph;

/// Evaluations of one kind and type that follow each other.
struct EvaluationBatch {
  BatchEvaluation evaluate = nullptr;
  std::size_t begin = 0;  ///< into the order
  std::size_t count = 0;
};

/// The evaluations of an island in the order in which they run.
struct EvaluationBatches {
  std::vector<std::uint32_t> order;  ///< nodes of the graph
  std::vector<EvaluationBatch> batches;
};

/// Cuts an order of evaluations into batches.
///
/// A batch ends where the type changes, and after an evaluation that is solved for, whose results are set
/// aside before others read. Nor does a batch hold two evaluations of which one reads the other, where models
/// evaluate the whole batch at once (ModelEntry::prepare_batch) or what is read is a derivative, which is
/// published at the end of a batch. Without an order (there is an algebraic loop) there are no batches.
EvaluationBatches MakeBatches(const EvaluationGraph& graph, std::vector<std::uint32_t> order);

}  // namespace davit
