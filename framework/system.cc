#include "framework/system.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "framework/aspect.h"
#include "framework/message.h"
#include "framework/nearest_name.h"
#include "framework/port.h"
#include "framework/property.h"
#include "framework/tree/item_element.h"
#include "framework/tree/item_name.h"
#include "framework/tree/name_fault.h"
#include "framework/tree/variable_list.h"
#include "framework/units/quantity.h"

namespace davit {
namespace {

constexpr double kNothing = 0;           // what an input array reads before the manager binds its routes
constexpr int kLongestExposeChain = 32;  // more is a circle
constexpr std::size_t kLongestPath = 4096;
constexpr std::size_t kMostCompared = 10'000;       // names that a misspelt one is compared with
constexpr std::string_view kSetLevel = "SetLevel";  // the message that components with levels take
constexpr ModelInfo kRootInfo{"System", "The root of a system"};
constexpr ModelEntry kRootEntry{.info = &kRootInfo};

template <class List>
auto FindLabel(List& list, std::string_view name) {
  return std::find_if(list.begin(), list.end(), [&](const auto& d) { return d.label.name == name; });
}

std::string WhatToPutBetween(Role role, Domain domain) {
  switch (domain) {
    case Domain::kHydraulic:
      return role == Role::kC
                 ? "put a Q component such as hydraulic.Orifice between them, or make one volume of both"
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

std::string WhatJoins(Domain a, Domain b) {
  const auto is_between = [&](Domain one, Domain other) {
    return (a == one && b == other) || (a == other && b == one);
  };
  if (is_between(Domain::kHydraulic, Domain::kTranslational)) {
    return "put a component that has both between them, such as hydraulic.Cylinder";
  }
  if (is_between(Domain::kHydraulic, Domain::kRotational)) {
    return "put a component that has both between them, such as hydraulic.AxialPistonPump";
  }
  return "put a component that has both between them, such as a winch or a lever";
}

/// What a variable is that cannot be routed; empty if it can.
std::string_view FaultOfSource(const Variable& from) {
  if (IsSettingOfRun(*from.owner)) return "a setting of the run";
  switch (from.kind) {
    case Variable::Kind::kOutput:
    case Variable::Kind::kState:
    case Variable::Kind::kStateDdt:
    case Variable::Kind::kParameter: return {};
    case Variable::Kind::kInput:
    case Variable::Kind::kInputElement: return "an input";
    case Variable::Kind::kLevel: return "a level";
    case Variable::Kind::kBondField:
    case Variable::Kind::kBondEffort: return "a variable of a port";
  }
  return {};
}

/// Whether components stand in `component`, rather than items of a model.
bool IsContainer(const Component& component) {
  return component.parent() == nullptr || component.model().name == "Subsystem";
}

}  // namespace

double DueTime(const Command& command) {
  return std::visit([](const auto& c) { return c.time; }, command);
}

System::System(const Registry& registry) : registry_(registry), root_(std::make_unique<Component>()) {
  root_->set_entry(kRootEntry);
}

System::~System() = default;

Component& System::Create(const ModelEntry& entry, std::string name, Component& parent,
                          SourceLocation location) {
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
  Diagnostics diagnostics;  // the original was checked
  if (const auto* from = dynamic_cast<const ItemTaker*>(&original)) {
    dynamic_cast<ItemTaker&>(copy).TakeItems(from->items(), units_, diagnostics);
  }
  for (std::size_t i = 0; i < original.declarations().inputs.size(); ++i) {
    const InputDeclaration& input = original.declarations().inputs[i];
    if (input.is_array) copy.declarations().inputs[i].sources->assign(input.sources->size(), &kNothing);
  }
  CopyValues(original, copy);
  copy.Configure(diagnostics);
  copy.CheckConnections(diagnostics);
  copy.ParametersChanged();
  return copy;
}

void System::CopyValues(const Component& original, Component& copy) const {
  const Declarations& from = original.declarations();
  const Declarations& to = copy.declarations();
  for (std::size_t i = 0; i < from.parameters.size(); ++i)
    *to.parameters[i].value = *from.parameters[i].value;
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

void System::Expose(std::string alias, std::string target) {
  exposed_.insert_or_assign(std::move(alias), std::move(target));
}

std::optional<System::Item> System::FindItem(const Component& scope, std::string_view path,
                                             std::string* fault) const {
  if (path.size() > kLongestPath) {
    *fault = Quoted(path) + " is too long for a path; write component.item";
    return std::nullopt;
  }
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
      if (IsContainer(*owner) && full.find('.', rest) != std::string::npos) {
        std::vector<std::string> names;
        for (const Component* child : owner->children()) {
          if (names.size() < kMostCompared) names.push_back(child->name());
        }
        const std::string missing = full.substr(rest, next - rest);
        *fault = "no component " + Quoted(missing) + " in " + owner->DisplayPath() + "; " +
                 SuggestName("it has", missing, names);
        return std::nullopt;
      }
      return Item{owner, full.substr(rest)};
    }
    full = alias->second + (next == std::string::npos ? std::string() : full.substr(next));
  }
  *fault =
      Quoted(path) + " leads through exposed names in a circle; let one of them name a component's own port";
  return std::nullopt;
}

Component& System::OwnerOf(const Component& scope, std::string_view path) const {
  std::string fault;
  if (const std::optional<Item> item = FindItem(scope, path, &fault)) {
    const std::string above = item->owner->path();
    Component* whole = Find(above.empty() ? item->rest : above + '.' + item->rest);
    return whole == nullptr ? *item->owner : *whole;
  }
  std::string full = scope.path();
  if (path.size() <= kLongestPath) full.append(full.empty() ? "" : ".").append(path);
  for (;;) {
    if (Component* found = Find(full)) return *found;
    const std::size_t dot = full.rfind('.');
    full.resize(dot == std::string::npos ? 0 : dot);
  }
}

std::string System::NoItem(ItemKind wanted, const Item& item, std::string_view path) const {
  if (!IsContainer(*item.owner)) return NoItemFault(wanted, item.rest, *item.owner);
  const std::string above = item.owner->path();
  const std::string prefix = above.empty() ? std::string() : above + '.';
  if (Component* component = Find(prefix + item.rest); component != nullptr && !item.rest.empty()) {
    if (!IsContainer(*component)) return WholeComponentFault(wanted, path, *component);
  }
  std::vector<std::string> names;
  std::size_t compared = 0;
  for (auto it = exposed_.lower_bound(prefix); it != exposed_.end() && it->first.starts_with(prefix); ++it) {
    if (++compared > kMostCompared) break;
    if (it->first.find('.', prefix.size()) == std::string::npos)
      names.push_back(it->first.substr(prefix.size()));
  }
  const std::string kind(ToText(wanted));
  if (names.empty()) {
    return Quoted(path) + " is not " + (wanted == ItemKind::kInput ? "an " : "a ") + kind +
           "; write component." + (wanted == ItemKind::kStart ? "state" : kind);
  }
  return "no " + kind + ' ' + Quoted(item.rest) + " in " + item.owner->DisplayPath() + "; " +
         SuggestName("it exposes", item.rest, names);
}

std::optional<PortRef> System::FindPort(const Component& scope, std::string_view path,
                                        std::string* fault) const {
  const std::optional<Item> item = FindItem(scope, path, fault);
  if (!item) return std::nullopt;
  const auto& ports = item->owner->declarations().ports;
  const auto port = FindLabel(ports, item->rest);
  if (port != ports.end()) {
    const std::string above = item->owner->path();
    return PortRef{item->owner, &*port, above.empty() ? item->rest : above + '.' + item->rest};
  }
  *fault = NoItem(ItemKind::kPort, *item, path);
  return std::nullopt;
}

std::vector<Variable> System::VariablesOf(Component& owner) const { return ListVariables(owner); }

std::optional<Variable> System::FindVariable(const Component& scope, std::string_view path,
                                             std::string* fault) const {
  const std::optional<Item> item = FindItem(scope, path, fault);
  if (!item) return std::nullopt;
  const std::string above = item->owner->path();
  const std::string full = above.empty() ? item->rest : above + '.' + item->rest;
  if (const std::optional<ItemName> name = ParseItemName(item->rest)) {
    for (Variable& variable : ListVariables(*item->owner, &*name, 1)) {  // of an array only what has an index
      if (variable.path == full) return std::move(variable);
    }
  }
  *fault = NoItem(ItemKind::kVariable, *item, path);
  return std::nullopt;
}

std::optional<Route> System::FindRouteTarget(const Component& scope, std::string_view path,
                                             std::string* fault) const {
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
  *fault = NoItem(ItemKind::kInput, *item, path);
  return std::nullopt;
}

bool System::ReadNumber(const Label& label, const Range& range, std::optional<std::string_view> text,
                        Assignment& assignment, std::string* fault) const {
  assignment.range = range;
  if (!text) return true;
  const QuantityResult result =
      label.unit == kAnyUnit ? ParseQuantity(*text, units_) : ParseQuantity(*text, label.unit, units_);
  if (!result.value) {
    *fault = std::string(label.name) + ": " + result.error;
    return false;
  }
  if (!range.Contains(result.value->si)) {
    *fault = std::string(label.name) + ": " + Quoted(*text) + " is out of range; it must be " +
             ToText(range, label.unit);
    return false;
  }
  assignment.number = result.value->si;
  return true;
}

std::optional<Assignment> System::FindAttribute(Component& owner, std::string_view name,
                                                std::optional<std::string_view> value,
                                                std::string* fault) const {
  Declarations& d = owner.mutable_declarations();
  Assignment assignment;
  assignment.owner = &owner;
  const std::string above = owner.path();
  assignment.path = above.empty() ? std::string(name) : above + '.' + std::string(name);
  assignment.text = value.value_or("");
  if (const auto it = FindLabel(d.parameters, name); it != d.parameters.end()) {
    assignment.target = Assignment::Target::kParameter;
    assignment.value = it->value;
    assignment.is_structural = it->tunability == Tunability::kStructural;
    if (!ReadNumber(it->label, it->range, value, assignment, fault)) return std::nullopt;
    return assignment;
  }
  if (const auto it = FindLabel(d.inputs, name); it != d.inputs.end() && !it->is_array) {
    assignment.target = Assignment::Target::kInput;
    assignment.value = it->own_value;
    if (!ReadNumber(it->label, it->range, value, assignment, fault)) return std::nullopt;
    return assignment;
  }
  for (AspectBase* aspect : d.aspects) {
    if (aspect->label().name != name) continue;
    assignment.target = Assignment::Target::kAspect;
    assignment.aspect = aspect;
    if (!value) return assignment;
    if (std::string wrong = aspect->CheckText(*value, units_); !wrong.empty()) {
      *fault = std::string(name) + ": " + wrong;
      return std::nullopt;
    }
    assignment.option = aspect->OptionOf(*value);
    return assignment;
  }
  for (PropertyBase* property : d.properties) {
    if (property->label().name != name) continue;
    assignment.target = Assignment::Target::kProperty;
    assignment.property = property;
    assignment.is_structural = property->tunability() == Tunability::kStructural;
    if (std::string wrong = value ? property->CheckText(*value, units_) : std::string(); !wrong.empty()) {
      *fault = std::string(name) + ": " + wrong;
      return std::nullopt;
    }
    return assignment;
  }
  if (name == "level" && !owner.model().levels.is_empty()) {
    assignment.target = Assignment::Target::kLevel;
    if (!value) return assignment;
    if (const std::optional<Level> level = owner.FindLevel(*value)) {
      assignment.level = *level;
      return assignment;
    }
    *fault = std::string(owner.model().name) + " has no level " + Quoted(*value) + "; " +
             SuggestName("it has", *value, owner.LevelNames());
    return std::nullopt;
  }
  *fault = NoItemFault(ItemKind::kParameter, name, owner);
  return std::nullopt;
}

std::optional<Assignment> System::FindStart(Component& owner, std::string_view name,
                                            std::optional<std::string_view> value, std::string* fault) const {
  Declarations& d = owner.mutable_declarations();
  Assignment assignment;
  assignment.owner = &owner;
  assignment.path = owner.path() + '.' + std::string(name);
  assignment.text = value.value_or("");
  const std::optional<ItemName> item = ParseItemName(name);
  if (item && (item->field.empty() || item->field == "Value")) {
    if (const auto it = FindLabel(d.states, item->name); it != d.states.end() &&
                                                         it->is_array == item->index.has_value() &&
                                                         item->index.value_or(0) < it->count) {
      assignment.target = Assignment::Target::kState;
      assignment.state = &*it;
      assignment.element = item->index.value_or(0);
      if (!ReadNumber(it->label, kAny, value, assignment, fault)) return std::nullopt;
      return assignment;
    }
    if (const auto it = FindLabel(d.starts, item->name); it != d.starts.end() && !item->index) {
      assignment.target = Assignment::Target::kStart;
      assignment.value = it->value;
      assignment.is_given = it->is_given;
      assignment.is_structural = true;
      if (!ReadNumber(it->label, it->range, value, assignment, fault)) return std::nullopt;
      return assignment;
    }
  }
  *fault = NoItemFault(ItemKind::kStart, name, owner);
  return std::nullopt;
}

std::optional<Assignment> System::FindAssignment(const Component& scope, std::string_view path,
                                                 std::optional<std::string_view> value,
                                                 std::string* fault) const {
  const std::optional<Item> item = FindItem(scope, path, fault);
  if (!item) return std::nullopt;
  Component& owner = *item->owner;
  if (IsContainer(owner)) {
    *fault = NoItem(ItemKind::kParameter, *item, path);
    return std::nullopt;
  }
  const Declarations& d = owner.declarations();
  const std::optional<ItemName> name = ParseItemName(item->rest);
  if (name && (FindLabel(d.states, name->name) != d.states.end() ||
               FindLabel(d.starts, name->name) != d.starts.end())) {
    return FindStart(owner, item->rest, value, fault);
  }
  return FindAttribute(owner, item->rest, value, fault);
}

std::optional<Assignment> System::FindLiveAssignment(const Component& scope, std::string_view path,
                                                     std::optional<std::string_view> value,
                                                     std::string* fault) const {
  std::optional<Assignment> assignment = FindAssignment(scope, path, value, fault);
  if (!assignment) return std::nullopt;
  if (assignment->is_structural) {
    *fault = assignment->path +
             " is structural and cannot change during a run; set it in the element or with --set";
    return std::nullopt;
  }
  if (assignment->target == Assignment::Target::kInput && routed_.contains(assignment->value)) {
    *fault = assignment->path + " reads a route, so setting it has no effect; set what is routed to it";
    return std::nullopt;
  }
  return assignment;
}

Component* System::FindComponent(const Component& scope, std::string_view path, std::string* fault) const {
  constexpr std::string_view kAnyItem = ".x";
  const std::optional<Item> item = FindItem(scope, std::string(path).append(kAnyItem), fault);
  if (!item) return nullptr;
  if (item->rest == kAnyItem.substr(1)) return item->owner;
  *fault = Quoted(path) + " is not a component; write the path of one";
  return nullptr;
}

std::optional<ScheduledMessage> System::FindMessage(const Component& scope, std::string_view component,
                                                    std::string_view name, std::string* fault) const {
  Component* owner = FindComponent(scope, component, fault);
  if (owner == nullptr) return std::nullopt;
  std::vector<std::string> names;
  for (Message* message : owner->declarations().messages) {
    if (message->label().name == name) return ScheduledMessage{0, owner, message};
    names.emplace_back(message->label().name);
  }
  if (owner->level()) names.emplace_back(kSetLevel);
  *fault = "no message " + Quoted(name) + " on " + std::string(owner->model().name) + "; " +
           SuggestName("it has", name, names);
  return std::nullopt;
}

std::optional<Command> System::FindMessageCommand(const Component& scope, std::string_view component,
                                                  std::string_view name, std::optional<std::string_view> text,
                                                  std::string* fault) const {
  const Component* owner = FindComponent(scope, component, fault);
  if (owner == nullptr) return std::nullopt;
  if (name == kSetLevel && owner->level()) {
    if (!text) {
      *fault = "SetLevel needs the name of a level; " + SuggestName("it has", "", owner->LevelNames());
      return std::nullopt;
    }
    const auto write = FindLiveAssignment(scope, std::string(component) + ".level", *text, fault);
    return write ? std::optional<Command>(ScheduledAssignment{0, *write}) : std::nullopt;
  }
  const std::optional<ScheduledMessage> message = FindMessage(scope, component, name, fault);
  if (!message) return std::nullopt;
  if (text) {
    *fault = "the message " + Quoted(name) + " has no text; leave " + Quoted(*text) + " out";
    return std::nullopt;
  }
  return *message;
}

void System::Connect(PortRef a, PortRef b, const SourceLocation& location, Component& scope,
                     Diagnostics& diagnostics) {
  const auto describe = [](const PortRef& end) {
    return end.path + " (" + std::string(ToText(end.port->domain)) + ", " +
           std::string(ToText(end.port->role)) + ')';
  };
  const std::string both = describe(a) + " and " + describe(b);
  if (a.port == b.port) {
    diagnostics.Error(location, scope.DisplayPath(),
                      "cannot connect " + describe(a) + " to itself; a connection joins two ports");
    return;
  }
  if (a.port->domain != b.port->domain) {
    diagnostics.Error(
        location, scope.DisplayPath(),
        "cannot connect " + both + ": different domains; " + WhatJoins(a.port->domain, b.port->domain));
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
    case Domain::kHydraulic: bond = &hydraulic_bonds_.emplace_back(); break;
    case Domain::kTranslational: bond = &translational_bonds_.emplace_back(); break;
    case Domain::kRotational: bond = &rotational_bonds_.emplace_back(); break;
  }
  a.port->port->Attach(bond);
  b.port->port->Attach(bond);
  connections_of_[a.port->port].push_back(connections_.size());
  connections_of_[b.port->port].push_back(connections_.size());
  const bool a_is_c = a.port->role == Role::kC;
  connections_.push_back({a_is_c ? a : b, a_is_c ? b : a, location});
}

void System::AddRoute(Route route, Component& scope, Diagnostics& diagnostics) {
  if (const std::string_view what = FaultOfSource(route.from); !what.empty()) {
    diagnostics.Error(route.location, scope.DisplayPath(),
                      "cannot route from " + route.from.path + ", " + std::string(what) +
                          "; a route begins at an output, a state, its .ddt or a parameter of a component");
    return;
  }
  const std::optional<Unit> from = units_.Find(route.from.unit);
  const std::optional<Unit> to = units_.Find(route.to->label.unit);
  // A derivative has no declared unit, and blocks such as a gain take any: their dimension is not checked.
  const bool is_checked = route.from.kind != Variable::Kind::kStateDdt && from && to;
  if (is_checked && from->dimension != to->dimension) {
    const auto show = [](std::string_view unit) {
      return unit.empty() ? std::string("1") : std::string(unit);
    };
    diagnostics.Error(route.location, scope.DisplayPath(),
                      "cannot route " + route.from.path + " [" + show(route.from.unit) + "] to " +
                          route.to_path + " [" + show(route.to->label.unit) +
                          "]: different dimensions; put a signal.Gain with fitting units between them");
    return;
  }
  if (!route.to->is_array) routed_.insert(route.to->own_value);
  if (route.to->is_array) {
    route.element = static_cast<std::uint32_t>(route.to->sources->size());
    route.to->sources->push_back(&kNothing);
  } else {
    const auto [earlier, is_new] = route_to_.emplace(route.to, routes_.size());
    if (!is_new) {
      diagnostics.Error(route.location, scope.DisplayPath(),
                        "input " + route.to_path + " has a route already, from " +
                            routes_[earlier->second].from.path +
                            "; an input takes one route: add signals with signal.Sum");
      return;
    }
  }
  routes_.push_back(std::move(route));
}

void System::AddCommand(Command command) { InsertByTime(std::move(command), commands_); }

void System::AddEvent(ScheduledEvent event) {
  const auto place =
      std::upper_bound(events_.begin(), events_.end(), event,
                       [](const ScheduledEvent& a, const ScheduledEvent& b) { return a.time < b.time; });
  events_.insert(place, std::move(event));
}

void System::ApplyAtLoad(const Assignment& assignment) {
  switch (assignment.target) {
    case Assignment::Target::kStart: *assignment.is_given = true; [[fallthrough]];
    case Assignment::Target::kParameter:
    case Assignment::Target::kInput: *assignment.value = assignment.number; break;
    case Assignment::Target::kProperty:
      if (assignment.is_number) {
        assignment.property->SetFromNumber(assignment.number);
      } else {
        assignment.property->SetFromText(assignment.text, units_);
      }
      break;
    case Assignment::Target::kState:
      assignment.state->start[assignment.element] = assignment.number;
      assignment.state->is_start_given = true;
      break;
    case Assignment::Target::kLevel: assignment.owner->SetLevel(assignment.level); break;
    case Assignment::Target::kAspect:
      assignment.owner->SetAspect(*assignment.aspect, assignment.option);
      break;
  }
}

}  // namespace davit
