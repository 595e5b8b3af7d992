#include "simulator/charts/default_chart.h"

#include <fmt/format.h>

#include <span>
#include <vector>

#include "framework/aspect.h"
#include "framework/mode.h"
#include "framework/registry.h"
#include "statecharts/default_charts.h"

namespace davit {
namespace {

/// A region that follows something with named options: it goes where the event EVENT.OPTION says.
std::string Region(std::string_view id, std::string_view event, std::string_view prefix,
                   std::span<const std::string_view> options, std::string_view initial) {
  std::string text = fmt::format("    <state id=\"{}\" initial=\"{}{}\">\n", id, prefix, initial);
  for (const std::string_view option : options) {
    text += fmt::format("      <transition event=\"{0}.{2}\" type=\"internal\" target=\"{1}{2}\"/>\n", event,
                        prefix, option);
  }
  for (const std::string_view option : options)
    text += fmt::format("      <state id=\"{}{}\"/>\n", prefix, option);
  return text + "    </state>\n";
}

std::string LevelRegion(const Component& component) {
  std::string states;
  std::string text;
  std::string_view first;
  for (const Level level : kBuiltInLevels) {
    if (!component.model().levels.Contains(level)) continue;
    const std::string_view name = ToText(level);
    if (first.empty()) first = name;
    text += fmt::format("      <transition event=\"level.{0}\" type=\"internal\" target=\"{0}\"/>\n", name);
    states += fmt::format("      <state id=\"{}\"/>\n", name);
  }
  return fmt::format(
      "    <state id=\"level\" initial=\"{}\">\n{}"
      "      <transition event=\"level\" type=\"internal\" target=\"Own\"/>\n{}"
      "      <state id=\"Own\"/>\n"
      "    </state>\n",
      first, text, states);
}

constexpr std::string_view kBudgetRegion = R"xml(    <state id="budget" initial="Full">
      <state id="Full">
        <transition event="budget.overrun" cond="In('Advanced')" target="Reduced">
          <assign location="level" expr="'Standard'"/>
        </transition>
      </state>
      <state id="Reduced">
        <transition event="level.Standard"/>
        <transition event="level" target="Full"/>
        <transition event="budget.recovered" target="Full">
          <assign location="level" expr="'Advanced'"/>
        </transition>
      </state>
    </state>
)xml";

}  // namespace

std::string DefaultChartPath(const Component& component) {
  const ModelEntry& entry = component.entry();
  return entry.chart.empty() ? fmt::format("statecharts/charts/{}.scxml", component.model().name)
                             : std::string(entry.chart_file);
}

std::string MakeChartText(const Component& component) {
  const ModelInfo& model = component.model();
  std::string text = fmt::format(
      "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" datamodel=\"davit\" name=\"{}\">\n"
      "  <parallel id=\"behaviour\">\n",
      model.name);
  text += LevelRegion(component);
  if (model.levels.Contains(Level::kStandard) && model.levels.Contains(Level::kAdvanced))
    text += kBudgetRegion;
  for (const AspectBase* aspect : component.declarations().aspects) {
    const std::string_view name = aspect->label().name;
    text += Region(name, fmt::format("aspect.{}", name), fmt::format("{}.", name), aspect->options(),
                   aspect->options().front());
  }
  for (const ModeBase* mode : component.declarations().modes) {
    const std::string_view name = mode->label().name;
    text += Region(name, fmt::format("mode.{}", name), fmt::format("{}.", name), mode->options(),
                   mode->options().front());
  }
  return text + "  </parallel>\n</scxml>\n";
}

std::string DefaultChartText(const Component& component) {
  if (!component.entry().chart.empty()) return std::string(component.entry().chart);
  const std::string_view built_in = FindBuiltInChart(component.model().name);
  return built_in.empty() ? MakeChartText(component) : std::string(built_in);
}

}  // namespace davit
