#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/authentication.h"
#include "server/dead_man.h"
#include "server/event_log.h"
#include "server/http_query.h"
#include "server/live_run.h"
#include "server/live_server.h"
#include "server/live_values.h"
#include "server/node_tree.h"

namespace davit {

/// Balances of energy: one is drawn up for all who ask within a while.
struct EnergyAnswers {
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kHolds{500};  ///< an answer
  std::optional<HttpAnswer> last = {};
  Clock::time_point made = {};  ///< `last`
  /// Those who wait for the next one, which is being made; it has them.
  std::weak_ptr<std::vector<AnswerHttp>> waiting = {};
};

/// What all connections of a server share. Used by the thread of the server; the tree is read by that which
/// drives, too.
struct LiveContext {
  /// `shared`: what else asks the same users to log in; null: a login of its own.
  LiveContext(LiveServerOptions server_options, LiveRun& live_run, SystemTexts system_texts,
              LiveValues::PostToServer post, std::shared_ptr<Authentication> shared = nullptr)
      : options(std::move(server_options)),
        run(live_run),
        texts(std::move(system_texts)),
        post_to_server(std::move(post)),
        tree(live_run.simulation().system()),
        values(live_run, tree, post_to_server),
        events(tree),
        dead_man(live_run),
        login(shared != nullptr ? std::move(shared) : MakeAuthentication(options)),
        authentication(*login) {}
  LiveContext(const LiveContext&) = delete;
  LiveContext& operator=(const LiveContext&) = delete;

  const LiveServerOptions options;
  LiveRun& run;
  const SystemTexts texts;
  const LiveValues::PostToServer post_to_server;
  const NodeTree tree;
  LiveValues values;
  EventLog events;
  DeadMan dead_man;
  EnergyAnswers energy;
  const std::shared_ptr<Authentication> login;
  Authentication& authentication;        ///< of `login`
  std::string system_json;               ///< of /api/system
  std::vector<std::string> chart_texts;  ///< of /api/chart, by chart: what does not change
  std::uint16_t port = 0;                ///< in use
  std::size_t clients = 0;               ///< connections of StudioAPI
  /// When the log was last told that a client was refused because there are too many.
  std::optional<std::chrono::steady_clock::time_point> told_of_refused = {};
  bool is_deleted = false;  ///< its clients are sent away
};

}  // namespace davit
