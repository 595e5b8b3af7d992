#include "framework/tree/name_fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "framework/nearest_name.h"
#include "framework/property.h"
#include "framework/tree/foreign_name.h"
#include "framework/tree/item_list.h"
#include "framework/tree/item_name.h"

namespace davit {
namespace {

constexpr std::size_t kMostElements = 2;  // of an array; the others are alike

/// What a name that was found is declared as.
enum class Found : std::uint8_t {
  kParameter,
  kInput,
  kInputArray,
  kOutput,
  kState,
  kStart,
  kPort,
  kProperty
};

template <class List>
auto FindLabel(const List& list, std::string_view name) {
  return std::find_if(list.begin(), list.end(), [&](const auto& d) { return d.label.name == name; });
}

std::optional<Found> FindDeclared(const Declarations& d, std::string_view name) {
  const auto has = [&](const auto& list) { return FindLabel(list, name) != list.end(); };
  if (has(d.parameters)) return Found::kParameter;
  if (const auto input = FindLabel(d.inputs, name); input != d.inputs.end()) {
    return input->is_array ? Found::kInputArray : Found::kInput;
  }
  if (has(d.states)) return Found::kState;
  if (has(d.starts)) return Found::kStart;
  if (has(d.outputs)) return Found::kOutput;
  if (has(d.ports)) return Found::kPort;
  const bool is_property = std::any_of(d.properties.begin(), d.properties.end(),
                                       [&](const PropertyBase* p) { return p->label().name == name; });
  return is_property ? std::optional(Found::kProperty) : std::nullopt;
}

std::string_view Noun(Found found) {
  switch (found) {
    case Found::kParameter: return "a parameter";
    case Found::kInput:
    case Found::kInputArray: return "an input";
    case Found::kOutput: return "an output";
    case Found::kState: return "a state";
    case Found::kStart: return "a start value";
    case Found::kPort: return "a port";
    case Found::kProperty: return "a setting that is not a number";
  }
  return {};
}

/// What to do with an item instead of what was tried; empty where nothing can be said.
std::string Remedy(Wanted wanted, Found found, std::string_view name) {
  const std::string text(name);
  const bool is_signal = found == Found::kOutput || found == Found::kState || found == Found::kInput ||
                         found == Found::kInputArray;
  switch (wanted) {
    case Wanted::kPort:
      if (is_signal) return "signals are joined with <Route>";
      return found == Found::kPort ? "" : "set it as an attribute";
    case Wanted::kInput:
      if (found == Found::kPort) return "ports are joined with <Connect>";
      if (found == Found::kOutput || found == Found::kState) return "exchange from and to";
      return "set it as an attribute, or at a time with <At>";
    case Wanted::kVariable:
      if (found == Found::kPort) return "name one of its variables, as in " + text + ".c";
      if (found == Found::kState) return "it is not in use with these settings";
      return "only numbers can be read";
    case Wanted::kParameter:
      if (found == Found::kState || found == Found::kStart) {
        return "write it inside the element, as <Start " + text + "=\"...\"/>";
      }
      if (found == Found::kPort) return "ports are joined with <Connect>";
      return found == Found::kInputArray ? "give it signals with <Route>"
                                         : "it is computed and cannot be set";
    case Wanted::kStart:
      if (found == Found::kParameter || found == Found::kProperty || found == Found::kInput) {
        return "write it as an attribute of the component";
      }
      if (found == Found::kState) {
        return "the model says where its elements begin; one of them can be set with <At>, as " + text +
               "[0]";
      }
      return found == Found::kPort ? "ports are joined with <Connect>"
                                   : "it is computed and has no start value";
  }
  return {};
}

template <class List>
void AppendNames(const List& list, std::vector<std::string>& names) {
  for (const auto& declaration : list) names.emplace_back(declaration.label.name);
}

void AppendVariableNames(std::string_view name, Component& owner, std::vector<std::string>& names) {
  const std::size_t above = owner.path().empty() ? 0 : owner.path().size() + 1;
  std::optional<ItemName> item = ParseItemName(name);
  if (item) item->index.reset();
  const bool has_field = item && !item->field.empty();
  std::vector<Item> items;
  if (has_field) items = ListItems(owner, &*item, kMostElements);
  if (items.empty()) items = ListItems(owner, nullptr, kMostElements);
  for (const Item& one : items) {
    const bool is_level = one.is_behaviour() || one.kind() == Item::Kind::kLevelModified;
    const bool is_shown = one.is_primary() || is_level;
    if (one.is_signal() && (is_shown || has_field)) names.push_back(one.path().substr(above));
  }
}

std::vector<std::string> Names(Wanted wanted, std::string_view name, Component& owner) {
  const Declarations& d = owner.declarations();
  std::vector<std::string> names;
  switch (wanted) {
    case Wanted::kPort: AppendNames(d.ports, names); break;
    case Wanted::kVariable: AppendVariableNames(name, owner, names); break;
    case Wanted::kInput: AppendNames(d.inputs, names); break;
    case Wanted::kParameter:
      AppendNames(d.parameters, names);
      for (const InputDeclaration& input : d.inputs) {
        if (!input.is_array) names.emplace_back(input.label.name);
      }
      for (const PropertyBase* property : d.properties) names.emplace_back(property->label().name);
      if (!owner.model().levels.is_empty()) names.emplace_back("level");
      break;
    case Wanted::kStart:
      for (const StateDeclaration& state : d.states) {
        if (state.is_active && !state.is_array) names.emplace_back(state.label.name);
      }
      AppendNames(d.starts, names);
      break;
  }
  return names;
}

}  // namespace

std::string_view ToText(Wanted kind) {
  switch (kind) {
    case Wanted::kPort: return "port";
    case Wanted::kVariable: return "variable";
    case Wanted::kInput: return "input";
    case Wanted::kParameter: return "parameter";
    case Wanted::kStart: return "start value";
  }
  return {};
}

Fault NoItemFault(Wanted wanted, std::string_view name, Component& owner) {
  const std::string model(owner.model().name);
  if (wanted == Wanted::kParameter && name == "level") return {model + " has no levels", "leave out 'level'"};
  if (wanted == Wanted::kParameter && (name == "levels" || name == "level_tolerance")) {
    return {model + (owner.model().levels.is_empty() ? " has no levels"
                                                     : " has no indicators, by which a chart could choose "
                                                       "its level"),
            "leave out " + Quoted(name)};
  }
  // `Integration.rtol`, where the file has no such element inside of the owner, which takes no other ones.
  if (const std::size_t dot = name.find('.'); dot != std::string_view::npos) {
    const std::string_view child = name.substr(0, dot);
    if (owner.AcceptsChild(child) && !owner.AcceptsChild("")) {
      return {fmt::format("the file has no <{}> in {}", child, model),
              fmt::format("add <{} {}=\"...\"/> inside of it", child, name.substr(dot + 1))};
    }
  }
  const std::vector<std::string> names = Names(wanted, name, owner);
  const bool is_listed = std::find(names.begin(), names.end(), name) != names.end();
  if (const auto found = is_listed ? std::nullopt : FindDeclared(owner.declarations(), name)) {
    const std::string remedy = Remedy(wanted, *found, name);
    if (!remedy.empty()) {
      return {Quoted(name) + " of " + model + " is " + std::string(Noun(*found)) + ", not " +
                  (wanted == Wanted::kInput ? "an " : "a ") + std::string(ToText(wanted)),
              remedy};
    }
  }
  const std::string suggested = SuggestName("it has", name, names);
  const bool may_be_foreign = wanted == Wanted::kParameter && !FindNearest(name, names);
  return {"no " + std::string(ToText(wanted)) + ' ' + Quoted(name) + " on " + model,
          may_be_foreign ? RemedyForForeignAttribute(name).value_or(suggested) : suggested};
}

Fault WholeComponentFault(Wanted wanted, std::string_view name, Component& owner) {
  constexpr std::size_t kMostShown = 3;
  const std::vector<std::string> names = Names(wanted, {}, owner);
  std::string remedy = names.empty() ? "it has none" : "write ";
  for (std::size_t i = 0; i < std::min(names.size(), kMostShown); ++i) {
    if (i > 0) remedy += i + 1 == std::min(names.size(), kMostShown) ? " or " : ", ";
    remedy += std::string(name) + '.' + names[i];
  }
  return {Quoted(name) + " is a component, not " + (wanted == Wanted::kInput ? "an " : "a ") +
              std::string(ToText(wanted)),
          remedy};
}

}  // namespace davit
