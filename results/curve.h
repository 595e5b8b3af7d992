#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/display_unit.h"
#include "results/result_table.h"

namespace davit {

/// One signal of one result, as it is drawn. The numbers belong to the result.
struct Curve {
  std::string_view path;   ///< of the signal
  std::string_view unit;   ///< SI; empty if dimensionless or unknown
  std::string label;       ///< what the legend says
  std::size_t signal = 0;  ///< curves of one signal in several results have the same number
  std::size_t result = 0;  ///< which of the results
  const std::vector<double>* time = nullptr;
  const std::vector<double>* x = nullptr;       ///< what it is drawn over: the time, or another signal
  const std::vector<double>* values = nullptr;  ///< as many as times
  /// The names of the values 0, 1, 2 ... of a level, an aspect or a mode; null where there are none.
  const std::vector<std::string>* options = nullptr;
};

/// A result and what it is called in a legend.
struct NamedResult {
  const ResultTable* table = nullptr;
  std::string name;
};

/// What the curves of a figure are drawn over.
struct XAxis {
  std::string label = "Time [s]";
  double factor = 1;  ///< shown = factor * SI
};

/// Draws the curves over the signal `path` of their own results, without that signal itself. Pre: each result
/// has it.
XAxis DrawOver(std::string_view path, std::vector<Curve>& curves);

/// The curves of all signals, each signal followed by itself in the next results: those of the first result
/// in its order, then what only later ones have. With several results a label is `name: path`. A result that
/// does not have the unit of a signal takes it from one that does. The results must outlive the curves.
std::vector<Curve> MakeCurves(std::span<const NamedResult> results);

}  // namespace davit
