#include "app/absent_part.h"
#include "app/proof/bench_command.h"
#include "app/proof/chart_proof_commands.h"
#include "proof/bench_element.h"

namespace davit {
namespace {

constexpr AbsentPart kProof{"proof"};

}  // namespace

void AddBenchCommand(CLI::App& command, CommandContext& /*context*/) { AddAbsentCommand(command, kProof); }

void AddChartCoverageCommand(CLI::App& command, CommandContext& /*context*/) {
  AddAbsentCommand(command, kProof);
}

void AddChartPathsCommand(CLI::App& command, CommandContext& /*context*/) {
  AddAbsentCommand(command, kProof);
}

std::string MakeBenchSchema() { throw kProof; }

}  // namespace davit
