#include "session/output_paths.h"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <system_error>

#include "framework/nearest_name.h"
#include "framework/plugin.h"
#include "framework/xml/file_source.h"
#include "results/csv_writer.h"
#include "session/simulation.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

bool IsPipeOrDevice(const fs::path& path) {
  std::error_code ignored;
  return fs::is_other(path, ignored);
}

/// Also by links and other ways to write the path.
bool IsSameFile(const fs::path& a, const fs::path& b) {
  std::error_code fault;
  if (fs::equivalent(a, b, fault)) return true;
  const fs::path first = fs::weakly_canonical(fs::absolute(a, fault), fault);
  return !fault && first == fs::weakly_canonical(fs::absolute(b, fault), fault) && !fault;
}

/// With the units of a table.
std::vector<fs::path> WithUnits(const fs::path& file) {
  if (file.extension() != ".csv") return {file};
  return {file, UnitsFileOf(file)};
}

/// One of `files` that is also one of `others`; empty where there is none.
fs::path FindSame(const std::vector<fs::path>& files, const std::vector<fs::path>& others) {
  for (const fs::path& file : files) {
    for (const fs::path& other : others) {
      if (IsSameFile(file, other)) return other;
    }
  }
  return {};
}

/// Empty where the file can be made.
std::string FaultOfFolder(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    return fmt::format("there is no folder {}; make it first", folder.string());
  if (fs::is_directory(file, ignored)) return "it is a folder; give the name of a file";
  const fs::path& written = fs::exists(file, ignored) ? file : folder;
  if (access(written.c_str(), W_OK) != 0) return "it may not be written; choose another folder";
  return {};
}

}  // namespace

std::vector<fs::path> InputsOf(const System& system, std::vector<fs::path> more) {
  std::vector<fs::path> inputs = system.files()->files();
  const std::vector<fs::path> libraries = ListLibraries(system.registry());
  inputs.insert(inputs.end(), libraries.begin(), libraries.end());
  inputs.insert(inputs.end(), more.begin(), more.end());
  return inputs;
}

std::vector<fs::path> InputsOf(const fs::path& system, const Registry& registry, const LoadOptions& options) {
  const LoadedSimulation loaded =
      Simulation::Load(system, registry, {.load = options, .log = [](auto, auto) {}});
  return loaded.simulation == nullptr ? std::vector<fs::path>{system} : InputsOf(loaded.simulation->system());
}

void CheckOutputPaths(std::span<const OutputPath> outputs, std::span<const fs::path> inputs,
                      Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const OutputPath& output = outputs[i];
    SourceLocation place = output.place;
    if (place.file == nullptr) place.file = std::make_shared<const std::string>(output.option);
    if (IsPipeOrDevice(output.file)) continue;
    std::string fault = output.is_checked_when_opened ? std::string() : FaultOfFolder(output.file);
    const std::vector<fs::path> files = WithUnits(output.file);
    for (const fs::path& input : inputs) {
      if (!fault.empty()) break;
      if (const fs::path read = FindSame(files, WithUnits(input)); !read.empty())
        fault = fmt::format("the run reads {}, and would overwrite it; give another name", read.string());
    }
    for (const OutputPath& other : outputs.first(i)) {
      if (fault.empty() && !FindSame(files, WithUnits(other.file)).empty())
        fault = fmt::format("{} writes the same file; give another name", Quoted(other.option));
    }
    if (!fault.empty()) diagnostics.Error(place, {}, fault);
  }
}

}  // namespace davit
