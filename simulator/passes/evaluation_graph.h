#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "framework/registry.h"
#include "simulator/passes/evaluation_contexts.h"
#include "simulator/passes/evaluation_order.h"
#include "simulator/passes/system_index.h"

namespace davit {

/// The evaluations of one context (nodes) and which of them needs what another one writes (edges).
struct EvaluationGraph {
  /// One evaluation of one member.
  struct Node {
    std::uint32_t member = kNoNumber;  ///< position in the context
    Component* owner = nullptr;
    BatchEvaluation evaluate = nullptr;
    bool is_solved_for = false;  ///< its owner has algebraic unknowns instead of equations of its own
  };
  /// The nodes of a member; kNoNumber where it has no such evaluation.
  struct Nodes {
    std::uint32_t efforts = kNoNumber;
    std::uint32_t flows = kNoNumber;  ///< or its algebraic equations
  };
  /// What an edge carries, and the number of the connection or route it takes.
  struct Carried {
    enum class What : std::uint8_t { kOwnEfforts, kEffort, kFlow, kAcceleration, kSignal };
    What what = What::kOwnEfforts;
    std::uint32_t number = 0;
  };
  /// A member whose unknowns, known before all evaluations, an evaluation reads.
  struct UnknownsRead {
    std::uint32_t member;
    std::uint32_t reader;
  };
  /// An output, flow or effort that is an unknown because its owner is solved for.
  struct SolvedItem {
    Component* owner = nullptr;
    double* value = nullptr;
    std::string name;
    std::string_view unit;
    BatchEvaluation writer = nullptr;
    std::uint32_t node = kNoNumber;  ///< that computes it
  };
  /// A node that reads a solved item.
  struct SolvedRead {
    std::uint32_t item;
    std::uint32_t reader;
  };

  std::vector<Node> nodes;
  std::vector<std::uint32_t> types;  ///< by node: those of one type can be one batch
  std::vector<EvaluationEdge> edges;
  std::vector<Carried> carried;  ///< by edge
  std::vector<Nodes> nodes_of;   ///< by member
  std::vector<UnknownsRead> unknowns_read;
  std::vector<SolvedItem> solved;
  std::vector<SolvedRead> solved_reads;
  std::unordered_set<std::uint32_t> slope_readers;  ///< nodes that read a derivative

  /// Adds a node; kNoNumber for an evaluation that the model does not have.
  std::uint32_t Add(const ContextMember& member, std::uint32_t position, BatchEvaluation evaluate);
  /// Adds an edge, if both nodes are there.
  void Carry(std::uint32_t writer, std::uint32_t reader, Carried carried_item);
  /// Numbers the types of all nodes, after the last Add.
  void NumberTypes();
};

/// The evaluations of an island in the order of its members, efforts before flows, with an edge for each
/// effort, flow or signal that one of them reads from another inside the step. States are known before all
/// evaluations and make no edge; a derivative makes one.
EvaluationGraph MakeEvaluationGraph(const SystemIndex& index, const EvaluationContexts& contexts,
                                    std::uint32_t context);

}  // namespace davit
