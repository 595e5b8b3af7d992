// What the system is made of: once, before the run.

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "framework/aspect.h"
#include "framework/mode.h"
#include "framework/version.h"
#include "results/display_unit.h"
#include "server/described_json.h"
#include "server/http_api.h"
#include "session/describe_component.h"
#include "session/describe_item.h"
#include "session/describe_panel.h"
#include "session/record_plan.h"

namespace davit {
namespace {

using Json = nlohmann::json;

std::string Qualify(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : path + '.' + std::string(name);
}

Json DescribeItem(const NodeTree::LiveItem& live) {
  const Item& item = live.item;
  Json json = ToJson(ItemFields(), item);
  json["node_id"] = live.node;
  json["is_writable"] = live.is_writable;
  double largest = 0;
  if (item.value_kind() == ValueKind::kNumber) {
    const double now = std::abs(item.Read());
    if (std::isfinite(now)) largest = now;
  }
  const DisplayUnit shown = FindDisplayUnit(json["unit"].get<std::string>(), largest);
  json["display_unit"] = shown.unit;
  json["display_factor"] = shown.factor;
  json["display_offset"] = 0;
  return json;
}

Json DescribeComponent(const NodeTree& tree, const Component& component) {
  const std::string path = component.path();
  const Declarations& all = component.declarations();
  Json json = ToJson(ComponentFields(), component);
  for (const char* const list : {"aspects", "modes", "items"}) json[list] = Json::array();
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
  Json panels = Json::array();
  for (const Component* component : system.components()) {
    if (const auto* panel = dynamic_cast<const OperatorPanel*>(component))
      panels.push_back(ToJson(PanelFields(), *panel));
  }
  Json recorded = Json::array();
  for (const Item& item : system.record_plan().columns) recorded.push_back(item.path());
  const Json json{{"name", context.tree.Find(NodeTree::kApplicationNode)->name},
                  {"file", context.options.system_file.filename().string()},
                  {"text", std::string()},
                  {"version", kVersion},
                  {"api_version", kApiVersion},
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
                  {"panels", std::move(panels)},
                  {"recorded", std::move(recorded)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace davit
