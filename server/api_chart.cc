// The chart of a component.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "server/http_api.h"
#include "statecharts/chart_label.h"

namespace davit {
namespace {

std::string_view ToText(StateKind kind) {
  switch (kind) {
    case StateKind::kAtomic: return "atomic";
    case StateKind::kCompound: return "compound";
    case StateKind::kParallel: return "parallel";
    case StateKind::kFinal: return "final";
    case StateKind::kShallowHistory: return "history";
    case StateKind::kDeepHistory: return "deep_history";
  }
  return {};
}

nlohmann::json DescribeStates(const Chart& chart, const std::vector<bool>& active) {
  nlohmann::json states = nlohmann::json::array();
  for (StateId i = 1; i < chart.states.size(); ++i) {
    const State& state = chart.states[i];
    nlohmann::json children = nlohmann::json::array();
    for (Index c = state.children.begin; c < state.children.end; ++c)
      children.push_back(chart.names[chart.state_lists[c]].id);
    nlohmann::json json{{"id", chart.names[i].id},
                        {"kind", ToText(state.kind)},
                        {"parent", nullptr},
                        {"children", std::move(children)},
                        {"active", static_cast<bool>(active[i])}};
    if (state.parent != 0 && state.parent != kNoState) json["parent"] = chart.names[state.parent].id;
    states.push_back(std::move(json));
  }
  return states;
}

nlohmann::json DescribeTransitions(const Chart& chart) {
  nlohmann::json transitions = nlohmann::json::array();
  for (Index i = 0; i < chart.transitions.size(); ++i) {
    const Transition& transition = chart.transitions[i];
    const bool is_initial =
        chart.states[transition.source].initial == i && !chart.IsHistory(transition.source);
    if (is_initial || transition.source == 0) continue;
    nlohmann::json to = nlohmann::json::array();
    for (Index t = transition.targets.begin; t < transition.targets.end; ++t)
      to.push_back(chart.names[chart.state_lists[t]].id);
    std::string event;
    for (Index e = transition.events.begin; e < transition.events.end; ++e)
      event += (event.empty() ? "" : " ") + chart.descriptor_texts[chart.descriptor_lists[e]];
    transitions.push_back(
        {{"from", chart.names[transition.source].id},
         {"to", std::move(to)},
         {"event", event},
         {"cond", transition.cond == kNoIndex ? std::string() : chart.expressions[transition.cond].text},
         {"text", TransitionText(chart, transition)}});
  }
  return transitions;
}

}  // namespace

std::string DescribeChart(const Chart& chart) {
  std::vector<std::string> events(chart.descriptor_texts.begin(), chart.descriptor_texts.end());
  std::erase(events, "");
  const nlohmann::json json{{"transitions", DescribeTransitions(chart)}, {"events", events}};
  const std::string text = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return text.substr(1, text.size() - 2);
}

void AnswerChart(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer) {
  const std::string path(query.Find("component"));
  const Component* component = context.tree.system().Find(path);
  const std::vector<NodeTree::LiveChart>& charts = context.tree.charts();
  const auto found = std::ranges::find_if(charts, [&](const NodeTree::LiveChart& chart) {
    return component != nullptr && IsChartOf(*chart.chart, *component);
  });
  if (found == charts.end()) return answer(HttpFault(404, "no component '" + path + "' with a chart"));
  ChartBinding* const binding = found->chart;
  const auto number = static_cast<std::size_t>(found - charts.begin());
  const bool is_posted = context.run.Post([&context, answer, binding, number] {
    const Interpreter& session = binding->table().session();
    std::vector<bool> active(session.chart().states.size());
    for (StateId i = 0; i < active.size(); ++i) active[i] = session.IsActive(i);
    context.post_to_server([&context, answer, binding, number, active = std::move(active)] {
      const Chart& chart = *binding->chart();
      nlohmann::json last = nlohmann::json::array();
      if (const auto* lines = context.events.FindTransitions(binding->node().DisplayPath())) {
        for (const LogLine& line : *lines) last.push_back({{"time", line.time}, {"text", line.text}});
      }
      const nlohmann::json json{
          {"name", chart.name}, {"states", DescribeStates(chart, active)}, {"last", std::move(last)}};
      std::string body = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
      body.back() = ',';
      answer({.body = body + context.chart_texts[number] + '}'});
    });
  });
  if (!is_posted) answer(HttpFault(503, kNoTime));
}

}  // namespace davit
