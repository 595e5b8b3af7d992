#include "drawing/draw_symbol.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "drawing/diagram.h"
#include "drawing/styles.h"
#include "drawing/symbols/pen.h"
#include "drawing/symbols/symbol_table.h"
#include "framework/xml/escape_xml.h"

namespace davit {
namespace {

constexpr double kStub = 2 * kGrid;     // of the line at each anchor
constexpr double kNameGap = 4;          // between a line and its name
constexpr double kNameHeight = 12;      // of the letters
constexpr std::size_t kMostInputs = 6;  // more would hide the symbol

/// All ends that a system could use, ports from left to right in the order of their declaration.
SymbolSubject SubjectOf(Component& component) {
  SymbolSubject subject{component, component.name(), {}};
  const Declarations& all = component.declarations();
  for (const PortDeclaration& port : all.ports)
    subject.ends.push_back({std::string(port.label.name), true, false, 1, subject.ends.empty() ? 1U : 0U});
  for (const InputDeclaration& input : all.inputs) {
    if (all.inputs.size() > kMostInputs && !input.is_mandatory) continue;
    subject.ends.push_back(
        {std::string(input.label.name) + (input.is_array ? "[0]" : ""), false, false, 1, 1});
  }
  for (const OutputDeclaration& output : all.outputs)
    if (all.ports.empty()) subject.ends.push_back({std::string(output.label.name), false, true, 1, 0});
  return subject;
}

/// Where the name of an anchor is: `row` away from the symbol, `shift` of its width to the right.
struct NamePlace {
  std::size_t row = 0;
  double shift = 0;
};

std::string_view NameOf(const Anchor& anchor) {
  return std::string_view(anchor.name).substr(0, anchor.name.find('['));
}

/// Names above or below a symbol are in the middle of their lines, or, if they would overlap, apart from each
/// other, in a row for each line that passes.
NamePlace PlaceName(const Anchor& anchor, const std::vector<Anchor>& anchors) {
  if (anchor.side == Side::kLeft || anchor.side == Side::kRight) return {};
  std::vector<const Anchor*> row;
  for (const Anchor& other : anchors)
    if (other.side == anchor.side) row.push_back(&other);
  std::ranges::sort(row, {}, &Anchor::x);
  bool is_tight = false;
  for (std::size_t i = 1; i < row.size(); ++i) {
    const double widths = LabelWidth(NameOf(*row[i - 1])) + LabelWidth(NameOf(*row[i]));
    is_tight = is_tight || row[i]->x - row[i - 1]->x < widths / 2 + kNameGap;
  }
  if (!is_tight) return {};
  const auto at = static_cast<std::size_t>(std::ranges::find(row, &anchor) - row.begin());
  const std::size_t from_end = row.size() - 1 - at;
  return {std::min(at, from_end), at < from_end ? -0.5 : at > from_end ? 0.5 : 0};
}

}  // namespace

std::string DrawSymbol(Component& component) {
  const Symbol symbol = MakeSymbol(SubjectOf(component));
  DiagramBox box{-symbol.width / 2, -symbol.height / 2, symbol.width / 2, symbol.height / 2};
  std::string lines;
  std::string names;
  for (const Anchor& anchor : symbol.anchors) {
    const NamePlace place = PlaceName(anchor, symbol.anchors);
    const double stub = kStub + kNameHeight * static_cast<double>(place.row);
    const double dx = anchor.side == Side::kLeft ? -1 : anchor.side == Side::kRight ? 1 : 0;
    const double dy = anchor.side == Side::kTop ? -1 : anchor.side == Side::kBottom ? 1 : 0;
    const double x = anchor.x + dx * stub, y = anchor.y + dy * stub;
    lines += Pen().Line(anchor.x, anchor.y, x, y, "t").text();
    const std::string_view name = NameOf(anchor);
    const double width = LabelWidth(name);
    const double center = x + dx * (kNameGap + width / 2) + place.shift * width;
    const double middle = y + dy * (kNameGap + kNameHeight / 2);
    names += fmt::format("<text class=\"inner\" font-size=\"11\" x=\"{}\" y=\"{}\">{}</text>",
                         SvgNumber(center), SvgNumber(middle), EscapeXml(name));
    box.Include({center - width / 2, middle - kNameHeight / 2, center + width / 2, middle + kNameHeight / 2});
  }
  for (const SymbolText& word : symbol.texts)
    names += fmt::format("<text class=\"inner\" font-size=\"{}\" x=\"{}\" y=\"{}\">{}</text>",
                         SvgNumber(word.size), SvgNumber(word.x), SvgNumber(word.y), EscapeXml(word.text));
  box = {box.left - kGrid, box.top - kGrid, box.right + kGrid, box.bottom + kGrid};
  constexpr double kScale = 1.5;  // on a page
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"davit\" viewBox=\"{} {} {} {}\" width=\"{}\" "
      "height=\"{}\">\n<title>{}</title>\n<style>\n{}</style>\n"
      "<g class=\"lines\" fill=\"none\" stroke=\"#263238\">{}</g>\n"
      "<g class=\"components\" fill=\"none\" stroke=\"#263238\">{}{}</g>\n</svg>\n",
      SvgNumber(box.left), SvgNumber(box.top), SvgNumber(box.width()), SvgNumber(box.height()),
      SvgNumber(kScale * box.width()), SvgNumber(kScale * box.height()), EscapeXml(component.model().name),
      DrawingCss("symbols"), lines, symbol.shapes, names);
}

}  // namespace davit
