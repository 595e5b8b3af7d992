#include <array>

#include "drawing/symbols/pen.h"
#include "drawing/symbols/symbol_table.h"

namespace davit {
namespace {

/// The section of a hull in the water, with the column of a crane and its boom.
Symbol MakeFloatingBody(const SymbolSubject& subject) {
  Pen icon;
  icon.Path("M-13 -4H13V5Q13 9 9 9H-9Q-13 9 -13 5Z", "b")
      .Path("M6 -4V-13L18 -17")
      .Path("M-20 3Q-17 0 -13 3M13 3Q17 6 20 3", "t");
  return MakeBlock(subject, "", icon.text());
}

}  // namespace

std::span<const SymbolMaker> MarineSymbols() {
  static constexpr auto kAll = std::to_array<SymbolMaker>({
      {"marine.FloatingBody", MakeFloatingBody},
  });
  return kAll;
}

}  // namespace davit
