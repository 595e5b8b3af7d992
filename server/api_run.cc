// State, values, control, commands, alarms.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "server/described_json.h"
#include "server/http_api.h"
#include "server/node_write.h"

namespace davit {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostPaths = 1000;

HttpAnswer ToAnswer(const Json& json) {
  return {.body = json.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

/// Of a body that is no object, nothing.
std::optional<Json> ReadBody(const HttpQuery& query) {
  Json json = Json::parse(query.body, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  return json;
}

std::string TextIn(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Json DescribeState(const LiveContext& context, const HttpQuery& query) {
  Json json = ToJson(RunFields(), context.run.state());
  json["read_only"] = context.options.is_read_only || query.role < UserRole::kOperate;
  json["user"] = query.user;
  json["role"] = ToText(query.role);
  json["clients"] = context.clients;
  json["values_dropped"] = context.values.dropped();
  return json;
}

/// What is asked for, of one kind.
template <class Source, class Value>
struct ValuesOfKind {
  std::vector<std::string> paths;
  std::vector<Source> sources;
  std::vector<Value> values;

  void Add(const std::string& path, const Source& source) {
    paths.push_back(path);
    sources.push_back(source);
    values.emplace_back();
  }
  void AddTo(Json& json) const {
    for (std::size_t i = 0; i < paths.size(); ++i) json[paths[i]] = values[i];
  }
};

}  // namespace

void AnswerState(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer) {
  answer(ToAnswer(DescribeState(context, query)));
}

void AnswerValues(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer) {
  const std::vector<std::string> paths = query.FindAll("path");
  if (paths.size() > kMostPaths) return answer(HttpFault(400, "more than 1000 paths; ask for fewer"));
  ValuesOfKind<ValueSource, double> numbers;
  ValuesOfKind<const LiveNode*, std::string> texts;
  for (const std::string& path : paths) {
    const LiveNode* node = context.tree.FindPath(path);
    const std::optional<ValueSource> source = node == nullptr ? std::nullopt : context.tree.SourceOf(*node);
    if (source) {
      numbers.Add(path, *source);
    } else if (node != nullptr && NodeTree::HasText(*node)) {
      texts.Add(path, node);
    } else {
      return answer(HttpFault(404, "no value at '" + path + "'; /api/system lists all items"));
    }
  }
  const bool is_posted =
      context.run.Post([&context, answer, numbers = std::move(numbers), texts = std::move(texts)]() mutable {
        try {
          context.run.simulation().ShowWritten();
        } catch (const SimulationFailure& failure) {
          return context.post_to_server([answer, why = std::string(failure.what())] {
            answer(HttpFault(409, "no values for the written request: " + why));
          });
        }
        std::ranges::transform(numbers.sources, numbers.values.begin(), &ValueSource::Read);
        std::ranges::transform(texts.sources, texts.values.begin(),
                               [&](const LiveNode* node) { return context.tree.TextOf(*node); });
        const double time = context.run.simulation().time();
        context.post_to_server([answer, numbers = std::move(numbers), texts = std::move(texts), time] {
          Json read = Json::object();
          numbers.AddTo(read);
          texts.AddTo(read);
          answer(ToAnswer({{"time", time}, {"values", std::move(read)}}));
        });
      });
  if (!is_posted) answer(HttpFault(503, kNoTime));
}

void AnswerControl(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer) {
  const std::optional<Json> body = ReadBody(query);
  const std::string action = body ? TextIn(*body, "action") : std::string();
  LiveRun& run = context.run;
  std::function<std::string()> act;
  bool is_between_runs = false;
  const std::string& sender = query.sender;
  if (action == "start") {
    act = [&run, sender] { return run.Start(sender); };
  } else if (action == "pause") {
    act = [&run, sender] { return run.Pause(sender); };
  } else if (action == "step" || action == "reset") {
    is_between_runs = true;
    act = [&run, sender, action] { return action == "step" ? run.Step(sender) : run.Reset(sender); };
  } else if (action == "stop") {
    act = [&run, sender] {
      run.Log("by " + sender + ": stop");
      run.Quit();
      return std::string();
    };
  } else if (action == "until") {
    const auto time = body->find("time");
    if (time == body->end() || !time->is_number())
      return answer(HttpFault(400, "until needs a time [s]; write {\"action\":\"until\",\"time\":12}"));
    act = [&run, sender, t = time->get<double>()] { return run.StartUntil(t, sender); };
  } else if (action == "speed") {
    const auto factor = body->find("factor");
    if (factor == body->end() || !(factor->is_null() || factor->is_number()))
      return answer(HttpFault(400, "speed needs a factor: a number, or null for as fast as possible"));
    act = [&run, sender,
           value = factor->is_null() ? std::nullopt : std::optional<double>(factor->get<double>())] {
      return run.SetFactor(value, sender);
    };
  } else {
    return answer(
        HttpFault(400, "no action; write {\"action\":\"start|pause|until|step|reset|speed|stop\"}"));
  }
  auto task = [&context, query, act = std::move(act), answer] {
    const std::string fault = act();
    context.post_to_server([&context, query, answer, fault] {
      answer(fault.empty() ? ToAnswer(DescribeState(context, query)) : HttpFault(409, fault));
    });
  };
  const bool is_posted = is_between_runs ? run.PostBetweenRuns(std::move(task)) : run.Post(std::move(task));
  if (!is_posted) answer(HttpFault(503, kNoTime));
}

void AnswerCommand(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer) {
  const std::optional<Json> body = ReadBody(query);
  const std::string command = body ? TextIn(*body, "command") : std::string();
  if (command.empty() || !IsPlainLine(command))
    return answer(HttpFault(400, "no command; write {\"command\":\"set load.mass 8 t\"}, one line"));
  const bool is_posted = context.run.Post([&context, answer, command, sender = query.sender] {
    RequestAnswer got;
    try {
      got = context.run.Submit({.sender = sender, .command = command});
    } catch (const std::exception& fault) {
      got = {false, fault.what()};
    }
    context.post_to_server([answer, got] {
      answer(ToAnswer({{"accepted", got.is_accepted}, {"text", got.text}}));
    });
  });
  if (!is_posted) answer(HttpFault(503, kNoTime));
}

void AnswerAcknowledge(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer) {
  const std::optional<Json> body = ReadBody(query);
  const std::string path = body ? TextIn(*body, "path") : std::string();
  const LiveNode* node = path.empty() ? nullptr : context.tree.FindPath(path);
  if (node == nullptr || node->kind != LiveNode::Kind::kAlarm)
    return answer(HttpFault(404, "no alarm '" + path + "'; write {\"path\":\"component.alarm\"}"));
  const std::string fault = AcknowledgeAlarm(
      context, context.tree.alarms()[node->subject], query.sender, [answer](const std::string& refusal) {
        answer(refusal.empty() ? ToAnswer({{"accepted", true}}) : HttpFault(409, refusal));
      });
  if (!fault.empty()) answer(HttpFault(503, fault));
}

}  // namespace davit
