#pragma once

#include <vector>

#include "simulator/parts/part_channel.h"
#include "simulator/parts/part_graph.h"

namespace davit {

/// The atoms as vertices. An edge weighs the more the less time its messages have: a sampled signal, for
/// which each step is waited, as much as 64 waves that leave 64 steps ahead.
WeightedGraph WeighAtoms(const PartGraph& graph);

/// The rank of each atom: by the graph partitioner of the channel, where there is one and more atoms than
/// ranks, else in stretches of equal weight, in the order of the system file. Results of a run do not depend
/// on it.
std::vector<int> DealAtoms(const PartGraph& graph, PartChannel& channel);

}  // namespace davit
