#include "framework/system.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <utility>

#include "framework/message.h"
#include "framework/nearest_name.h"
#include "framework/port.h"
#include "framework/property.h"
#include "framework/quantity.h"

namespace davit {
namespace {

constexpr double kNothing = 0;          // what an input array reads before the manager binds its routes
constexpr int kLongestExposeChain = 32;  // more is a circle
constexpr ModelInfo kRootInfo{"System", "The root of a system"};
constexpr ModelEntry kRootEntry{.info = &kRootInfo};

/// `pos[3].ddt` -> name `pos`, index 3, field `ddt`.
struct ItemName {
  std::string_view name;
  std::optional<std::uint32_t> index;
  std::string_view field;
};

std::optional<ItemName> ParseItemName(std::string_view text) {
  ItemName item;
  const std::size_t end = text.find_first_of("[.");
  item.name = text.substr(0, end);
  if (end == std::string_view::npos) return item;
  text.remove_prefix(end);
  if (text.front() == '[') {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos) return std::nullopt;
    std::uint32_t index = 0;
    const auto [stop, error] = std::from_chars(text.data() + 1, text.data() + close, index);
    if (error != std::errc() || stop != text.data() + close) return std::nullopt;
    item.index = index;
    text.remove_prefix(close + 1);
  }
  if (text.empty()) return item;
  if (text.front() != '.') return std::nullopt;
  item.field = text.substr(1);
  return item;
}

template <class List>
auto FindLabel(List& list, std::string_view name) {
  return std::find_if(list.begin(), list.end(), [&](const auto& d) { return d.label.name == name; });
}

template <class List>
void AppendNames(const List& list, std::vector<std::string>& names) {
  for (const auto& declaration : list) names.emplace_back(declaration.label.name);
}

void AppendPropertyNames(const Declarations& declarations, std::vector<std::string>& names) {
  for (const PropertyBase* property : declarations.properties) names.emplace_back(property->label().name);
}

/// `no port 'rodd' on hydraulic.Cylinder; it has a, b, rod`
std::string NoItem(std::string_view kind, std::string_view name, const Component& owner,
                   const std::vector<std::string>& names) {
  return "no " + std::string(kind) + ' ' + Quoted(name) + " on " + std::string(owner.model().name) + "; " +
         SuggestName("it has", name, names);
}

template <class Bond>
void AppendBondVariables(Bond& bond, Component& owner, const std::string& path, std::vector<Variable>& out) {
  Variable effort;
  effort.kind = Variable::Kind::kBondEffort;
  effort.owner = &owner;
  effort.path = path + '.' + std::string(Bond::kEffortName);
  effort.unit = Bond::kEffortUnit;
  effort.is_primary = false;
  effort.value = &bond.c;
  effort.impedance = &bond.Zc;
  effort.flow = &(bond.*Bond::Flow().member);
  out.push_back(effort);
  for (const auto& field : Bond::Fields()) {
    Variable variable;
    variable.kind = Variable::Kind::kBondField;
    variable.owner = &owner;
    variable.path = path + '.' + std::string(field.name);
    variable.unit = field.unit;
    variable.is_primary = false;
    variable.value = &(bond.*field.member);
    out.push_back(variable);
  }
}

void AppendPortVariables(const PortDeclaration& declaration, Component& owner, const std::string& owner_prefix,
                         std::vector<Variable>& out) {
  for (std::size_t i = 0; i < declaration.port->bond_count(); ++i) {
    std::string path = owner_prefix + std::string(declaration.label.name);
    if (declaration.is_array) path += '[' + std::to_string(i) + ']';
    void* bond = declaration.port->bond(i);
    switch (declaration.domain) {
      case Domain::kHydraulic:
        AppendBondVariables(*static_cast<HydraulicBond*>(bond), owner, path, out);
        break;
      case Domain::kTranslational:
        AppendBondVariables(*static_cast<TranslationalBond*>(bond), owner, path, out);
        break;
      case Domain::kRotational:
        AppendBondVariables(*static_cast<RotationalBond*>(bond), owner, path, out);
        break;
    }
  }
}

std::string WhatToPutBetween(Role role, Domain domain) {
  switch (domain) {
    case Domain::kHydraulic:
      return role == Role::kC ? "put a Q component such as hydraulic.Orifice between them, or make one volume of both"
                              : "put a C component such as hydraulic.Volume between them";
    case Domain::kTranslational:
      return role == Role::kC ? "put a Q component such as mechanical.Mass between them"
                              : "put a C component such as mechanical.Spring between them";
    case Domain::kRotational:
      return role == Role::kC ? "put a Q component with inertia between them"
                              : "put a C component such as a shaft between them";
  }
  return {};
}

}  // namespace

double DueTime(const Command& command) {
  return std::visit([](const auto& c) { return c.time; }, command);
}

System::System(const Registry& registry) : registry_(registry), root_(std::make_unique<Component>()) {
  root_->set_entry(kRootEntry);
}

System::~System() = default;

Component& System::Create(const ModelEntry& entry, std::string name, Component& parent, SourceLocation location) {
  Component& component = pool_.Create(entry);
  component.Place(std::move(name), &parent, std::move(location));
  const bool is_new = by_path_.emplace(component.path(), &component).second;
  assert(is_new);
  static_cast<void>(is_new);
  components_.push_back(&component);
  return component;
}

Component& System::MakeShadow(const Component& original) {
  Component& copy = pool_.Create(original.entry());
  copy.Place(original.name(), nullptr, original.location());
  for (std::size_t i = 0; i < original.declarations().inputs.size(); ++i) {
    const InputDeclaration& input = original.declarations().inputs[i];
    if (input.is_array) copy.declarations().inputs[i].sources->assign(input.sources->size(), &kNothing);
  }
  CopyValues(original, copy);
  Diagnostics diagnostics;  // the original was checked
  copy.Configure(diagnostics);
  copy.CheckConnections(diagnostics);
  copy.ParametersChanged();
  return copy;
}

void System::CopyValues(const Component& original, Component& copy) const {
  const Declarations& from = original.declarations();
  const Declarations& to = copy.declarations();
  for (std::size_t i = 0; i < from.parameters.size(); ++i) *to.parameters[i].value = *from.parameters[i].value;
  for (std::size_t i = 0; i < from.inputs.size(); ++i) {
    if (!from.inputs[i].is_array) *to.inputs[i].own_value = *from.inputs[i].own_value;
  }
  for (std::size_t i = 0; i < from.properties.size(); ++i) {
    to.properties[i]->SetFromText(from.properties[i]->ToText(), units_);
  }
}

Component* System::Find(std::string_view path) const {
  if (path.empty()) return root_.get();
  const auto it = by_path_.find(std::string(path));
  return it == by_path_.end() ? nullptr : it->second;
}

void System::Expose(std::string alias, std::string target) { exposed_.insert_or_assign(std::move(alias), std::move(target)); }

std::optional<System::Item> System::FindItem(const Component& scope, std::string_view path, std::string* fault) const {
  std::string full = scope.path();
  if (!full.empty() && !path.empty()) full += '.';
  full += path;
  for (int depth = 0; depth < kLongestExposeChain; ++depth) {
    // The longest prefix that is a component, and the first name below it.
    std::size_t end = full.size();
    Component* owner = root_.get();
    std::size_t rest = 0;
    while (end > 0) {
      const std::size_t dot = full.rfind('.', end - 1);
      if (dot == std::string::npos) break;
      if (Component* found = Find(std::string_view(full).substr(0, dot))) {
        owner = found;
        rest = dot + 1;
        break;
      }
      end = dot;
    }
    const std::size_t next = full.find('.', rest);
    const auto alias = exposed_.find(full.substr(0, next));
    if (alias == exposed_.end()) {
      const bool names_component = owner == root_.get() || (owner->model().name == "Subsystem");
      if (names_component && full.find('.', rest) != std::string::npos) {
        std::vector<std::string> names;
        for (const Component* child : owner->children()) names.push_back(child->name());
        const std::string missing = full.substr(rest, next - rest);
        *fault = "no component " + Quoted(missing) + " in " + owner->DisplayPath() + "; " +
                 SuggestName("it has", missing, names);
        return std::nullopt;
      }
      return Item{owner, full.substr(rest)};
    }
    full = alias->second + (next == std::string::npos ? std::string() : full.substr(next));
  }
  *fault = Quoted(path) + " leads through exposed names in a circle; let one of them name a component's own port";
  return std::nullopt;
}

std::optional<PortRef> System::FindPort(const Component& scope, std::string_view path, std::string* fault) const {
  const std::optional<Item> item = FindItem(scope, path, fault);
  if (!item) return std::nullopt;
  const auto& ports = item->owner->declarations().ports;
  const auto port = FindLabel(ports, item->rest);
  if (port != ports.end()) {
    const std::string above = item->owner->path();
    return PortRef{item->owner, &*port, above.empty() ? item->rest : above + '.' + item->rest};
  }
  if (item->owner == root_.get()) {
    *fault = Quoted(path) + " is not a port; write component.port";
    return std::nullopt;
  }
  std::vector<std::string> names;
  AppendNames(ports, names);
  *fault = NoItem("port", item->rest, *item->owner, names);
  return std::nullopt;
}

std::vector<Variable> System::VariablesOf(Component& owner) const {
  std::vector<Variable> all;
  const Declarations& d = owner.declarations();
  const std::string above = owner.path();
  const std::string prefix = above.empty() ? std::string() : above + '.';
  const auto make = [&](Variable::Kind kind, const Label& label, bool is_primary) {
    Variable variable;
    variable.kind = kind;
    variable.owner = &owner;
    variable.path = prefix + std::string(label.name);
    variable.unit = label.unit;
    variable.is_primary = is_primary;
    return variable;
  };
  for (const StateDeclaration& state : d.states) {
    if (!state.is_active) continue;
    for (std::uint32_t i = 0; i < state.count; ++i) {
      Variable variable = make(Variable::Kind::kState, state.label, true);
      if (state.is_array) variable.path += '[' + std::to_string(i) + ']';
      variable.slot = &state.slots[i];
      all.push_back(variable);
    }
  }
  for (const OutputDeclaration& output : d.outputs) {
    all.push_back(make(Variable::Kind::kOutput, output.label, true));
    all.back().value = output.value;
  }
  for (const InputDeclaration& input : d.inputs) {
    if (!input.is_array) {
      all.push_back(make(Variable::Kind::kInput, input.label, true));
      all.back().source = input.source;
      continue;
    }
    for (std::uint32_t i = 0; i < input.sources->size(); ++i) {
      all.push_back(make(Variable::Kind::kInputElement, input.label, true));
      all.back().path += '[' + std::to_string(i) + ']';
      all.back().sources = input.sources;
      all.back().element = i;
    }
  }
  if (owner.level()) {
    all.push_back(make(Variable::Kind::kLevel, {"level", "", ""}, true));
    all.back().value = owner.level_value();
  }
  const std::size_t primary_count = all.size();
  for (std::size_t i = 0; i < primary_count; ++i) {
    if (all[i].kind != Variable::Kind::kState) continue;
    Variable variable = all[i];
    variable.kind = Variable::Kind::kStateDdt;
    variable.path += ".ddt";
    variable.unit = {};  // the state's unit per second
    variable.is_primary = false;
    all.push_back(variable);
  }
  for (const ParameterDeclaration& parameter : d.parameters) {
    all.push_back(make(Variable::Kind::kParameter, parameter.label, false));
    all.back().value = parameter.value;
  }
  for (const PortDeclaration& port : d.ports) AppendPortVariables(port, owner, prefix, all);
  return all;
}

std::optional<Variable> System::FindVariable(const Component& scope, std::string_view path, std::string* fault) const {
  const std::optional<Item> item = FindItem(scope, path, fault);
  if (!item) return std::nullopt;
  Component& owner = *item->owner;
  const std::vector<Variable> all = VariablesOf(owner);
  const std::string above = owner.path();
  const std::string full = above.empty() ? item->rest : above + '.' + item->rest;
  const auto it = std::find_if(all.begin(), all.end(), [&](const Variable& v) { return v.path == full; });
  if (it != all.end()) return *it;
  if (&owner == root_.get()) {
    *fault = Quoted(path) + " is not a variable; write component.variable";
    return std::nullopt;
  }
  std::vector<std::string> names;
  for (const Variable& v : all) {
    if (v.is_primary || item->rest.find('.') != std::string::npos) names.push_back(v.path.substr(above.size() + 1));
  }
  *fault = NoItem("variable", item->rest, owner, names);
  return std::nullopt;
}

std::optional<Route> System::FindRouteTarget(const Component& scope, std::string_view path, std::string* fault) const {
  const std::optional<Item> item = FindItem(scope, path, fault);
  if (!item) return std::nullopt;
  const auto& inputs = item->owner->declarations().inputs;
  const auto input = FindLabel(inputs, item->rest);
  if (input != inputs.end()) {
    Route route;
    route.to_owner = item->owner;
    route.to = &*input;
    const std::string above = item->owner->path();
    route.to_path = above.empty() ? item->rest : above + '.' + item->rest;
    return route;
  }
  if (item->owner == root_.get()) {
    *fault = Quoted(path) + " is not an input; write component.input";
    return std::nullopt;
  }
  std::vector<std::string> names;
  AppendNames(inputs, names);
  *fault = NoItem("input", item->rest, *item->owner, names);
  return std::nullopt;
}

bool System::CheckNumber(const Label& label, const Range& range, std::string_view text, double* number,
                         std::string* fault) const {
  const QuantityResult result =
      label.unit == kAnyUnit ? ParseQuantity(text, units_) : ParseQuantity(text, label.unit, units_);
  if (!result.value) {
    *fault = std::string(label.name) + ": " + result.error;
    return false;
  }
  if (!range.Contains(result.value->si)) {
    *fault = std::string(label.name) + ": " + Quoted(text) + " is out of range; it must be " +
             ToText(range, label.unit);
    return false;
  }
  *number = result.value->si;
  return true;
}

std::optional<Assignment> System::FindAttribute(Component& owner, std::string_view name, std::string_view value,
                                                std::string* fault) const {
  Declarations& d = owner.mutable_declarations();
  Assignment assignment;
  assignment.owner = &owner;
  const std::string above = owner.path();
  assignment.path = above.empty() ? std::string(name) : above + '.' + std::string(name);
  assignment.text = value;
  if (const auto it = FindLabel(d.parameters, name); it != d.parameters.end()) {
    assignment.target = Assignment::Target::kParameter;
    assignment.value = it->value;
    assignment.is_structural = it->tunability == Tunability::kStructural;
    if (!CheckNumber(it->label, it->range, value, &assignment.number, fault)) return std::nullopt;
    return assignment;
  }
  if (const auto it = FindLabel(d.inputs, name); it != d.inputs.end() && !it->is_array) {
    assignment.target = Assignment::Target::kInput;
    assignment.value = it->own_value;
    if (!CheckNumber(it->label, it->range, value, &assignment.number, fault)) return std::nullopt;
    return assignment;
  }
  for (PropertyBase* property : d.properties) {
    if (property->label().name != name) continue;
    assignment.target = Assignment::Target::kProperty;
    assignment.property = property;
    assignment.is_structural = property->tunability() == Tunability::kStructural;
    if (std::string wrong = property->CheckText(value, units_); !wrong.empty()) {
      *fault = std::string(name) + ": " + wrong;
      return std::nullopt;
    }
    return assignment;
  }
  if (name == "level" && !owner.model().levels.is_empty()) {
    assignment.target = Assignment::Target::kLevel;
    std::vector<std::string> names;
    for (const Level level : {Level::kIdeal, Level::kStandard, Level::kAdvanced}) {
      if (!owner.model().levels.Contains(level)) continue;
      names.emplace_back(ToText(level));
      if (ToText(level) == value) {
        assignment.level = level;
        return assignment;
      }
    }
    *fault = std::string(owner.model().name) + " has no level " + Quoted(value) + "; " + SuggestName("it has", value, names);
    return std::nullopt;
  }
  std::vector<std::string> names;
  AppendNames(d.parameters, names);
  for (const InputDeclaration& input : d.inputs) {
    if (!input.is_array) names.emplace_back(input.label.name);
  }
  AppendPropertyNames(d, names);
  if (!owner.model().levels.is_empty()) names.emplace_back("level");
  *fault = NoItem("parameter", name, owner, names);
  return std::nullopt;
}

std::optional<Assignment> System::FindStart(Component& owner, std::string_view name, std::string_view value,
                                            std::string* fault) const {
  Declarations& d = owner.mutable_declarations();
  Assignment assignment;
  assignment.owner = &owner;
  assignment.path = owner.path() + '.' + std::string(name);
  assignment.text = value;
  const std::optional<ItemName> item = ParseItemName(name);
  if (item && (item->field.empty() || item->field == "Value")) {
    if (const auto it = FindLabel(d.states, item->name);
        it != d.states.end() && it->is_array == item->index.has_value() && item->index.value_or(0) < it->count) {
      assignment.target = Assignment::Target::kState;
      assignment.state = &*it;
      assignment.element = item->index.value_or(0);
      if (!CheckNumber(it->label, kAny, value, &assignment.number, fault)) return std::nullopt;
      return assignment;
    }
    if (const auto it = FindLabel(d.starts, item->name); it != d.starts.end() && !item->index) {
      assignment.target = Assignment::Target::kStart;
      assignment.value = it->value;
      assignment.is_given = it->is_given;
      assignment.is_structural = true;
      if (!CheckNumber(it->label, it->range, value, &assignment.number, fault)) return std::nullopt;
      return assignment;
    }
  }
  std::vector<std::string> names;
  for (const StateDeclaration& state : d.states) {
    if (state.is_active) names.emplace_back(state.label.name);
  }
  AppendNames(d.starts, names);
  *fault = NoItem("start value", name, owner, names);
  return std::nullopt;
}

std::optional<Assignment> System::FindAssignment(const Component& scope, std::string_view path, std::string_view value,
                                                 std::string* fault) const {
  const std::optional<Item> item = FindItem(scope, path, fault);
  if (!item) return std::nullopt;
  Component& owner = *item->owner;
  if (&owner == root_.get()) {
    *fault = Quoted(path) + " cannot be set; write component.parameter";
    return std::nullopt;
  }
  const Declarations& d = owner.declarations();
  const std::optional<ItemName> name = ParseItemName(item->rest);
  if (name && (FindLabel(d.states, name->name) != d.states.end() || FindLabel(d.starts, name->name) != d.starts.end())) {
    return FindStart(owner, item->rest, value, fault);
  }
  return FindAttribute(owner, item->rest, value, fault);
}

std::optional<ScheduledMessage> System::FindMessage(const Component& scope, std::string_view component,
                                                    std::string_view name, std::string* fault) const {
  const std::optional<Item> item = FindItem(scope, std::string(component) + ".x", fault);
  if (!item) return std::nullopt;
  std::vector<std::string> names;
  for (Message* message : item->owner->declarations().messages) {
    if (message->label().name == name) return ScheduledMessage{0, item->owner, message};
    names.emplace_back(message->label().name);
  }
  *fault = NoItem("message", name, *item->owner, names);
  return std::nullopt;
}

void System::Connect(PortRef a, PortRef b, const SourceLocation& location, Component& scope, Diagnostics& diagnostics) {
  const auto describe = [](const PortRef& end) {
    return end.path + " (" + std::string(ToText(end.port->domain)) + ", " + std::string(ToText(end.port->role)) + ')';
  };
  const std::string both = describe(a) + " and " + describe(b);
  if (a.port->domain != b.port->domain) {
    diagnostics.Error(location, scope.DisplayPath(),
                      "cannot connect " + both + ": different domains; a connection joins two ports of one domain");
    return;
  }
  if (a.port->role == b.port->role) {
    diagnostics.Error(location, scope.DisplayPath(),
                      "cannot connect " + both + ": a connection joins one C and one Q port; " +
                          WhatToPutBetween(a.port->role, a.port->domain));
    return;
  }
  bool is_free = true;
  for (const PortRef* end : {&a, &b}) {
    if (end->port->is_array) continue;
    const auto it = connections_of_.find(end->port->port);
    if (it == connections_of_.end()) continue;
    const Connection& other = connections_[it->second.front()];
    const std::string& partner = other.c.port->port == end->port->port ? other.q.path : other.c.path;
    diagnostics.Error(location, scope.DisplayPath(),
                      "port " + end->path + " is connected already, to " + partner +
                          "; a single port takes one connection: branch at a volume or a mass");
    is_free = false;
  }
  if (!is_free) return;
  void* bond = nullptr;
  switch (a.port->domain) {
    case Domain::kHydraulic:
      bond = &hydraulic_bonds_.emplace_back();
      break;
    case Domain::kTranslational:
      bond = &translational_bonds_.emplace_back();
      break;
    case Domain::kRotational:
      bond = &rotational_bonds_.emplace_back();
      break;
  }
  a.port->port->Attach(bond);
  b.port->port->Attach(bond);
  connections_of_[a.port->port].push_back(connections_.size());
  connections_of_[b.port->port].push_back(connections_.size());
  const bool a_is_c = a.port->role == Role::kC;
  connections_.push_back({a_is_c ? a : b, a_is_c ? b : a, location});
}

void System::AddRoute(Route route, Component& scope, Diagnostics& diagnostics) {
  const Variable::Kind kind = route.from.kind;
  const bool is_component = route.from.owner->model().name.find('.') != std::string_view::npos;
  if (!is_component || (kind != Variable::Kind::kOutput && kind != Variable::Kind::kState &&
                        kind != Variable::Kind::kStateDdt && kind != Variable::Kind::kParameter)) {
    diagnostics.Error(route.location, scope.DisplayPath(),
                      "cannot route from " + route.from.path +
                          "; a route begins at an output, a state, its .ddt or a parameter of a component");
    return;
  }
  const std::optional<Unit> from = units_.Find(route.from.unit);
  const std::optional<Unit> to = units_.Find(route.to->label.unit);
  // A derivative has no declared unit, and blocks such as a gain take any: their dimension is not checked.
  const bool is_checked = route.from.kind != Variable::Kind::kStateDdt && from && to;
  if (is_checked && from->dimension != to->dimension) {
    const auto show = [](std::string_view unit) { return unit.empty() ? std::string("1") : std::string(unit); };
    diagnostics.Error(route.location, scope.DisplayPath(),
                      "cannot route " + route.from.path + " [" + show(route.from.unit) + "] to " + route.to_path + " [" +
                          show(route.to->label.unit) +
                          "]: different dimensions; put a signal.Gain with fitting units between them");
    return;
  }
  if (route.to->is_array) {
    route.element = static_cast<std::uint32_t>(route.to->sources->size());
    route.to->sources->push_back(&kNothing);
  } else {
    const auto [earlier, is_new] = route_to_.emplace(route.to, routes_.size());
    if (!is_new) {
      diagnostics.Error(route.location, scope.DisplayPath(),
                        "input " + route.to_path + " has a route already, from " + routes_[earlier->second].from.path +
                            "; an input takes one route: add signals with signal.Sum");
      return;
    }
  }
  routes_.push_back(std::move(route));
}

void System::AddCommand(Command command) {
  const auto place = std::upper_bound(commands_.begin(), commands_.end(), command, [](const Command& a, const Command& b) {
    return DueTime(a) < DueTime(b);
  });
  commands_.insert(place, std::move(command));
}

void System::ApplyAtLoad(const Assignment& assignment) {
  switch (assignment.target) {
    case Assignment::Target::kStart:
      *assignment.is_given = true;
      [[fallthrough]];
    case Assignment::Target::kParameter:
    case Assignment::Target::kInput:
      *assignment.value = assignment.number;
      break;
    case Assignment::Target::kProperty:
      assignment.property->SetFromText(assignment.text, units_);
      break;
    case Assignment::Target::kState:
      assignment.state->start[assignment.element] = assignment.number;
      assignment.state->is_start_given = true;
      break;
    case Assignment::Target::kLevel:
      assignment.owner->SetLevel(assignment.level);
      break;
  }
}

}  // namespace davit
