#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "app/command_context.h"
#include "framework/registry.h"

namespace davit {

/// `davit list`: name and text of every model that `glob` matches, one a line. A name without wildcards may
/// also be a domain: `hydraulic` lists all of it. Parts of a system file, such as `SimulatorManager`, are
/// listed only when named exactly. Returns 0, or 2 if nothing matches.
int RunList(const std::string& glob, const Registry& registry, std::ostream& out, std::ostream& err);

/// The remedy for a model that is not there: `did you mean 'hydraulic.Cylinder'?` for `hydraulic.Cilinder`,
/// and for `cylinder` too.
std::string SuggestModel(std::string_view name, const Registry& registry);

/// Defines `davit list`.
void AddListCommand(CLI::App& command, CommandContext& context);

}  // namespace davit
