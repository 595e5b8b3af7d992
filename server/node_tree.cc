#include "server/node_tree.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "framework/message.h"
#include "simulator/charts/chart_set.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

constexpr std::uint32_t kNoNode = UINT32_MAX;

std::string_view TypeNameOf(Item::Kind kind) {
  switch (kind) {
    case Item::Kind::kParameter: return "davit.Parameter";
    case Item::Kind::kInput:
    case Item::Kind::kInputElement: return "davit.Input";
    case Item::Kind::kOutput: return "davit.Output";
    case Item::Kind::kState: return "davit.State";
    case Item::Kind::kDerivative: return "davit.Derivative";
    case Item::Kind::kLevel:
    case Item::Kind::kLevelModified: return "davit.Level";
    case Item::Kind::kAspect: return "davit.Aspect";
    case Item::Kind::kPortField:
    case Item::Kind::kPortEffort: return "davit.PortVariable";
    case Item::Kind::kProperty: return "davit.Property";
    case Item::Kind::kStart: return "davit.Start";
  }
  return {};
}

bool IsSetting(Item::Kind kind) {
  return kind == Item::Kind::kParameter || kind == Item::Kind::kProperty || kind == Item::Kind::kLevel ||
         kind == Item::Kind::kAspect || kind == Item::Kind::kStart;
}

}  // namespace

NodeTree::NodeTree(System& system) : system_(system) {
  const std::string name = system.root().name().empty() ? "system" : system.root().name();
  LiveNode& root = Add(kNoNode, LiveNode::Kind::kSystem, name);
  root.type = NodeType::kSystem;
  LiveNode& application = Add(kSystemNode, LiveNode::Kind::kApplication, name);
  application.type = NodeType::kApplication;
  application.type_name = "davit.System";
  by_display_path_.emplace("", kApplicationNode);
  AddComponent(system.root(), kApplicationNode);
  const ChartSet& charts = SimulatorManager::Of(system).charts();
  for (ChartBinding* chart : charts.charts()) {
    if (chart->chart() == nullptr) continue;
    const LiveNode* owner = FindDisplayPath(chart->node().DisplayPath());
    if (owner == nullptr) continue;
    const std::uint32_t parent = owner->id;
    LiveNode& node = Add(parent, LiveNode::Kind::kChart, FreeName(parent, "active_states", "_of_chart"));
    node.type = NodeType::kProperty;
    node.type_name = "davit.ActiveStates";
    node.value_type = NodeValueType::kString;
    node.subject = static_cast<std::uint32_t>(charts_.size());
    charts_.push_back({chart, node.id});
  }
}

LiveNode& NodeTree::Add(std::uint32_t parent, LiveNode::Kind kind, std::string name) {
  const auto id = static_cast<std::uint32_t>(nodes_.size());
  LiveNode& node = nodes_.emplace_back();
  node.id = id;
  node.kind = kind;
  node.name = std::move(name);
  if (parent != kNoNode) {
    node.parent = parent;
    nodes_[parent].children.push_back(id);
    by_name_.emplace(std::pair(parent, node.name), id);
  }
  return node;
}

std::uint32_t NodeTree::FindChild(std::uint32_t parent, std::string_view name) const {
  const auto found = by_name_.find(std::pair(parent, std::string(name)));
  return found == by_name_.end() ? kNoNode : found->second;
}

std::string NodeTree::FreeName(std::uint32_t parent, std::string_view name, std::string_view suffix) const {
  std::string free(name);
  while (FindChild(parent, free) != kNoNode) free += suffix;
  return free;
}

std::uint32_t NodeTree::AddGroups(std::uint32_t parent, std::string_view& name) {
  for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.')) {
    const std::string_view group = name.substr(0, dot);
    name.remove_prefix(dot + 1);
    const std::uint32_t found = FindChild(parent, group);
    parent = found != kNoNode ? found : Add(parent, LiveNode::Kind::kGroup, std::string(group)).id;
  }
  return parent;
}

void NodeTree::AddComponent(Component& component, std::uint32_t parent) {
  if (component.parent() == nullptr) {
    LiveNode& time = Add(parent, LiveNode::Kind::kTime, FreeName(parent, "time", "_of_run"));
    time.type = NodeType::kProperty;
    time.type_name = "davit.Time";
    time.value_type = NodeValueType::kDouble;
    time.is_important = true;
    const std::uint32_t id = time.id;
    AddText(id, "unit", "s");
    AddText(id, "text", "Simulated time");
  }
  for (Component* child : component.children()) {
    LiveNode& node = Add(parent, LiveNode::Kind::kComponent, child->name());
    node.type = NodeType::kComponent;
    node.type_name = child->model().name;
    by_display_path_.emplace(child->DisplayPath(), node.id);
    AddComponent(*child, node.id);
  }
  for (const Item& item : system_.ItemsOf(component)) {
    item.MarkShown();  // a client may look at each
    AddItem(item, parent);
  }
  for (const Message* message : component.declarations().messages) {
    LiveNode& node =
        Add(parent, LiveNode::Kind::kMessage, FreeName(parent, message->label().name, "_message"));
    node.type = NodeType::kMessage;
    node.type_name = "davit.Message";
    node.value_type = NodeValueType::kString;
    node.is_read_only = false;
    node.text = message->label().name;
    const std::uint32_t id = node.id;
    AddText(id, "text", std::string(message->label().text));
  }
  for (Alarm* alarm : component.declarations().alarms) AddAlarm(*alarm, component, parent);
}

void NodeTree::AddItem(const Item& item, std::uint32_t parent) {
  if (items_by_path_.contains(item.path())) return;  // an output and a start value of the same name
  std::string_view name = item.name();
  parent = AddGroups(parent, name);
  const auto subject = static_cast<std::uint32_t>(items_.size());
  std::uint32_t id = FindChild(parent, name);
  if (id != kNoNode && nodes_[id].kind != LiveNode::Kind::kGroup) return;
  if (id == kNoNode) id = Add(parent, LiveNode::Kind::kItem, std::string(name)).id;
  LiveItem live{item, id};
  for (const std::string_view option : item.options()) live.options.emplace_back(option);
  live.is_writable = item.is_writable();

  LiveNode& node = nodes_[id];
  node.kind = LiveNode::Kind::kItem;
  node.subject = subject;
  node.type = IsSetting(item.kind()) ? NodeType::kProperty : NodeType::kObject;
  node.type_name = TypeNameOf(item.kind());
  node.is_read_only = !live.is_writable;
  node.is_important = item.is_primary() && item.kind() == Item::Kind::kState;
  const ValueKind kind = item.value_kind();
  node.value_type = kind == ValueKind::kCondition                            ? NodeValueType::kBool
                    : kind == ValueKind::kOption || kind == ValueKind::kText ? NodeValueType::kString
                                                                             : NodeValueType::kDouble;
  if (kind == ValueKind::kText) node.text = "text";
  items_by_path_.emplace(item.path(), subject);
  items_.push_back(std::move(live));
  if (name.ends_with(']')) return;  // elements of arrays: many, and all alike

  const bool is_number = node.value_type == NodeValueType::kDouble;
  if (is_number && !items_[subject].is_writable) {
    AddText(id, "unit", item.unit() == kAnyUnit ? "" : item.unit());
  } else if (is_number) {
    LiveNode& as_text = Add(id, LiveNode::Kind::kItemText, FreeName(id, "as_text", "_"));
    as_text.type = NodeType::kProperty;
    as_text.type_name = "davit.ValueWithUnit";
    as_text.value_type = NodeValueType::kString;
    as_text.is_read_only = false;
    as_text.subject = subject;
    AddText(id, "unit", item.unit() == kAnyUnit ? "" : item.unit());
    const Range range = item.range();
    AddNumber(id, "min", range.low);
    AddNumber(id, "max", range.high);
  }
  AddText(id, "text", std::string(item.text()));
  AddText(id, "default", item.default_text());
  std::string options;
  for (const std::string& option : items_[subject].options) options += (options.empty() ? "" : ", ") + option;
  AddText(id, "options", options);
}

void NodeTree::AddText(std::uint32_t parent, std::string_view name, std::string text) {
  if (text.empty() || FindChild(parent, name) != kNoNode) return;
  LiveNode& node = Add(parent, LiveNode::Kind::kFixedText, std::string(name));
  node.type = NodeType::kProperty;
  node.value_type = NodeValueType::kString;
  node.text = std::move(text);
}

void NodeTree::AddNumber(std::uint32_t parent, std::string_view name, double number) {
  if (!std::isfinite(number) || FindChild(parent, name) != kNoNode) return;
  LiveNode& node = Add(parent, LiveNode::Kind::kFixedNumber, std::string(name));
  node.type = NodeType::kProperty;
  node.value_type = NodeValueType::kDouble;
  node.number = number;
}

void NodeTree::AddAlarm(Alarm& alarm, Component& owner, std::uint32_t parent) {
  const auto subject = static_cast<std::uint32_t>(alarms_.size());
  LiveNode& node = Add(parent, LiveNode::Kind::kAlarm, FreeName(parent, alarm.label().name, "_alarm"));
  node.type_name = "davit.Alarm";
  node.value_type = NodeValueType::kBool;
  node.is_important = true;
  node.subject = subject;
  const std::uint32_t id = node.id;
  alarms_.push_back({&alarm, &owner, id});
  LiveNode& acknowledged = Add(id, LiveNode::Kind::kAcknowledged, "acknowledged");
  acknowledged.type = NodeType::kProperty;
  acknowledged.value_type = NodeValueType::kBool;
  acknowledged.subject = subject;
  LiveNode& acknowledge = Add(id, LiveNode::Kind::kAcknowledge, "Acknowledge");
  acknowledge.type = NodeType::kMessage;
  acknowledge.value_type = NodeValueType::kString;
  acknowledge.is_read_only = false;
  acknowledge.subject = subject;
  AddText(id, "level", std::string(ToText(alarm.level())));
  AddText(id, "text", std::string(alarm.label().text));
}

const LiveNode* NodeTree::FindPath(std::string_view path) const {
  std::uint32_t node = kApplicationNode;
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    node = FindChild(node, path.substr(0, dot));
    if (node == kNoNode) return nullptr;
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  return &nodes_[node];
}

std::string NodeTree::PathOf(const LiveNode& node) const {
  if (node.id == kSystemNode || node.id == kApplicationNode) return {};
  const std::string above = PathOf(nodes_[node.parent]);
  return above.empty() ? node.name : above + '.' + node.name;
}

const LiveNode* NodeTree::FindDisplayPath(std::string_view path) const {
  const auto found = by_display_path_.find(path);
  return found == by_display_path_.end() ? nullptr : &nodes_[found->second];
}

const NodeTree::LiveItem* NodeTree::FindItem(std::string_view path) const {
  const auto found = items_by_path_.find(path);
  return found == items_by_path_.end() ? nullptr : &items_[found->second];
}

std::optional<ValueSource> NodeTree::SourceOf(const LiveNode& node) const {
  if (HasText(node)) return std::nullopt;
  switch (node.kind) {
    case LiveNode::Kind::kTime: return ValueSource(SimulatorManager::Of(system_));
    case LiveNode::Kind::kItem: return ValueSource(items_[node.subject].item);
    case LiveNode::Kind::kAlarm:
      return ValueSource(*alarms_[node.subject].alarm, ValueSource::OfAlarm::kIsSet);
    case LiveNode::Kind::kAcknowledged:
      return ValueSource(*alarms_[node.subject].alarm, ValueSource::OfAlarm::kIsAcknowledged);
    default: return std::nullopt;
  }
}

std::string NodeTree::TextOf(const LiveNode& node) const {
  if (node.kind != LiveNode::Kind::kChart) return items_[node.subject].item.ReadText();
  ChartBinding& binding = *charts_[node.subject].chart;
  const Interpreter& session = binding.table().session();
  std::string text;
  session.configuration().ForEach([&](StateId state) {
    if (state == 0) return;  // the chart itself
    text += (text.empty() ? "" : " ") + session.chart().names[state].id;
  });
  return text;
}

}  // namespace davit
