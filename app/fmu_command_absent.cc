#include <CLI/CLI.hpp>
#include <ostream>

#include "app/exit_code.h"
#include "app/fmu_command.h"

namespace davit {

void AddFmuCommand(CLI::App& program, CommandContext& context) {
  CLI::App& command =
      *program.add_subcommand("fmu", "Not in this build: configure davit with -DDAVIT_FMI=ON");
  command.allow_extras();
  command.callback([&context] {
    context.err << "error: davit was built without FMUs; configure it with -DDAVIT_FMI=ON\n";
    context.exit_code = kWrongInput;
  });
}

}  // namespace davit
