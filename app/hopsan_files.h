#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/command_context.h"
#include "app/run_command.h"
#include "framework/xml/file_source.h"

namespace davit {

/// What the commands that read a model of Hopsan are told.
struct HopsanOptions {
  bool has_names = false;  ///< results have Hopsan's names, at the times that Hopsan logs
  bool has_stubs = false;
  bool is_native = false;  ///< what has a counterpart becomes a model of davit's own
  std::vector<std::filesystem::path> parameters;
  std::shared_ptr<const FileSource> files = std::make_shared<const DiskFiles>();

  bool is_given() const { return has_names || has_stubs || !parameters.empty(); }
};

/// Whether a file is a model of Hopsan, by its name.
bool IsHopsanFile(const std::filesystem::path& file);

/// The option --stub.
void AddHopsanOptions(CLI::App& command, HopsanOptions& options);
/// Moves the parameter files of Hopsan (.hpf) of --params from `load` to `options`.
void TakeHopsanParameters(LoadOptions& load, HopsanOptions& options);

// Defined in the part hopsan.

/// The system that a model of Hopsan is read as; null after printing faults.
std::shared_ptr<const SystemDescription> MakeSystemOfHopsan(const std::filesystem::path& file,
                                                            const HopsanOptions& options,
                                                            CommandContext& context);
/// `davit run MODEL.hmf --hopsan-names`: writes what Hopsan logs into the outputs, .csv files.
int RunHopsan(const RunOptions& run, const HopsanOptions& options, CommandContext& context);

}  // namespace davit
