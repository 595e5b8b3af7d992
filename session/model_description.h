#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/component.h"
#include "framework/item.h"
#include "framework/registry.h"

namespace davit {

/// Declarations of one kind; the last column is text.
struct DescriptionTable {
  std::string title;
  std::vector<std::string> headers;
  std::vector<std::vector<std::string>> rows;  ///< each has a cell for each header; the first is the name
};

/// Everything a model declares.
struct ModelDescription {
  std::string name;
  std::string text;
  /// What many models share: levels, chart, solver. Names in the texts are in backticks.
  std::vector<std::pair<std::string, std::string>> settings;
  std::vector<DescriptionTable> tables;  ///< those without rows are left out
  std::string equations;
  std::string example;  ///< an element that can be pasted into a system file
  bool has_chart = false;
};

/// The column of a table with the options that make use of an item: `friction = LuGre`.
inline constexpr const char* kNeeds = "needs";

/// Numbers are in the units that people use, which the tables name. Outputs are in SI, as in results.
ModelDescription DescribeModel(const ModelEntry& entry);
/// The same of a component, which may have declared more than its model. Pre: it is configured.
ModelDescription DescribeComponent(Component& component);

/// A part of the text with the equations, below its heading.
struct EquationSection {
  std::string title;
  bool is_part = false;  ///< of the section before
  std::string text;
};

/// A text begins with the section Equations. A line `# Title` begins another section, `## Title` a part of
/// one.
std::vector<EquationSection> SplitEquations(std::string_view equations);

/// Whether the model is a part of a system file (`SimulatorManager`) and no component of a domain.
bool IsPart(const ModelInfo& info);

/// What it means, and with which options it is used.
std::string MeaningOf(const Item& item);
std::string WithNeeds(std::string_view text, std::string_view needs);

/// Whether it is what every dynamic model has: solver and TimeStep.
bool IsCommon(const Item& item);

}  // namespace davit
