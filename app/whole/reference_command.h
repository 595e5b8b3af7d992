#pragma once

#include <filesystem>
#include <iosfwd>

#include "app/command_context.h"

namespace davit {

/// `davit reference`: writes the reference of davit as pages of Markdown below `folder`, which is made where
/// it is missing.
///
/// * `commands.md`: the commands of `program` with their options
/// * `models/index.md`: the models of `registry`, domain by domain
/// * `models/DOMAIN.Type.md`: what `davit describe` prints for the model, its symbol, similar models, and the
///   text and picture of its chart, in files named `DOMAIN.Type.symbol.svg`, `.scxml` and `.svg`
///
/// Existing pages are overwritten. Returns 0; 1 if a picture cannot be drawn or a disk is full; 2
/// where `folder` cannot be a folder.
int RunReference(const std::filesystem::path& folder, const CLI::App& program, const Registry& registry,
                 std::ostream& out, std::ostream& err);

/// Defines `davit reference`, which describes all commands of `program`.
void AddReferenceCommand(CLI::App& command, CommandContext& context);

}  // namespace davit
