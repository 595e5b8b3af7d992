#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "framework/units/unit_system.h"

namespace davit {

/// A CSV file whose first line names its columns with their units, such as `heave [m]`.
///
/// Cells are separated by commas or semicolons. Lines that are empty or begin with # are ignored.
struct NamedColumns {
  struct Allowed {
    std::string name;
    std::string_view unit;  ///< in which the values are given back
  };

  std::vector<std::string> names;           ///< in the order of the file
  std::vector<std::vector<double>> values;  ///< of each column
  std::vector<int> lines;                   ///< of each row
  std::string fault;                        ///< what is wrong; empty if nothing is
  int fault_line = 0;

  /// The values of a column; null without it.
  const std::vector<double>* Find(std::string_view name) const;
  /// States a fault unless there is one already.
  void Fail(int line, std::string text);
};

/// Reads the text up to its first fault.
NamedColumns ReadNamedColumns(std::string_view text, const std::vector<NamedColumns::Allowed>& allowed,
                              const UnitSystem& units);

}  // namespace davit
