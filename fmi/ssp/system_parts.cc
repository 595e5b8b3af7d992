#include "fmi/ssp/system_parts.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "framework/xml/system_description.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/islands/island.h"

namespace davit {
namespace {

using tinyxml2::XMLElement;

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

std::string AttributeOf(const XMLElement& element, const char* name) {
  const char* const text = element.Attribute(name);
  return text == nullptr ? std::string() : text;
}

class SystemCutter {
 public:
  SystemCutter(Simulation& simulation, const std::filesystem::path& file, Diagnostics& diagnostics)
      : system_(simulation.system()),
        simulation_(simulation),
        file_(std::make_shared<const std::string>(file.string())),
        diagnostics_(diagnostics) {}

  SystemParts Cut(const std::string& text) {
    const XmlResult xml = ParseXml(text);
    if (xml.document == nullptr) {
      diagnostics_.Error({file_, xml.line}, {}, xml.fault);
      return {};
    }
    for (const XMLElement* e = xml.document->RootElement()->FirstChildElement(); e != nullptr;
         e = e->NextSiblingElement()) {
      if (e->FindAttribute("chart") != nullptr) RefuseChart({file_, e->GetLineNum()}, {});
      if (std::string_view(e->Name()) == "For") {
        diagnostics_.Error({file_, e->GetLineNum()}, {},
                           "what a <For> makes cannot be cut; write it out, or export the system whole, with "
                           "davit fmu export");
      }
      if (std::string_view(e->Name()) == "At" && AttributeOf(*e, "to") == "SimulatorManager") {
        diagnostics_.Error(
            {file_, e->GetLineNum()}, {},
            "a message to SimulatorManager is for the whole run, which no part of it can give; "
            "leave it out, or export the system whole, with davit fmu export");
      }
    }
    FindTops();
    JoinIslands();
    JoinRoutes();
    JoinConnections();
    if (diagnostics_.has_errors()) return {};
    NumberParts();
    SystemParts result;
    for (std::size_t part = 0; part < members_.size(); ++part)
      result.parts.push_back(MakePart(part, *xml.document->RootElement()));
    AddLinks(result);
    AddRecorded(result);
    return result;
  }

 private:
  void RefuseChart(const SourceLocation& place, const std::string& path) {
    diagnostics_.Error(
        place, path,
        "a chart sees the whole system, which cannot be cut then; export it whole, with davit fmu "
        "export");
  }

  // ---- what stands in the file ----

  void FindTops() {
    for (const Component* child : system_.root().children()) {
      if (IsSettingOfRun(*child) && !IsContainer(*child)) continue;
      tops_.push_back(child);
    }
    parent_.resize(tops_.size());
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    is_simulated_.resize(tops_.size());
    has_ports_.resize(tops_.size());
    is_solved_.resize(tops_.size());
    for (std::size_t i = 0; i < tops_.size(); ++i) top_of_.emplace(tops_[i], i);
    for (const Component* component : system_.components()) {
      const std::size_t top = TopOf(*component);
      if (top == kNone) continue;
      // One that a component has of its own goes with it.
      if (component->entry().stands_in_systems && IsContainer(*component->parent()))
        RefuseChart(component->location(), component->DisplayPath());
      const auto* const simulated = dynamic_cast<const DynamicSimComponent*>(component);
      if (simulated == nullptr) continue;
      is_simulated_[top] = true;
      if (!component->declarations().ports.empty()) has_ports_[top] = true;
      if (simulated->GetSolverType() == SolverType::kTlm) is_solved_[top] = true;
    }
  }

  std::size_t TopOf(const Component& component) const {
    const Component* one = &component;
    while (one->parent() != nullptr && one->parent() != &system_.root()) one = one->parent();
    const auto top = top_of_.find(one);
    return top == top_of_.end() ? kNone : top->second;
  }

  std::size_t Find(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void Join(std::size_t a, std::size_t b) {
    if (a != kNone && b != kNone) parent_[std::max(Find(a), Find(b))] = std::min(Find(a), Find(b));
  }

  /// A source of constant efforts, or nothing that is solved: in each part that needs it.
  bool IsCopied(std::size_t top) const { return top != kNone && has_ports_[top] && !is_solved_[top]; }
  bool IsCommon(std::size_t top) const { return !is_simulated_[top]; }

  // ---- what stays together ----

  void JoinIslands() {
    for (const auto& island : simulation_.manager().islands()) {
      std::size_t first = kNone;
      for (const Component* member : island->members()) {
        const std::size_t top = TopOf(*member);
        if (top == kNone) continue;
        is_solved_[top] = true;
        if (first != kNone) Join(first, top);
        first = top;
      }
    }
  }

  void JoinRoutes() {
    const auto join = [&](const Component& from, const Component& to) {
      const std::size_t a = TopOf(from);
      const std::size_t b = TopOf(to);
      if (a == kNone || b == kNone) return;
      is_solved_[a] = is_solved_[b] = true;
      Join(a, b);
    };
    for (const Route& route : system_.routes()) {
      const bool is_inseparable = route.to->is_array || route.to->is_mandatory ||
                                  route.to->operators != nullptr || route.hold == Hold::kNone ||
                                  IsCopied(TopOf(route.from.owner())) || IsCopied(TopOf(*route.to_owner));
      if (is_inseparable) join(route.from.owner(), *route.to_owner);
    }
    // Parameters and operators are no inputs of an FMU.
    for (const Route& route : system_.sampled_routes())
      join(route.from.owner(), route.parameter ? route.parameter->owner() : *route.to_owner);
    // A source without states of its own goes with its first reader.
    for (const Route& route : system_.routes()) {
      const std::size_t from = TopOf(route.from.owner());
      const std::size_t to = TopOf(*route.to_owner);
      if (from == kNone || to == kNone || is_solved_[from] || has_ports_[from]) continue;
      is_solved_[from] = true;
      Join(from, to);
    }
  }

  void JoinConnections() {
    std::unordered_map<const PortBase*, int> count;
    for (const Connection& connection : system_.connections()) {
      ++count[connection.c.port->port];
      ++count[connection.q.port->port];
    }
    const auto can_be_open = [&](const PortRef& port) {
      return port.port->is_mandatory && count[port.port->port] == 1;
    };
    for (const Connection& connection : system_.connections()) {
      const std::size_t c = TopOf(*connection.c.owner);
      const std::size_t q = TopOf(*connection.q.owner);
      if (c == kNone || q == kNone || IsCopied(c) || IsCopied(q)) continue;
      if (!can_be_open(connection.c) || !can_be_open(connection.q)) Join(c, q);
    }
  }

  void NumberParts() {
    part_.assign(tops_.size(), kNone);
    std::map<std::size_t, std::size_t> numbers;
    for (std::size_t i = 0; i < tops_.size(); ++i) {
      if (IsCommon(i) || IsCopied(i)) continue;
      const auto [known, is_new] = numbers.try_emplace(Find(i), members_.size());
      if (is_new) members_.emplace_back();
      part_[i] = known->second;
      members_[known->second].insert(i);
    }
    for (const Connection& connection : system_.connections()) {
      const std::size_t c = TopOf(*connection.c.owner);
      const std::size_t q = TopOf(*connection.q.owner);
      if (c == kNone || q == kNone) continue;
      if (part_[c] == kNone && part_[q] != kNone) members_[part_[q]].insert(c);
      if (part_[q] == kNone && part_[c] != kNone) members_[part_[c]].insert(q);
    }
  }

  // ---- the files ----

  std::optional<std::size_t> TopOfPath(const std::string& path) const {
    const std::string_view name = std::string_view(path).substr(0, path.find('.'));
    for (std::size_t i = 0; i < tops_.size(); ++i) {
      if (tops_[i]->name() == name) return i;
    }
    return std::nullopt;
  }

  bool IsIn(std::size_t part, const std::string& path) const {
    const std::optional<std::size_t> top = TopOfPath(path);
    return top && (IsCommon(*top) || members_[part].contains(*top));
  }

  /// Whether an element of the file belongs to a part.
  bool Takes(std::size_t part, const XMLElement& element) const {
    const std::string_view name = element.Name();
    if (name == "Record" || name == "Layout" || name == "Expose" || name == "Panel") return false;
    if (name == "Connect" || name == "Route")
      return IsIn(part, AttributeOf(element, "from")) && IsIn(part, AttributeOf(element, "to"));
    if (name == "At")
      return IsIn(part, AttributeOf(element, "set")) || IsIn(part, AttributeOf(element, "to"));
    const std::string component = AttributeOf(element, "name");
    if (component.empty() || !TopOfPath(component)) return true;  // of the run, or for all
    return IsIn(part, component);
  }

  SystemPart MakePart(std::size_t part, const XMLElement& root) const {
    SystemPart result;
    result.name =
        tops_[*std::ranges::find_if(members_[part], [&](std::size_t top) { return part_[top] == part; })]
            ->name();
    for (std::size_t top = 0; top < tops_.size(); ++top) {
      if (IsIn(part, tops_[top]->name())) result.members.push_back(tops_[top]->name());
    }
    SystemDescription system(result.name);
    for (const XMLElement* e = root.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      if (Takes(part, *e)) CopyInto(*e, AddElement(system.root(), e->Name()));
    }
    result.text = system.ToXml();
    return result;
  }

  void AddLinks(SystemParts& result) {
    for (const Connection& connection : system_.connections()) {
      const std::size_t c = PartOf(connection.c.owner);
      const std::size_t q = PartOf(connection.q.owner);
      if (c == q || c == kNone || q == kNone) continue;
      result.links.push_back(
          {c, PortPath(connection.c), q, PortPath(connection.q), connection.c.port->domain});
    }
    for (const Route& route : system_.routes()) {
      const std::size_t from = PartOf(&route.from.owner());
      const std::size_t to = PartOf(route.to_owner);
      if (from == to || from == kNone || to == kNone) continue;
      result.links.push_back(
          {from, route.from.path(), to, fmt::format("{}.{}", route.to_owner->path(), route.to->label.name)});
      AddOutput(result.parts[from], route.from.path());
    }
  }

  std::size_t PartOf(const Component* component) const {
    const std::size_t top = TopOf(*component);
    return top == kNone ? kNone : part_[top];
  }
  static std::string PortPath(const PortRef& port) {
    return fmt::format("{}.{}", port.owner->path(), port.port->label.name);
  }

  void AddRecorded(SystemParts& result) const {
    for (const Item& column : system_.record_plan().columns) {
      const std::size_t part = PartOf(&column.owner());
      if (part != kNone) AddOutput(result.parts[part], column.path());
    }
  }
  static void AddOutput(SystemPart& part, std::string path) {
    if (std::ranges::find(part.outputs, path) == part.outputs.end()) part.outputs.push_back(std::move(path));
  }

  System& system_;
  Simulation& simulation_;
  std::shared_ptr<const std::string> file_;
  Diagnostics& diagnostics_;
  std::vector<const Component*> tops_;  ///< what stands in the file itself
  std::unordered_map<const Component*, std::size_t> top_of_;
  std::vector<std::size_t> parent_;  ///< disjoint sets of tops
  std::vector<bool> is_simulated_, has_ports_, is_solved_;
  std::vector<std::size_t> part_;               ///< by top
  std::vector<std::set<std::size_t>> members_;  ///< by part: tops
};

}  // namespace

SystemParts CutSystem(Simulation& simulation, const std::string& text, const std::filesystem::path& file,
                      Diagnostics& diagnostics) {
  return SystemCutter(simulation, file, diagnostics).Cut(text);
}

}  // namespace davit
