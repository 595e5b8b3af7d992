#pragma once

#include <array>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>

#include "app/command_context.h"
#include "framework/registry.h"

namespace davit {

/// What a new model can be: differential equations, algebraic equations, fixed steps between delays, or a
/// signal without states.
inline constexpr std::array<std::string_view, 4> kModelKinds{"ode", "dae", "tlm", "signal"};

struct NewModelOptions {
  std::string model;             ///< `domain.Type`, as typed
  std::string kind;              ///< one of kModelKinds
  std::filesystem::path folder;  ///< new, empty, or a project that the model joins
  bool has_levels = true;        ///< of kind ode: two levels and a chart; others have none
};

/// `davit new-model`: writes a CMake project with a plug-in of one model, its test, an example system, and a
/// chart where the model has levels; or adds these to the project that is in the folder. Everything in it
/// works as it is. Returns 0, 1 if a file cannot be written, or 2 for a wrong name and for a folder that is
/// in use.
int RunNewModel(const NewModelOptions& options, const Registry& registry, std::ostream& out,
                std::ostream& err);

/// Defines `davit new-model`.
void AddNewModelCommand(CLI::App& command, CommandContext& context);

}  // namespace davit
