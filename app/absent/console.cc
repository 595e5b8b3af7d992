#include "app/absent_part.h"
#include "app/console/console_command.h"

namespace davit {

void AddConsoleCommand(CLI::App& command, CommandContext& /*context*/) {
  AddAbsentCommand(command, {"console"});
}

}  // namespace davit
