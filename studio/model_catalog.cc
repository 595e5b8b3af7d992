#include "studio/model_catalog.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "drawing/symbols/symbol_table.h"
#include "framework/item.h"
#include "framework/property.h"
#include "framework/tree/component_pool.h"
#include "framework/tree/item_element.h"
#include "framework/tree/item_list.h"
#include "framework/xml/element_kind.h"
#include "results/display_unit.h"
#include "server/described_json.h"
#include "session/describe_component.h"
#include "session/describe_item.h"
#include "session/model_description.h"
#include "session/model_example.h"
#include "studio/symbol_json.h"

namespace davit {
namespace {

std::string UnitOf(std::string_view unit) { return unit == kAnyUnit ? "any" : std::string(unit); }

/// What is shown for a value of an SI unit: the factor, and the unit's name as the files write it.
void AddDisplayUnit(std::string_view unit, double si, Json& json) {
  if (unit.empty() || unit == kAnyUnit) return;
  const DisplayUnit shown = FindDisplayUnit(unit, std::isfinite(si) ? std::abs(si) : 0);
  json["display_unit"] = shown.plain;
  json["display_factor"] = shown.factor;
}

Json DescribeSetting(const Item& item) {
  Json json = ToJson(ItemFields(), item);
  json["used_with"] = ToJson(DescribeUses(item.when()));
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

/// Where lines meet the symbol.
void AddAnchors(const Symbol& symbol, Json& ports) {
  for (Json& port : ports) {
    const auto anchor = std::ranges::find(symbol.anchors, port["name"].get<std::string>(), &Anchor::name);
    if (anchor == symbol.anchors.end()) continue;
    port["x"] = anchor->x;
    port["y"] = anchor->y;
    port["side"] = ToText(anchor->side);
  }
}

Json DescribeInputs(const Declarations& all) {
  Json inputs = Json::array();
  for (const InputDeclaration& input : all.inputs) {
    inputs.push_back(ToJson(InputFields(), input));
    AddDisplayUnit(input.label.unit, input.default_value, inputs.back());
  }
  return inputs;
}

Json DescribeOutputs(const Declarations& all) {
  Json outputs = ToJson(DescribeAll(OutputFields(), all.outputs));
  for (Json& state : ToJson(DescribeAll(StateFields(), all.states))) outputs.push_back(std::move(state));
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
    starts.push_back(ToJson(StateFields(), state));
    AddDisplayUnit(state.label.unit, state.start.empty() ? 0 : state.start.front(), starts.back());
  }
  return starts;
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

Json DescribeModelOf(const ModelEntry& entry, const Registry& registry) {
  ComponentPool pool;
  Component& component = pool.Create(entry);
  Diagnostics ignored;  // a text without default, such as the points of a table, may be missing here
  component.Configure(ignored);
  return DescribeComponentOf(component, registry);
}

namespace {

Json DescribeElement(const ElementKind& kind) {
  Json attributes = Json::array();
  for (const AttributeKind& attribute : kind.attributes) {
    attributes.push_back({{"name", attribute.name},
                          {"text", attribute.text},
                          {"is_required", attribute.is_required},
                          {"is_path", attribute.form == AttributeKind::Form::kPath},
                          {"options", attribute.choices}});
  }
  return {{"name", kind.name},
          {"text", kind.text},
          {"place", ToText(kind.place)},
          {"attributes", std::move(attributes)}};
}

}  // namespace

Json DescribeComponentOf(Component& component, const Registry& registry) {
  const UnitSystem units;
  const ModelInfo& info = component.model();
  const Declarations& all = component.declarations();
  const std::vector<Item> items = ListItems(component);
  const std::string name(
      info.name.substr(info.name.find('.') == std::string_view::npos ? 0 : info.name.find('.') + 1));
  const Symbol symbol = MakeSymbol({component, name, EndsOfPalette(component)});
  Json parameters = Json::array(), properties = Json::array();
  for (const Item& item : items) {
    if (item.kind() == Item::Kind::kParameter) parameters.push_back(DescribeSetting(item));
    if (item.kind() == Item::Kind::kProperty) {
      properties.push_back(DescribeSetting(item));
      properties.back()["is_common"] = IsCommon(item);
    }
  }
  Json json = ToJson(ModelFields(), std::as_const(component));
  AddAnchors(symbol, json["ports"]);
  json["elements"] = ElementsInside(component, registry);
  json["inner"] = Json::array();
  if (const auto* described = dynamic_cast<const ElementsDescribed*>(&component)) {
    for (const ElementKind& kind : described->InnerElements()) json["inner"].push_back(DescribeElement(kind));
  }
  json["symbol"] = SymbolToJson(symbol);
  json["inputs"] = DescribeInputs(all);
  json["outputs"] = DescribeOutputs(all);
  json["parameters"] = std::move(parameters);
  json["properties"] = std::move(properties);
  json["starts"] = DescribeStarts(items, all);
  json["example"] = MakeModelExample(component, units);
  return json;
}

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
