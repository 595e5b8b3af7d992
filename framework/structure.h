#pragma once

#include <string>
#include <vector>

#include "framework/archive.h"
#include "framework/diagnostics.h"
#include "framework/system.h"

namespace davit {

/// One thing that cannot change while a system runs: a model, a structural value, a connection.
struct StructureItem {
  std::string path;  ///< of the component, as `/crane/boom`; empty where none is concerned
  std::string name;
  std::string value;

  void ArchiveMemory(Archive& archive) { archive(path, name, value); }
};
using Structure = std::vector<StructureItem>;

/// The models, structural values, connections and routes of a system, in the order of its file. `ignored` are
/// paths of values that may differ.
Structure StructureOf(const System& system, const std::vector<std::string>& ignored);

/// Says in `diagnostics`, at `place`, in what the structure `theirs` of a snapshot differs from that of this
/// system.
void CompareStructures(const Structure& ours, const Structure& theirs, const SourceLocation& place,
                       Diagnostics& diagnostics);

}  // namespace davit
