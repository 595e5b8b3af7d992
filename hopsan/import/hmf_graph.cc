#include "hopsan/import/hmf_graph.h"

#include <algorithm>

#include "framework/nearest_name.h"
#include "hopsan/import/old_names.h"

namespace davit::hopsan {

HmfGraph::HmfGraph(const HmfFile& file, TypeCatalog& types, bool has_stubs, Diagnostics& diagnostics)
    : types_(types), has_stubs_(has_stubs), diagnostics_(diagnostics) {
  AddSystem(file.system, kNone);
  MakeNodes();
}

std::string HmfGraph::DisplayPath(int unit_number) const {
  std::string path;
  for (int u = unit_number; u > 0; u = unit(u).parent) path = '/' + unit(u).name + path;
  return path.empty() ? "/" : path;
}

bool HmfGraph::IsInside(int unit_number, int system) const {
  for (int u = unit_number; u != kNone; u = unit(u).parent) {
    if (u == system) return true;
  }
  return false;
}

int HmfGraph::AddUnit(Unit unit, const std::string& hopsan_name, const SourceLocation& place) {
  const int number = static_cast<int>(units_.size());
  if (unit.parent != kNone) {
    Unit& parent = units_[static_cast<std::size_t>(unit.parent)];
    auto& names = names_[static_cast<std::size_t>(unit.parent)];
    std::string name = hopsan_name;
    if (name.empty() || (name.front() >= '0' && name.front() <= '9')) name.insert(name.begin(), '_');
    if (unit.parent == 0 && (name == "SimulatorManager" || name == "hopsan_scheduler")) name += '_';
    const auto is_taken = [&](const std::string& one) {
      return std::ranges::any_of(parent.children,
                                 [&](int c) { return units_[static_cast<std::size_t>(c)].name == one; });
    };
    if (!names.emplace(hopsan_name, number).second) {
      diagnostics_.Warning(
          place, DisplayPath(unit.parent),
          "a second " + Quoted(hopsan_name) + "; connections lead to the first: give it another name");
    }
    // Names are looked up in the set of names; only those that begin with a digit can clash otherwise.
    std::string free = name;
    if (name != hopsan_name || names.at(hopsan_name) != number) {
      for (int n = 1; is_taken(free); ++n) free = name + '_' + std::to_string(n);
    }
    unit.name = free;
    unit.path = parent.path.empty() ? free : parent.path + '.' + free;
    unit.hopsan_name = (unit.parent == 0 ? "" : parent.hopsan_name + '$') + hopsan_name;
    parent.children.push_back(number);
  }
  units_.push_back(std::move(unit));
  names_.emplace_back();
  return number;
}

int HmfGraph::AddSystem(const HmfSystem& system, int parent) {
  const int number = AddUnit({.system = &system, .parent = parent}, system.name, system.place);
  for (const HmfObject& object : system.objects) {
    if (!object.port.empty()) units_[static_cast<std::size_t>(number)].ports.push_back(object.port);
  }
  for (const HmfObject& object : system.objects) {
    if (object.system != nullptr) {
      AddSystem(*object.system, number);
    } else if (object.component != nullptr) {
      const HmfComponent& component = *object.component;
      const HopsanComponent* type = types_.Find(component.type);
      if (type == nullptr) type = types_.Find(PresentType(component.type));
      if (type == nullptr && unknown_[component.type].count++ == 0)
        unknown_[component.type].place = component.place;
      AddUnit({.component = &component, .parent = number, .type = type}, component.name, component.place);
    }
  }
  ReadConnects(number);
  return number;
}

int HmfGraph::AddEnd(End end) {
  const int number = static_cast<int>(ends_.size());
  Node node;
  node.ends = {number};
  node.domain = end.what.domain;
  if (end.what.kind == PortKind::kPower || end.what.kind == PortKind::kMultiPower) {
    (end.what.role == Role::kC ? node.c : node.q) = number;
  }
  if (end.what.kind == PortKind::kOutput) node.writer = number;
  end.connect = connect_count_;
  ends_.push_back(std::move(end));
  above_.push_back(number);
  joined_.push_back(std::move(node));
  return number;
}

int HmfGraph::SingleEnd(int unit_number, const std::string& port, const TypePort& what, bool is_system_port) {
  const auto key = std::pair(unit_number, port);
  if (const auto known = single_ends_.find(key); known != single_ends_.end()) return known->second;
  const int number = AddEnd({unit_number, port, what, 0, is_system_port});
  single_ends_.emplace(key, number);
  return number;
}

int HmfGraph::FindEnd(int system, const HmfEnd& end, const SourceLocation& place) {
  const auto& names = names_[static_cast<std::size_t>(system)];
  const auto& ports = unit(system).ports;
  const auto found = names.find(end.component);
  const std::string path = DisplayPath(system);
  if (found == names.end()) {
    if (std::ranges::find(ports, end.component) != ports.end())
      return SingleEnd(system, end.component, {}, true);
    std::vector<std::string> known(ports.begin(), ports.end());
    for (const auto& [name, number] : names) known.push_back(name);
    diagnostics_.Error(place, path,
                       "connect: no component " + Quoted(end.component) + "; " +
                           SuggestName("it has", end.component, known));
    return kNone;
  }
  const Unit& unit_of_end = unit(found->second);
  if (unit_of_end.system != nullptr) {
    const auto& inner = unit_of_end.ports;
    if (unit_of_end.system->is_conditional && end.port == "on" &&
        std::ranges::find(inner, end.port) == inner.end())
      return SingleEnd(found->second, end.port, {PortKind::kInput}, false);
    if (std::ranges::find(inner, end.port) != inner.end())
      return SingleEnd(found->second, end.port, {}, true);
    diagnostics_.Error(place, path,
                       "connect: no port " + Quoted(end.port) + " on the system " + Quoted(end.component) +
                           "; " + SuggestName("it has", end.port, inner));
    return kNone;
  }
  if (unit_of_end.type == nullptr) return has_stubs_ ? SingleEnd(found->second, end.port, {}, false) : kNone;
  std::string port = end.port;
  TypePort what = TypeCatalog::PortOf(*unit_of_end.type, port);
  if (what.kind == PortKind::kNone) {
    port = PresentName(unit_of_end.type->model().name.substr(std::string_view("hopsan.").size()), port);
    what = TypeCatalog::PortOf(*unit_of_end.type, port);
  }
  if (what.kind == PortKind::kNone) {
    std::vector<std::string> known;
    const Declarations& d = unit_of_end.type->declarations();
    known.reserve(d.ports.size());
    for (const PortDeclaration& one : d.ports) known.emplace_back(one.label.name);
    for (const auto& one : unit_of_end.type->sensed()) known.emplace_back(one.path->label().name);
    for (const InputDeclaration& one : d.inputs) known.emplace_back(one.label.name);
    for (const OutputDeclaration& one : d.outputs) known.emplace_back(one.label.name);
    diagnostics_.Error(place, path,
                       "connect: no port " + Quoted(end.port) + " on " + Quoted(end.component) + " (" +
                           unit_of_end.component->type + "); " + SuggestName("it has", end.port, known));
    return kNone;
  }
  const bool is_multi = what.kind == PortKind::kMultiPower || what.kind == PortKind::kMultiInput;
  return is_multi ? AddEnd({found->second, port, what, 0, false})
                  : SingleEnd(found->second, port, what, false);
}

int HmfGraph::RootOf(int end) {
  while (above_[static_cast<std::size_t>(end)] != end) {
    int& above = above_[static_cast<std::size_t>(end)];
    above = above_[static_cast<std::size_t>(above)];
    end = above;
  }
  return end;
}

void HmfGraph::Join(int a, int b, int system, const SourceLocation& place) {
  const int first = RootOf(a), second = RootOf(b);
  const auto text = [&](int number) {
    const End& one = end(number);
    return Quoted(unit(one.unit).hopsan_name + '.' + one.port);
  };
  const auto refuse = [&](const std::string& what) {
    diagnostics_.Error(place, DisplayPath(system), "connect: " + what);
  };
  if (first == second) {
    diagnostics_.Warning(place, DisplayPath(system),
                         "connect: " + text(a) + " and " + text(b) + " are joined already; remove this one");
    return;
  }
  Node& one = joined_[static_cast<std::size_t>(first)];
  Node& other = joined_[static_cast<std::size_t>(second)];
  const auto is_signal = [&](int number) {
    const PortKind kind = end(number).what.kind;
    return kind == PortKind::kInput || kind == PortKind::kMultiInput || kind == PortKind::kOutput;
  };
  const auto has_signal = [&](const Node& node) { return std::ranges::any_of(node.ends, is_signal); };
  if (one.domain != nullptr && other.domain != nullptr && !(*one.domain == *other.domain)) {
    return refuse(text(a) + " is " + std::string(one.domain->name) + ", " + text(b) + " is " +
                  std::string(other.domain->name) + "; join ports of one domain");
  }
  if ((one.domain != nullptr && has_signal(other)) || (other.domain != nullptr && has_signal(one)))
    return refuse(text(a) + " and " + text(b) + " are a signal and a power port; read a node with a sensor");
  if (one.c != kNone && other.c != kNone)
    return refuse("both " + text(one.c) + " and " + text(other.c) +
                  " are C ports; put a component of type Q between them, such as an orifice or a mass");
  if (one.q != kNone && other.q != kNone)
    return refuse("both " + text(one.q) + " and " + text(other.q) +
                  " are Q ports; put a component of type C between them, such as a volume or a spring");
  if (one.writer != kNone && other.writer != kNone)
    return refuse("both " + text(one.writer) + " and " + text(other.writer) +
                  " are outputs; a signal has one source");
  one.ends.insert(one.ends.end(), other.ends.begin(), other.ends.end());
  if (one.c == kNone) one.c = other.c;
  if (one.q == kNone) one.q = other.q;
  if (one.writer == kNone) one.writer = other.writer;
  if (one.domain == nullptr) one.domain = other.domain;
  other.ends.clear();
  above_[static_cast<std::size_t>(second)] = first;
}

void HmfGraph::ReadConnects(int system) {
  for (const HmfConnect& connect : unit(system).system->connects) {
    ++connect_count_;
    const int a = FindEnd(system, connect.start, connect.place);
    const int b = FindEnd(system, connect.end, connect.place);
    if (a != kNone && b != kNone) Join(a, b, system, connect.place);
  }
}

void HmfGraph::MakeNodes() {
  for (Node& node : joined_) {
    if (!node.ends.empty()) nodes_.push_back(node);
  }
  node_of_.resize(ends_.size());
  ends_of_.resize(units_.size());
  for (std::size_t e = 0; e < ends_.size(); ++e)
    ends_of_[static_cast<std::size_t>(ends_[e].unit)].push_back(static_cast<int>(e));
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    for (const int e : nodes_[n].ends) node_of_[static_cast<std::size_t>(e)] = n;
  }
}

std::vector<int> HmfGraph::EndsAt(int unit, std::string_view port) const {
  std::vector<int> found;
  for (const int e : ends_of_[static_cast<std::size_t>(unit)]) {
    if (end(e).port == port) found.push_back(e);
  }
  return found;
}

std::string_view HmfGraph::KindOf(int system) const {
  for (const Node& node : nodes_) {
    const bool is_port =
        std::ranges::any_of(node.ends, [&](int e) { return end(e).is_system_port && end(e).unit == system; });
    if (!is_port) continue;
    for (const int e : {node.c, node.q}) {
      if (e != kNone && IsInside(end(e).unit, system) && unit(end(e).unit).type->phase() != Phase::kS)
        return end(e).what.role == Role::kC ? "C" : "Q";
    }
  }
  return "S";
}

}  // namespace davit::hopsan
