#include "framework/xml/wiring_reader.h"

#include <utility>

#include "framework/nearest_name.h"

namespace davit {
namespace {
constexpr std::size_t kMostCompared = 10'000;  // names that a misspelt one is compared with
}

void WiringReader::ReadExposes(const std::vector<Element>& exposes) {
  std::vector<const Element*> known;
  std::unordered_set<std::string> taken;
  for (const Element& expose : exposes) {
    if (reader_.is_finished()) return;
    reader_.CheckAttributes(expose);
    const std::optional<std::string> port = reader_.Require(expose, "port");
    const std::optional<std::string> as = reader_.Require(expose, "as");
    if (as && !port) reader_.NoteRefused(FullPath(*expose.scope, *as));
    if (!port || !as) continue;
    std::string name = FullPath(*expose.scope, *as);
    if (!IsName(*as)) {
      reader_.Error(expose, Quoted(*as) + " is not a name; use letters, digits and _, no digit first");
    } else if (system_.Find(name) != nullptr) {
      reader_.Error(expose,
                    "cannot expose as " + Quoted(*as) + ": a component has this name; choose another name");
    } else if (!taken.insert(name).second) {
      reader_.Error(expose, "a second port is exposed as " + Quoted(*as) + "; choose another name");
    } else {
      system_.Expose(std::move(name), FullPath(*expose.scope, *port));
      known.push_back(&expose);
    }
  }
  for (const Element* expose : known) {  // only now all names are known, also those of inner files
    if (reader_.is_finished()) return;
    CheckExposed(*expose);
  }
}

void WiringReader::CheckExposed(const Element& expose) {
  const std::string port = reader_.Find(expose, "port").value_or("");
  Fault fault;
  Fault other_fault;
  if (system_.FindPort(*expose.scope, port, &fault) ||
      system_.FindRouteTarget(*expose.scope, port, &other_fault) ||
      system_.FindVariable(*expose.scope, port, &other_fault)) {
    return;
  }
  if (!reader_.LeadsToRefused(*expose.scope, port)) reader_.Error(expose, fault);
  reader_.NoteRefused(FullPath(*expose.scope, reader_.Find(expose, "as").value_or("")));
}

void WiringReader::Excuse(const Component& scope, std::string_view path) {
  const Component* owner = &system_.OwnerOf(scope, path);
  const std::string full = FullPath(scope, path);
  const std::string above = owner->path();
  if (full.size() > above.size() && !owner->children().empty()) {
    const std::size_t begin = above.empty() ? 0 : above.size() + 1;
    const std::string first = full.substr(begin, full.find('.', begin) - begin);
    std::vector<std::string> names;
    for (const Component* child : owner->children()) {
      if (names.size() < kMostCompared) names.push_back(child->name());
    }
    if (const auto nearest = FindNearest(first, names)) owner = owner->FindChild(*nearest);
  }
  if (owner->parent() != nullptr) wholly_excused_.insert(owner);
}

bool WiringReader::IsWhollyExcused(const Component& component) const {
  if (wholly_excused_.empty()) return false;
  for (const Component* c = &component; c != nullptr; c = c->parent()) {
    if (wholly_excused_.contains(c)) return true;
  }
  return false;
}

std::optional<PortRef> WiringReader::FindEnd(const Element& connect, const char* attribute) {
  const std::optional<std::string> path = reader_.Require(connect, attribute);
  if (!path) return std::nullopt;
  Fault fault;
  std::optional<PortRef> end = system_.FindPort(*connect.scope, *path, &fault);
  if (!end && !reader_.LeadsToRefused(*connect.scope, *path)) {
    reader_.ErrorAt(reader_.Place(connect), system_.OwnerOf(*connect.scope, *path), fault);
    Excuse(*connect.scope, *path);
  }
  return end;
}

void WiringReader::ReadConnects(const std::vector<Element>& connects) {
  for (const Element& connect : connects) {
    if (reader_.is_finished()) return;
    reader_.CheckAttributes(connect);
    const std::optional<PortRef> from = FindEnd(connect, "from");
    const std::optional<PortRef> to = FindEnd(connect, "to");
    bool is_done = false;
    if (from && to) {
      Diagnostics faults;
      system_.Connect(*from, *to, reader_.Place(connect), *connect.scope, faults);
      is_done = !faults.has_errors();
      // Two components of one name take each other's connections: that was reported at the name.
      const bool is_clear = !reader_.LeadsToRefused(system_.root(), from->path) &&
                            !reader_.LeadsToRefused(system_.root(), to->path);
      for (const Diagnostic& fault : faults.all()) {
        if (is_clear) reader_.Error(connect, fault.fault);
      }
    }
    if (is_done) continue;
    for (const auto& end : {from, to}) {
      if (!end) continue;
      excused_.insert(end->owner);
      excused_ports_.insert(end->port->port);
    }
  }
}

void WiringReader::ReadRoutes(const std::vector<Element>& routes) {
  for (const Element& route : routes) {
    if (reader_.is_finished()) return;
    reader_.CheckAttributes(route);
    ReadRoute(route);
  }
}

void WiringReader::ReadRoute(const Element& element) {
  const std::optional<std::string> from = reader_.Require(element, "from");
  const std::optional<std::string> to = reader_.Require(element, "to");
  const std::optional<std::size_t> hold = reader_.FindChoice(element, "hold");
  Fault fault;
  std::optional<Route> route;
  if (to) {
    route = system_.FindRouteTarget(*element.scope, *to, &fault);
    if (!route && !reader_.LeadsToRefused(*element.scope, *to)) {
      reader_.ErrorAt(reader_.Place(element), system_.OwnerOf(*element.scope, *to), fault);
      Excuse(*element.scope, *to);
    }
  }
  std::optional<Item> source;
  if (from) {
    source = system_.FindVariable(*element.scope, *from, &fault);
    if (!source && !reader_.LeadsToRefused(*element.scope, *from)) {
      reader_.ErrorAt(reader_.Place(element), system_.OwnerOf(*element.scope, *from), fault);
    }
  }
  const auto excuse = [&](const Component* owner, const InputDeclaration* input) {
    excused_.insert(owner);
    excused_inputs_.insert(input);
  };
  if (route && !source) excuse(route->to_owner, route->to);
  if (!route || !source) return;
  if (hold) route->hold = *hold == 0 ? Hold::kNone : Hold::kStep;
  if (route->hold == Hold::kNone && route->parameter) {
    reader_.Error(element,
                  "hold=\"none\" to a parameter, which is written at communication points; leave hold out");
  }
  route->from = *source;
  route->location = reader_.Place(element);
  const Component* owner = route->to_owner;
  const InputDeclaration* input = route->to;
  Diagnostics faults;
  system_.AddRoute(std::move(*route), *element.scope, faults);
  for (const Diagnostic& problem : faults.all()) reader_.Error(element, problem.fault);
  if (faults.has_errors()) excuse(owner, input);
}

void WiringReader::CheckMandatory() {
  std::unordered_set<const PortBase*> connected;
  for (const Connection& connection : system_.connections()) {
    connected.insert({connection.c.port->port, connection.q.port->port});
  }
  for (const Component* component : system_.components()) {
    if (reader_.is_finished()) return;
    if (IsWhollyExcused(*component)) continue;
    for (const PortDeclaration& port : component->declarations().ports) {
      if (!port.is_mandatory || connected.contains(port.port) || excused_ports_.contains(port.port)) continue;
      reader_.ErrorAt(component->location(), *component,
                      "port '" + std::string(port.label.name) + "' (" + std::string(port.domain->name) +
                          ", " + std::string(ToText(port.role)) + ") is not connected; connect it to a " +
                          std::string(ToText(port.role == Role::kC ? Role::kQ : Role::kC)) +
                          " port with <Connect>");
    }
    for (const InputDeclaration& input : component->declarations().inputs) {
      if (!input.is_mandatory || input.is_routed || excused_inputs_.contains(&input)) continue;
      reader_.ErrorAt(
          component->location(), *component,
          "input '" + std::string(input.label.name) + "' has no signal; give it one with <Route>");
    }
  }
}

}  // namespace davit
