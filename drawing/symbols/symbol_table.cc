#include "drawing/symbols/symbol_table.h"

#include <algorithm>
#include <cmath>

#include "drawing/symbols/pen.h"

namespace davit {
namespace {

/// `hydraulic.HydraulicMotor` as it stands in a block: without its domain.
std::string ShortName(std::string_view model) {
  return std::string(model.substr(model.find('.') == std::string_view::npos ? 0 : model.find('.') + 1));
}

}  // namespace

Symbol MakeBlock(const SymbolSubject& subject, std::string_view word, std::string_view icon) {
  constexpr double kWidth = 48, kPitch = 2 * kGrid, kLetter = 6.2;
  constexpr double kPortLetter = 4.6;
  std::vector<const SymbolEnd*> left, right;
  for (const SymbolEnd& end : subject.ends) {
    const bool is_left = end.is_port ? 2 * end.on_left >= end.count : !end.is_output;
    (is_left ? left : right).push_back(&end);
  }
  const std::size_t most = std::max(left.size(), right.size());
  // Names of ports stand inside where a side has more than one; elements of an array need none.
  const auto is_named = [](const std::vector<const SymbolEnd*>& ends, const SymbolEnd& end) {
    return ends.size() > 1 && end.name.find('[') == std::string::npos;
  };
  const auto width_of = [&](const std::vector<const SymbolEnd*>& ends) {
    double longest = 0;
    for (const SymbolEnd* end : ends) {
      if (is_named(ends, *end))
        longest = std::max(longest, kPortLetter * static_cast<double>(end->name.size()) + 6);
    }
    return longest;
  };
  const double name_width = width_of(left) + width_of(right);
  const auto even = [](double size) { return std::ceil(size / (2 * kGrid)) * 2 * kGrid; };
  Symbol symbol;
  const double word_width = icon.empty() ? kLetter * static_cast<double>(word.size()) + 10 : 40;
  symbol.width = even(std::max(kWidth, word_width + name_width));
  symbol.height = even(std::max(40.0, kPitch * static_cast<double>(most) + kGrid));
  const double middle = (width_of(left) - width_of(right)) / 2;
  Pen pen;
  pen.Rect(-symbol.width / 2, -symbol.height / 2, symbol.width, symbol.height, "b", 4);
  if (!icon.empty() && middle != 0) {
    pen.Add("<g transform=\"translate(" + SvgNumber(middle) + " 0)\">").Add(icon).Add("</g>");
  } else {
    pen.Add(icon);
  }
  symbol.shapes = pen.text();
  if (icon.empty() && !word.empty()) symbol.texts.push_back({middle, 0, std::string(word), 10.5});
  const auto add_side = [&](const std::vector<const SymbolEnd*>& ends, double sign) {
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const double y = kPitch * (static_cast<double>(i) - std::floor(static_cast<double>(ends.size()) / 2)) +
                       (ends.size() % 2 == 0 ? kGrid : 0);
      const double x = sign * symbol.width / 2;
      symbol.AddAnchor(ends[i]->name, x, y, sign < 0 ? Side::kLeft : Side::kRight);
      if (is_named(ends, *ends[i])) {
        const double half = kPortLetter * static_cast<double>(ends[i]->name.size()) / 2 + 3;
        symbol.texts.push_back({x - sign * half, y, ends[i]->name, 7.5});
      }
    }
  };
  add_side(left, -1);
  add_side(right, 1);
  return symbol;
}

Symbol MakeSymbol(const SymbolSubject& subject) {
  const std::string_view model = subject.component.model().name;
  for (const auto family :
       {MachineSymbols(), ValveSymbols(), LineSymbols(), MechanicalSymbols(), ElectricalSymbols(),
        ThermalSymbols(), PneumaticSymbols(), MarineSymbols(), SignalSymbols()}) {
    const auto found = std::ranges::find(family, model, &SymbolMaker::model);
    if (found == family.end()) continue;
    Symbol symbol = found->make(subject);
    AddMissingAnchors(subject, symbol);
    return symbol;
  }
  return MakeBlock(subject, ShortName(model));
}

}  // namespace davit
