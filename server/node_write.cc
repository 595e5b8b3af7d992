#include "server/node_write.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace davit {
namespace {

constexpr std::string_view kNoRoom = "too many requests wait; send it again later";
constexpr std::string_view kNoValue =
    "no value of the type of the node; send a number, or a text with a unit";

/// Nothing where a text has a unit, or is no number.
std::optional<double> NumberOf(const WantedValue& wanted) {
  if (!wanted.has_text) return wanted.number;
  double number = 0;
  const char* const last = wanted.text.data() + wanted.text.size();
  const auto [end, error] = std::from_chars(wanted.text.data(), last, number);
  return error == std::errc() && end == last ? std::optional(number) : std::nullopt;
}

std::string PostRequest(LiveContext& context, std::function<RequestAnswer()> submit,
                        std::function<void(std::string)> answer) {
  const bool is_posted = context.run.Post([&context, submit = std::move(submit), answer = std::move(answer)] {
    RequestAnswer got;
    try {
      got = submit();
    } catch (const std::exception& fault) {
      got = {false, fault.what()};
    }
    context.post_to_server([answer, text = got.is_accepted ? std::string() : got.text] { answer(text); });
  });
  return is_posted ? std::string() : std::string(kNoRoom);
}

}  // namespace

bool IsPlainLine(std::string_view text) {
  if (text.size() > 10'000) return false;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i++]);
    if (byte < ' ' && byte != '\t') return false;
    const int more = byte < 0x80                   ? 0
                     : byte >= 0xc2 && byte < 0xe0 ? 1
                     : byte >= 0xe0 && byte < 0xf0 ? 2
                     : byte >= 0xf0 && byte < 0xf5 ? 3
                                                   : -1;
    if (more < 0) return false;
    for (int n = 0; n < more; ++n, ++i) {
      if (i >= text.size() || (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return false;
    }
  }
  return true;
}

std::string WriteNode(LiveContext& context, const LiveNode& node, const WantedValue& wanted,
                      const std::string& sender, DeadMan::Client client,
                      std::function<void(std::string)> answer) {
  if (context.options.is_read_only) return "the server is read-only; start it without --read-only";
  if (node.is_read_only) return context.tree.PathOf(node) + " cannot be written while the system runs";
  if (wanted.has_text && !IsPlainLine(wanted.text))
    return "a text must be one line of UTF-8 without control characters";
  LiveRun& run = context.run;
  switch (node.kind) {
    case LiveNode::Kind::kMessage: {
      const std::string path = context.tree.PathOf(*context.tree.Find(node.parent));
      std::string command = "message " + path + ' ' + node.text;
      if (wanted.has_text && !wanted.text.empty()) command += ' ' + wanted.text;
      return PostRequest(
          context, [&run, sender, command] { return run.Submit({.sender = sender, .command = command}); },
          std::move(answer));
    }
    case LiveNode::Kind::kAcknowledge:
      return AcknowledgeAlarm(context, context.tree.alarms()[node.subject], sender, std::move(answer));
    case LiveNode::Kind::kItem:
    case LiveNode::Kind::kItemText: {
      const NodeTree::LiveItem& item = context.tree.items()[node.subject];
      if (!wanted.has_text && !wanted.has_number) return std::string(kNoValue);
      if (wanted.has_number && !std::isfinite(wanted.number)) return "not a finite number; write one in SI";
      context.dead_man.TakeWrite(item.item, NumberOf(wanted), client, DeadMan::Clock::now());
      std::function<RequestAnswer()> submit;
      if (wanted.has_text) {
        submit = [&run, sender, command = "set " + item.item.path() + ' ' + wanted.text] {
          return run.Submit({.sender = sender, .command = command});
        };
      } else {
        submit = [&run, sender, path = item.item.path(), number = wanted.number] {
          Request request{.sender = sender};
          request.items = run.simulation().Items({path});
          request.values = {number};
          return run.Submit(request);
        };
      }
      return PostRequest(context, std::move(submit), std::move(answer));
    }
    default: return context.tree.PathOf(node) + " cannot be written";
  }
}

std::string AcknowledgeAlarm(LiveContext& context, const NodeTree::LiveAlarm& alarm,
                             const std::string& sender, std::function<void(std::string)> answer) {
  if (context.options.is_read_only) return "the server is read-only; start it without --read-only";
  return PostRequest(
      context,
      [&run = context.run, alarm, sender]() -> RequestAnswer {
        run.Log("by " + sender + ": acknowledge " + alarm.owner->path() + '.' +
                std::string(alarm.alarm->label().name));
        alarm.alarm->Acknowledge();
        return {true, {}};
      },
      std::move(answer));
}

}  // namespace davit
