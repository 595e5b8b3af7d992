// History of signals, log, events.

#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "server/http_api.h"

namespace davit {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostHistories = 100;  // of a request

HttpAnswer JsonAnswer(const Json& json) {
  return {.body = json.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

/// Of an empty text `otherwise`, of one that is no finite number nothing.
std::optional<double> ReadNumber(std::string_view text, double otherwise) {
  if (text.empty()) return otherwise;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return {};
  return number;
}

std::uint64_t ReadCount(std::string_view text, std::uint64_t otherwise) {
  std::uint64_t number = otherwise;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : otherwise;
}

Json ReadHistory(const LiveContext& context, const std::string& branch, const std::vector<std::string>& paths,
                 double from, double to, std::size_t bins) {
  Json signals = Json::object();
  std::vector<History::Bin> read;
  for (const std::string& path : paths) {
    context.run.history().Read(branch, path, from, to, bins, read);
    Json t = Json::array();
    Json min = Json::array();
    Json max = Json::array();
    Json last = Json::array();
    for (const History::Bin& bin : read) {
      t.push_back(bin.t);
      min.push_back(bin.min);
      max.push_back(bin.max);
      last.push_back(bin.last);
    }
    signals[path] = {
        {"t", std::move(t)}, {"min", std::move(min)}, {"max", std::move(max)}, {"last", std::move(last)}};
  }
  return {{"from", from}, {"to", to}, {"signals", std::move(signals)}};
}

}  // namespace

void AnswerHistory(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer) {
  const std::vector<std::string> paths = query.FindAll("path");
  if (paths.size() > kMostHistories) return answer(HttpFault(400, "more than 100 paths; ask for fewer"));
  std::vector<std::pair<std::string, ValueSource>> sources;
  for (const std::string& path : paths) {
    const LiveNode* node = context.tree.FindPath(path);
    const std::optional<ValueSource> source = node == nullptr ? std::nullopt : context.tree.SourceOf(*node);
    if (!source) return answer(HttpFault(404, "no number at '" + path + "'; /api/system lists all items"));
    sources.emplace_back(path, *source);
  }
  const auto from = ReadNumber(query.Find("from"), std::numeric_limits<double>::lowest());
  const auto to = ReadNumber(query.Find("to"), std::numeric_limits<double>::max());
  if (!from || !to) return answer(HttpFault(400, "from and to must be times in s, such as from=1.5"));
  const std::size_t bins =
      std::clamp<std::uint64_t>(ReadCount(query.Find("bins"), 600), 1, History::kMostBins);
  const std::string branch(query.Find("branch"));
  // The answer does not wait for the thread that drives: a step may take long.
  LiveRun& run = context.run;
  std::erase_if(sources, [&](const auto& source) { return run.history().Keeps(source.first); });
  if (sources.size() > run.history().room())
    return answer(
        HttpFault(507, "the history of 1000 signals is kept already, and there is no room for more"));
  if (!sources.empty()) {
    const bool is_posted = run.Post([&run, sources = std::move(sources)] {
      for (const auto& [path, source] : sources)
        run.writable_history().Watch(path, source, run.simulation().time());
    });
    if (!is_posted) return answer(HttpFault(503, kNoTime));
  }
  answer(JsonAnswer(ReadHistory(context, branch, paths, std::max(*from, run.begin_time()),
                                branch.empty() ? std::min(*to, run.end_time()) : *to, bins)));
}

void AnswerLog(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer) {
  const EventLog& log = context.events;
  const std::uint64_t after = ReadCount(query.Find("after"), 0);
  const std::size_t limit = std::clamp<std::uint64_t>(ReadCount(query.Find("limit"), 1000), 1, 10'000);
  Json lines = Json::array();
  std::uint64_t next = log.next_line();
  const std::vector<const LogLine*> found = log.LinesAfter(after, limit);
  for (const LogLine* line : found) {
    lines.push_back({{"n", line->number},
                     {"time", line->time},
                     {"severity", ToText(line->severity)},
                     {"kind", ToText(line->kind)},
                     {"path", line->path},
                     {"text", line->text},
                     {"run", line->run}});
  }
  if (found.size() == limit) next = found.back()->number + 1;
  answer(JsonAnswer({{"next", next}, {"first", log.first_line()}, {"lines", std::move(lines)}}));
}

void AnswerEvents(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer) {
  const std::uint64_t after = ReadCount(query.Find("after"), 0);
  Json events = Json::array();
  for (const LiveEvent& event : context.events.events()) {
    if (event.number < after) continue;
    Json json{{"n", event.number},  {"time", event.time}, {"kind", ToText(event.kind)},
              {"path", event.path}, {"text", event.text}, {"run", event.run}};
    if (event.kind == LiveEvent::Kind::kAlarm) {
      json["is_set"] = event.is_set;
      json["is_acknowledged"] = event.is_acknowledged;
      if (event.is_repeated) json["is_repeated"] = true;
    }
    if (!event.branch.empty()) json["branch"] = event.branch;
    events.push_back(std::move(json));
  }
  answer(JsonAnswer(
      {{"next", context.events.next_event()}, {"run", context.events.run()}, {"events", std::move(events)}}));
}

}  // namespace davit
