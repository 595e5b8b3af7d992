#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "framework/system.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/split_line.h"

namespace davit {

struct Network;

/// What of a system can be dealt out to processes, and what passes between.
///
/// An atom is what must advance together: an island; fixed-step (TLM) components that exchange waves, or
/// signals inside a step. Two things lead from one atom to another:
///
/// - a split line: a SplitLine whose waves are under way for 2 TimeSteps at least, none of whose items is
///   recorded or routed; each of its ends belongs to the atom it is connected to;
/// - a sampled signal: a route that is read at step points, as it was at the beginning of the step. Signals
///   of fixed-step components that read states or outputs of others are of this kind, too.
///
/// Pure sources (functions of time) belong to no atom: each process evaluates its own. Components with
/// constant efforts (tanks) are evaluated nowhere. Commands that write parameters and inputs act in every
/// process. The default chart of a component follows it where it is advanced.
struct PartGraph {
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  struct Line {
    SplitLine* line = nullptr;
    DynamicSimComponent* component = nullptr;
    std::uint32_t atoms[2] = {kNone, kNone};  ///< of end a, of end b
  };
  struct Sample {
    std::uint32_t from = 0;  ///< atom
    std::uint32_t to = 0;
    Item item;
  };
  /// A pure component of a fixed-step schedule with the atoms that read it, directly or through others.
  struct Source {
    DynamicSimComponent* component = nullptr;
    std::vector<std::uint32_t> readers;
  };

  std::vector<double> weights;  ///< by atom: its cost in a step, that of a fixed-step component is 1
  std::vector<std::vector<DynamicSimComponent*>> members;  ///< by atom, copies of pure components among them
  std::vector<std::vector<std::uint32_t>> islands;         ///< by atom, into Network::islands
  std::vector<Line> lines;
  std::vector<Sample> samples;  ///< between different atoms
  std::vector<Source> sources;
  /// What keeps the system from being dealt out, each with the remedy.
  std::vector<std::string> faults;
};

/// Pre: `network` was made of `system`, and components have been reset.
PartGraph MakePartGraph(System& system, const Network& network);

}  // namespace davit
