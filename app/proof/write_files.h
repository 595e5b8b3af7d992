#pragma once

#include <exception>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "app/exit_code.h"
#include "framework/diagnostics.h"
#include "framework/exception_text.h"
#include "results/save_file.h"
#include "session/output_paths.h"

namespace davit {

/// The files that a command is to write, checked before it begins.
class WrittenFiles {
 public:
  WrittenFiles(std::vector<std::filesystem::path> inputs, Diagnostics& diagnostics)
      : inputs_(std::move(inputs)), diagnostics_(diagnostics) {}
  void Add(const std::string& option, const std::optional<std::filesystem::path>& file) {
    if (file) outputs_.push_back({option + " " + file->string(), *file});
  }
  void Check() { CheckOutputPaths(outputs_, inputs_, diagnostics_); }

 private:
  std::vector<std::filesystem::path> inputs_;
  std::vector<OutputPath> outputs_;
  Diagnostics& diagnostics_;
};

/// Writes what `make` returns, if there is a file for it. Throws where it cannot be written.
template <class Make>
void WriteFile(const std::optional<std::filesystem::path>& path, const Make& make) {
  if (path) SaveFile(*path, make());
}

/// Ends a command that counted coverage: reports the demands that it does not meet, and writes its files by
/// `write`, which may throw. `code` is the exit code so far; returns that of the command.
template <class Write>
int ReportCoverage(const std::vector<std::string>& unmet, const Write& write, int code, std::ostream& err) {
  for (const std::string& line : unmet) {
    err << "error: " << line << '\n';
    code = kRunFailed;
  }
  try {
    write();
  } catch (const std::exception& failure) {
    err << "error: " << Explain(failure) << '\n';
    code = kRunFailed;
  }
  return code;
}

}  // namespace davit
