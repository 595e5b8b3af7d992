#include "framework/system.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "framework/aspect.h"
#include "framework/event_name.h"
#include "framework/event_receiver.h"
#include "framework/message.h"
#include "framework/nearest_name.h"
#include "framework/port.h"
#include "framework/property.h"
#include "framework/tree/file_described.h"
#include "framework/tree/item_element.h"
#include "framework/tree/item_list.h"
#include "framework/tree/item_name.h"
#include "framework/tree/name_fault.h"
#include "framework/tree/note_board.h"
#include "framework/tree/operator_holder.h"

namespace davit {
namespace {

constexpr double kNothing = 0;           // what an input array reads before the manager binds its routes
constexpr int kLongestExposeChain = 32;  // more is a circle
constexpr std::size_t kLongestPath = 4096;
constexpr std::size_t kMostCompared = 10'000;  // names that a misspelt one is compared with
constexpr std::size_t kIntoOperators = 0;      // the outputs of <Operators>: what goes in, what comes out
constexpr std::size_t kOutOfOperators = 1;
constexpr std::string_view kSetLevel = "SetLevel";  // the message that components with levels take
constexpr ModelInfo kRootInfo{"System", "The root of a system"};
constexpr ModelEntry kRootEntry{.info = &kRootInfo, .holds_components = true};

template <class List>
auto FindLabel(List& list, std::string_view name) {
  return std::find_if(list.begin(), list.end(), [&](const auto& d) { return d.label.name == name; });
}

/// Those that a signal passes through on its way to others; null where it has none.
Component* OperatorsOf(const Item& from) {
  if (const OutputDeclaration* output = from.output(); output != nullptr) return output->operators;
  if (from.kind() != Item::Kind::kState) return nullptr;
  for (Component* child : from.owner().children()) {
    if (child->entry().holds_operators && dynamic_cast<OperatorHolder&>(*child).IsOfState(from.name()))
      return child;
  }
  return nullptr;
}

std::string WhatToPutBetween(Role role, const Domain& domain) {
  const std::string_view example = role == Role::kC ? domain.q_example : domain.c_example;
  std::string text = role == Role::kC ? "put a Q component " : "put a C component ";
  if (!example.empty()) text.append("such as ").append(example).append(1, ' ');
  return text + "between them";
}

/// The model of `registry` that has ports of both domains: one that answers a C port of `c` with a Q port and
/// feeds a Q port of `q`, if there is one, and of these that with the fewest ports; empty if there is none.
std::string_view FindModelWith(const Domain& c, const Domain& q, const Registry& registry) {
  std::string_view best;
  std::pair<bool, std::size_t> least{true, std::numeric_limits<std::size_t>::max()};
  for (const ModelEntry* entry : registry.entries()) {
    ComponentPool pool;
    const std::vector<PortDeclaration>& ports = pool.Create(*entry).declarations().ports;
    const auto has = [&](const Domain& domain, std::optional<Role> role) {
      return std::ranges::any_of(ports, [&](const auto& port) {
        return *port.domain == domain && port.role == role.value_or(port.role);
      });
    };
    const std::pair rank{!has(c, Role::kQ) || !has(q, Role::kC), ports.size()};
    if (rank >= least || !has(c, {}) || !has(q, {})) continue;
    best = entry->info->name;
    least = rank;
  }
  return best;
}

std::string WhatJoins(std::string_view example) {
  std::string text = "put a component that has both between them";
  if (!example.empty()) text.append(", such as ").append(example);
  return text;
}

/// What an item is that cannot be routed; empty if it can.
std::string_view FaultOfSource(const Item& from) {
  if (IsSettingOfRun(from.owner())) return "a setting of the run";
  switch (from.kind()) {
    case Item::Kind::kOutput:
    case Item::Kind::kState:
    case Item::Kind::kDerivative:
    case Item::Kind::kParameter: return {};
    case Item::Kind::kInput:
    case Item::Kind::kInputElement: return "an input";
    case Item::Kind::kLevel:
    case Item::Kind::kLevelModified:
    case Item::Kind::kAspect: return "a level";
    case Item::Kind::kPortField:
    case Item::Kind::kPortEffort: return "a variable of a port";
    case Item::Kind::kProperty:
    case Item::Kind::kStart: return "no signal";
  }
  return {};
}

/// The unit of what a route may bring.
std::string UnitOfTarget(const Route& route) {
  if (route.parameter) return route.parameter->unit();
  const Component* operators = route.to->operators;
  return std::string(operators == nullptr ? route.to->label.unit
                                          : operators->declarations().outputs[kIntoOperators].label.unit);
}

/// Whether a route ends there already, where only one may.
bool IsTaken(const Route& route) {
  return route.parameter ? route.parameter->parameter()->is_routed
                         : !route.to->is_array && route.to->is_routed;
}

/// Of an item of `owner`, from below the root.
std::string PathBelow(const Component& owner, std::string_view name) {
  const std::string above = owner.path();
  return above.empty() ? std::string(name) : above + '.' + std::string(name);
}

/// Samples a route from or to a component whose signals change at step points only. False where the route is
/// to be continuous.
bool SampleWhereNeeded(Route& route) {
  const auto is_sampled = [](const Component* owner) {
    const auto* const described = dynamic_cast<const FileDescribed*>(owner);
    return described != nullptr && described->has_sampled_signals();
  };
  if (!is_sampled(&route.from.owner()) && !is_sampled(route.to_owner)) return true;
  if (route.hold == Hold::kNone) return false;
  route.hold = Hold::kStep;
  return true;
}

/// The root of a tree.
class FileRoot final : public Component, public NoteBoard {};

}  // namespace

System::System(const Registry& registry) : registry_(registry), root_(std::make_unique<FileRoot>()) {
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
    dynamic_cast<ItemTaker&>(copy).TakeItems(from->items(), units_, registry_, diagnostics);
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

const DrawingPlace* System::FindDrawingPlace(const Component& component) const {
  const auto found = drawing_places_.find(&component);
  return found == drawing_places_.end() ? nullptr : &found->second;
}

void System::Expose(std::string alias, std::string target) {
  exposed_.insert_or_assign(std::move(alias), std::move(target));
}

std::optional<System::Place> System::FindPlace(const Component& scope, std::string_view path,
                                               Fault* fault) const {
  if (path.size() > kLongestPath) {
    *fault = {Quoted(path) + " is too long for a path", "write component.item"};
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
        *fault = {"no component " + Quoted(missing) + " in " + owner->DisplayPath(),
                  SuggestName("it has", missing, names)};
        return std::nullopt;
      }
      return Place{owner, full.substr(rest)};
    }
    full = alias->second + (next == std::string::npos ? std::string() : full.substr(next));
  }
  *fault = {"circular <Expose>: " + Quoted(path) + " leads back to itself",
            "let one of the names refer to a component's own port"};
  return std::nullopt;
}

Component& System::OwnerOf(const Component& scope, std::string_view path) const {
  Fault fault;
  if (const std::optional<Place> place = FindPlace(scope, path, &fault)) {
    Component* whole = Find(PathBelow(*place->owner, place->rest));
    return whole == nullptr ? *place->owner : *whole;
  }
  std::string full = scope.path();
  if (path.size() <= kLongestPath) full.append(full.empty() ? "" : ".").append(path);
  for (;;) {
    if (Component* found = Find(full)) return *found;
    const std::size_t dot = full.rfind('.');
    full.resize(dot == std::string::npos ? 0 : dot);
  }
}

Fault System::NoItem(Wanted wanted, const Place& place, std::string_view path) const {
  if (!IsContainer(*place.owner)) return NoItemFault(wanted, place.rest, *place.owner);
  const std::string above = place.owner->path();
  const std::string prefix = above.empty() ? std::string() : above + '.';
  if (Component* component = Find(prefix + place.rest); component != nullptr && !place.rest.empty()) {
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
    return {Quoted(path) + " is not " + (wanted == Wanted::kInput ? "an " : "a ") + kind,
            "write component." + (wanted == Wanted::kStart ? "state" : kind)};
  }
  return {"no " + kind + ' ' + Quoted(place.rest) + " in " + place.owner->DisplayPath(),
          SuggestName("it exposes", place.rest, names)};
}

std::optional<PortRef> System::FindPort(const Component& scope, std::string_view path, Fault* fault) const {
  const std::optional<Place> place = FindPlace(scope, path, fault);
  if (!place) return std::nullopt;
  const auto& ports = place->owner->declarations().ports;
  const auto port = FindLabel(ports, place->rest);
  if (port != ports.end()) return PortRef{place->owner, &*port, PathBelow(*place->owner, place->rest)};
  *fault = NoItem(Wanted::kPort, *place, path);
  return std::nullopt;
}

std::vector<Item> System::ItemsOf(Component& owner) const { return ListItems(owner); }

std::optional<Item> System::FindVariable(const Component& scope, std::string_view path, Fault* fault) const {
  const std::optional<Place> place = FindPlace(scope, path, fault);
  if (!place) return std::nullopt;
  if (const std::optional<ItemName> name = ParseItemName(place->rest)) {
    const std::string full = PathBelow(*place->owner, place->rest);
    for (Item& item : ListItems(*place->owner, &*name, 1)) {  // of an array only what has an index
      if (item.is_signal() && item.path() == full) return std::move(item);
    }
  }
  *fault = NoItem(Wanted::kVariable, *place, path);
  return std::nullopt;
}

std::optional<Route> System::FindRouteTarget(const Component& scope, std::string_view path,
                                             Fault* fault) const {
  const std::optional<Place> place = FindPlace(scope, path, fault);
  if (!place) return std::nullopt;
  const auto& inputs = place->owner->declarations().inputs;
  const auto input = FindLabel(inputs, place->rest);
  if (input != inputs.end()) {
    Route route;
    route.to_owner = place->owner;
    route.to = &*input;
    route.to_path = PathBelow(*place->owner, place->rest);
    return route;
  }
  const auto& parameters = place->owner->declarations().parameters;
  const auto parameter = FindLabel(parameters, place->rest);
  if (parameter != parameters.end() && !IsSettingOfRun(*place->owner)) {
    Route route;
    route.to_owner = place->owner;
    route.parameter =
        Item::OfParameter(*place->owner, static_cast<std::size_t>(parameter - parameters.begin()));
    route.to_path = route.parameter->path();
    if (!route.parameter->is_structural()) return route;
    *fault = {Quoted(place->rest) + " of " + std::string(place->owner->model().name) +
                  " is structural and cannot change during a run",
              "set it as an attribute"};
    return std::nullopt;
  }
  *fault = NoItem(Wanted::kInput, *place, path);
  return std::nullopt;
}

std::optional<Assignment> System::WithValue(const Item& item, std::string_view value, Fault* fault) const {
  const std::optional<double> number = item.Parse(value, units_, fault);
  if (!number) return std::nullopt;
  return Assignment{item, *number, std::string(value)};
}

std::optional<Item> System::FindAttributeItem(Component& owner, std::string_view name, Fault* fault) const {
  const ItemName only{name, std::nullopt, {}};
  for (Item& item : ListItems(owner, &only, 0)) {
    switch (item.kind()) {
      case Item::Kind::kParameter:
      case Item::Kind::kInput:
      case Item::Kind::kAspect:
      case Item::Kind::kProperty:
      case Item::Kind::kLevel:
        if (item.name() == name) return std::move(item);
        break;
      default: break;
    }
  }
  const std::vector<ParameterDeclaration>& parameters = owner.declarations().parameters;
  const auto renamed = std::ranges::find(parameters, name, &ParameterDeclaration::formerly);
  if (!name.empty() && renamed != parameters.end())
    return Item::OfParameter(owner, static_cast<std::size_t>(renamed - parameters.begin()));
  *fault = NoItemFault(Wanted::kParameter, name, owner);
  return std::nullopt;
}

std::optional<Item> System::FindStartItem(Component& owner, std::string_view name, Fault* fault) const {
  const Declarations& d = owner.declarations();
  const auto whole = FindLabel(d.states, name);  // with dots in its name
  if (whole != d.states.end() && !whole->is_array)
    return Item::OfState(owner, static_cast<std::size_t>(whole - d.states.begin()), 0);
  const std::optional<ItemName> item = ParseItemName(name);
  if (item && (item->field.empty() || item->field == "Value")) {
    const auto state = FindLabel(d.states, item->name);
    if (state != d.states.end() && state->is_array == item->index.has_value() &&
        item->index.value_or(0) < state->count) {
      return Item::OfState(owner, static_cast<std::size_t>(state - d.states.begin()),
                           item->index.value_or(0));
    }
    const auto start = FindLabel(d.starts, item->name);
    if (start != d.starts.end() && !item->index) {
      return Item::OfStart(owner, static_cast<std::size_t>(start - d.starts.begin()));
    }
  }
  *fault = NoItemFault(Wanted::kStart, name, owner);
  return std::nullopt;
}

std::optional<Assignment> System::FindAttribute(Component& owner, std::string_view name,
                                                std::string_view value, Fault* fault) const {
  const std::optional<Item> item = FindAttributeItem(owner, name, fault);
  return item ? WithValue(*item, value, fault) : std::nullopt;
}

std::optional<Assignment> System::FindStart(Component& owner, std::string_view name, std::string_view value,
                                            Fault* fault) const {
  const std::optional<Item> item = FindStartItem(owner, name, fault);
  return item ? WithValue(*item, value, fault) : std::nullopt;
}

std::optional<Item> System::FindSetting(const Component& scope, std::string_view path, Fault* fault) const {
  const std::optional<Place> place = FindPlace(scope, path, fault);
  if (!place) return std::nullopt;
  Component& owner = *place->owner;
  if (IsContainer(owner)) {
    *fault = NoItem(Wanted::kParameter, *place, path);
    return std::nullopt;
  }
  const Declarations& d = owner.declarations();
  const std::optional<ItemName> name = ParseItemName(place->rest);
  const bool is_start = FindLabel(d.states, place->rest) != d.states.end() ||
                        (name && (FindLabel(d.states, name->name) != d.states.end() ||
                                  FindLabel(d.starts, name->name) != d.starts.end()));
  return is_start ? FindStartItem(owner, place->rest, fault) : FindAttributeItem(owner, place->rest, fault);
}

std::optional<Assignment> System::FindAssignment(const Component& scope, std::string_view path,
                                                 std::string_view value, Fault* fault) const {
  const std::optional<Item> item = FindSetting(scope, path, fault);
  return item ? WithValue(*item, value, fault) : std::nullopt;
}

bool System::MayWrite(const Item& item, Fault* fault) {
  if (item.is_structural()) {
    *fault = {item.path() + " is structural and cannot change during a run",
              "set it in the element or with --set"};
  } else if (!item.is_writable() && (item.input() != nullptr || item.parameter() != nullptr)) {
    *fault = {item.path() + " is driven by a <Route>, so setting it has no effect",
              "set the source of the route"};
  }
  return item.is_writable();
}

std::optional<Assignment> System::FindLiveAssignment(const Component& scope, std::string_view path,
                                                     std::string_view value, Fault* fault) const {
  std::optional<Assignment> assignment = FindAssignment(scope, path, value, fault);
  if (assignment && !MayWrite(assignment->item, fault)) return std::nullopt;
  return assignment;
}

Component* System::FindComponent(const Component& scope, std::string_view path, Fault* fault) const {
  constexpr std::string_view kAnyItem = ".x";
  const std::optional<Place> place = FindPlace(scope, std::string(path).append(kAnyItem), fault);
  if (!place) return nullptr;
  if (place->rest == kAnyItem.substr(1)) return place->owner;
  *fault = {Quoted(path) + " is not a component", "write the path of one"};
  return nullptr;
}

std::optional<MessageCall> System::FindMessage(const Component& scope, std::string_view component,
                                               std::string_view name, Fault* fault) const {
  Component* owner = FindComponent(scope, component, fault);
  if (owner == nullptr) return std::nullopt;
  std::vector<std::string> names;
  for (Message* message : owner->declarations().messages) {
    if (message->label().name == name && message->property() == nullptr) return MessageCall{owner, message};
    if (message->label().name == name) {
      *fault = {"the message " + Quoted(name) + " needs a text",
                "it takes " + message->property()->Describe()};
      return std::nullopt;
    }
    names.emplace_back(message->label().name);
  }
  if (owner->level()) names.emplace_back(kSetLevel);
  *fault = {"no message " + Quoted(name) + " on " + std::string(owner->model().name),
            SuggestName("it has", name, names)};
  return std::nullopt;
}

std::optional<Command> System::FindMessageCommand(const Component& scope, std::string_view component,
                                                  std::string_view name, std::optional<std::string_view> text,
                                                  Fault* fault) const {
  const Component* owner = FindComponent(scope, component, fault);
  if (owner == nullptr) return std::nullopt;
  if (name == kSetLevel && owner->level()) {
    if (!text) {
      *fault = {"SetLevel needs the name of a level", SuggestName("it has", "", owner->LevelNames())};
      return std::nullopt;
    }
    const auto write = FindLiveAssignment(scope, std::string(component) + ".level", *text, fault);
    return write ? std::optional<Command>({.action = *write}) : std::nullopt;
  }
  for (const Message* message : owner->declarations().messages) {
    if (message->label().name != name || message->property() == nullptr || !text) continue;
    const std::string path = std::string(component) + '.' + std::string(message->property()->label().name);
    const auto write = FindLiveAssignment(scope, path, *text, fault);
    return write ? std::optional<Command>({.action = *write}) : std::nullopt;
  }
  const std::optional<MessageCall> message = FindMessage(scope, component, name, fault);
  if (!message) return std::nullopt;
  if (text) {
    *fault = {"the message " + Quoted(name) + " has no text", "leave " + Quoted(*text) + " out"};
    return std::nullopt;
  }
  return Command{.action = *message};
}

std::optional<EventPost> System::FindEvent(const Component& scope, std::optional<std::string_view> receiver,
                                           std::string_view name, Fault* fault) const {
  if (!IsEventName(name)) {
    *fault = NoEventNameFault(name);
    return std::nullopt;
  }
  if (!receiver) return EventPost{nullptr, std::string(name)};
  Component* owner = FindComponent(scope, *receiver, fault);
  if (owner == nullptr) return std::nullopt;
  const EventReceiver* chart = owner->declarations().event_receiver;
  *fault = chart == nullptr ? Fault{Quoted(*receiver) + " takes no events", "write the path of a Statechart"}
                            : chart->CheckEvent(name);
  if (*fault) return std::nullopt;
  return EventPost{owner, std::string(name)};
}

void System::Connect(PortRef a, PortRef b, const SourceLocation& location, Component& scope,
                     Diagnostics& diagnostics) {
  const auto describe = [](const PortRef& end) {
    return end.path + " (" + std::string(end.port->domain->name) + ", " +
           std::string(ToText(end.port->role)) + ')';
  };
  const std::string both = describe(a) + " and " + describe(b);
  if (a.port == b.port) {
    diagnostics.Error(location, scope.DisplayPath(),
                      "cannot connect " + describe(a) + " to itself; a connection joins two ports");
    return;
  }
  if (!(*a.port->domain == *b.port->domain)) {
    const Domain &c = a.port->role == Role::kC ? *a.port->domain : *b.port->domain,
                 &q = a.port->role == Role::kC ? *b.port->domain : *a.port->domain;
    const auto advice_of = [](const PortRef& end, const PortRef& other) {
      const auto* const taker = dynamic_cast<const ItemTaker*>(end.owner);
      return taker == nullptr ? std::string() : taker->RemedyForDomain(*other.port->domain);
    };
    std::string remedy = advice_of(a, b) + advice_of(b, a);
    if (remedy.empty()) {
      const auto [joining, is_new] = joining_models_.try_emplace({c.name, q.name});
      if (is_new) joining->second = FindModelWith(c, q, registry_);
      remedy = WhatJoins(joining->second);
    }
    diagnostics.Error(location, scope.DisplayPath(),
                      "cannot connect " + both + ": different domains; " + remedy);
    return;
  }
  if (a.port->role == b.port->role) {
    diagnostics.Error(location, scope.DisplayPath(),
                      "cannot connect " + both + ": a connection joins one C and one Q port; " +
                          WhatToPutBetween(a.port->role, *a.port->domain));
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
  std::unique_ptr<BondPool>& pool = bonds_[a.port->domain->name];
  if (pool == nullptr) pool = a.port->domain->bond.make_pool();
  Bond& bond = pool->Add();
  a.port->port->Attach(bond);
  b.port->port->Attach(bond);
  connections_of_[a.port->port].push_back(connections_.size());
  connections_of_[b.port->port].push_back(connections_.size());
  const bool a_is_c = a.port->role == Role::kC;
  connections_.push_back({a_is_c ? a : b, a_is_c ? b : a, location, &bond});
}

void System::AddRoute(Route route, Component& scope, Diagnostics& diagnostics) {
  if (const std::string_view what = FaultOfSource(route.from); !what.empty()) {
    diagnostics.Error(route.location, scope.DisplayPath(),
                      "cannot route from " + route.from.path() + ", " + std::string(what) +
                          "; a route begins at an output, a state, its .ddt or a parameter of a component");
    return;
  }
  if (Component* const operators = OperatorsOf(route.from); operators != nullptr)
    route.from = Item::OfOutput(*operators, kOutOfOperators);
  const std::string from_unit = route.from.unit();
  const std::string to_unit = UnitOfTarget(route);
  const std::optional<Unit> from = units_.Find(from_unit);
  const std::optional<Unit> to = units_.Find(to_unit);
  // Blocks such as a gain take any unit, which is none that is found.
  if (from && to && from->dimension != to->dimension) {
    const auto show = [](std::string_view unit) {
      return unit.empty() ? std::string("1") : std::string(unit);
    };
    diagnostics.Error(route.location, scope.DisplayPath(),
                      "cannot route " + route.from.path() + " [" + show(from_unit) + "] to " + route.to_path +
                          " [" + show(to_unit) +
                          "]: different dimensions; put a signal.Gain with fitting units between them");
    return;
  }
  if (!SampleWhereNeeded(route)) {
    diagnostics.Error(route.location, scope.DisplayPath(),
                      "hold=\"none\": the signals of " + route.to_path + " or " + route.from.path() +
                          " are known at communication points only; leave hold out");
    return;
  }
  if (IsTaken(route)) {
    const auto ends_there = [&](const Route& other) { return other.to_path == route.to_path; };
    auto earlier = std::ranges::find_if(routes_, ends_there);
    const bool is_sampled = earlier == routes_.end() || route.parameter || route.to->operators != nullptr;
    if (is_sampled) earlier = std::ranges::find_if(sampled_routes_, ends_there);
    const std::string kind = route.parameter ? "parameter" : "input";
    diagnostics.Error(route.location, scope.DisplayPath(),
                      kind + ' ' + route.to_path + " has a route already, from " + earlier->from.path() +
                          (route.parameter ? "; a " : "; an ") + kind +
                          " takes one route: add signals with signal.Sum");
    return;
  }
  if (route.parameter) {
    auto& parameters = route.to_owner->mutable_declarations().parameters;
    FindLabel(parameters, route.parameter->name())->is_routed = true;
    sampled_routes_.push_back(std::move(route));
    return;
  }
  InputDeclaration& input = *FindLabel(route.to_owner->mutable_declarations().inputs, route.to->label.name);
  if (input.is_array) {
    route.element = static_cast<std::uint32_t>(input.sources->size());
    input.sources->push_back(&kNothing);
  }
  input.is_routed = true;
  const bool is_sampled = input.operators != nullptr || route.to_owner->entry().is_operator;
  (is_sampled ? sampled_routes_ : routes_).push_back(std::move(route));
}

}  // namespace davit
