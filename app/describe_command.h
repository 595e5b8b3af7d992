#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "app/command_context.h"
#include "framework/registry.h"
#include "session/model_description.h"

namespace davit {

enum class DescribeFormat : std::uint8_t { kText, kMarkdown };

/// `davit describe`: everything a model declares, its equations, and an element that can be pasted into a
/// system file, in the units of the reference. Returns 0, or 2 for an unknown model.
int RunDescribe(const std::string& model, DescribeFormat format, const Registry& registry, std::ostream& out,
                std::ostream& err);

/// Writes what describes a model.
void WriteModelDescription(const ModelDescription& description, DescribeFormat format, std::ostream& out);

/// All models as one markdown document, ordered by domain.
void WriteModelReference(const Registry& registry, std::ostream& out);

/// Defines `davit describe`.
void AddDescribeCommand(CLI::App& command, CommandContext& context);

}  // namespace davit
