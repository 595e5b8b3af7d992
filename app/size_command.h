#pragma once

#include <iosfwd>
#include <string>

#include "app/command_context.h"

namespace davit {

/// Quantities as the user writes them, with units: `60 l/min`.
struct SizeHoseOptions {
  std::string flow, velocity = "5 m/s", pressure;
};
struct SizePumpOptions {
  std::string flow, speed = "1500 rpm", pressure;
  bool is_closed_circuit = false;
};
struct SizeCylinderOptions {
  std::string force, pressure, speed = "0.1 m/s";
  double friction_ratio = 0.05;
  double area_ratio = 1.7;
};

/// `davit size hose`, `davit size pump`, `davit size cylinder`: the standard size that the rules of the
/// thesis choose, the numbers that it follows from, and the element of a system file. Returns 0, or 2 after
/// an error where an option is no such quantity or no standard size is enough.
int RunSizeHose(const SizeHoseOptions& options, std::ostream& out, std::ostream& err);
int RunSizePump(const SizePumpOptions& options, std::ostream& out, std::ostream& err);
int RunSizeCylinder(const SizeCylinderOptions& options, std::ostream& out, std::ostream& err);

/// Defines `davit size`.
void AddSizeCommand(CLI::App& command, CommandContext& context);

}  // namespace davit
