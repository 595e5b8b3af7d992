#include "session/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "framework/aspect.h"
#include "framework/system.h"
#include "session/tree_item.h"

namespace davit {
namespace {

using Record = CauseLog::Record;

constexpr int kDeepest = 16;
constexpr std::size_t kMostMovers = 5;   // of a signal: writes from outside
constexpr std::size_t kMostSources = 3;  // routes that lead to where it is computed

class Explanation {
 public:
  Explanation(System& system, const CauseLog& causes, double until)
      : system_(system), causes_(causes), until_(until) {}

  std::vector<Reason> Explain(std::string_view path) {
    Fault fault;
    Fault ignored;
    Component* const component = system_.FindComponent(system_.root(), path, &ignored);
    const bool is_chart = component != nullptr && component->declarations().event_receiver != nullptr;
    if (is_chart) {
      ExplainLastTransitions(component->DisplayPath(), CauseLog::kAll, 0);
      return std::move(reasons_);
    }
    const bool has_level = component != nullptr && component->level();
    const std::optional<TreeItem> item =
        TreeItem::Find(system_, has_level ? std::string(path) + ".level" : std::string(path), &fault);
    if (item) {
      ExplainItem(item->item(), CauseLog::kAll, 0);
    } else if (!ExplainChange(path, 0)) {
      if (!IsModeOrAlarm(path)) throw std::invalid_argument(fault.ToText());
    }
    return std::move(reasons_);
  }

 private:
  bool IsModeOrAlarm(std::string_view path) const {
    const std::size_t dot = path.rfind('.');
    if (dot == std::string_view::npos) return false;
    Fault ignored;
    const Component* const owner = system_.FindComponent(system_.root(), path.substr(0, dot), &ignored);
    const auto is_named = [&](const auto* one) { return one->label().name == path.substr(dot + 1); };
    return owner != nullptr && (std::ranges::any_of(owner->declarations().modes, is_named) ||
                                std::ranges::any_of(owner->declarations().alarms, is_named));
  }

  void Add(int depth, std::optional<double> time, std::string_view path, std::string text) {
    reasons_.push_back({depth, time, std::string(path), std::move(text)});
  }
  bool IsNew(const Record& record) { return seen_.insert(record.number).second; }

  void ExplainItem(const Item& item, std::uint64_t before, int depth) {
    if (depth > kDeepest) return;
    Component& owner = item.owner();
    if (item.is_behaviour()) return ExplainSwitch(item, before, depth);
    if (owner.declarations().event_receiver != nullptr && item.kind() == Item::Kind::kOutput) {
      const std::string_view name = item.name();
      const std::string_view prefix = "state.";
      return ExplainTransition(owner.DisplayPath(),
                               name.starts_with(prefix) ? name.substr(prefix.size()) : "", before, depth);
    }
    const Record* const write = causes_.FindWrite(item.path(), before);
    if (write != nullptr && write->time <= until_) return ExplainWrite(*write, depth);
    if (const Route* const route = FindRoute(item)) {
      Add(depth, {}, owner.DisplayPath(), fmt::format("{} follows {}", item.path(), route->from.path()));
      return ExplainItem(route->from, before, depth + 1);
    }
    ExplainMovers(item, before, depth);
  }

  const Route* FindRoute(const Item& item) const {
    for (const auto* routes : {&system_.routes(), &system_.sampled_routes()}) {
      for (const Route& route : *routes) {
        const bool is_input =
            route.to != nullptr && route.to_owner == &item.owner() && item.input() == route.to;
        if (is_input || (route.parameter && route.parameter->path() == item.path())) return &route;
      }
    }
    return nullptr;
  }

  /// A level or an aspect.
  void ExplainSwitch(const Item& item, std::uint64_t before, int depth) {
    Component& owner = item.owner();
    const std::string mark = fmt::format("{} ", item.name());
    const Record* change = causes_.FindChange(owner.path(), before, until_);
    while (change != nullptr && change->text.find(mark) == std::string::npos)
      change = causes_.FindChange(owner.path(), change->number, until_);
    if (change == nullptr) return;
    if (!IsNew(*change)) return;
    Add(depth, change->time, change->path, fmt::format("{}: {}", item.path(), change->text));
    const Record* write = causes_.FindWrite(owner.path() + ".level", change->number);
    for (const AspectBase* aspect : owner.declarations().aspects) {
      const Record* const other =
          causes_.FindWrite(fmt::format("{}.{}", owner.path(), aspect->label().name), change->number);
      if (other != nullptr && (write == nullptr || other->number > write->number)) write = other;
    }
    if (write != nullptr) ExplainWrite(*write, depth + 1);
  }

  /// A mode or an alarm. Returns whether it is known.
  bool ExplainChange(std::string_view path, int depth) {
    const Record* const change = causes_.FindChange(path, CauseLog::kAll, until_);
    if (change == nullptr) return false;
    Add(depth, change->time, change->path, change->text);
    Fault ignored;
    if (Component* const owner =
            system_.FindComponent(system_.root(), path.substr(0, path.rfind('.')), &ignored))
      ExplainMovers(*owner, change->number, depth + 1);
    return true;
  }

  void ExplainWrite(const Record& write, int depth) {
    if (depth > kDeepest || !IsNew(write)) return;
    Add(depth, write.time, write.path, (write.sender.empty() ? "the system: " : "") + write.text);
    ExplainSender(write, depth + 1);
  }

  void ExplainSender(const Record& record, int depth) {
    if (!record.sender.starts_with('/')) return;
    // Each of the transitions that the chart took at that time may have sent it.
    ExplainLastTransitions(record.sender, record.number, depth);
  }

  /// All transitions that a chart took at the time of the last one, in several regions or one after the
  /// other.
  void ExplainLastTransitions(std::string_view chart, std::uint64_t before, int depth) {
    const Record* taken = causes_.FindTransition(chart, {}, before, until_);
    for (const double time = taken == nullptr ? 0 : taken->time; taken != nullptr && taken->time == time;) {
      ExplainTransition(chart, {}, taken->number + 1, depth);
      taken = causes_.FindTransition(chart, {}, taken->number, until_);
    }
  }

  void ExplainTransition(std::string_view chart, std::string_view state, std::uint64_t before, int depth) {
    if (depth > kDeepest) return;
    const Record* const taken = causes_.FindTransition(chart, state, before, until_);
    if (taken == nullptr || !IsNew(*taken)) return;
    Add(depth, taken->time, taken->path, taken->text);
    if (!taken->event.empty()) ExplainEvent(*taken, depth + 1);
    // After a time: what has led to the state that it leaves.
    if (taken->event.empty() && taken->operands.empty()) ExplainEntry(chart, *taken, depth + 1);
    for (const RunLog::Operand& operand : taken->operands) {
      if (operand.value.empty()) {
        ExplainTransition(chart, operand.name, taken->number, depth + 1);
      } else if (!operand.path.empty()) {
        ExplainOperand(operand, *taken, depth + 1);
      }
    }
  }

  /// The transition to the state that `taken` leaves; the last one before it if none names this state: it may
  /// be entered with a state around it.
  void ExplainEntry(std::string_view chart, const Record& taken, int depth) {
    const std::string_view source = std::string_view(taken.text).substr(0, taken.text.find_first_of(" :"));
    const bool is_named = causes_.FindTransition(chart, source, taken.number, until_) != nullptr;
    ExplainTransition(chart, is_named ? source : std::string_view(), taken.number, depth);
  }

  void ExplainEvent(const Record& taken, int depth) {
    const Record* const sent = causes_.FindEvent(taken.path, taken.event, taken.number);
    if (sent == nullptr) {
      // By the chart itself, in a transition before in the same step; or by nobody: a mode.
      const Record* const raised = causes_.FindTransition(taken.path, {}, taken.number, until_);
      if (raised != nullptr && raised->time == taken.time)
        ExplainLastTransitions(taken.path, taken.number, depth);
      return;
    }
    if (!IsNew(*sent)) return;
    Add(depth, sent->time, sent->path, (sent->sender.empty() ? "the system: " : "") + sent->text);
    ExplainSender(*sent, depth + 1);
  }

  void ExplainOperand(const RunLog::Operand& operand, const Record& taken, int depth) {
    Fault ignored;
    const std::optional<Item> item = system_.FindVariable(system_.root(), operand.path, &ignored);
    const std::string unit =
        item && item->unit() != kAnyUnit && !item->unit().empty() ? " " + item->unit() : "";
    std::string text = fmt::format("{} = {}{}", operand.path, operand.value, unit);
    if (operand.before != operand.value && !operand.before.empty())
      text += fmt::format(", a step before {}{}", operand.before, unit);
    Add(depth, taken.time, taken.path, std::move(text));
    if (item) ExplainItem(*item, taken.number, depth + 1);
  }

  void ExplainMovers(const Item& item, std::uint64_t before, int depth) {
    if (item.kind() != Item::Kind::kParameter && item.kind() != Item::Kind::kProperty)
      ExplainMovers(item.owner(), before, depth);
  }

  /// What was written in all that can act on a component, the last writes first; and where its signals come
  /// from.
  void ExplainMovers(Component& component, std::uint64_t before, int depth) {
    const std::unordered_map<const Component*, int> reach = ReachOf(component);
    ShowSources(reach, depth);
    std::size_t from_outside = 0;
    std::size_t by_charts = 0;
    std::set<std::string_view> items;
    for (const Record* write : causes_.WritesBefore(before)) {
      const bool is_chart = write->sender.starts_with('/');
      const auto owner = std::ranges::find(system_.components(), write->path,
                                           [](const Component* one) { return one->DisplayPath(); });
      if (owner == system_.components().end() || !reach.contains(*owner)) continue;
      if (!items.insert(write->item.empty() ? write->path : write->item).second) continue;
      std::size_t& count = is_chart ? by_charts : from_outside;
      if (++count <= kMostMovers) ExplainWrite(*write, depth);
    }
  }

  void ShowSources(const std::unordered_map<const Component*, int>& reach, int depth) {
    std::vector<std::pair<int, const Route*>> routes;
    for (const Route& route : system_.routes()) {
      const auto place = reach.find(route.to_owner);
      if (place != reach.end()) routes.emplace_back(place->second, &route);
    }
    std::ranges::stable_sort(routes, {}, &std::pair<int, const Route*>::first);
    for (std::size_t i = 0; i < std::min(routes.size(), kMostSources); ++i) {
      const Route& route = *routes[i].second;
      Add(depth, {}, route.to_owner->DisplayPath(),
          fmt::format("{} follows {}", route.to_path, route.from.path()));
    }
  }

  /// Components that can act on one, through connections and routes, with their distance.
  std::unordered_map<const Component*, int> ReachOf(const Component& component) const {
    std::unordered_map<const Component*, std::vector<const Component*>> neighbours;
    for (const Connection& connection : system_.connections()) {
      neighbours[connection.c.owner].push_back(connection.q.owner);
      neighbours[connection.q.owner].push_back(connection.c.owner);
    }
    for (const auto* routes : {&system_.routes(), &system_.sampled_routes()}) {
      for (const Route& route : *routes) {
        const Component* const to = route.parameter ? &route.parameter->owner() : route.to_owner;
        neighbours[to].push_back(&route.from.owner());
      }
    }
    std::unordered_map<const Component*, int> reach{{&component, 0}};
    std::deque<const Component*> next{&component};
    for (; !next.empty(); next.pop_front()) {
      const int distance = reach.at(next.front()) + 1;
      for (const Component* neighbour : neighbours[next.front()]) {
        if (reach.emplace(neighbour, distance).second) next.push_back(neighbour);
      }
    }
    return reach;
  }

  System& system_;
  const CauseLog& causes_;
  double until_;
  std::set<std::uint64_t> seen_;
  std::vector<Reason> reasons_;
};

}  // namespace

std::string ToText(const Reason& reason) {
  std::string text(2 * static_cast<std::size_t>(reason.depth) + 2, ' ');
  if (reason.time) text += fmt::format("{:.9g} s: ", *reason.time);
  if (!reason.path.empty()) text += reason.path + ": ";
  return text + reason.text;
}

std::vector<Reason> ReasonsOf(System& system, const CauseLog& causes, std::string_view path,
                              std::optional<double> time) {
  return Explanation(system, causes, time.value_or(std::numeric_limits<double>::infinity())).Explain(path);
}

}  // namespace davit
