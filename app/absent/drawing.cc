#include "app/absent_part.h"
#include "app/drawing/graph_command.h"
#include "drawing/dot_program.h"

namespace davit {

void AddGraphCommand(CLI::App& command, CommandContext& /*context*/) {
  AddAbsentCommand(command, {"drawing"});
}

std::string DrawWithDot(std::string_view /*graph*/, const std::string& /*format*/) {
  throw AbsentPart{"drawing"};
}

}  // namespace davit
