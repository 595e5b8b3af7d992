#pragma once

#include <string>
#include <vector>

#include "tests/source/source_tree.h"

namespace davit {

/// Each check returns its faults: `file:line: error: what is wrong; what would be right`. Rules:
/// include_rules.h.
using SourceFaults = std::vector<std::string>;

/// Includes of files that are not there or belong to a higher folder; files in folders without a layer.
SourceFaults CheckLayers(const SourceTree& tree);

/// Headers of libraries outside of the files that wrap them.
SourceFaults CheckLibraries(const SourceTree& tree);

/// Files that include each other in a circle.
SourceFaults CheckFileCircles(const SourceTree& tree);

/// Includes from a sub-folder to one that is above it, and sub-folders without a place in the order.
SourceFaults CheckSubFolders(const SourceTree& tree);

/// Circles through a sub-folder. A sub-folder is one node, and so is each type beside it with its .h and .cc:
/// tree/a.cc -> system.h, system.cc -> tree/b.h is a circle.
SourceFaults CheckSubFolderCircles(const SourceTree& tree);

/// Rules that hold for no file any longer.
SourceFaults CheckRules(const SourceTree& tree);

}  // namespace davit
