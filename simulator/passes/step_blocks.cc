#include "simulator/passes/step_blocks.h"

#include "simulator/passes/disjoint_sets.h"

namespace davit {
namespace {

/// Components of a block at least, if there are as many; some 200 bytes each are touched in a step.
constexpr std::uint32_t kLeastBlock = 500;

DisjointSets FindMachines(const SystemIndex& index, const EvaluationContexts& contexts,
                          std::uint32_t context) {
  const std::vector<ContextMember>& members = contexts.members[context];
  DisjointSets machines(members.size());
  const auto join = [&](std::uint32_t member, std::uint32_t component) {
    if (component == kNoNumber) return;
    const std::uint32_t other = contexts.FindMember(component, context);
    if (other != kNoNumber) machines.Join(member, other);
  };
  for (std::uint32_t m = 0; m < members.size(); ++m) {
    if (members[m].is_copy) continue;
    const std::uint32_t i = members[m].number;
    for (const std::uint32_t c : index.ConnectionsOf(i)) join(m, index.Partner(c, i));
  }
  for (const std::uint32_t r : contexts.routes_into[context]) {
    const std::uint32_t reader = contexts.FindMember(index.To(r), context);
    if (reader != kNoNumber) join(reader, index.From(r));
  }
  return machines;
}

}  // namespace

std::vector<std::uint32_t> FindStepBlocks(const SystemIndex& index, const EvaluationContexts& contexts,
                                          std::uint32_t context) {
  const auto count = static_cast<std::uint32_t>(contexts.members[context].size());
  DisjointSets machines = FindMachines(index, contexts, context);
  std::vector<std::uint32_t> sizes(count, 0);
  for (std::uint32_t m = 0; m < count; ++m) ++sizes[machines.Find(m)];
  std::vector<std::uint32_t> blocks(count);
  std::uint32_t block = 0, size = 0;
  for (std::uint32_t m = 0; m < count; ++m) {
    const std::uint32_t first = machines.Find(m);
    if (first != m) {
      blocks[m] = blocks[first];
      continue;
    }
    if (size >= kLeastBlock) {
      ++block;
      size = 0;
    }
    size += sizes[m];
    blocks[m] = block;
  }
  return blocks;
}

}  // namespace davit
