#include "hopsan/import/native_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "hopsan/import/hmf_expression.h"

namespace davit::hopsan {
namespace {

constexpr int kNone = HmfGraph::kNone;

std::string Replace(std::string_view text, char mark, std::string_view by) {
  std::string result;
  for (const char& c : text) result += c == mark ? by : std::string_view(&c, 1);
  return result;
}

/// The models of the elements of a text, with their names.
std::string ModelsOf(std::string_view text) {
  std::string models;
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    const std::string_view element = text.substr(at + 1, text.find_first_of(" />", at + 1) - at - 1);
    if (element.find('.') == std::string_view::npos || element.starts_with('/')) continue;
    const std::size_t name = text.find("name=\"", at) + 6;
    models += fmt::format("{}{} {}", models.empty() ? "" : ", ", element,
                          text.substr(name, text.find('"', name) - name));
  }
  return models;
}

/// A display.
bool HasNoEffect(const HmfGraph::Unit& unit) {
  return unit.component != nullptr && std::ranges::any_of(NativeRules(), [&](const NativeRule& rule) {
           return rule.text.empty() && rule.type == unit.component->type;
         });
}

}  // namespace

NativeMap::NativeMap(const HmfGraph& graph, const Values& values)
    : graph_(graph),
      models_(graph.units().size()),
      reasons_(graph.units().size()),
      connected_(graph.units().size()) {
  for (const HmfGraph::Node& node : graph_.nodes()) {
    for (const int e : node.ends) {
      const HmfGraph::End& end = graph_.end(e);
      const bool leads_somewhere = std::ranges::any_of(node.ends, [&](int other) {
        return other != e && !HasNoEffect(graph_.unit(graph_.end(other).unit));
      });
      if (!leads_somewhere) continue;
      connected_[static_cast<std::size_t>(end.unit)][end.port] = e;
    }
  }
  for (std::size_t unit = 0; unit < models_.size(); ++unit) {
    if (graph_.units()[unit].component != nullptr) Choose(static_cast<int>(unit), values);
  }
  bool has_changed = true;
  while (has_changed) {
    has_changed = false;
    for (const HmfGraph::Node& node : graph_.nodes()) has_changed = SettleNode(node) || has_changed;
  }
}

std::string NativeMap::NameOf(int unit) const {
  std::string name = graph_.unit(unit).path;
  std::ranges::replace(name, '.', '_');
  const bool is_inside = name != graph_.unit(unit).path;
  const auto is_taken = [&] {
    return is_inside &&
           std::ranges::any_of(graph_.units(), [&](const auto& one) { return one.path == name; });
  };
  while (is_taken()) name += '_';
  return name;
}

/// x of a mass is minus that of its port P1: at P2 Hopsan's is more by the length at the start.
double NativeMap::ShiftAt(int unit, const std::string& port, const Values& values) const {
  const auto found = connected_[static_cast<std::size_t>(unit)].find(port);
  if (found == connected_[static_cast<std::size_t>(unit)].end()) return 0;
  const int q = graph_.NodeOf(found->second).q;
  if (q == kNone || graph_.end(q).port != "P2") return 0;
  const HmfGraph::Unit& mass = graph_.unit(graph_.end(q).unit);
  if (mass.component == nullptr || !mass.component->type.starts_with("MechanicTranslationalMass")) return 0;
  return values(graph_.end(q).unit, "P1_Position").value_or(0) +
         values(graph_.end(q).unit, "P2_Position").value_or(0);
}

std::string NativeMap::Fill(std::string_view text, int unit, const Values& values, std::string* fault) const {
  std::string result;
  while (true) {
    const std::size_t open = text.find('{');
    result += text.substr(0, open);
    if (open == std::string_view::npos) return result;
    const std::size_t close = text.find('}', open);
    Fault why;
    const auto value = EvaluateHmfExpression(
        text.substr(open + 1, close - open - 1),
        [&](std::string_view name, Fault* missing) -> std::optional<double> {
          if (name.starts_with("has_"))
            return connected_[static_cast<std::size_t>(unit)].contains(std::string(name.substr(4))) ? 1 : 0;
          if (name.ends_with("_Shift"))
            return ShiftAt(unit, std::string(name.substr(0, name.size() - 6)), values);
          if (const auto found = values(unit, name)) return found;
          *missing = {fmt::format("{} has no value", name), {}};
          return std::nullopt;
        },
        &why);
    if (!value) *fault = why.what;
    result += fmt::format("{}", value.value_or(0) + 0.0);  // no -0
    text.remove_prefix(close + 1);
  }
}

void NativeMap::Choose(int number, const Values& values) {
  const auto at = static_cast<std::size_t>(number);
  const HmfGraph::Unit& unit = graph_.unit(number);
  reasons_[at] = "davit has no model like it";
  if (unit.type == nullptr) return void(reasons_[at] = "its type is not known");
  if (unit.component->is_disabled) return void(reasons_[at] = "it is disabled");
  for (int parent = unit.parent; parent != kNone; parent = graph_.unit(parent).parent) {
    const HmfSystem* const system = graph_.unit(parent).system;
    if (graph_.unit(parent).parent == kNone) break;
    if (system->is_conditional || system->is_disabled || !system->inherits_time_step)
      return void(reasons_[at] = "its sub-system has a condition or a separate time step");
  }
  const std::string_view type = unit.type->model().name.substr(std::string_view("hopsan.").size());
  for (const NativeRule& rule : NativeRules()) {
    if (rule.type != type) continue;
    std::string fault;
    if (!rule.when.empty() && Fill('{' + std::string(rule.when) + '}', number, values, &fault) == "0") {
      reasons_[at] = fmt::format("its values do not fit: not {}", rule.when);
      continue;
    }
    Model model{.rule = &rule, .name = NameOf(number), .text = {}, .ports = {}};
    model.text = Fill(Replace(rule.text, '$', model.name), number, values, &fault);
    const std::string ports = Replace(rule.ports, '$', model.name);
    for (std::size_t begin = 0; begin < ports.size();) {
      const std::size_t end = std::min(ports.find(' ', begin), ports.size());
      const std::string_view one = std::string_view(ports).substr(begin, end - begin);
      model.ports.emplace(one.substr(0, one.find('=')), one.substr(one.find('=') + 1));
      begin = end + 1;
    }
    for (const auto& [port, e] : connected_[at]) {
      if (!rule.text.empty() && fault.empty() && !model.ports.contains(port))
        fault = fmt::format("{} is connected, which {} does not have", port, ModelsOf(model.text));
    }
    if (fault.empty()) {
      models_[at] = std::move(model);
      return reasons_[at].clear();
    }
    reasons_[at] = fault;
  }
}

bool NativeMap::Demote(int unit, std::string why) {
  models_[static_cast<std::size_t>(unit)].reset();
  reasons_[static_cast<std::size_t>(unit)] = std::move(why);
  return true;
}

bool NativeMap::IsNative(int end) const { return end != kNone && Find(graph_.end(end).unit) != nullptr; }

/// Whether a component had to stay because of what is at this node.
bool NativeMap::SettleNode(const HmfGraph::Node& node) {
  if (node.domain == nullptr) return false;
  const bool is_hydraulic = *node.domain == HydraulicNode::kDomain;
  const auto name_of = [&](int end) { return graph_.unit(graph_.end(end).unit).path; };
  if (!is_hydraulic && node.c != kNone && node.q != kNone && IsNative(node.c) != IsNative(node.q)) {
    const int native = IsNative(node.c) ? node.c : node.q, other = native == node.c ? node.q : node.c;
    return Demote(graph_.end(native).unit, fmt::format("{} stays, to which it is connected", name_of(other)));
  }
  if (is_hydraulic && IsNative(node.c) && node.q != kNone && !IsNative(node.q) &&
      Find(graph_.end(node.c).unit)->rule->has_volumes)
    return Demote(graph_.end(node.c).unit,
                  fmt::format("{} stays, for which its pressure would be held for a step", name_of(node.q)));
  for (const int e : node.ends) {
    const HmfGraph::End& end = graph_.end(e);
    if (end.what.kind != PortKind::kSensor) continue;
    // A pressure is read at a C component, a motion at a Q component.
    const int partner = is_hydraulic ? node.c : node.q;
    if (IsNative(e) && !IsNative(partner))
      return Demote(end.unit, partner == kNone ? "nothing is connected to it"
                                               : fmt::format("{} stays, which it reads", name_of(partner)));
    if (!IsNative(e) && IsNative(node.c) && IsNative(node.q))
      return Demote(graph_.end(node.q).unit, fmt::format("{} stays, which reads it", name_of(e)));
  }
  return false;
}

const NativeMap::Model* NativeMap::Find(int unit) const {
  const auto& model = models_[static_cast<std::size_t>(unit)];
  return model ? &*model : nullptr;
}

std::string NativeMap::PathOf(const HmfGraph::End& end) const {
  const Model* const model = Find(end.unit);
  if (model == nullptr) return {};
  const auto found = model->ports.find(end.port);
  return found == model->ports.end() ? std::string() : found->second;
}

bool NativeMap::has_natives() const {
  return std::ranges::any_of(models_, [](const auto& model) { return model && !model->text.empty(); });
}

bool NativeMap::has_hopsan() const {
  for (std::size_t unit = 0; unit < models_.size(); ++unit) {
    if (graph_.units()[unit].component != nullptr && !models_[unit]) return true;
  }
  return false;
}

std::string NativeMap::Report() const {
  std::string report;
  std::size_t mapped = 0, count = 0;
  for (std::size_t i = 0; i < models_.size(); ++i) {
    const HmfGraph::Unit& unit = graph_.units()[i];
    if (unit.component == nullptr) continue;
    ++count;
    const std::string what = fmt::format("{} ({})", unit.path, unit.component->type);
    if (!models_[i]) {
      report += fmt::format("{}: stays hopsan.{}: {}\n", what, unit.component->type, reasons_[i]);
      continue;
    }
    ++mapped;
    if (models_[i]->text.empty()) {
      report += fmt::format("{}: left out: it has no effect\n", what);
      continue;
    }
    const std::string differs = Replace(models_[i]->rule->differs, '$', models_[i]->name);
    report += fmt::format("{}: {}{}{}\n", what, ModelsOf(models_[i]->text),
                          differs.empty() ? "" : "; differs: ", differs);
  }
  return report + fmt::format("{} of {} components became davit's own models\n", mapped, count);
}

}  // namespace davit::hopsan
