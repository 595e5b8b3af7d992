#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/user.h"

namespace davit {

/// A request of HTTP, taken apart.
struct HttpQuery {
  std::string method;  ///< GET, HEAD, POST
  std::string path;    ///< below the prefix, decoded: `/api/state`
  std::vector<std::pair<std::string, std::string>> parameters = {};  ///< decoded, in order
  std::string body = {};
  std::string sender = {};   ///< for the log: user and address
  std::string address = {};  ///< of the client, without port
  bool is_logged_in = true;
  std::string user = {};  ///< that has logged in; empty: nobody, or the server asks for no user
  UserRole role = UserRole::kEdit;

  /// Of a parameter, the first value; empty where there is none.
  std::string_view Find(std::string_view name) const;
  std::vector<std::string> FindAll(std::string_view name) const;
};

struct HttpAnswer {
  int status = 200;
  std::string type = "application/json; charset=utf-8";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
};

/// Called once, in the thread of the server; at once or later.
using AnswerHttp = std::function<void(HttpAnswer)>;

/// `%20` and `+`; nothing is decoded in a text that is malformed.
std::string DecodeUrl(std::string_view text, bool is_query);

/// Takes a target such as `/crane1/api/state?a=1` apart. False where it does not lie below `prefix`.
bool ReadTarget(std::string_view target, std::string_view prefix, HttpQuery& query);

/// Whether a `Host` is one under which this server may be called: without a name it is called by its address,
/// so a foreign page that has its own name lead here is refused. `names` are those that the user has allowed.
bool IsOwnHost(std::string_view host, const std::vector<std::string>& names);

/// Whether an `Origin` is that of the page of this server: the same host and port.
bool IsOwnOrigin(std::string_view origin, std::string_view host, const std::vector<std::string>& names);

/// The value of a cookie; empty where it is not sent.
std::string FindCookie(std::string_view cookies, std::string_view name);

}  // namespace davit
