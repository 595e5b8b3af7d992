#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/fault.h"

namespace davit {

/// A place in an input file; cheap to copy. `file` may name another origin, such as the command-line text
/// `--set a.b=3`; `line` is then 0. A null or empty file, or line 0, is unknown.
struct SourceLocation {
  std::shared_ptr<const std::string> file;
  int line = 0;
};

enum class Severity { kError, kWarning };

struct Diagnostic {
  Severity severity = Severity::kError;
  SourceLocation location = {};
  std::string path = {};  ///< of the component, as `/crane/boom`; empty where none is concerned
  Fault fault = {};

  std::string message() const { return fault.ToText(); }
};

/// `file:line: error: path: message` on one line; parts that are unknown are left out.
std::string ToText(const Diagnostic& diagnostic);

/// Collects everything that is wrong with an input, so that all faults are reported in one pass.
///
/// Of each severity the first `kMaxKept` are kept. Further ones are only counted, and a last diagnostic
/// without place says how many were left out.
class Diagnostics {
 public:
  static constexpr std::size_t kMaxKept = 1000;

  void Error(const SourceLocation& location, std::string_view path, Fault fault) {
    Add({Severity::kError, location, std::string(path), std::move(fault)});
  }
  void Warning(const SourceLocation& location, std::string_view path, Fault fault) {
    Add({Severity::kWarning, location, std::string(path), std::move(fault)});
  }
  /// `message` has both parts of the fault, as ToFault reads it.
  void Error(const SourceLocation& location, std::string_view path, std::string_view message) {
    Error(location, path, ToFault(message));
  }
  void Warning(const SourceLocation& location, std::string_view path, std::string_view message) {
    Warning(location, path, ToFault(message));
  }
  void Add(Diagnostic diagnostic);
  /// All that another pass has found.
  void Add(const Diagnostics& others) {
    for (const Diagnostic& one : others.all_) Add(one);
  }

  bool has_errors() const { return error_count_ > 0; }
  /// Counts the errors left out as well.
  std::size_t error_count() const { return error_count_; }

  /// In the order of their arrival.
  const std::vector<Diagnostic>& all() const { return all_; }

  /// By file in the order the files were first seen, then by line, then in the order of arrival.
  std::vector<Diagnostic> SortedByPlace() const;

 private:
  void CountLeftOut();

  std::vector<Diagnostic> all_;
  std::size_t error_count_ = 0;
  std::size_t warning_count_ = 0;
  bool has_left_out_ = false;  // then the last of all_ says how many
};

/// All of them by place, a line each, without an end of line behind the last.
std::string ToText(const Diagnostics& diagnostics);

}  // namespace davit
