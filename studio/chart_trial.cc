#include "studio/chart_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "framework/nearest_name.h"
#include "statecharts/chart_label.h"
#include "statecharts/time_text.h"

namespace davit {

ChartTrial::ChartTrial(LoneChart lone) : lone_(std::move(lone)), table_(lone_.chart(), lone_.system(), this) {
  table_.Start(0);
}

void ChartTrial::Note(const Interpreter& session, Json line) {
  if (trace_.size() >= kMostLines) return;
  line["time"] = table_.time();
  if (session.parent() != nullptr) line["in"] = session.chart().symbols->Text(session.invoke_id());
  trace_.push_back(std::move(line));
}

void ChartTrial::OnEvent(const Interpreter& session, const Event& event) {
  Note(session, {{"kind", "event"}, {"text", event.Name(*session.chart().symbols)}});
}
void ChartTrial::OnTransition(const Interpreter& session, const Transition& transition) {
  const Chart& chart = session.chart();
  Json to = Json::array();
  for (Index i = transition.targets.begin; i < transition.targets.end; ++i)
    to.push_back(chart.names[chart.state_lists[i]].id);
  Note(session, {{"kind", "transition"},
                 {"from", chart.names[transition.source].id},
                 {"to", std::move(to)},
                 {"text", TransitionText(chart, transition)},
                 {"line", transition.line}});
}
void ChartTrial::OnExit(const Interpreter& session, StateId state) {
  Note(session, {{"kind", "exit"}, {"text", session.chart().names[state].id}});
}
void ChartTrial::OnEnter(const Interpreter& session, StateId state) {
  Note(session, {{"kind", "enter"}, {"text", session.chart().names[state].id}});
}
void ChartTrial::OnLog(const Interpreter& session, std::string_view label, std::string_view text) {
  Note(session, {{"kind", "log"},
                 {"text", fmt::format("{}{}{}", label, label.empty() || text.empty() ? "" : ": ", text)}});
}
void ChartTrial::OnError(const Interpreter& session, int line, std::string_view what) {
  Note(session, {{"kind", "error"}, {"text", what}, {"line", line}});
}
void ChartTrial::OnLivelock(const Interpreter& session) {
  has_livelock_ = true;
  Note(session,
       {{"kind", "error"},
        {"text", "livelock: eventless transitions never settle; give one a condition that becomes false"}});
}

void ChartTrial::Step(double time) { table_.Step(time); }

std::string ChartTrial::Send(const Json& event) {
  const bool is_right = event.is_object() && event.contains("name") && event["name"].is_string();
  if (!is_right || event["name"].get_ref<const std::string&>().empty())
    return "an event needs a name; write {\"name\": \"up\", \"values\": {\"speed\": 3}}";
  if (is_over()) return "the chart has ended; start it again";
  Interpreter& session = table_.session();
  Event made = session.MakeEvent(event["name"].get<std::string>());
  const Json values = event.value("values", Json::object());
  if (!values.is_object()) return "values is not an object; write {\"speed\": 3}";
  if (values.size() > Event::kMaxFields)
    return fmt::format("an event carries at most {} values; leave some out", Event::kMaxFields);
  if (session.chart().data_model == DataModelKind::kEcmascript && !values.empty()) {
    made.Details().data = DumpJson(values);
    made.details->has_data = true;
  } else {
    SymbolTable& symbols = *session.chart().symbols;
    for (const auto& [key, value] : values.items()) {
      EventField field{symbols.Add(key), ValueType::kNumber, 0};
      if (value.is_number()) {
        field.value = value.get<double>();
      } else if (value.is_boolean()) {
        field.type = ValueType::kBoolean;
        field.value = value.get<bool>() ? 1 : 0;
      } else if (value.is_string()) {
        field.type = ValueType::kString;
        field.value = symbols.Add(value.get<std::string>());
      } else {
        return fmt::format("{} is not a value of an event; give a number, true, false or a text",
                           Quoted(key));
      }
      made.fields[made.field_count++] = field;
    }
  }
  if (!session.Send(std::move(made))) return "no more events can wait; let time pass first";
  Step(table_.time());
  return {};
}

std::string ChartTrial::SetValue(const std::string& path, const Json& value) {
  const std::vector<AbsentSystem::Value> known = lone_.system()->ListValues();
  const auto found = std::ranges::find(known, path, &AbsentSystem::Value::path);
  if (found == known.end()) {
    std::vector<std::string> names;
    names.reserve(known.size());
    for (const AbsentSystem::Value& one : known) names.push_back(one.path);
    return fmt::format("the chart reads no {}; {}", Quoted(path), SuggestName("it reads", path, names));
  }
  double number = 0;
  if (value.is_number()) {
    number = value.get<double>();
  } else if (value.is_boolean()) {
    number = value.get<bool>() ? 1 : 0;
  } else if (value.is_string()) {
    number = lone_.chart()->symbols->Add(value.get<std::string>());
  } else {
    return fmt::format("{}: no value; give a number, true, false or a text", Quoted(path));
  }
  if (value.is_string() != (found->type == ValueType::kString) && found->type != ValueType::kAnyType)
    return fmt::format("{} is {}; give one", Quoted(path),
                       found->type == ValueType::kString ? "a text" : "a number");
  lone_.system()->SetValue(path, number);
  if (!is_over()) Step(table_.time());
  return {};
}

std::string ChartTrial::Advance(double seconds) {
  if (!(seconds > 0 && seconds <= kLongestAdvance))
    return fmt::format("a time of {:.6g} s cannot pass; give more than 0 and at most {:.0f} s", seconds,
                       kLongestAdvance);
  const double end = table_.time() + seconds;
  for (std::size_t steps = 0; steps < kMostSteps && !is_over(); ++steps) {
    const double next = table_.needs_steps()
                            ? (std::floor(table_.time() / kStep + kTimeTolerance) + 1) * kStep
                            : std::max(table_.NextDue(), table_.time());
    if (next > end + kTimeTolerance) break;
    Step(next);
  }
  if (!is_over() && table_.time() < end) Step(end);
  return {};
}

Json ChartTrial::ValueToJson(ValueType type, double value) const {
  switch (type) {
    case ValueType::kBoolean: return value != 0;
    case ValueType::kString: return lone_.chart()->symbols->Text(static_cast<SymbolId>(value));
    default: return std::isfinite(value) ? Json(value) : Json(nullptr);
  }
}

Json ChartTrial::Describe() {
  const Interpreter& session = table_.session();
  const Chart& chart = session.chart();
  Json active = Json::array();
  session.configuration().ForEach([&](StateId state) {
    if (state != 0)
      active.push_back({{"id", chart.names[state].id},
                        {"is_atomic", chart.IsAtomic(state)},
                        {"since", session.EntryTime(state)}});
  });
  Json variables = Json::array();
  for (const DataItem& item : chart.data) {
    if (item.variable == kNoIndex) continue;
    variables.push_back(
        {{"name", item.id},
         {"value", ValueToJson(chart.program.variables[item.variable].type, session.Value(item.variable))}});
  }
  Json signals = Json::array();
  for (const AbsentSystem::Value& value : lone_.system()->ListValues()) {
    Json json{{"path", value.path}, {"value", ValueToJson(value.type, value.value)}, {"set_to", nullptr}};
    if (value.wanted) json["set_to"] = ValueToJson(value.type, *value.wanted);
    signals.push_back(std::move(json));
  }
  std::vector<std::string> events(chart.descriptor_texts.begin(), chart.descriptor_texts.end());
  std::erase(events, "");
  Json json{{"time", table_.time()},
            {"active", std::move(active)},
            {"variables", std::move(variables)},
            {"signals", std::move(signals)},
            {"events", std::move(events)},
            {"is_running", session.is_running()},
            {"has_reached_final", session.has_reached_final()},
            {"is_stuck", table_.is_stuck() || has_livelock_},
            {"next_due", nullptr},
            {"trace", std::exchange(trace_, Json::array())}};
  if (std::isfinite(table_.NextDue())) json["next_due"] = table_.NextDue();
  return json;
}

}  // namespace davit
