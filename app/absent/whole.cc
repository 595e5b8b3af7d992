#include "app/absent_part.h"
#include "app/whole/new_model_command.h"
#include "app/whole/reference_command.h"

namespace davit {

void AddNewModelCommand(CLI::App& command, CommandContext& /*context*/) {
  AddAbsentCommand(command, {"whole"});
}

void AddReferenceCommand(CLI::App& command, CommandContext& /*context*/) {
  AddAbsentCommand(command, {"whole"});
}

}  // namespace davit
