#include "server/http_api.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace davit {
namespace {

struct ApiRoute {
  std::string_view method;
  std::string_view path;
  void (*answer)(LiveContext&, const HttpQuery&, const AnswerHttp&);
  UserRole needs = UserRole::kView;
  bool needs_login = true;
};

void LogIn(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer) {
  answer(AnswerLogin(context.authentication, context.options, query));
}

constexpr std::array<ApiRoute, 21> kRoutes{{
    {"GET", "/api/state", AnswerState},
    {"GET", "/api/values", AnswerValues},
    {"POST", "/api/control", AnswerControl, UserRole::kOperate},
    {"POST", "/api/command", AnswerCommand, UserRole::kOperate},
    {"POST", "/api/acknowledge", AnswerAcknowledge, UserRole::kOperate},
    {"GET", "/api/history", AnswerHistory},
    {"GET", "/api/log", AnswerLog},
    {"GET", "/api/events", AnswerEvents},
    {"GET", "/api/chart", AnswerChart},
    {"GET", "/api/energy", AnswerEnergy},
    {"GET", "/api/snapshot", AnswerSnapshots},
    {"POST", "/api/snapshot", AnswerSnapshots, UserRole::kOperate},
    {"GET", "/api/snapshots", AnswerSnapshots},
    {"POST", "/api/snapshots", AnswerSnapshots, UserRole::kEdit},
    {"POST", "/api/snapshots/load", AnswerSnapshots, UserRole::kOperate},
    {"POST", "/api/travel", AnswerTravel, UserRole::kOperate},
    {"GET", "/api/recording", AnswerRecording},
    {"GET", "/api/why", AnswerWhy},
    {"GET", "/api/login", LogIn, UserRole::kView, false},
    {"POST", "/api/login", LogIn, UserRole::kView, false},
    {"GET", "/api/system",
     [](LiveContext& context, const HttpQuery&, const AnswerHttp& answer) {
       answer({.body = context.system_json});
     }},
}};

void AnswerDrawing(const LiveContext& context, const AnswerHttp& answer) {
  if (context.texts.drawing.empty()) return answer(HttpFault(503, context.texts.drawing_fault));
  answer({.type = "image/svg+xml; charset=utf-8", .body = context.texts.drawing});
}

}  // namespace

HttpAnswer HttpFault(int status, std::string_view text) {
  const nlohmann::json json{{"error", text}};
  return {.status = status, .body = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)};
}

void AnswerBetweenRuns(LiveContext& context, const AnswerHttp& answer, std::function<HttpAnswer()> make) {
  const bool is_posted = context.run.PostBetweenRuns([&context, answer, make = std::move(make)] {
    HttpAnswer made;
    try {
      made = make();
    } catch (const std::exception& fault) {
      made = HttpFault(409, fault.what());
    }
    context.post_to_server([answer, made = std::move(made)] { answer(made); });
  });
  if (!is_posted) answer(HttpFault(503, kNoTime));
}

void AnswerQuery(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer) {
  const bool is_api = query.path.starts_with("/api/");
  if (!is_api) {
    if (query.method != "GET") return answer(HttpFault(405, "the page is read with GET"));
    return answer(AnswerPage(query));
  }
  bool has_path = false;
  for (const ApiRoute& route : kRoutes) {
    if (route.path != query.path) continue;
    has_path = true;
    if (route.method != query.method) continue;
    if (route.needs_login && !query.is_logged_in)
      return answer(HttpFault(401, "log in first: POST /api/login"));
    if (route.needs > UserRole::kView && context.options.is_read_only)
      return answer(HttpFault(403, "the server is read-only; start it without --read-only"));
    if (const std::string refusal = RefusalOf(query.role, route.needs); !refusal.empty())
      return answer(HttpFault(403, refusal));
    return route.answer(context, query, answer);
  }
  const bool is_drawing = query.path == "/api/drawing.svg";
  if (is_drawing || query.path == "/api/scene") {
    if (!query.is_logged_in) return answer(HttpFault(401, "log in first: POST /api/login"));
    if (query.method != "GET") return answer(HttpFault(405, "read it with GET"));
    return is_drawing ? AnswerDrawing(context, answer) : answer({.body = context.texts.scene});
  }
  if (has_path) return answer(HttpFault(405, query.path + " does not take " + query.method));
  answer(HttpFault(404, "there is no " + query.path + "; docs/live.md lists what there is"));
}

}  // namespace davit
