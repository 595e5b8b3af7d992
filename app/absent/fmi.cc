#include "app/absent_part.h"
#include "app/fmi/fmu_command.h"
#include "app/fmi/ssp_command.h"
#include "app/fmu_files.h"
#include "fmi/import/fmu_component.h"
#include "fmi/ports/wave_port.h"

namespace davit {
namespace {

constexpr AbsentPart kFmi{"fmi"};

/// In the place of a model, so that a system that has one asks for the part.
template <class Model>
struct Absent final : Component {
  static constexpr ModelInfo kInfo = Model::kInfo;
  Absent() { throw kFmi; }
};

}  // namespace

void AddFmuCommand(CLI::App& command, CommandContext& /*context*/) { AddAbsentCommand(command, kFmi); }

void AddSspCommand(CLI::App& command, CommandContext& /*context*/) { AddAbsentCommand(command, kFmi); }

int DescribeFmu(const std::filesystem::path& /*file*/, const FmuOptions& /*options*/,
                DescribeFormat /*format*/, std::ostream& /*out*/, std::ostream& /*err*/) {
  throw kFmi;
}

std::shared_ptr<const SystemDescription> MakeSystemOfFmu(const std::filesystem::path& /*file*/,
                                                         const FmuOptions& /*options*/,
                                                         std::ostream& /*err*/) {
  throw kFmi;
}

std::shared_ptr<const SystemDescription> MakeSystemOfSsp(const std::filesystem::path& /*file*/,
                                                         LoadOptions& /*load*/, std::ostream& /*err*/) {
  throw kFmi;
}

void RegisterFmuModels(Registry& registry) {
  if (CanBringParts()) registry.Add<Absent<FmuComponent>, Absent<WavePortC>, Absent<WavePortQ>>();
}

}  // namespace davit
