// What the system is made of: once, before the run.

#include <fmt/format.h>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "framework/aspect.h"
#include "framework/message.h"
#include "framework/mode.h"
#include "framework/version.h"
#include "results/display_unit.h"
#include "server/http_api.h"
#include "session/record_plan.h"

namespace davit {
namespace {

using Json = nlohmann::json;

std::string_view ToText(Item::Kind kind) {
  switch (kind) {
    case Item::Kind::kParameter: return "parameter";
    case Item::Kind::kInput: return "input";
    case Item::Kind::kInputElement: return "input_element";
    case Item::Kind::kOutput: return "output";
    case Item::Kind::kState: return "state";
    case Item::Kind::kDerivative: return "derivative";
    case Item::Kind::kLevel: return "level";
    case Item::Kind::kLevelModified: return "level_modified";
    case Item::Kind::kAspect: return "aspect";
    case Item::Kind::kPortField: return "port_field";
    case Item::Kind::kPortEffort: return "port_effort";
    case Item::Kind::kProperty: return "property";
    case Item::Kind::kStart: return "start";
  }
  return {};
}

std::string_view ToText(Item::Causality causality) {
  switch (causality) {
    case Item::Causality::kParameter: return "parameter";
    case Item::Causality::kInput: return "input";
    case Item::Causality::kOutput: return "output";
    case Item::Causality::kLocal: return "local";
  }
  return {};
}

std::string_view ToText(ValueKind kind) {
  switch (kind) {
    case ValueKind::kNumber: return "number";
    case ValueKind::kInteger: return "integer";
    case ValueKind::kCondition: return "condition";
    case ValueKind::kOption: return "option";
    case ValueKind::kText: return "text";
  }
  return {};
}

std::string Qualify(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : path + '.' + std::string(name);
}

Json DescribeItem(const NodeTree::LiveItem& live) {
  const Item& item = live.item;
  const std::string unit = item.unit() == kAnyUnit ? std::string() : item.unit();
  const ValueKind kind = item.value_kind();
  Json json{{"node_id", live.node},
            {"kind", ToText(item.kind())},
            {"causality", ToText(item.causality())},
            {"unit", unit},
            {"text", item.text()},
            {"value_kind", ToText(kind)},
            {"writable", live.is_writable},
            {"structural", item.is_structural()},
            {"signal", item.is_signal()}};
  double largest = 0;
  if (kind == ValueKind::kNumber) {
    const double now = std::abs(item.Read());
    if (std::isfinite(now)) largest = now;
  }
  const DisplayUnit shown = FindDisplayUnit(unit, largest);
  json["display_unit"] = shown.unit;
  json["display_factor"] = shown.factor;
  json["display_offset"] = 0;
  if (!live.options.empty()) json["options"] = live.options;
  if (kind == ValueKind::kNumber || kind == ValueKind::kInteger) {
    const Range range = item.range();
    if (std::isfinite(range.low)) json["min"] = range.low;
    if (std::isfinite(range.high)) json["max"] = range.high;
    if (const auto number = item.default_number(); number && std::isfinite(*number))
      json["default"] = *number;
  } else if (!item.default_text().empty()) {
    json["default"] = item.default_text();
  }
  return json;
}

Json DescribeComponent(const NodeTree& tree, Component& component) {
  const std::string path = component.path();
  const Declarations& all = component.declarations();
  Json json{{"path", path},
            {"name", component.name()},
            {"parent", component.parent() == nullptr ? std::string() : component.parent()->path()},
            {"model", component.model().name},
            {"text", component.model().text},
            {"location", nullptr},
            {"level", nullptr},
            {"levels", component.LevelNames()},
            {"equations", std::string_view(component.model().equations)},
            {"ports", Json::array()},
            {"messages", Json::array()},
            {"alarms", Json::array()},
            {"aspects", Json::array()},
            {"modes", Json::array()},
            {"items", Json::array()}};
  const SourceLocation& place = component.location();
  if (place.file != nullptr)
    json["location"] =
        fmt::format("{}:{}", std::filesystem::path(*place.file).filename().string(), place.line);
  if (component.level()) json["level"] = component.LevelName(*component.level());
  for (const PortDeclaration& port : all.ports) {
    json["ports"].push_back({{"name", port.label.name},
                             {"domain", port.domain->name},
                             {"role", ToText(port.role)},
                             {"text", port.label.text}});
  }
  for (const Message* message : all.messages) {
    json["messages"].push_back({{"name", message->label().name},
                                {"text", message->label().text},
                                {"has_text", message->property() != nullptr}});
  }
  for (const Alarm* alarm : all.alarms) {
    json["alarms"].push_back(
        {{"name", alarm->label().name}, {"text", alarm->label().text}, {"level", ToText(alarm->level())}});
  }
  for (const AspectBase* aspect : all.aspects) json["aspects"].push_back(Qualify(path, aspect->label().name));
  for (const ModeBase* mode : all.modes) json["modes"].push_back(Qualify(path, mode->label().name));
  bool has_chart = false;
  for (const NodeTree::LiveChart& chart : tree.charts()) has_chart |= IsChartOf(*chart.chart, component);
  json["chart"] = has_chart;
  return json;
}

/// What a chart reads and sets, each signal once.
Json DescribeChartSignals(const ChartBinding& chart) {
  std::set<std::string> reads, sets;
  for (const ChartBinding::Signal& signal : chart.signals()) reads.insert(signal.item.path());
  for (const ChartBinding::Write& write : chart.writes()) sets.insert(write.target.path());
  return {{"path", chart.node().path()}, {"reads", reads}, {"sets", sets}};
}

}  // namespace

bool IsChartOf(const ChartBinding& chart, const Component& component) {
  return &chart.node() == &component || (chart.belongs_to_component() && &chart.scope() == &component);
}

std::string DescribeSystem(const LiveContext& context) {
  System& system = context.tree.system();
  const SimulatorManager& manager = SimulatorManager::Of(system);
  Json components = Json::array();
  std::map<const Component*, std::size_t> places;
  for (Component* component : system.components()) {
    places.emplace(component, components.size());
    components.push_back(DescribeComponent(context.tree, *component));
  }
  Json items = Json::object();
  for (const NodeTree::LiveItem& live : context.tree.items()) {
    items[live.item.path()] = DescribeItem(live);
    if (const auto place = places.find(&live.item.owner()); place != places.end())
      components[place->second]["items"].push_back(live.item.path());
  }
  Json connections = Json::array();
  for (const Connection& connection : system.connections()) {
    connections.push_back(
        {{"c", connection.c.path}, {"q", connection.q.path}, {"domain", connection.c.port->domain->name}});
  }
  Json routes = Json::array();
  for (const auto* list : {&system.routes(), &system.sampled_routes()}) {
    for (const Route& route : *list) routes.push_back({{"from", route.from.path()}, {"to", route.to_path}});
  }
  Json charts = Json::array();
  for (const NodeTree::LiveChart& chart : context.tree.charts())
    charts.push_back(DescribeChartSignals(*chart.chart));
  Json recorded = Json::array();
  for (const Item& item : system.record_plan().columns) recorded.push_back(item.path());
  const Json json{{"name", context.tree.Find(NodeTree::kApplicationNode)->name},
                  {"file", context.options.system_file.filename().string()},
                  {"text", std::string()},
                  {"version", kVersion},
                  {"start_time", manager.start_time()},
                  {"stop_time", manager.stop_time()},
                  {"time_step", manager.time_step()},
                  {"fs", manager.fs()},
                  {"begin_time", manager.begin_time()},
                  {"time_node_id", context.tree.FindPath("time")->id},
                  {"components", std::move(components)},
                  {"connections", std::move(connections)},
                  {"routes", std::move(routes)},
                  {"charts", std::move(charts)},
                  {"items", std::move(items)},
                  {"recorded", std::move(recorded)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace davit
