#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/registry.h"
#include "framework/xml/file_source.h"
#include "framework/xml/system_description.h"

namespace davit::hopsan {

struct HmfImportOptions {
  /// Unknown types become components with constant outputs.
  bool has_stubs = false;
  /// Parameter files (.hpf): their values replace those of the model.
  std::vector<std::filesystem::path> parameter_files = {};
  /// What readers of a system file want besides: comments, places in the drawing.
  bool has_notes = false;
  /// What has a counterpart among davit's own models becomes that (NativeRules).
  bool is_native = false;
  /// Of the model, in place of that of its file.
  const std::string* text = nullptr;
  /// Where the files come from; null: the disk.
  const FileSource* files = nullptr;
};

/// A variable as Hopsan names it, `Comp#Port#Variable`, and where davit has it: `comp.port.Variable`; empty
/// for the time of a sub-system.
struct HopsanVariable {
  std::string name;
  std::string path;
  std::string system;  ///< of the time of a sub-system: its path
};

/// A Hopsan model as a system of davit.
struct HmfImport {
  std::shared_ptr<const SystemDescription> description;
  std::string report;  ///< with is_native: what each component became
  std::vector<HopsanVariable> variables;
  double start = 0;
  double time_step = 0;
  std::uint64_t steps = 0;
  std::vector<std::uint64_t> log_steps;  ///< the steps that Hopsan logs; 0 is the start
};

/// Reads a model of Hopsan (.hmf) and describes the system that runs it. Nothing where there are errors: all
/// faults go to `diagnostics`.
std::optional<HmfImport> ImportHmf(const std::filesystem::path& file, const Registry& registry,
                                   const HmfImportOptions& options, Diagnostics& diagnostics);

/// Loads a model of Hopsan wherever davit loads a system file.
SystemImporter HmfImporter();

}  // namespace davit::hopsan
