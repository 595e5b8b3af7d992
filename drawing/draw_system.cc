#include "drawing/draw_system.h"

#include <map>
#include <string_view>

#include "drawing/diagram.h"
#include "drawing/line_router.h"
#include "drawing/place_nodes.h"
#include "drawing/styles.h"
#include "drawing/svg_writer.h"

namespace davit {
namespace {

using Colours = std::map<std::string_view, std::string_view>;

/// The variables of the block that begins at `at`, which moves behind it: `{--line:#263238;--fill:#ffffff}`.
Colours ReadColours(std::string_view css, std::size_t& at) {
  const std::size_t end = css.find('}', at);
  Colours colours;
  while ((at = css.find("--", at)) < end) {
    const std::size_t colon = css.find(':', at);
    const std::size_t stop = css.find_first_of(";}", colon);
    colours[css.substr(at, colon - at)] = css.substr(colon + 1, stop - colon - 1);
    at = stop;
  }
  at = end + 1;
  return colours;
}

/// The rules with each `var(--name)` replaced; one without a colour has its default, `var(--name,default)`.
std::string Coloured(std::string_view rules, const Colours& colours) {
  std::string text;
  for (std::size_t at = 0;;) {
    const std::size_t begin = rules.find("var(", at);
    text += rules.substr(at, begin - at);
    if (begin == std::string_view::npos) return text;
    const std::size_t end = rules.find(')', begin);
    const std::string_view use = rules.substr(begin + 4, end - begin - 4);
    const std::size_t comma = use.find(',');
    const auto colour = colours.find(use.substr(0, comma));
    text += colour != colours.end() ? colour->second : use.substr(comma + 1);
    at = end + 1;
  }
}

}  // namespace

std::string DrawSystem(System& system) {
  Diagram diagram = Diagram::Of(system);
  PlaceNodes(system, diagram);
  RouteLines(diagram);
  return WriteSvg(system, diagram);
}

std::string WithoutVariables(std::string drawing) {
  const std::string_view css = DrawingCss("symbols");
  std::size_t at = css.find('{');
  const Colours light = ReadColours(css, at);
  at = css.find("{--", at);
  Colours dark = ReadColours(css, at);
  dark.insert(light.begin(), light.end());  // what it does not have stays as it is
  const std::string_view rules = css.substr(css.find('\n', at) + 1);
  return drawing.replace(
      drawing.find(css), css.size(),
      Coloured(rules, light) + "@media (prefers-color-scheme:dark){\n" + Coloured(rules, dark) + "}\n");
}

}  // namespace davit
