#include "proof/chart_paths.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

#include "proof/chart_coverage.h"
#include "proof/open_conditions.h"
#include "statecharts/chart_label.h"
#include "statecharts/chart_watch.h"
#include "statecharts/session_table.h"

namespace davit {
namespace {

/// An open condition: of a transition, or behind those the condition of an `<if>`.
using Choice = std::uint32_t;
using Choices = std::vector<Choice>;  ///< rising

constexpr std::size_t kMostTrue = 2;
constexpr std::size_t kMostValues = 100;
constexpr SessionLimits kLimits{.most_microsteps = 100, .most_macrosteps = 100};
constexpr Index kTime = kNoIndex;
constexpr Index kWait = kNoIndex - 1;

/// What leads from one situation to the next.
struct Move {
  Index event = kTime;  ///< of the alphabet, kTime, kWait
  Choices choices = {};
};

struct Situation {
  std::uint32_t before = UINT32_MAX;
  Move move = {};
  std::vector<std::byte> state = {};  ///< until it was looked at
};

class Search final : public ChartWatch {
 public:
  /// `unbounded`: data that are open.
  Search(const std::shared_ptr<const Chart>& chart, ChartHost* host, const std::set<Index>& unbounded)
      : chart_(*chart),
        conditions_(*chart, unbounded),
        table_(chart, host, nullptr, kLimits),
        found_states_(chart->states.size(), UINT32_MAX),
        found_transitions_(chart->transitions.size(), UINT32_MAX) {
    table_.set_watch(this);
    result_.events = OutsideEvents(*chart);
  }

  /// Data that have taken more than kMostValues.
  std::set<Index> FindUnbounded() const {
    std::set<Index> unbounded;
    for (const auto& [variable, values] : values_) {
      if (values.size() > kMostValues) unbounded.insert(variable);
    }
    return unbounded;
  }

  /// Ends early where there are unbounded data.
  ChartPaths Run(std::uint64_t most) {
    Explore(UINT32_MAX, {}, [this] { table_.Start(0); });
    for (std::uint32_t at = 0; at < situations_.size(); ++at) {
      if (is_unbounded_) break;
      if (situations_.size() >= most) {
        result_.is_complete = false;
        break;
      }
      const std::vector<std::byte> state = std::move(situations_[at].state);
      situations_[at].state = {};
      Expand(at, state);
    }
    return Finish();
  }

  // ChartWatch
  std::optional<bool> DecideGuard(const Interpreter& session, Index index) override {
    const Transition& transition = chart_.transitions[index];
    std::optional<bool> value = true;
    if (transition.cond != kNoIndex) value = conditions_.Evaluate(transition.cond, session);
    if (value == false) return false;
    const bool is_timed = transition.after > 0 || transition.holds > 0;
    // Time must pass since the source was entered.
    if (is_timed && std::ranges::find(entered_, transition.source) != entered_.end()) return false;
    return value && !is_timed ? value : Choose(index);
  }
  std::optional<bool> DecideIf(const Interpreter& session, Index condition) override {
    const std::optional<bool> value = conditions_.Evaluate(condition, session);
    return value ? value : Choose(static_cast<Choice>(chart_.transitions.size()) + condition);
  }
  void OnTaken(const Interpreter& /*session*/, Index transition) override { taken_.push_back(transition); }
  void OnEntered(const Interpreter& /*session*/, StateId state) override { entered_.push_back(state); }

 private:
  bool Choose(Choice choice) {
    asked_.insert(choice);
    return std::ranges::binary_search(*chosen_, choice);
  }

  void Expand(std::uint32_t at, const std::vector<std::byte>& state) {
    if (!table_.Restore(state)) return;
    if (!table_.session().is_running()) return;
    const bool has_delayed = table_.delayed().size() > 0;
    Explore(at, {kTime, {}}, [&] {
      table_.Restore(state);
      table_.session().RunMacrostep();
      table_.RunUntilStable(table_.time());
      Rest();
    });
    for (Index event = 0; event < result_.events.size(); ++event) {
      Explore(at, {event, {}}, [&] {
        table_.Restore(state);
        table_.session().Send(table_.session().MakeEvent(result_.events[event]));
        table_.RunUntilStable(table_.time());
        Rest();
      });
    }
    if (!has_delayed) return;
    Explore(at, {kWait, {}}, [&] {
      table_.Restore(state);
      table_.RunUntilStable(table_.delayed().NextDue());
      Rest();
    });
  }

  /// What else a step does.
  void Rest() {
    table_.session().RunDuring();
    table_.session().EndStep();
    if (table_.session().is_running() && table_.session().has_external_event())
      table_.RunUntilStable(table_.time());
  }

  /// Makes a move with all choices that matter.
  template <class Make>
  void Explore(std::uint32_t at, Move move, const Make& make) {
    std::set<Choices> known{{}};
    std::deque<Choices> open{{}};
    while (!open.empty()) {
      move.choices = std::move(open.front());
      open.pop_front();
      chosen_ = &move.choices;
      asked_.clear();
      taken_.clear();
      entered_.clear();
      make();
      if (move.choices.size() < kMostTrue) {
        for (const Choice choice : asked_) {
          Choices more = move.choices;
          const auto place = std::ranges::lower_bound(more, choice);
          if (place != more.end() && *place == choice) continue;
          more.insert(place, choice);
          if (known.insert(more).second) open.push_back(std::move(more));
        }
      }
      all_asked_.insert(asked_.begin(), asked_.end());
      if (table_.is_stuck() || table_.has_waiting_events()) {
        ++result_.livelocks;
        continue;
      }
      Arrive(at, move);
    }
  }

  void Arrive(std::uint32_t at, const Move& move) {
    if (known_.insert(KeyOfSituation()).second) {
      situations_.push_back({at, move, table_.Save()});
      if (situations_.back().state.empty()) result_.fault = "its situations cannot be saved";
    }
    // The first move that takes a transition belongs to one of the shortest paths to it, even if it leads to
    // a situation that is known.
    const auto end = static_cast<std::uint32_t>(ends_.size());
    bool is_used = false;
    const auto note = [&](std::uint32_t& found) {
      if (found != UINT32_MAX) return;
      found = end;
      is_used = true;
    };
    for (const StateId state : entered_) note(found_states_[state]);
    for (const Index transition : taken_) note(found_transitions_[transition]);
    if (is_used) ends_.emplace_back(at, move);
  }

  std::string KeyOfSituation() {
    const Interpreter& session = table_.session();
    std::string key;
    const auto add = [&key](const auto& value) {
      key.append(reinterpret_cast<const char*>(&value), sizeof value);  // NOLINT: bytes of a number
    };
    for (const std::uint64_t word : session.configuration().words()) add(word);
    configurations_.insert(key);
    add(session.phase());
    const HistoryValues& history = session.history();
    for (StateId state = 1; state < chart_.states.size(); ++state) {
      if (!chart_.IsHistory(state)) continue;
      add(history.known.Contains(state));
      if (history.known.Contains(state)) {
        for (const std::uint64_t word : history.sets[state].words()) add(word);
      }
    }
    for (const Index variable : conditions_.decisive_data()) {
      const double value = session.Value(variable);
      add(value);
      std::set<double>& values = values_[variable];
      values.insert(value);
      is_unbounded_ |= values.size() > kMostValues;
    }
    table_.delayed().ForEach([&](double due, const Send& send) {
      const auto after = static_cast<std::int64_t>(std::llround((due - table_.time()) * 1e9));
      add(after);
      add(&send);
    });
    return key;
  }

  std::string TextOfStep(const Move& move) const {
    const std::string text = move.event == kTime   ? "time"
                             : move.event == kWait ? "wait"
                                                   : result_.events[move.event];
    return move.choices.empty() ? text : text + TextOfChoices(move);
  }
  std::string TextOfChoices(const Move& move) const {
    std::string text = " [";
    for (std::size_t i = 0; i < move.choices.size(); ++i)
      text += (i == 0 ? "" : "; ") + TextOfChoice(move.choices[i]);
    return text + "]";
  }
  std::string TextOfChoice(Choice choice) const {
    if (choice >= chart_.transitions.size())
      return chart_.expressions[choice - chart_.transitions.size()].text;
    const Transition& transition = chart_.transitions[choice];
    std::string text = transition.cond == kNoIndex ? std::string() : chart_.expressions[transition.cond].text;
    const auto add = [&](const char* name, double seconds) {
      if (seconds > 0)
        text += std::string(text.empty() ? "" : " ") + name + " " + ShortNumber(seconds) + " s";
    };
    add("after", transition.after);
    add("for", transition.holds);
    return text;
  }
  static std::string ShortNumber(double value) {
    std::string text = std::to_string(value);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text;
  }

  std::vector<std::string> StepsOf(std::uint32_t end) const {
    std::vector<std::string> steps;
    const auto add = [&](std::uint32_t before, const Move& move) {
      if (before != UINT32_MAX) {
        steps.push_back(TextOfStep(move));
      } else if (!move.choices.empty()) {
        steps.push_back("at the start" + TextOfChoices(move));
      }
    };
    std::uint32_t at = ends_[end].first;
    add(at, ends_[end].second);
    for (; at != UINT32_MAX; at = situations_[at].before) add(situations_[at].before, situations_[at].move);
    std::ranges::reverse(steps);
    return steps;
  }

  ChartPaths Finish() {
    result_.configurations = configurations_.size();
    result_.situations = situations_.size();
    for (StateId state = 1; state < chart_.states.size(); ++state) {
      if (chart_.IsHistory(state)) continue;
      AddPath(result_.states, chart_.names[state].id, chart_.names[state].line, found_states_[state]);
    }
    for (StateId state = 0; state < chart_.states.size(); ++state) {
      const IndexRange own = chart_.states[state].transitions;
      for (Index i = own.begin; i < own.end; ++i)
        AddPath(result_.transitions, NameOfTransition(chart_, i), chart_.transitions[i].line,
                found_transitions_[i]);
    }
    std::set<std::string> open;
    for (const Choice choice : all_asked_) open.insert(TextOfChoice(choice));
    result_.open.assign(open.begin(), open.end());
    return std::move(result_);
  }
  void AddPath(std::vector<ChartPath>& paths, std::string name, int line, std::uint32_t end) const {
    paths.push_back({.name = std::move(name), .line = line, .is_found = end != UINT32_MAX});
    if (end != UINT32_MAX) paths.back().steps = StepsOf(end);
  }

  const Chart& chart_;
  OpenConditions conditions_;
  SessionTable table_;
  ChartPaths result_;
  std::deque<Situation> situations_;
  std::unordered_set<std::string> known_;  ///< keys of all situations
  std::unordered_set<std::string> configurations_;
  std::vector<std::pair<std::uint32_t, Move>> ends_;  ///< last moves of paths, and where they begin
  std::vector<std::uint32_t> found_states_, found_transitions_;  ///< of ends_
  std::map<Index, std::set<double>> values_;                     ///< of decisive data
  bool is_unbounded_ = false;
  std::set<Choice> all_asked_, asked_;
  const Choices* chosen_ = nullptr;
  std::vector<Index> taken_;
  std::vector<StateId> entered_;
};

std::vector<std::string> NotFound(const std::vector<ChartPath>& paths) {
  std::vector<std::string> names;
  for (const ChartPath& path : paths) {
    if (!path.is_found) names.push_back(path.name);
  }
  return names;
}

}  // namespace

std::vector<std::string> OutsideEvents(const Chart& chart) {
  std::set<std::string, std::less<>> own;  // that the chart raises itself
  for (const Instruction& instruction : chart.instructions) {
    if (instruction.op == Op::kRaise) own.emplace(chart.symbols->Text(instruction.index));
  }
  for (const Send& send : chart.sends) {
    if (send.kind == SendTarget::kSelf || send.kind == SendTarget::kInternal) own.insert(send.event.text);
  }
  std::set<std::string> events;
  for (const std::string& descriptor : chart.descriptor_texts) {
    const std::string_view first = std::string_view(descriptor).substr(0, descriptor.find('.'));
    if (first == "done" || first == "error" || own.contains(descriptor)) continue;
    events.insert(descriptor.empty() ? "any" : descriptor);
  }
  return {events.begin(), events.end()};
}

std::vector<std::string> ChartPaths::Unreachable() const { return NotFound(states); }

std::vector<std::string> ChartPaths::Dead() const { return NotFound(transitions); }

ChartPaths FindChartPaths(const std::shared_ptr<const Chart>& chart, ChartHost* host, std::uint64_t most) {
  if (chart->data_model == DataModelKind::kEcmascript)
    return {.fault = "the data model ecmascript cannot be searched; use datamodel=\"davit\" or \"null\""};
  if (!chart->invokes.empty())
    return {.fault = "charts that invoke others cannot be searched; search the invoked charts alone"};
  std::set<Index> unbounded;
  for (;;) {
    Search search(chart, host, unbounded);
    ChartPaths paths = search.Run(most);
    const std::set<Index> more = search.FindUnbounded();
    if (more.empty()) return paths;
    unbounded.insert(more.begin(), more.end());
  }
}

}  // namespace davit
