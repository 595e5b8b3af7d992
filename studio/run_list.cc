#include "studio/run_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "analysis/studies/study_option.h"
#include "framework/exception_text.h"
#include "framework/units/quantity.h"
#include "server/described_json.h"
#include "server/http_api.h"
#include "studio/request_body.h"

namespace davit {
namespace {

constexpr std::string_view kRuns = "/run/";

/// Values of study options: texts, `true`, or arrays of texts. What is wrong with them; empty where nothing
/// is.
std::string ReadStudyOptions(const Json& body, const std::vector<StudyOption>& rows, StudyOptions& options) {
  for (const StudyOption& row : rows) {
    if (!row.is_in_files || row.kind == StudyOption::Kind::kFile || !body.contains(row.name)) continue;
    const Json& given = body[row.name];
    for (const Json& value : given.is_array() ? given : Json::array({given})) {
      if (!value.is_string() && !value.is_boolean()) return row.name + " must be a text";
      const std::string text =
          value.is_string() ? value.get<std::string>() : std::string(value.get<bool>() ? "true" : "false");
      if (const Fault fault = row.Store(options, {text})) return row.name + ": " + fault.ToText();
    }
  }
  return {};
}

/// `{"path": "crane.xml", "texts": {...}, "paused": true, "energy": true, "free": true, "factor": 2,
///   "stop": "10 s", "set": ["load.mass=5 t"]}`
std::optional<StudioRunOptions> ReadRunOptions(const HttpQuery& query, std::string& fault) {
  std::optional<EditedTexts> texts = ReadEditedTexts(query.body, fault);
  if (!texts) return std::nullopt;
  const Json body = Json::parse(query.body, nullptr, false);
  StudioRunOptions options{.path = std::move(texts->path), .unsaved = std::move(texts->texts)};
  const auto is_true = [&](const char* name) {
    return body.contains(name) && body[name].is_boolean() && body[name].get<bool>();
  };
  options.is_paused = is_true("paused");
  options.accounts_energy = is_true("energy");
  if (body.contains("factor") && body["factor"].is_number()) {
    const double factor = body["factor"].get<double>();
    if (!(factor > 0 && factor <= 1e6)) {
      fault = fmt::format("a real-time factor of {}; it must be > 0 and at most 1e6", factor);
      return std::nullopt;
    }
    options.factor = factor;
  }
  if (is_true("free")) options.factor = std::nullopt;
  StudyOptions given;
  fault = ReadStudyOptions(body, SharedStudyOptions(), given);
  if (!fault.empty()) return std::nullopt;
  options.stop = given.stop;
  options.simulation = given.simulation;
  return options;
}

}  // namespace

RunList::RunList(std::shared_ptr<const StudioContext> context, const LiveServerOptions& server,
                 std::shared_ptr<Authentication> login, Post post)
    : context_(std::move(context)), server_(server), login_(std::move(login)), post_(std::move(post)) {}

RunList::~RunList() { Stop(); }

void RunList::Stop() {
  for (auto& [number, entry] : runs_) entry.run->Quit();
  for (Entry& entry : leaving_) entry.run->Quit();
  for (auto& [number, entry] : runs_) leaving_.push_back(std::move(entry));
  runs_.clear();
  for (Entry& entry : leaving_) {
    if (entry.thread.joinable()) entry.thread.join();
    entry.run->Shut();
  }
  leaving_.clear();
}

void RunList::Answer(const HttpQuery& query, const AnswerHttp& answer) {
  if (query.method == "POST") return Begin(query, answer);
  if (query.method == "DELETE") return answer(Delete(query));
  Json runs = Json::array();
  for (const auto& [number, entry] : runs_) runs.push_back(Describe(*entry.run));
  answer({.body = DumpJson({{"runs", std::move(runs)}, {"most", kMostRuns}})});
}

Json RunList::Describe(StudioRun& run) const {
  Json json = ToJson(RunFields(), run.state());
  json["run"] = run.number();
  json["path"] = run.path();
  json["started"] = run.started();
  json["href"] = fmt::format("run/{}/", run.number());
  return json;
}

void RunList::Begin(const HttpQuery& query, const AnswerHttp& answer) {
  JoinEnded();
  std::string fault;
  std::optional<StudioRunOptions> options = ReadRunOptions(query, fault);
  if (!options) return answer(HttpFault(400, fault));
  if (runs_.size() + leaving_.size() >= kMostRuns)
    return answer(HttpFault(
        409,
        fmt::format("{} runs are kept, and that is as many as there may be; delete one first", kMostRuns)));
  const int number = next_number_++;
  const auto run = std::make_shared<StudioRun>(context_, std::move(*options), number);
  // What the run posts keeps it alive, and is done with it when the server does it.
  const auto post_of_run = [post = post_, weak = std::weak_ptr(run)](std::function<void()> task) {
    if (auto kept = weak.lock()) post([kept = std::move(kept), task = std::move(task)] { task(); });
  };
  const auto begun = [this, number, answer](const std::optional<Json>& faults) {
    post_([this, number, answer, faults] {
      if (faults) Leave(number);
      answer({.body = DumpJson(faults ? Json{{"faults", *faults}}
                                      : Json{{"run", number}, {"href", fmt::format("run/{}/", number)}})});
    });
  };
  try {
    std::thread thread(
        [run = run.get(), this, post_of_run, begun] { run->Drive(server_, post_of_run, login_, begun); });
    runs_.emplace(number, Entry{run, std::move(thread)});
  } catch (const std::system_error& none) {
    answer(HttpFault(503, Explain(none)));
  }
}

void RunList::Leave(int number) {
  const auto found = runs_.find(number);
  if (found == runs_.end()) return;
  found->second.run->Quit();
  if (LiveService* service = found->second.run->service()) service->context().is_deleted = true;
  leaving_.push_back(std::move(found->second));
  runs_.erase(found);
}

HttpAnswer RunList::Delete(const HttpQuery& query) {
  const std::string_view text = query.Find("run");
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !runs_.contains(number))
    return HttpFault(404, fmt::format("there is no run {}; GET /api/runs lists them", text));
  Leave(number);
  return {.body = "{}"};
}

void RunList::JoinEnded() {
  std::erase_if(leaving_, [](Entry& entry) {
    if (!entry.run->has_ended()) return false;
    if (entry.thread.joinable()) {
      entry.thread.join();
      entry.run->Shut();
    }
    // Who still has it, a connection or an answer, lets it go later.
    const LiveService* service = entry.run->service();
    return service == nullptr || service->context().clients == 0;
  });
}

void RunList::Tick() {
  for (auto& [number, entry] : runs_) {
    if (LiveService* service = entry.run->service()) service->Tick();
  }
  if (!leaving_.empty()) JoinEnded();
}

bool RunList::is_watched() const {
  const auto is_one_watched = [](StudioRun& run) {
    const LiveService* service = run.service();
    return service != nullptr && service->context().clients > 0;
  };
  return std::ranges::any_of(runs_, [&](const auto& one) { return is_one_watched(*one.second.run); }) ||
         std::ranges::any_of(leaving_, [&](const Entry& entry) { return is_one_watched(*entry.run); });
}

std::shared_ptr<StudioRun> RunList::RunAt(std::string_view path, std::string& rest) const {
  if (!path.starts_with(kRuns)) return nullptr;
  path.remove_prefix(kRuns.size());
  int number = 0;
  const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), number);
  rest = std::string(path.substr(static_cast<std::size_t>(end - path.data())));
  const auto found = runs_.find(number);
  if (error != std::errc() || !rest.starts_with('/') || found == runs_.end()) return nullptr;
  return found->second.run;
}

std::shared_ptr<LiveContext> RunList::FindRun(std::string_view path) {
  std::string rest;
  const std::shared_ptr<StudioRun> run = RunAt(path, rest);
  if (run == nullptr || run->service() == nullptr || rest != "/") return nullptr;
  return {run, &run->service()->context()};
}

bool RunList::TakesSnapshot(const HttpQuery& query) const {
  std::string rest;
  return RunAt(query.path, rest) != nullptr && rest == "/api/snapshot";
}

void RunList::AnswerRun(const HttpQuery& query, const AnswerHttp& answer) {
  HttpQuery own = query;
  const std::shared_ptr<StudioRun> run = RunAt(query.path, own.path);
  if (run == nullptr) return answer(HttpFault(404, "there is no such run; GET /api/runs lists them"));
  if (own.path == "/api/login") return answer(AnswerLogin(*login_, server_, own));
  if (run->service() == nullptr) return answer(HttpFault(503, "the system is being loaded; ask again"));
  if (own.path == "/api/result.csv") {
    if (!query.is_logged_in) return answer(HttpFault(401, "log in first: POST /api/login"));
    if (query.method != "GET") return answer(HttpFault(405, "read it with GET"));
    return answer({.type = "text/csv; charset=utf-8", .body = run->ResultCsv().value_or("")});
  }
  // The run lives until the answer is written.
  AnswerQuery(run->service()->context(), own, [run, answer](HttpAnswer made) { answer(std::move(made)); });
}

}  // namespace davit
