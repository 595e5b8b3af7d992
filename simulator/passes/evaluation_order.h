#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace davit {

/// One evaluation needs what another one writes.
struct EvaluationEdge {
  std::uint32_t writer;
  std::uint32_t reader;
};

/// An order in which every writer comes before its readers, or an algebraic loop that forbids it.
struct EvaluationOrder {
  std::vector<std::uint32_t> order;  ///< all evaluations; empty when there is a loop
  std::vector<std::uint32_t> loop;   ///< edges of one loop: the reader of each is the writer of the next
};

/// Sorts evaluations 0 .. types.size()-1. Those of equal type are kept together as far as the edges allow,
/// and in ascending order among themselves, so that they can run in one batch.
EvaluationOrder SortEvaluations(std::span<const std::uint32_t> types, std::span<const EvaluationEdge> edges);

}  // namespace davit
