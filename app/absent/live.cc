#include "app/absent_part.h"
#include "app/live/serve_command.h"

namespace davit {

void AddServeCommand(CLI::App& command, CommandContext& /*context*/) { AddAbsentCommand(command, {"live"}); }

}  // namespace davit
