#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

#include "app/command_context.h"
#include "framework/registry.h"

namespace davit {

/// `davit schema`: writes it to a file, or to `out` where the path is empty. Returns 0, or 1 if the file
/// cannot be written.
int RunSchema(const std::filesystem::path& output, const Registry& registry, std::ostream& out,
              std::ostream& err);

/// `davit schema --study`: the same of study files (MakeStudySchema).
int RunStudySchema(const std::filesystem::path& output, std::ostream& out, std::ostream& err);

/// `davit schema --bench`: the same of bench files (MakeBenchSchema).
int RunBenchSchema(const std::filesystem::path& output, std::ostream& out, std::ostream& err);

/// Defines `davit schema`.
void AddSchemaCommand(CLI::App& command, CommandContext& context);

}  // namespace davit
