#pragma once

#include <filesystem>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>

#include "app/describe_command.h"
#include "framework/registry.h"
#include "framework/xml/system_loader.h"

namespace davit {

// Defined in the part fmi.

/// What the command line says of a single FMU; empty: as the attributes of fmi.Fmu are without it.
struct FmuOptions {
  std::string kind = {};
  std::string locals = {};
  std::optional<std::filesystem::path> input = {};  ///< a CSV
};

/// Whether a file is taken for an FMU.
inline bool IsFmuFile(const std::filesystem::path& file) { return file.extension() == ".fmu"; }
/// The same of a system of FMUs: an .ssp.
inline bool IsFmuSystem(const std::filesystem::path& file) { return file.extension() == ".ssp"; }
/// `davit describe X.fmu`. Returns the exit code.
int DescribeFmu(const std::filesystem::path& file, const FmuOptions& options, DescribeFormat format,
                std::ostream& out, std::ostream& err);
/// A system that runs an FMU alone, beside it; null after printing what is wrong on `err`.
std::shared_ptr<const SystemDescription> MakeSystemOfFmu(const std::filesystem::path& file,
                                                         const FmuOptions& options, std::ostream& err);
/// The system that an .ssp describes; its parameter bindings come first in `load`. The same.
std::shared_ptr<const SystemDescription> MakeSystemOfSsp(const std::filesystem::path& file, LoadOptions& load,
                                                         std::ostream& err);

/// Adds fmi.Fmu to the models.
void RegisterFmuModels(Registry& registry);

}  // namespace davit
