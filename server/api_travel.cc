// Time travel and causes.

#include <algorithm>
#include <charconv>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "server/http_api.h"
#include "session/run_condition.h"
#include "session/time_travel.h"

namespace davit {
namespace {

HttpAnswer AnswerOfJson(const nlohmann::json& json) {
  return {.body = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)};
}

/// Empty where there is none.
std::string NameOf(const TimeTravel& travel, std::uint64_t number) {
  const auto found =
      std::ranges::find(travel.tapes(), number, [](const auto& tape) { return tape->number(); });
  return found == travel.tapes().end() ? std::string() : (*found)->name();
}

/// Starts the run, up to the next point at which the condition becomes true.
HttpAnswer StartUntil(LiveRun& run, const std::string& condition, const std::string& sender) {
  const auto watched = std::make_shared<RunCondition>(run.simulation(), condition);
  const std::string fault = run.StartUntil([watched] { return watched->HasBecomeTrue(); }, sender);
  return fault.empty() ? HttpAnswer() : HttpFault(409, fault);
}

nlohmann::json DescribeRecording(const Simulation& simulation) {
  const TimeTravel* const travel = simulation.time_travel();
  nlohmann::json json{{"time", simulation.time()},
                      {"is_recorded", travel != nullptr && travel->tape() != nullptr}};
  if (travel == nullptr || travel->tape() == nullptr) return json;
  json["begin"] = travel->begin_time();
  json["end"] = travel->end_time();
  json["is_at_end"] = travel->is_at_end();
  json["branch"] = travel->tape()->name();
  for (const auto& tape : travel->tapes())
    json["branches"].push_back({{"name", tape->name()},
                                {"parent", NameOf(*travel, tape->parent())},
                                {"begin", tape->fork_time()},
                                {"end", tape->end_time()}});
  return json;
}

}  // namespace

void AnswerTravel(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer) {
  using Json = nlohmann::json;
  const Json body = Json::parse(query.body, nullptr, false);
  const auto text = [&](const char* name) {
    const auto found = body.is_object() ? body.find(name) : body.end();
    return body.is_object() && found != body.end() && found->is_string() ? found->get<std::string>()
                                                                         : std::string();
  };
  const std::string action = text("action");
  const std::string condition = text("condition");
  const std::string branch = text("branch");
  LiveRun& run = context.run;
  std::function<void(TimeTravel&)> move;
  if (action == "goto" && body.contains("time") && body["time"].is_number()) {
    move = [t = body["time"].get<double>()](TimeTravel& travel) { travel.GoTo(t); };
  } else if (action == "back" && condition.empty()) {
    move = [](TimeTravel& travel) { travel.Back(); };
  } else if (action == "back") {
    move = [&run, condition](TimeTravel& travel) {
      RunCondition is_true(run.simulation(), condition);
      if (!travel.BackUntil([&] { return is_true.IsTrue(); }))
        throw std::invalid_argument("the condition did not become true before");
    };
  } else if (action == "branch" && !branch.empty()) {
    move = [branch](TimeTravel& travel) { travel.SwitchTo(branch); };
  } else if (action == "branch_here") {
    move = [](TimeTravel& travel) { travel.BranchHere(); };
  } else if (action == "until" && !condition.empty()) {
    return AnswerBetweenRuns(context, answer, [&run, condition, sender = query.sender] {
      const HttpAnswer started = StartUntil(run, condition, sender);
      return started.status == 200 ? AnswerOfJson(DescribeRecording(run.simulation())) : started;
    });
  } else {
    return answer(HttpFault(400,
                            "no action; write {\"action\":\"goto\",\"time\":12}, {\"action\":\"back\"}, "
                            "{\"action\":\"back\",\"condition\":\"load.x gt 1.2\"}, "
                            "{\"action\":\"until\",\"condition\":\"load.x gt 1.2\"}, "
                            "{\"action\":\"branch_here\"} or "
                            "{\"action\":\"branch\",\"branch\":\"trunk\"}"));
  }
  AnswerBetweenRuns(context, answer, [&run, move, action, sender = query.sender] {
    const std::string fault = run.Travel(move, action, sender);
    return fault.empty() ? AnswerOfJson(DescribeRecording(run.simulation())) : HttpFault(409, fault);
  });
}

void AnswerRecording(LiveContext& context, const HttpQuery& /*query*/, const AnswerHttp& answer) {
  const bool is_posted = context.run.Post([&context, answer] {
    const HttpAnswer made = AnswerOfJson(DescribeRecording(context.run.simulation()));
    context.post_to_server([answer, made] { answer(made); });
  });
  if (!is_posted) answer(HttpFault(503, kNoTime));
}

void AnswerWhy(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer) {
  const std::string path(query.Find("path"));
  const std::string_view time = query.Find("time");
  double until = 0;
  const auto [end, fault] = std::from_chars(time.data(), time.data() + time.size(), until);
  if (path.empty() || (!time.empty() && (fault != std::errc() || end != time.data() + time.size())))
    return answer(
        HttpFault(400, "write /api/why?path=pump.level, and &time=12 for the last change until 12 s"));
  AnswerBetweenRuns(
      context, answer,
      [&run = context.run, path, until = time.empty() ? std::nullopt : std::optional(until)] {
        nlohmann::json reasons = nlohmann::json::array();
        for (const Reason& reason : run.simulation().Why(path, until)) {
          nlohmann::json one{{"depth", reason.depth}, {"path", reason.path}, {"text", reason.text}};
          if (reason.time) one["time"] = *reason.time;
          reasons.push_back(std::move(one));
        }
        return AnswerOfJson({{"path", path}, {"reasons", std::move(reasons)}});
      });
}

}  // namespace davit
