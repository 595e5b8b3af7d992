#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/units/unit_system.h"
#include "framework/xml/system_loader.h"
#include "results/gnuplot_script.h"

namespace davit {

/// Reads the options of a command of analysis; all faults are told together, each with its option.
class AnalysisInput {
 public:
  /// A quantity of the dimension of `unit`, in SI; nothing where none is given or it is wrong.
  std::optional<double> ReadOptional(std::string_view option, const std::optional<std::string>& text,
                                     std::string_view unit);
  /// The same; it must be above 0.
  std::optional<double> ReadPositive(std::string_view option, const std::optional<std::string>& text,
                                     std::string_view unit);
  /// The format of a picture by the name of its file; nothing for an empty name or a wrong one.
  std::optional<PictureFormat> ReadPicture(std::string_view option, const std::filesystem::path& file);
  /// Checks the files that the command writes (an empty name: none) as CheckOutputPaths does.
  void CheckFiles(const std::vector<std::pair<std::string_view, std::filesystem::path>>& outputs,
                  const std::vector<std::filesystem::path>& inputs);
  /// `fault`: what is wrong; what would be right.
  void Fail(std::string_view option, std::string_view fault);
  /// Whether nothing was wrong; else it has been told.
  bool IsGood(std::ostream& err) const;

  UnitSystem& units() { return units_; }
  Diagnostics& diagnostics() { return diagnostics_; }

 private:
  UnitSystem units_;
  Diagnostics diagnostics_;
};

}  // namespace davit
