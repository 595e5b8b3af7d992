#pragma once

#include <cstdint>
#include <string>
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

/// How start and default values are written.
enum class NumberStyle : std::uint8_t {
  kSi,     ///< a bare number
  kUsual,  ///< with the unit that people use: `350 bar`
};

ModelDescription DescribeModel(const ModelEntry& entry, NumberStyle style);
/// The same of a component, which may have declared more than its model. Pre: it is configured.
ModelDescription DescribeComponent(Component& component, NumberStyle style);

/// Whether the model is a part of a system file (`SimulatorManager`) and no component of a domain.
bool IsPart(const ModelInfo& info);

/// What it means, and with which options it is used.
std::string MeaningOf(const Item& item);

/// Whether it is what every dynamic model has: solver and TimeStep.
bool IsCommon(const Item& item);

}  // namespace davit
