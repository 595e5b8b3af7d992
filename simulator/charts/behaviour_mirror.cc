#include "simulator/charts/behaviour_mirror.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "framework/aspect.h"
#include "framework/automatic_levels.h"
#include "framework/mode.h"
#include "framework/nearest_name.h"

namespace davit {
namespace {

std::vector<std::string> AspectNames(const Component& component) {
  std::vector<std::string> names;
  for (const AspectBase* aspect : component.declarations().aspects) names.emplace_back(aspect->label().name);
  return names;
}

std::vector<std::string> ModeNames(const Component& component) {
  std::vector<std::string> names;
  for (const ModeBase* mode : component.declarations().modes) names.emplace_back(mode->label().name);
  return names;
}

/// What is wrong with `rest`, a name or `NAME.OPTION`, as one of `all`; empty if nothing.
template <class Item>
std::string FaultOf(std::string_view noun, std::string_view rest, const std::vector<Item*>& all,
                    const std::vector<std::string>& names) {
  const std::size_t dot = rest.find('.');
  const std::string_view name = rest.substr(0, dot);
  const auto item =
      std::find_if(all.begin(), all.end(), [&](const Item* i) { return i->label().name == name; });
  if (item == all.end()) {
    if (names.empty()) return fmt::format("no {0} {1}; the component has none", noun, Quoted(name));
    return fmt::format("no {} {}; {}", noun, Quoted(name), SuggestName("it has", name, names));
  }
  if (dot == std::string_view::npos) return {};
  const std::string_view option = rest.substr(dot + 1);
  const auto options = (*item)->options();
  if (std::find(options.begin(), options.end(), option) != options.end()) return {};
  return fmt::format("{} {} has no option {}; {}", noun, name, Quoted(option),
                     SuggestName("it has", option, std::vector<std::string>(options.begin(), options.end())));
}

/// What is wrong with an event a chart listens to; empty if nothing.
std::string FaultOf(const Component& component, std::string_view event) {
  constexpr std::string_view kAspect = "aspect.", kMode = "mode.";
  const Declarations& d = component.declarations();
  if (event.starts_with(kAspect))
    return FaultOf("aspect", event.substr(kAspect.size()), d.aspects, AspectNames(component));
  if (event.starts_with(kMode))
    return FaultOf("mode", event.substr(kMode.size()), d.modes, ModeNames(component));
  return {};
}

SymbolId EventFor(const ChartSet& charts, const ChartBinding& chart, const std::string& event) {
  return chart.CheckEvent(event).is_empty() ? charts.symbols()->Add(event) : kNoSymbol;
}

template <class Item>
std::vector<SymbolId> EventsFor(const ChartSet& charts, const ChartBinding& chart, std::string_view kind,
                                const Item& item) {
  std::vector<SymbolId> events;
  for (const std::string_view option : item.options())
    events.push_back(EventFor(charts, chart, fmt::format("{}.{}.{}", kind, item.label().name, option)));
  return events;
}

}  // namespace

void CheckBehaviourEvents(const Chart& chart, const Component& component, std::string_view path,
                          Diagnostics& diagnostics) {
  for (const Transition& transition : chart.transitions) {
    for (Index i = transition.events.begin; i < transition.events.end; ++i) {
      const std::string fault = FaultOf(component, chart.descriptor_texts[chart.descriptor_lists[i]]);
      if (!fault.empty()) diagnostics.Error(chart.At(transition.line, transition.file), path, fault);
    }
  }
}

BehaviourMirror::BehaviourMirror(const ChartSet& charts, Diagnostics& diagnostics) {
  for (ChartBinding* chart : charts.charts()) {
    if (chart->chart() == nullptr || !chart->belongs_to_component()) continue;
    const Component& component = chart->scope();
    CheckBehaviourEvents(*chart->chart(), component, chart->node().DisplayPath(), diagnostics);
    const Declarations& d = component.declarations();
    Follower follower;
    follower.chart = chart;
    follower.component = &component;
    if (component.level()) {
      // By number; levels that the component lacks are never reported.
      for (const Level level : kBuiltInLevels)
        follower.levels.push_back(EventFor(charts, *chart, fmt::format("level.{}", ToText(level))));
      for (std::size_t i = kBuiltInLevels.size(); component.HasLevel(static_cast<Level>(i)); ++i) {
        follower.levels.push_back(
            EventFor(charts, *chart, fmt::format("level.{}", component.LevelName(static_cast<Level>(i)))));
      }
    }
    if (component.automatic_levels() != nullptr) {
      // To a chart, a level that is scheduled is given.
      for (const LevelChoice choice : {LevelChoice::kGiven, LevelChoice::kAutomatic}) {
        const std::string_view name = kLevelChoiceNames[static_cast<std::size_t>(choice)];
        follower.choices.push_back(EventFor(charts, *chart, fmt::format("levels.{}", name)));
      }
      if (component.chooses_its_level() && follower.choices.back() == kNoSymbol) {
        diagnostics.Warning(component.location(), component.DisplayPath(),
                            "levels=\"automatic\" has no effect: its chart does not take the event "
                            "levels.automatic; add the region 'choice' of the default chart");
      }
    }
    for (const AspectBase* aspect : d.aspects)
      follower.aspects.push_back(EventsFor(charts, *chart, "aspect", *aspect));
    for (const ModeBase* mode : d.modes) follower.modes.push_back(EventsFor(charts, *chart, "mode", *mode));
    follower.options.resize(d.aspects.size());
    of_component_.emplace(&component, followers_.size());
    followers_.push_back(std::move(follower));
  }
}

void BehaviourMirror::Report(Follower& follower, SymbolId event) {
  if (event != kNoSymbol) follower.chart->Deliver(Event(event));
}

void BehaviourMirror::ReportAt(Follower& follower, SymbolId event, double t) {
  if (event == kNoSymbol) return;
  Event report(event);
  report.has_value = true;
  report.value = {kNoSymbol, ValueType::kNumber, t};
  follower.chart->Deliver(std::move(report));
}

void BehaviourMirror::Start(double t) {
  Resume();
  for (Follower& follower : followers_) {
    if (!follower.levels.empty()) Report(follower, follower.levels[follower.level]);
    if (!follower.choices.empty()) Report(follower, follower.choices[follower.chooses_its_level ? 1 : 0]);
    for (std::size_t i = 0; i < follower.aspects.size(); ++i)
      Report(follower, follower.aspects[i][follower.options[i]]);
    const std::vector<ModeBase*>& modes = follower.component->declarations().modes;
    for (std::size_t i = 0; i < modes.size(); ++i)
      ReportAt(follower, follower.modes[i][modes[i]->option()], t);
  }
}

void BehaviourMirror::Resume() {
  for (Follower& follower : followers_) {
    const Component& component = *follower.component;
    follower.chooses_its_level = component.chooses_its_level();
    if (component.level()) follower.level = static_cast<std::uint32_t>(*component.level());
    for (std::size_t i = 0; i < follower.options.size(); ++i)
      follower.options[i] = component.declarations().aspects[i]->option();
  }
}

void BehaviourMirror::ReportSwitch(const Component& component) {
  const auto found = of_component_.find(&component);
  if (found == of_component_.end()) return;
  Follower& follower = followers_[found->second];
  if (component.level()) {
    const auto level = static_cast<std::uint32_t>(*component.level());
    if (std::exchange(follower.level, level) != level) Report(follower, follower.levels[level]);
  }
  for (std::size_t i = 0; i < follower.options.size(); ++i) {
    const std::uint32_t option = component.declarations().aspects[i]->option();
    if (std::exchange(follower.options[i], option) != option) Report(follower, follower.aspects[i][option]);
  }
}

void BehaviourMirror::ReportChoices() {
  for (Follower& follower : followers_) {
    const bool chooses = follower.component->chooses_its_level();
    if (std::exchange(follower.chooses_its_level, chooses) != chooses)
      Report(follower, follower.choices[chooses ? 1 : 0]);
  }
}

void BehaviourMirror::ReportMode(const ModeChange& change) {
  const auto found = of_component_.find(change.owner);
  if (found == of_component_.end()) return;
  Follower& follower = followers_[found->second];
  ReportAt(follower, follower.modes[change.mode][change.to], change.t);
}

}  // namespace davit
