#include "studio/model_catalog.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <vector>

#include "drawing/symbols/symbol_table.h"
#include "framework/alarm.h"
#include "framework/aspect.h"
#include "framework/item.h"
#include "framework/message.h"
#include "framework/mode.h"
#include "framework/plugin.h"
#include "framework/property.h"
#include "framework/tree/component_pool.h"
#include "framework/tree/file_described.h"
#include "framework/tree/item_element.h"
#include "framework/tree/item_list.h"
#include "framework/xml/element_kind.h"
#include "results/display_unit.h"
#include "server/item_json.h"
#include "session/describe_item.h"
#include "session/model_description.h"
#include "session/model_example.h"
#include "studio/symbol_json.h"

namespace davit {
namespace {

/// The part of a model's name before the dot; empty for parts such as SimulatorManager.
std::string_view DomainOf(std::string_view model) {
  const std::size_t dot = model.find('.');
  return dot == std::string_view::npos ? std::string_view() : model.substr(0, dot);
}

void AddRange(const Range& range, Json& json) {
  if (std::isfinite(range.low)) json["min"] = range.low;
  if (std::isfinite(range.high)) json["max"] = range.high;
}

std::string UnitOf(std::string_view unit) { return unit == kAnyUnit ? "any" : std::string(unit); }

/// What is shown for a value of an SI unit: the factor, and the unit's name as the files write it.
void AddDisplayUnit(std::string_view unit, double si, Json& json) {
  if (unit.empty() || unit == kAnyUnit) return;
  const DisplayUnit shown = FindDisplayUnit(unit, std::isfinite(si) ? std::abs(si) : 0);
  json["display_unit"] = shown.plain;
  json["display_factor"] = shown.factor;
}

Json DescribeSetting(const Item& item) {
  Json json = ItemToJson(item);
  json["used_with"] = UseToJson(item.when());
  json["unit"] = UnitOf(item.unit());
  if (const auto number = item.default_number()) AddDisplayUnit(item.unit(), *number, json);
  if (item.property() != nullptr) json["type"] = item.property()->Describe();
  return json;
}

/// Ports, and the signals that most users connect: inputs that must have a source, all of a block that has no
/// ports, and the first output of such a block.
std::vector<SymbolEnd> EndsOfPalette(const Component& component) {
  std::vector<SymbolEnd> ends;
  const Declarations& all = component.declarations();
  std::size_t port_number = 0;
  ends.reserve(all.ports.size());
  for (const PortDeclaration& port : all.ports) {
    // Where the model has no symbol of its own: the first port at the left, the second at the right.
    ends.push_back({std::string(port.label.name), true, false, 1, port_number++ % 2 == 0 ? 1U : 0U});
  }
  const bool is_block = all.ports.empty();
  for (const InputDeclaration& input : all.inputs) {
    const std::string name = std::string(input.label.name) + (input.is_array ? "[0]" : "");
    if (input.is_mandatory || is_block) ends.push_back({name, false, false, 1, 1});
  }
  if (is_block && !all.outputs.empty())
    ends.push_back({std::string(all.outputs.front().label.name), false, true, 1, 0});
  return ends;
}

Json DescribePorts(const Component& component, const Symbol& symbol) {
  Json ports = Json::array();
  for (const PortDeclaration& port : component.declarations().ports) {
    Json json{{"name", port.label.name},  {"domain", port.domain->name},       {"role", ToText(port.role)},
              {"is_many", port.is_array}, {"is_mandatory", port.is_mandatory}, {"text", port.label.text}};
    const auto anchor = std::ranges::find(symbol.anchors, port.label.name, &Anchor::name);
    if (anchor != symbol.anchors.end()) {
      json["x"] = anchor->x;
      json["y"] = anchor->y;
      json["side"] = ToText(anchor->side);
    }
    ports.push_back(std::move(json));
  }
  return ports;
}

Json DescribeInputs(const Declarations& all) {
  Json inputs = Json::array();
  for (const InputDeclaration& input : all.inputs) {
    Json json{{"name", input.label.name},           {"unit", UnitOf(input.label.unit)},
              {"text", input.label.text},           {"is_many", input.is_array},
              {"is_mandatory", input.is_mandatory}, {"used_with", UseToJson(input.when)}};
    if (!input.is_mandatory && std::isfinite(input.default_value)) json["default"] = input.default_value;
    AddRange(input.range, json);
    AddDisplayUnit(input.label.unit, input.default_value, json);
    inputs.push_back(std::move(json));
  }
  return inputs;
}

Json DescribeOutputs(const Declarations& all) {
  Json outputs = Json::array();
  for (const OutputDeclaration& output : all.outputs) {
    Json json{{"name", output.label.name},
              {"unit", UnitOf(output.label.unit)},
              {"text", output.label.text},
              {"value_kind", ToText(output.kind)}};
    if (!output.options.empty()) json["options"] = output.options;
    outputs.push_back(std::move(json));
  }
  for (const StateDeclaration& state : all.states) {
    outputs.push_back({{"name", state.label.name},
                       {"unit", UnitOf(state.label.unit)},
                       {"text", state.label.text},
                       {"value_kind", "number"},
                       {"is_state", true},
                       {"is_many", state.is_array},
                       {"used_with", UseToJson(state.when)}});
  }
  return outputs;
}

/// What `<Start>` takes: start values and states.
Json DescribeStarts(const std::vector<Item>& items, const Declarations& all) {
  Json starts = Json::array();
  for (const Item& item : items) {
    if (item.kind() == Item::Kind::kStart) starts.push_back(DescribeSetting(item));
  }
  for (const StateDeclaration& state : all.states) {
    if (state.is_array) continue;
    const double start = state.start.empty() ? 0 : state.start.front();
    Json json{{"name", state.label.name}, {"unit", UnitOf(state.label.unit)},   {"text", state.label.text},
              {"value_kind", "number"},   {"used_with", UseToJson(state.when)}, {"is_state", true}};
    if (std::isfinite(start)) json["default"] = start;
    AddDisplayUnit(state.label.unit, start, json);
    starts.push_back(std::move(json));
  }
  return starts;
}

Json DescribeAspects(const Component& component) {
  Json aspects = Json::array();
  for (const AspectBase* aspect : component.declarations().aspects) {
    Json presets = Json::object();
    for (const Level level : kBuiltInLevels) {
      if (component.model().levels.Contains(level))
        presets[std::string(ToText(level))] = aspect->options()[aspect->preset(level)];
    }
    aspects.push_back({{"name", aspect->label().name},
                       {"text", aspect->label().text},
                       {"options", aspect->options()},
                       {"default", aspect->option_name()},
                       {"presets", std::move(presets)}});
  }
  return aspects;
}

template <class Things>
Json DescribeLabels(const Things& things) {
  Json list = Json::array();
  for (const auto* thing : things)
    list.push_back({{"name", thing->label().name}, {"text", thing->label().text}});
  return list;
}

std::vector<std::string> ElementsInside(const Component& component, const Registry& registry) {
  std::vector<std::string> kinds;
  if (const auto* taker = dynamic_cast<const ItemTaker*>(&component)) kinds = taker->ItemKinds();
  for (const ModelEntry* inner : registry.entries()) {
    if (component.AcceptsChild(inner->info->name)) kinds.emplace_back(inner->info->name);
  }
  return kinds;
}

}  // namespace

Json UseToJson(const OptionCondition& when) {
  // `friction = LuGre or Stribeck, or law = A, B or C`: the words of the condition are names, so they have no
  // spaces, commas or signs of their own.
  Json uses = Json::array();
  const std::string text = when.ToText();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find(", or ", begin);
    const std::string clause = text.substr(begin, end == std::string::npos ? end : end - begin);
    const std::size_t sign = clause.find(" = ");
    Json options = Json::array();
    const std::string rest = clause.substr(sign + 3);
    for (std::size_t at = 0; at < rest.size();) {
      const std::size_t comma = rest.find(", ", at), either = rest.find(" or ", at);
      const std::size_t stop = std::min(comma, either);
      options.push_back(rest.substr(at, stop == std::string::npos ? stop : stop - at));
      at = stop == std::string::npos ? rest.size() : stop + (stop == comma ? 2 : 4);
    }
    uses.push_back({{"of", clause.substr(0, sign)}, {"options", std::move(options)}});
    begin = end == std::string::npos ? text.size() : end + 5;
  }
  return uses;
}

Json DescribeModelOf(const ModelEntry& entry, const Registry& registry) {
  ComponentPool pool;
  Component& component = pool.Create(entry);
  Diagnostics ignored;  // a text without default, such as the points of a table, may be missing here
  component.Configure(ignored);
  return DescribeComponentOf(component, registry);
}

Json DescribeComponentOf(Component& component, const Registry& registry) {
  const ModelEntry& entry = component.entry();
  const UnitSystem units;
  const ModelInfo& info = component.model();
  const Declarations& all = component.declarations();
  const std::vector<Item> items = ListItems(component);
  const std::string name(
      info.name.substr(info.name.find('.') == std::string_view::npos ? 0 : info.name.find('.') + 1));
  const Symbol symbol = MakeSymbol({component, name, EndsOfPalette(component)});
  const bool is_operator = entry.is_operator;
  const bool stands_in_systems = (!IsPart(info) && !is_operator) || entry.stands_in_systems;

  Json parameters = Json::array(), properties = Json::array();
  for (const Item& item : items) {
    if (item.kind() == Item::Kind::kParameter) parameters.push_back(DescribeSetting(item));
    if (item.kind() == Item::Kind::kProperty) {
      properties.push_back(DescribeSetting(item));
      properties.back()["is_common"] = IsCommon(item);
    }
  }
  const std::vector<std::string> levels = component.LevelNames();
  Json modes = Json::array();
  for (const ModeBase* mode : all.modes) {
    modes.push_back(
        {{"name", mode->label().name}, {"text", mode->label().text}, {"options", mode->options()}});
  }
  const bool is_described_by_file = dynamic_cast<const FileDescribed*>(&component) != nullptr;
  Json json{{"name", info.name},
            {"domain", DomainOf(info.name)},
            {"text", info.text},
            {"equations", std::string_view(info.equations)},
            {"stands_in_systems", stands_in_systems},
            {"is_operator", is_operator},
            {"is_from_plugin", IsFromPlugin(entry)},
            {"has_chart", component.has_behaviours()},
            {"takes_chart", !IsPart(info) && !is_operator},
            {"is_open", is_described_by_file || dynamic_cast<const ItemTaker*>(&component) != nullptr},
            {"elements", ElementsInside(component, registry)},
            {"symbol", SymbolToJson(symbol)},
            {"ports", DescribePorts(component, symbol)},
            {"inputs", DescribeInputs(all)},
            {"outputs", DescribeOutputs(all)},
            {"parameters", std::move(parameters)},
            {"properties", std::move(properties)},
            {"starts", DescribeStarts(items, all)},
            {"levels", levels},
            {"level", nullptr},
            {"aspects", DescribeAspects(component)},
            {"modes", std::move(modes)},
            {"messages", DescribeLabels(all.messages)},
            {"alarms", DescribeLabels(all.alarms)},
            {"example", MakeModelExample(component, units)}};
  if (component.level()) json["level"] = component.LevelName(*component.level());
  return json;
}

namespace {

Json DescribeElement(const ElementKind& kind) {
  Json attributes = Json::array();
  for (const AttributeKind& attribute : kind.attributes) {
    attributes.push_back({{"name", attribute.name},
                          {"text", attribute.text},
                          {"is_required", attribute.is_required},
                          {"options", attribute.choices}});
  }
  return {{"name", kind.name},
          {"text", kind.text},
          {"place", ToText(kind.place)},
          {"attributes", std::move(attributes)}};
}

}  // namespace

std::string DescribeModels(const Registry& registry) {
  Json models = Json::array();
  std::vector<const Domain*> domains;
  for (const ModelEntry* entry : registry.entries()) {
    models.push_back(DescribeModelOf(*entry, registry));
    ComponentPool pool;
    for (const PortDeclaration& port : pool.Create(*entry).declarations().ports) {
      const auto is_known = [&](const Domain* one) { return one->name == port.domain->name; };
      if (std::ranges::none_of(domains, is_known)) domains.push_back(port.domain);
    }
  }
  Json list = Json::array();
  for (const Domain* domain : domains) {
    list.push_back({{"name", domain->name},
                    {"color", domain->color},
                    {"effort", domain->effort.name},
                    {"flow", domain->flow().name},
                    {"c_example", domain->c_example},
                    {"q_example", domain->q_example}});
  }
  Json elements = Json::array({DescribeElement(ComponentElement())});
  for (const ElementKind& kind : ElementKinds()) elements.push_back(DescribeElement(kind));
  const Json json{{"models", std::move(models)},
                  {"elements", std::move(elements)},
                  {"domains", std::move(list)},
                  {"join", {{"same_domain", true}, {"roles", {{"C", "Q"}, {"Q", "C"}}}}}};
  return DumpJson(json);
}

}  // namespace davit
