#pragma once

#include <functional>
#include <string>

#include "server/live_context.h"
#include "server/node_value.h"

namespace davit {

/// Why a node cannot be written now; empty, and `answer` is called later in the thread of the server, with
/// why it was refused or with nothing. `sender` is for the log; `client` holds the levers that it writes.
std::string WriteNode(LiveContext& context, const LiveNode& node, const WantedValue& wanted,
                      const std::string& sender, DeadMan::Client client,
                      std::function<void(std::string fault)> answer);

/// Acknowledges an alarm, at once.
std::string AcknowledgeAlarm(LiveContext& context, const NodeTree::LiveAlarm& alarm,
                             const std::string& sender, std::function<void(std::string fault)> answer);

/// Whether a text is one line of UTF-8 without control characters, so that it is one value and can be shown
/// to all.
bool IsPlainLine(std::string_view text);

}  // namespace davit
