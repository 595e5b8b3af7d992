#include "studio/api_charts.h"

#include <fmt/format.h>

#include <utility>

#include "server/http_api.h"
#include "studio/check_system.h"
#include "studio/request_body.h"

namespace davit {
namespace {

HttpAnswer DescribeSession(int session, ChartTrial& trial) {
  Json json = trial.Describe();
  json["session"] = session;
  return {.body = DumpJson(json)};
}

}  // namespace

HttpAnswer ChartTrials::Answer(const HttpQuery& query) {
  if (query.path == "/api/chart/run" && query.method == "DELETE") {
    const std::string text(query.Find("session"));
    const auto found =
        std::ranges::find_if(sessions_, [&](const auto& one) { return std::to_string(one.first) == text; });
    if (found == sessions_.end()) return HttpFault(404, fmt::format("there is no session {}", text));
    sessions_.erase(found);
    return {.body = "{}"};
  }
  if (query.method != "POST") return HttpFault(405, query.path + " does not take " + query.method);
  return query.path == "/api/chart/run" ? Begin(query) : Send(query);
}

HttpAnswer ChartTrials::Begin(const HttpQuery& query) {
  std::string fault;
  std::optional<EditedTexts> edited = ReadEditedTexts(query.body, fault);
  if (!edited) return HttpFault(400, fault);
  Diagnostics diagnostics;
  LoneChart lone(context_->folder, context_->models, edited->path, std::move(edited->texts), diagnostics);
  if (lone.chart() == nullptr)
    return {.body = DumpJson({{"faults", FaultsToJson(diagnostics, *context_->folder)}})};
  if (sessions_.size() >= kMostSessions) sessions_.erase(sessions_.begin());
  const int session = next_session_++;
  ChartTrial& trial =
      *sessions_.emplace(session, std::make_unique<ChartTrial>(std::move(lone))).first->second;
  return DescribeSession(session, trial);
}

HttpAnswer ChartTrials::Send(const HttpQuery& query) {
  const Json body = Json::parse(query.body, nullptr, false);
  const bool is_right = body.is_object() && body.contains("session") && body["session"].is_number_integer();
  if (!is_right)
    return HttpFault(400,
                     R"(the body should be {"session": 1, "event": {"name": "up"}}, or have set or advance)");
  const auto found = sessions_.find(body["session"].get<int>());
  if (found == sessions_.end())
    return HttpFault(404, "there is no such session; begin one with POST /api/chart/run");
  ChartTrial& trial = *found->second;
  std::string fault;
  if (body.contains("set") && body["set"].is_object()) {
    for (const auto& [path, value] : body["set"].items()) {
      if (fault.empty()) fault = trial.SetValue(path, value);
    }
  }
  if (fault.empty() && body.contains("event")) {
    fault = trial.Send(body["event"].is_string() ? Json{{"name", body["event"]}} : body["event"]);
  }
  if (fault.empty() && body.contains("advance"))
    fault = trial.Advance(body["advance"].is_number() ? body["advance"].get<double>() : 0);
  if (!fault.empty()) return HttpFault(400, fault);
  return DescribeSession(found->first, trial);
}

}  // namespace davit
