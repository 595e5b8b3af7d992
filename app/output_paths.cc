#include "app/output_paths.h"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <system_error>

#include "framework/nearest_name.h"

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
  const fs::path first = fs::weakly_canonical(fs::absolute(a), fault);
  return !fault && first == fs::weakly_canonical(fs::absolute(b), fault) && !fault;
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

void CheckOutputPaths(std::span<const OutputPath> outputs, std::span<const fs::path> inputs,
                      Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const OutputPath& output = outputs[i];
    const SourceLocation place{std::make_shared<const std::string>(output.option), 0};
    if (IsPipeOrDevice(output.file)) continue;
    std::string fault = output.is_checked_when_opened ? std::string() : FaultOfFolder(output.file);
    for (const fs::path& input : inputs) {
      if (fault.empty() && IsSameFile(output.file, input))
        fault = fmt::format("the run reads {}, and would overwrite it; give another name", input.string());
    }
    for (const OutputPath& other : outputs.first(i)) {
      if (fault.empty() && IsSameFile(output.file, other.file))
        fault = fmt::format("{} writes the same file; give another name", Quoted(other.option));
    }
    if (!fault.empty()) diagnostics.Error(place, {}, fault);
  }
}

}  // namespace davit
