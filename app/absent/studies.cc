#include "analysis/studies/study_schema.h"
#include "analysis/study/serve_cases.h"
#include "app/absent_part.h"
#include "app/studies/collect_command.h"
#include "app/studies/energy_command.h"
#include "app/studies/mpi_ranks.h"
#include "app/studies/spectrum_command.h"
#include "app/studies/study_command.h"

namespace davit {
namespace {

constexpr AbsentPart kStudies{"studies"};

}  // namespace

void AddStudyCommand(CLI::App& command, CommandContext& /*context*/) { AddAbsentCommand(command, kStudies); }

void AddStudyFileCommand(CLI::App& command, CommandContext& /*context*/) {
  AddAbsentCommand(command, kStudies);
}

void AddCollectCommand(CLI::App& command, CommandContext& /*context*/) {
  AddAbsentCommand(command, kStudies);
}

void AddSpectrumCommand(CLI::App& command, CommandContext& /*context*/) {
  AddAbsentCommand(command, kStudies);
}

void AddEnergyCommand(CLI::App& command, CommandContext& /*context*/) { AddAbsentCommand(command, kStudies); }

std::string MakeStudySchema() { throw kStudies; }

// Before the processes meet: later this one could not start another program.
std::unique_ptr<RankChannel> JoinMpi() { throw AbsentPart{"whole"}; }

void DismissRanks(RankChannel& /*ranks*/) {}

void LeaveRanks(RankChannel& /*ranks*/, const std::string& /*fault*/) {}

}  // namespace davit
