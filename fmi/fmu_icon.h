#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace davit {

/// How an FMU looks in a diagram of another tool: a block with a mark at the left for each input, at the
/// right for each output, and at the bottom for each wave port; of many a few are shown.
struct FmuIcon {
  std::string svg;  ///< with the name
  std::string png;  ///< without: 128 by 128 points
};

struct FmuIconContent {
  std::string_view name;
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::size_t ports = 0;
};

FmuIcon MakeIcon(const FmuIconContent& content);

}  // namespace davit
