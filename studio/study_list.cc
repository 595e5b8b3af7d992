#include "studio/study_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "analysis/studies/study_kinds.h"
#include "analysis/study/measure_parser.h"
#include "framework/exception_text.h"
#include "server/http_api.h"
#include "studio/bench_job.h"
#include "studio/request_body.h"

namespace davit {
namespace {

constexpr std::string_view KindName(StudyOption::Kind kind) {
  using enum StudyOption::Kind;
  switch (kind) {
    case kText: return "text";
    case kFile: return "file";
    case kFlag: return "flag";
    case kWhole: return "whole";
    case kNumber: return "number";
    case kChoice: return "choice";
  }
  return {};
}

Json OptionToJson(const StudyOption& option) {
  Json parts = Json::array();
  for (const PatternPart& part : SplitPattern(option.pattern))
    parts.push_back({{"attribute", part.attribute},
                     {"before", part.before},
                     {"after", part.after},
                     {"is_optional", part.is_optional},
                     {"text", TextOfStudyAttribute(part.attribute)}});
  return {{"name", option.name},
          {"text", option.text},
          {"form", option.Form()},
          {"kind", KindName(option.kind)},
          {"choices", option.choices},
          {"default", option.default_text},
          {"element", option.element},
          {"parts", std::move(parts)},
          {"is_attribute", IsAttribute(option)},
          {"usual_file", option.usual_file},
          {"is_required", option.is_required},
          {"is_repeated", option.is_repeated}};
}

}  // namespace

HttpAnswer AnswerStudyKinds(const StudioContext& /*context*/, const HttpQuery& /*query*/) {
  Json kinds = Json::array();
  for (const StudyKind& kind : StudyKinds()) {
    Json options = Json::array();
    for (const StudyOption& option : kind.options) {
      if (option.is_in_files) options.push_back(OptionToJson(option));
    }
    const bool is_resumed =
        std::ranges::find(kind.options, "resume", &StudyOption::name) != kind.options.end();
    kinds.push_back({{"name", kind.name},
                     {"element", kind.element},
                     {"text", kind.text},
                     {"is_resumed", is_resumed},
                     {"options", std::move(options)}});
  }
  return {
      .body = DumpJson(
          {{"kinds", std::move(kinds)}, {"measures", MeasureNames()}, {"bench", DescribeBenchElements()}})};
}

StudyList::StudyList(std::shared_ptr<const StudioContext> context, Post post)
    : context_(std::move(context)), post_(std::move(post)) {}

StudyList::~StudyList() { Stop(); }

void StudyList::Stop() {
  for (auto& [number, entry] : jobs_) entry.job->Stop();
  jobs_.clear();  // waits
}

void StudyList::Answer(const HttpQuery& query, const AnswerHttp& answer) {
  if (query.method == "POST") return Begin(query, answer);
  if (query.method == "DELETE") return answer(End(query));
  if (query.method != "GET") return answer(HttpFault(405, query.path + " does not take " + query.method));
  Json studies = Json::array();
  for (const auto& [number, entry] : jobs_) studies.push_back(entry.job->Describe());
  answer({.body = DumpJson({{"studies", std::move(studies)}, {"most_running", kMostRunning}})});
}

void StudyList::Begin(const HttpQuery& query, const AnswerHttp& answer) {
  if (context_->is_read_only)
    return answer(HttpFault(403,
                            "a study writes its table, and the server is read-only; start it without "
                            "--read-only"));
  std::string fault;
  std::optional<EditedTexts> texts = ReadEditedTexts(query.body, fault);
  if (!texts) return answer(HttpFault(400, fault));
  const Json body = Json::parse(query.body, nullptr, false);
  StudyJobOptions options{.path = std::move(texts->path), .unsaved = std::move(texts->texts)};
  if (body.contains("place") && body["place"].is_number_unsigned())
    options.place = body["place"].get<std::size_t>();
  options.is_resumed = body.contains("resume") && body["resume"] == true;
  const bool is_bench = body.contains("bench") && body["bench"] == true;
  if (is_bench && body.contains("cases") && body["cases"].is_array()) {
    for (const Json& name : body["cases"]) {
      if (name.is_string()) options.cases.push_back(name.get<std::string>());
    }
  }
  const auto runs = [](const auto& one) { return !one.second.job->has_ended(); };
  if (std::ranges::count_if(jobs_, runs) >= static_cast<std::ptrdiff_t>(kMostRunning))
    return answer(HttpFault(
        409,
        fmt::format("{} studies are running, and that is as many as there may be; wait for one, or end it",
                    kMostRunning)));
  const auto is_it = [&](const auto& one) {
    return runs(one) && one.second.job->options().path == options.path;
  };
  if (std::ranges::any_of(jobs_, is_it))
    return answer(HttpFault(409, "a study of this file is running; wait for it, or end it"));
  options.workers = std::max(1U, std::thread::hardware_concurrency() / static_cast<unsigned>(kMostRunning));
  const int number = next_number_++;
  const std::shared_ptr<StudyJob> job =
      is_bench ? std::make_shared<BenchJob>(context_, std::move(options), number)
               : std::make_shared<StudyJob>(context_, std::move(options), number);
  const auto begun = [this, number, answer](const std::optional<Json>& faults) {
    post_([this, number, answer, faults] {
      if (faults) jobs_.erase(number);
      answer({.body = DumpJson(faults ? Json{{"faults", *faults}} : Json{{"study", number}})});
    });
  };
  DropOld();
  try {
    jobs_.emplace(number, Entry{job, std::jthread([job = job.get(), begun] { job->Drive(begun); })});
  } catch (const std::system_error& none) {
    answer(HttpFault(503, Explain(none)));
  }
}

void StudyList::DropOld() {
  for (auto it = jobs_.begin(); it != jobs_.end() && jobs_.size() >= kMostKept;)
    it = it->second.job->has_ended() ? jobs_.erase(it) : std::next(it);
}

HttpAnswer StudyList::End(const HttpQuery& query) {
  const std::string_view text = query.Find("study");
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto found = jobs_.find(number);
  if (error != std::errc() || end != text.data() + text.size() || found == jobs_.end())
    return HttpFault(404, fmt::format("there is no study {}; GET /api/studies lists them", text));
  found->second.job->Stop();
  return {.body = "{}"};
}

}  // namespace davit
