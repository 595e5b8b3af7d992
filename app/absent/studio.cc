#include "app/absent_part.h"
#include "app/studio/studio_command.h"

namespace davit {

void AddStudioCommand(CLI::App& command, CommandContext& /*context*/) {
  AddAbsentCommand(command, {"studio"});
}

}  // namespace davit
