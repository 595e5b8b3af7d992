// Login of a browser, and the files of its page.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "server/http_api.h"
#include "server/web_files.h"

namespace davit {
namespace {

constexpr std::string_view kNoPage =
    "<!doctype html><meta charset=\"utf-8\"><title>davit</title><p>This davit was built without its page: "
    "npm was "
    "missing when it was built, or could not fetch the packages. CDP Studio clients and the HTTP API "
    "(<a href=\"api/state\">api/state</a>, <a href=\"api/system\">api/system</a>) work.</p>\n";

}  // namespace

HttpAnswer AnswerLogin(Authentication& authentication, const LiveServerOptions& options,
                       const HttpQuery& query) {
  const auto now = Authentication::Clock::now();
  if (query.method == "GET") {
    nlohmann::json json{{"user_required", authentication.is_required()},
                        {"logged_in", query.is_logged_in},
                        {"user", query.user},
                        {"role", query.is_logged_in ? nlohmann::json(ToText(query.role)) : nlohmann::json()},
                        {"challenge", ""}};
    if (authentication.is_required())
      json["challenge"] = ToBase64(authentication.OpenChallenge(query.address, now));
    return {.body = json.dump()};
  }
  if (!authentication.is_required()) return {.body = R"({"accepted":true})"};
  const nlohmann::json body = nlohmann::json::parse(query.body, nullptr, false);
  const auto text = [&](const char* name) {
    return body.is_object() && body.contains(name) && body[name].is_string() ? body[name].get<std::string>()
                                                                             : std::string();
  };
  const std::string challenge = authentication.TakeChallenge(query.address, now);
  if (challenge.empty()) return HttpFault(400, "no challenge is open; GET /api/login gives one");
  const std::string name = text("user");
  switch (authentication.Check(query.address, name, challenge, FromBase64(text("response")), now)) {
    case Authentication::Result::kBlocked: return HttpFault(429, "too many wrong passwords; wait 30 s");
    case Authentication::Result::kWrong: return HttpFault(401, "wrong user or password");
    case Authentication::Result::kGranted: break;
  }
  std::string cookie = "davit_session=" + authentication.MakeToken(*authentication.FindUser(name), now) +
                       "; HttpOnly; SameSite=Strict; Path=" + options.prefix + "/";
  if (options.tls_certificate) cookie += "; Secure";
  return {.body = R"({"accepted":true})", .headers = {{"Set-Cookie", cookie}}};
}

HttpAnswer AnswerPage(const HttpQuery& query, std::string_view front) {
  const std::string_view path = query.path == "/" ? front : std::string_view(query.path).substr(1);
  const std::span<const WebFile> files = WebFiles();
  const auto file = std::ranges::find(files, path, &WebFile::path);
  if (file != files.end()) {
    return {.type = std::string(file->content_type),
            .body = std::string(reinterpret_cast<const char*>(file->bytes.data()), file->bytes.size())};
  }
  if (files.empty() && path == front)
    return {.type = "text/html; charset=utf-8", .body = std::string(kNoPage)};
  return HttpFault(404, "there is no " + query.path);
}

}  // namespace davit
