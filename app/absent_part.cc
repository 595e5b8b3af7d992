#include "app/absent_part.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>

namespace davit {
namespace {

// Set by the launcher.
constexpr const char* kLauncher = "DAVIT_LAUNCHER";
constexpr const char* kPart = "DAVIT_PART";  // that it has built for this program

}  // namespace

void AddAbsentCommand(CLI::App& command, AbsentPart part) {
  command.set_help_flag();
  command.prefix_command();
  command.callback([part] { throw part; });
}

bool CanBringParts() { return std::getenv(kLauncher) != nullptr; }

int BringPart(AbsentPart part, char** argv) {
  if (CanBringParts()) {
    setenv(kPart, std::getenv(kPart) == nullptr ? part.name : "whole", 1);
    execv(std::getenv(kLauncher), argv);
  }
  std::cerr << fmt::format(
      "error: this program was built without the part '{}' of davit; run ./davit, which "
      "builds it, or configure with -DDAVIT_FMI=ON if it is fmi\n",
      part.name);
  return kWrongInput;
}

}  // namespace davit
