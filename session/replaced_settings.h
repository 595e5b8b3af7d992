#pragma once

#include <string>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/system.h"
#include "framework/xml/system_loader.h"

namespace davit {

/// What `--set` and `--level` give, and a snapshot or a recording replaces: a run that continues has its
/// values from there (docs/running.md, section Restart from a snapshot).
///
/// Call sequence: construct after the system is loaded, load the state, then Check. The system must outlive
/// it.
class ReplacedSettings {
 public:
  ReplacedSettings(const System& system, const LoadOptions& options);

  /// Reports each option whose value is not there any more, at its place (OptionPlace).
  void Check(Diagnostics& diagnostics, Severity severity = Severity::kWarning) const;

 private:
  void Keep(const System& system, std::string_view option, const std::string& text, const Component& scope,
            std::string_view name);

  struct Setting {
    SourceLocation place;
    Item item;
    std::string text;  ///< its value after loading
  };
  std::vector<Setting> settings_;
};

}  // namespace davit
