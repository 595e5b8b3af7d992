#include "studio/studio_server.h"

#include <array>
#include <functional>
#include <utility>

#include "framework/exception_text.h"
#include "server/http_api.h"
#include "server/http_host.h"
#include "server/http_listener.h"
#include "studio/api_charts.h"
#include "studio/api_files.h"
#include "studio/api_share.h"
#include "studio/api_systems.h"
#include "studio/freed_memory.h"
#include "studio/question.h"
#include "studio/run_list.h"
#include "studio/study_list.h"
#include "studio/worker.h"

namespace davit {
namespace {

constexpr std::uint64_t kLargestTexts = 64U << 20;  // of a request with texts of files [bytes]

/// Who answers a kind of request. What one does, the others do not wait for.
enum class Lane : std::uint8_t {
  kFiles,     // within milliseconds
  kChecks,    // a system or a chart is loaded, which may be as large as a file may be
  kDrawings,  // and drawn
  kTrials,    // charts that run alone
};
constexpr std::size_t kLanes = 4;

/// A kind of request that a worker answers.
struct StudioRoute {
  std::string_view method;
  std::string_view path;
  HttpAnswer (*answer)(const StudioContext&, const HttpQuery&);
  Lane lane = Lane::kFiles;
  UserRole needs = UserRole::kView;
  bool has_texts = false;
};

constexpr std::array<StudioRoute, 16> kStudioRoutes{{
    {"GET", "/api/studio", AnswerStudio},
    {"GET", "/api/files", AnswerFiles},
    {"GET", "/api/file", AnswerFile},
    {"GET", "/api/picture", AnswerPicture},
    {"GET", "/api/texts", AnswerFileTexts},
    {"PUT", "/api/file", AnswerWrite, Lane::kFiles, UserRole::kEdit, true},
    {"POST", "/api/share", AnswerShare, Lane::kFiles, UserRole::kView, true},
    {"GET", "/api/templates", AnswerTemplates},
    {"GET", "/api/models", AnswerModels},
    {"GET", "/api/studies/kinds", AnswerStudyKinds},
    {"POST", "/api/models", AnswerModelsOf, Lane::kChecks, UserRole::kView, true},
    {"POST", "/api/check", AnswerCheck, Lane::kChecks, UserRole::kView, true},
    {"POST", "/api/scene", AnswerScene, Lane::kChecks, UserRole::kView, true},
    {"POST", "/api/compare", AnswerCompare, Lane::kChecks, UserRole::kView, true},
    {"POST", "/api/layout", AnswerLayout, Lane::kDrawings, UserRole::kView, true},
    {"POST", "/api/chart/check", AnswerChartCheck, Lane::kChecks, UserRole::kView, true},
}};

std::shared_ptr<const StudioContext> MakeContext(const std::filesystem::path& path,
                                                 const StudioModels& models, bool is_read_only) {
  auto folder = std::make_shared<const Folder>(path);
  auto shared = std::make_shared<SharedFiles>(folder);
  return std::make_shared<StudioContext>(
      StudioContext{std::move(folder), models, is_read_only, std::move(shared)});
}

}  // namespace

class StudioServer::Host final : public HttpHost {
 public:
  Host(const std::filesystem::path& folder, const StudioModels& models, LiveServerOptions server_options)
      : options_(std::move(server_options)),
        login_(MakeAuthentication(options_)),
        context_(MakeContext(folder, models, options_.is_read_only)),
        charts_(context_),
        runs_(context_, options_, login_,
              [this](std::function<void()> task) { listener_.Post(std::move(task)); }),
        studies_(context_, [this](std::function<void()> task) { listener_.Post(std::move(task)); }),
        listener_(options_) {}
  ~Host() override { Stop(); }

  const HttpListener& listener() const { return listener_; }
  void Start() {
    LimitKeptMemory();
    for (std::unique_ptr<Worker>& worker : workers_) worker = std::make_unique<Worker>();
    listener_.Start(*this);
  }
  void Stop() {
    listener_.Stop();
    for (std::unique_ptr<Worker>& worker : workers_) worker.reset();
    runs_.Stop();
    studies_.Stop();
  }

  const LiveServerOptions& options() const override { return options_; }
  Authentication& authentication() override { return *login_; }
  std::shared_ptr<LiveContext> FindRun(std::string_view path) override { return runs_.FindRun(path); }
  void Tick() override { runs_.Tick(); }
  bool is_watched() const override { return runs_.is_watched(); }
  void NoteFault(std::string_view /*text*/) override {}

  std::uint64_t LargestBody(const HttpQuery& query) const override {
    if (runs_.TakesSnapshot(query) && query.role >= UserRole::kOperate) return kLargestSnapshot;
    if (query.path == "/api/runs" || query.path == "/api/studies" || query.path == "/api/chart/run")
      return kLargestTexts;
    for (const StudioRoute& route : kStudioRoutes) {
      if (route.has_texts && route.path == query.path) return kLargestTexts;
    }
    return kLargestBody;
  }

  void Answer(const HttpQuery& query, AnswerHttp answer) override {
    if (query.path.starts_with("/run/")) return runs_.AnswerRun(query, answer);
    if (!query.path.starts_with("/api/")) {
      if (query.method != "GET") return answer(HttpFault(405, "the page is read with GET"));
      return answer(AnswerPage(query, "studio.html"));
    }
    if (query.path == "/api/login") return answer(AnswerLogin(*login_, options_, query));
    if (!query.is_logged_in) return answer(HttpFault(401, "log in first: POST /api/login"));
    const bool is_read = query.method == "GET";
    if (query.path == "/api/runs") {
      if (!is_read && Refuses(query, UserRole::kOperate, answer)) return;
      return AnswerRuns(query, answer);
    }
    if (query.path == "/api/studies") {
      if (!is_read && Refuses(query, UserRole::kEdit, answer)) return;
      return studies_.Answer(query, answer);
    }
    if (query.path == "/api/chart/run" || query.path == "/api/chart/send") {
      if (!is_read && Refuses(query, UserRole::kOperate, answer)) return;
      return Do(Lane::kTrials, answer, [this, query] { return charts_.Answer(query); });
    }
    bool has_path = false;
    for (const StudioRoute& route : kStudioRoutes) {
      if (route.path != query.path) continue;
      has_path = true;
      if (route.method != query.method) continue;
      if (route.needs > UserRole::kView && options_.is_read_only)
        return answer(HttpFault(403, "the server is read-only; start it without --read-only"));
      if (Refuses(query, route.needs, answer)) return;
      if (route.lane == Lane::kFiles)
        return Do(route.lane, answer, [this, make = route.answer, query] { return make(*context_, query); });
      return Do(route.lane, answer,
                [this, make = route.answer, query,
                 question = questions_.Add(query.path, std::string(query.Find("client")))] {
                  return AnswerQuestion(make, query, *question);
                });
    }
    if (has_path) return answer(HttpFault(405, query.path + " does not take " + query.method));
    answer(HttpFault(404, "there is no " + query.path + "; docs/studio.md lists what there is"));
  }

 private:
  /// Answers a user whose role does not suffice.
  static bool Refuses(const HttpQuery& query, UserRole needed, const AnswerHttp& answer) {
    const std::string refusal = RefusalOf(query.role, needed);
    if (!refusal.empty()) answer(HttpFault(403, refusal));
    return !refusal.empty();
  }

  void AnswerRuns(const HttpQuery& query, const AnswerHttp& answer) {
    if (query.method != "GET" && query.method != "POST" && query.method != "DELETE")
      return answer(HttpFault(405, query.path + " does not take " + query.method));
    runs_.Answer(query, answer);
  }

  HttpAnswer AnswerQuestion(HttpAnswer (*make)(const StudioContext&, const HttpQuery&),
                            const HttpQuery& query, Question& question) const {
    question.Begin();
    HttpAnswer made;
    if (!question.is_dropped()) {
      StudioContext context = *context_;
      context.models.reason_to_stop = [&question] { return question.ReasonToStop(); };
      made = make(context, query);
    }
    return question.is_dropped() ? HttpFault(409, question.ReasonToStop()) : made;
  }

  /// Lets a worker make an answer.
  void Do(Lane lane, const AnswerHttp& answer, std::function<HttpAnswer()> make) {
    Worker& worker = *workers_[static_cast<std::size_t>(lane)];
    const bool is_taken = worker.Do([this, answer, make = std::move(make)] {
      HttpAnswer made;
      try {
        made = make();
      } catch (const std::exception& fault) {  // no memory, no Graphviz
        made = HttpFault(500, Explain(fault));
      }
      listener_.Post([answer, made = std::move(made)] { answer(made); });
    });
    if (!is_taken) answer(HttpFault(503, "too many requests wait; ask again later"));
  }

  const LiveServerOptions options_;
  const std::shared_ptr<Authentication> login_;
  const std::shared_ptr<const StudioContext> context_;
  ChartTrials charts_;
  RunList runs_;
  StudyList studies_;
  // The connections and what they have posted end before what they refer to.
  HttpListener listener_;
  QuestionList questions_;
  std::array<std::unique_ptr<Worker>, kLanes> workers_;  ///< by Lane
};

StudioServer::StudioServer(const std::filesystem::path& folder, const StudioModels& models,
                           LiveServerOptions options)
    : host_(std::make_unique<Host>(folder, models, std::move(options))) {}
StudioServer::~StudioServer() = default;
std::string StudioServer::address() const { return host_->listener().address(); }
std::uint16_t StudioServer::port() const { return host_->listener().port(); }
void StudioServer::Start() { host_->Start(); }
void StudioServer::Stop() { host_->Stop(); }

}  // namespace davit
