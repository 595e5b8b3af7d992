#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/domain.h"
#include "session/simulation.h"

namespace davit {

/// A part of a system that becomes an FMU of its own.
struct SystemPart {
  std::string name;                  ///< that of its first component
  std::string text;                  ///< a system file
  std::vector<std::string> members;  ///< names of what stands in it
  std::vector<std::string> outputs;  ///< paths: what the whole records, and what other parts read
};

/// What goes from one part to another.
struct PartLink {
  std::size_t from = 0;  ///< the part; of a port that with the C side
  std::string from_path;
  std::size_t to = 0;
  std::string to_path;
  const Domain* domain = nullptr;  ///< of a pair of wave ports; null: a signal
};

struct SystemParts {
  std::vector<SystemPart> parts;
  std::vector<PartLink> links;
};

/// Cuts a system at its transmission delays and sampled signals: components of one island stay together, and
/// so does what cannot be separated (inputs that must have a signal, routes to parameters, optional and
/// shared ports); each TLM component is a part of its own. Only what stands in the system file itself is
/// separated: a sub-system stays whole. Tanks and what else never changes are in each part that is connected
/// to them. `text` is that of the file. A chart of the system, or one that an attribute names, sees the
/// whole, and a `<For>` makes parts of several: such a system is refused, in `diagnostics`.
SystemParts CutSystem(Simulation& simulation, const std::string& text, const std::filesystem::path& file,
                      Diagnostics& diagnostics);

}  // namespace davit
