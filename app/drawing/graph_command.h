#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

#include "app/command_context.h"
#include "framework/registry.h"
#include "framework/system.h"

namespace davit {

struct GraphOptions {
  std::filesystem::path system;
  std::filesystem::path output;             ///< *.svg, *.png, *.pdf (made by Graphviz) or *.dot
  bool has_symbols = false;                 ///< drawn by DrawSystem, as *.svg
  std::filesystem::path changes_from = {};  ///< an earlier version: with symbols, by DrawChanges
  std::string scene = {};                   ///< components whose mechanism is drawn instead, a glob; as *.svg
  std::string view = "all";                 ///< of SceneViews
  std::string time = {};                    ///< of the mechanism, with unit; empty: the start
};

/// `davit graph`: draws a system, its places found by Graphviz. Says on `out` what was drawn, and on `err`
/// what is wrong. Returns 0 when drawn, 1 if Graphviz is missing or fails or the file cannot be written, and
/// 2 for wrong input.
int RunGraph(const GraphOptions& options, const Registry& registry, std::ostream& out, std::ostream& err);

/// The drawing as a graph in the DOT language.
///
/// One node for each component, with its ports, routed inputs and routed variables as cells; one cluster for
/// each island. Outside of the clusters lie delays and all fixed-step (TLM) components, constant sources,
/// and signal sources that several islands read. In an SVG the elements have ids: `crane.boom` a component,
/// `a_crane.boom.rod` a port or variable, `island-1` an island, `from--to` a connection, `from->to` a route.
/// Pre: the manager of `system` has built its islands.
std::string MakeDot(System& system);

/// Defines `davit graph`.
void AddGraphCommand(CLI::App& command, CommandContext& context);

}  // namespace davit
