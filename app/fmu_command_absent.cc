#include <CLI/CLI.hpp>
#include <ostream>

#include "app/exit_code.h"
#include "app/fmu_command.h"

namespace davit {

bool IsFmuFile(const std::filesystem::path& /*file*/) { return false; }

int DescribeFmu(const std::filesystem::path& /*file*/, const FmuOptions& /*options*/,
                DescribeFormat /*format*/, std::ostream& /*out*/, std::ostream& /*err*/) {
  return kWrongInput;
}

std::shared_ptr<const SystemDescription> MakeSystemOfFmu(const std::filesystem::path& /*file*/,
                                                         const FmuOptions& /*options*/,
                                                         std::ostream& /*err*/) {
  return nullptr;
}

bool IsFmuSystem(const std::filesystem::path& /*file*/) { return false; }

std::shared_ptr<const SystemDescription> MakeSystemOfSsp(const std::filesystem::path& /*file*/,
                                                         LoadOptions& /*load*/, std::ostream& /*err*/) {
  return nullptr;
}

void RegisterFmuModels(Registry& /*registry*/) {}

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
