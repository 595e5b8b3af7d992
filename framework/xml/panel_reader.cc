#include "framework/xml/panel_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "framework/event_name.h"
#include "framework/nearest_name.h"
#include "framework/tree/glob.h"
#include "framework/units/quantity.h"
#include "framework/xml/element_kind.h"
#include "framework/xml/xml_file.h"

namespace davit {
namespace {

constexpr double kShortestTimeout = 0.05;  // [s]; a few of the server's looks at its connections

/// What paths are seen from.
const Component& ScopeOf(const Element& element) { return *element.scope->parent(); }

/// The statechart that `component` is or has; null if it is neither.
const Component* ChartOf(const Component& component) {
  constexpr std::string_view kStatechart = "Statechart";
  if (component.model().name == kStatechart) return &component;
  const Component* const chart = component.FindChild("chart");
  return chart != nullptr && chart->model().name == kStatechart ? chart : nullptr;
}

}  // namespace

void PanelReader::Read(const std::vector<PanelSource>& panels) {
  for (const PanelSource& panel : panels) {
    if (reader_.is_finished()) return;
    ReadPanel(panel);
  }
}

void PanelReader::ReadPanel(const PanelSource& source) {
  const Element& element = source.panel;
  auto& panel = dynamic_cast<OperatorPanel&>(*element.scope);
  PanelContent content{.title = reader_.Find(element, "title").value_or(panel.name())};
  if (const std::optional<std::string> text = reader_.Find(element, "timeout")) {
    const QuantityResult timeout = ParseQuantity(*text, "s", system_.units());
    if (!timeout.value) {
      reader_.Error(element, "timeout: " + timeout.fault.ToText());
    } else if (timeout.value->si < kShortestTimeout) {
      reader_.Error(element, "timeout: " + Quoted(*text) + " is out of range; it must be >= 0.05 s");
    } else {
      content.timeout = timeout.value->si;
    }
  }
  if (const std::optional<std::string> event = reader_.Find(element, "lost_event")) {
    if (!IsEventName(*event)) reader_.Error(element, NoEventNameFault(*event));
    content.lost_event = *event;
  }
  std::map<std::string, int> lines;  // by name
  for (const Element& inner : source.inside) {
    if (reader_.is_finished()) return;
    PanelElement read = ReadElement(inner);
    const int line = LineOf(*inner.xml);
    const auto [first, is_new] = lines.emplace(read.name, line);
    if (!is_new && !read.name.empty()) {
      reader_.Error(inner, fmt::format("a second element {} on this panel; choose another name than that "
                                       "of line {}",
                                       Quoted(read.name), first->second));
    }
    content.elements.push_back(std::move(read));
  }
  panel.set_content(std::move(content));
}

PanelElement PanelReader::ReadElement(const Element& element) {
  const std::string_view kind = GetElementKind(element.xml->Name()).name;
  PanelElement read{.kind = kind};
  if (kind != "Button" && kind != "Field") reader_.CheckAttributes(element);
  if (std::optional<std::string> name = reader_.Require(element, "name")) {
    if (IsName(*name)) {
      read.name = std::move(*name);
    } else {
      reader_.Error(element, Quoted(*name) + " is not a name; use letters, digits and _, no digit first");
    }
  }
  read.label = reader_.Find(element, "label").value_or(read.name);
  if (kind == "Joystick") ReadLever(element, {"x", "y"}, read);
  if (kind == "Lever" || kind == "Slider") ReadLever(element, {"set"}, read);
  if (kind == "Switch") ReadSwitch(element, read);
  if (kind == "Button") ReadButton(element, read);
  if (kind == "Lamp") ReadLamp(element, read);
  if (kind == "Gauge") ReadGauge(element, read);
  if (kind == "Field") ReadField(element, read);
  if (kind == "ChartState") ReadChart(element, read);
  if (kind == "AlarmList") ReadAlarms(element, read);
  return read;
}

void PanelReader::ReadLever(const Element& element, const std::vector<const char*>& items,
                            PanelElement& read) {
  const ElementKind& kind = GetElementKind(read.kind);
  const bool may_spring = kind.Find("spring") != nullptr;
  if (may_spring) {
    read.has_spring = ChoiceOf(element, "spring", "true") == "true";
    read.gamepad = ChoiceOf(element, "gamepad");
    read.dead_band = ReadDeadBand(element);
  }
  for (const char* const attribute : items) {
    const std::optional<Item> item = FindNumber(element, attribute, true);
    const std::optional<Range> ends = item ? FindEnds(element, *item) : std::nullopt;
    if (!ends) continue;
    PanelAxis axis{*item, ends->low, ends->high, ends->Contains(0) ? 0 : ends->low};
    if (may_spring) axis.neutral = FindValue(element, "neutral", *item).value_or(axis.neutral);
    if (!ends->Contains(axis.neutral)) {
      reader_.Error(
          element,
          fmt::format("neutral: {} is not between low and high; choose a value from {} to {}",
                      item->TextOf(axis.neutral), item->TextOf(ends->low), item->TextOf(ends->high)));
    }
    read.axes.push_back(axis);
  }
}

void PanelReader::ReadSwitch(const Element& element, PanelElement& read) {
  const std::optional<Item> item = FindItem(element, "set", true);
  if (!item) return;
  if (item->value_kind() == ValueKind::kText) {
    return reader_.Error(element,
                         "set: " + item->path() + " is a text, which a switch cannot write; use Field");
  }
  const bool has_both =
      element.xml->FindAttribute("on") != nullptr && element.xml->FindAttribute("off") != nullptr;
  if (item->value_kind() == ValueKind::kOption && !has_both) {
    return reader_.Error(element, fmt::format("{} has options; give on and off one of {}", item->path(),
                                              fmt::join(item->options(), ", ")));
  }
  PanelAxis axis{*item, 0, 1, 0};
  axis.low = FindValue(element, "off", *item).value_or(axis.low);
  axis.high = FindValue(element, "on", *item).value_or(axis.high);
  if (axis.low == axis.high) reader_.Error(element, "on and off are the same value; choose two");
  read.axes.push_back(axis);
}

void PanelReader::ReadButton(const Element& element, PanelElement& read) {
  std::vector<const char*> kinds;
  for (const char* kind : {"set", "message", "event"}) {
    if (element.xml->FindAttribute(kind) != nullptr) kinds.push_back(kind);
  }
  if (kinds.size() != 1) {
    return reader_.Error(element, kinds.empty()
                                      ? "Button has no attribute 'set', 'message' or 'event'; give it one"
                                      : fmt::format("Button has '{}' and '{}'; write one Button for each",
                                                    kinds[0], kinds[1]));
  }
  const std::string_view kind = kinds.front();
  reader_.CheckAttributes(element, kind);
  read.gamepad = ChoiceOf(element, "gamepad");
  Fault fault;
  if (kind == "event") {
    const std::optional<std::string> event = reader_.Require(element, "event");
    if (!event) return;
    if (!IsEventName(*event)) return reader_.Error(element, NoEventNameFault(*event));
    read.command = "event " + *event;
  } else if (kind == "set") {
    const std::optional<Item> item = FindItem(element, "set", true);
    const std::optional<std::string> value = reader_.Require(element, "value");
    if (!item || !value || (item->value_kind() != ValueKind::kText && !FindValue(element, "value", *item)))
      return;
    read.command = fmt::format("set {} {}", item->path(), *value);
  } else {
    const std::optional<std::string> name = reader_.Require(element, "message");
    const std::optional<std::string> to = reader_.Require(element, "to");
    if (!name || !to) return;
    const std::optional<std::string> value = reader_.Find(element, "value");
    if (!system_.FindMessageCommand(ScopeOf(element), *to, *name, value, &fault))
      return ReportName(element, "to", *to, fault);
    read.command = fmt::format("message {} {}{}{}", FullPath(ScopeOf(element), *to), *name, value ? " " : "",
                               value.value_or(""));
  }
}

void PanelReader::ReadLamp(const Element& element, PanelElement& read) {
  read.color = ChoiceOf(element, "color", "green");
  read.above = 0.5;
  const std::optional<Item> item = FindNumber(element, "show", false);
  if (!item) return;
  read.above = FindValue(element, "above", *item).value_or(read.above);
  read.axes.push_back({*item});
}

void PanelReader::ReadGauge(const Element& element, PanelElement& read) {
  read.is_bad_below = ChoiceOf(element, "bad", "above") == "below";
  const std::optional<Item> item = FindNumber(element, "show", false);
  const std::optional<Range> ends = item ? FindEnds(element, *item) : std::nullopt;
  if (ends) read.axes.push_back({*item, ends->low, ends->high, ends->low});
  if (!item) return;
  for (const char* const severity : {"warning", "alarm"}) ReadLimit(element, severity, *item, read);
}

void PanelReader::ReadLimit(const Element& element, const char* severity, const Item& shown,
                            PanelElement& read) {
  const std::string attribute = std::string(severity) + "_item";
  const bool has_item = element.xml->FindAttribute(attribute.c_str()) != nullptr;
  if (!has_item) {
    if (const std::optional<double> value = FindValue(element, severity, shown))
      read.limits.push_back({.severity = severity, .value = *value});
    return;
  }
  if (element.xml->FindAttribute(severity) != nullptr) {
    return reader_.Error(element,
                         fmt::format("Gauge has '{}' and '{}'; keep one of them", severity, attribute));
  }
  const std::optional<Item> item = FindNumber(element, attribute.c_str(), false);
  if (!item) return;
  const std::string unit = item->unit();
  if (!unit.empty() && unit != kAnyUnit && unit != shown.unit()) {
    return reader_.Error(
        element, *element.xml->FindAttribute(attribute.c_str()),
        fmt::format("{}: {} is in {}, but {} is in {}; name an item with the same unit", attribute,
                    item->path(), unit, shown.path(), shown.unit().empty() ? "no unit" : shown.unit()));
  }
  read.limits.push_back({.severity = severity, .item = item});
}

void PanelReader::ReadField(const Element& element, PanelElement& read) {
  const bool has_show = element.xml->FindAttribute("show") != nullptr;
  read.is_writable = element.xml->FindAttribute("set") != nullptr;
  if (has_show == read.is_writable) {
    return reader_.Error(element, has_show ? "Field has 'show' and 'set'; keep one of them"
                                           : "Field has no attribute 'show' or 'set'; give it one");
  }
  const char* const attribute = read.is_writable ? "set" : "show";
  reader_.CheckAttributes(element, attribute);
  if (const std::optional<Item> item = FindItem(element, attribute, read.is_writable))
    read.axes.push_back({*item});
}

void PanelReader::ReadChart(const Element& element, PanelElement& read) {
  const std::optional<std::string> path = reader_.Require(element, "chart");
  if (!path) return;
  Fault fault;
  const Component* const component = system_.FindComponent(ScopeOf(element), *path, &fault);
  if (component == nullptr) return ReportName(element, "chart", *path, fault);
  if (const Component* const chart = ChartOf(*component)) {
    read.chart = chart->path();
    return;
  }
  std::vector<std::string> charts;
  for (const Component* one : system_.components()) {
    if (ChartOf(*one) == one) charts.push_back(one->path());
  }
  reader_.Error(element, "chart: " + component->path() + " has no statechart; " +
                             SuggestName("the system has", *path, charts));
}

void PanelReader::ReadAlarms(const Element& element, PanelElement& read) {
  read.alarms = reader_.Find(element, "from").value_or("*");
  std::vector<std::string> paths;
  for (const Component* component : system_.components()) {
    for (const Alarm* alarm : component->declarations().alarms)
      paths.push_back(component->path() + '.' + std::string(alarm->label().name));
  }
  const auto matches = [&](const std::string& path) { return MatchesGlob(path, read.alarms); };
  if (std::ranges::any_of(paths, matches)) return;
  reader_.Error(element, "from: no alarm matches " + Quoted(read.alarms) + "; " +
                             SuggestName("the system has", read.alarms, paths));
}

std::optional<Item> PanelReader::FindItem(const Element& element, const char* attribute, bool is_written) {
  const std::optional<std::string> path = reader_.Require(element, attribute);
  if (!path) return std::nullopt;
  Fault fault;
  const Component& scope = ScopeOf(element);
  std::optional<Item> item =
      is_written ? system_.FindSetting(scope, *path, &fault) : system_.FindVariable(scope, *path, &fault);
  if (item && is_written && !System::MayWrite(*item, &fault)) item.reset();
  if (item) return item;
  if (!fault) fault = {*path + " cannot be written during a run", "name a parameter, an input or a state"};
  ReportName(element, attribute, *path, fault);
  return std::nullopt;
}

std::optional<Item> PanelReader::FindNumber(const Element& element, const char* attribute, bool is_written) {
  std::optional<Item> item = FindItem(element, attribute, is_written);
  if (!item || !is_written || item->value_kind() == ValueKind::kNumber) return item;
  reader_.Error(element, fmt::format("{}: {} is not a number with a range; use Switch, Button or Field",
                                     attribute, item->path()));
  return std::nullopt;
}

std::optional<double> PanelReader::FindValue(const Element& element, const char* attribute,
                                             const Item& item) {
  const std::optional<std::string> text = reader_.Find(element, attribute);
  if (!text) return std::nullopt;
  Fault fault;
  const std::optional<double> number = item.Parse(*text, system_.units(), &fault);
  if (number && item.is_writable()) fault = item.Check(*number);
  if (number && !fault) return number;
  reader_.Error(element, *element.xml->FindAttribute(attribute),
                std::string(attribute) + ": " + fault.ToText());
  return std::nullopt;
}

std::optional<Range> PanelReader::FindEnds(const Element& element, const Item& item) {
  Range ends = item.range();
  bool is_complete = true;
  for (const auto& [attribute, end] : {std::pair{"low", &ends.low}, {"high", &ends.high}}) {
    const bool is_given = element.xml->FindAttribute(attribute) != nullptr;
    const std::optional<double> value = FindValue(element, attribute, item);
    if (value) *end = *value;
    is_complete = is_complete && (value || !is_given);
  }
  ends.low_open = ends.high_open = false;
  if (!is_complete) return std::nullopt;
  if (!std::isfinite(ends.low) || !std::isfinite(ends.high)) {
    reader_.Error(element, item.path() + " has no range; give both ends, such as low=\"-1\" high=\"1\"");
    return std::nullopt;
  }
  if (ends.low < ends.high) return ends;
  reader_.Error(element, fmt::format("low: {} is not below high: {}; exchange them", item.TextOf(ends.low),
                                     item.TextOf(ends.high)));
  return std::nullopt;
}

double PanelReader::ReadDeadBand(const Element& element) {
  const std::optional<std::string> text = reader_.Find(element, "dead_band");
  if (!text) return 0;
  const QuantityResult band = ParseQuantity(*text, "", system_.units());
  if (band.value && band.value->si >= 0 && band.value->si < 1) return band.value->si;
  reader_.Error(
      element, *element.xml->FindAttribute("dead_band"),
      "dead_band: " + (band.value ? Quoted(*text) + " is not a fraction from 0 to below 1; write for "
                                                    "example 5 %"
                                  : band.fault.ToText()));
  return 0;
}

std::string_view PanelReader::ChoiceOf(const Element& element, const char* attribute,
                                       std::string_view otherwise) {
  const std::optional<std::size_t> choice = reader_.FindChoice(element, attribute);
  return choice ? GetElementKind(element.xml->Name()).Find(attribute)->choices[*choice] : otherwise;
}

void PanelReader::ReportName(const Element& element, const char* attribute, std::string_view path,
                             const Fault& fault) {
  if (reader_.LeadsToRefused(ScopeOf(element), path)) return;
  reader_.Error(element, *element.xml->FindAttribute(attribute),
                std::string(attribute) + ": " + fault.ToText());
}

}  // namespace davit
