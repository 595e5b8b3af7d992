#include "simulator/charts/default_chart.h"

#include <fmt/format.h>

#include <span>
#include <string_view>
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

/// A transition of the region `choice` that asks for a level.
std::string Choose(const std::string& attributes, std::string_view level) {
  return fmt::format(
      "          <transition {} target=\"Look\">\n"
      "            <assign location=\"level\" expr=\"'{}'\"/>\n"
      "          </transition>\n",
      attributes, level);
}

/// With levels=automatic: up at once where the level neglects too much, down once a lower one has neglected
/// little for a while; in between 0.1 s at least. `levels` from the lowest on.
std::string ChoiceRegion(const std::vector<std::string_view>& levels, bool has_budget) {
  std::string text = R"xml(    <state id="choice" initial="Given">
      <transition event="levels.given" type="internal" target="Given"/>
      <transition event="levels.automatic" type="internal" target="Automatic"/>
      <state id="Given"/>
      <state id="Automatic" initial="Look">
        <transition event="level" type="internal" target="Look"/>
        <state id="Look">
)xml";
  for (const std::string_view level : levels)
    text += fmt::format("          <transition cond=\"In('{0}')\" target=\"At{0}\"/>\n", level);
  text += "        </state>\n";
  for (std::size_t i = 0; i < levels.size(); ++i) {
    text += fmt::format("        <state id=\"At{}\">\n", levels[i]);
    for (std::size_t higher = i + 1; higher < levels.size(); ++higher) {
      std::string condition = fmt::format("indicator.{} gt level_tolerance", levels[i]);
      if (higher + 1 < levels.size()) {
        const std::string fits = fmt::format("indicator.{} le level_tolerance", levels[higher]);
        const bool is_reduced_to = has_budget && levels[higher] == ToText(Level::kStandard);
        condition += " and " + (is_reduced_to ? "(" + fits + " or In('Reduced'))" : fits);
      } else if (has_budget) {
        condition += " and not In('Reduced')";
      }
      text += Choose(fmt::format("davit:after=\"0.1s\" cond=\"{}\"", condition), levels[higher]);
    }
    for (std::size_t lower = 0; lower < i; ++lower) {
      const std::string attributes =
          fmt::format("davit:holds=\"0.1s\" cond=\"indicator.{} lt 0.5*level_tolerance\"", levels[lower]);
      text += Choose(attributes, levels[lower]);
    }
    text += "        </state>\n";
  }
  return text + "      </state>\n    </state>\n";
}

}  // namespace

std::string DefaultChartPath(const Component& component) {
  const ModelEntry& entry = component.entry();
  return entry.chart.empty() ? fmt::format("statecharts/charts/{}.scxml", component.model().name)
                             : std::string(entry.chart_file);
}

std::string MakeChartText(const Component& component) {
  const ModelInfo& model = component.model();
  std::string text = fmt::format(
      "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" xmlns:davit=\"urn:davit:chart:1\" version=\"1.0\" "
      "datamodel=\"davit\" name=\"{}\">\n"
      "  <parallel id=\"behaviour\">\n",
      model.name);
  text += LevelRegion(component);
  const bool has_budget = model.levels.Contains(Level::kStandard) && model.levels.Contains(Level::kAdvanced);
  if (has_budget) text += kBudgetRegion;
  if (component.automatic_levels() != nullptr) {
    std::vector<std::string_view> levels;
    for (const Level level : kBuiltInLevels) {
      if (model.levels.Contains(level)) levels.push_back(ToText(level));
    }
    text += ChoiceRegion(levels, has_budget);
  }
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
