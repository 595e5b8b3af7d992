#include "server/live_server.h"

#include <utility>

#include "server/http_api.h"
#include "server/http_host.h"
#include "server/http_listener.h"
#include "server/live_service.h"
#include "server/web_files.h"

namespace davit {

class LiveServer::Host final : public HttpHost {
 public:
  explicit Host(LiveServerOptions server_options)
      : options_(std::move(server_options)), login_(MakeAuthentication(options_)), listener_(options_) {}
  ~Host() override { Stop(); }

  const HttpListener& listener() const { return listener_; }

  void Start(LiveRun& run, HandOver<RunNote>& notes, SystemTexts texts) {
    run_ = &run;
    service_ = std::make_shared<LiveService>(
        options_, run, notes, std::move(texts),
        [this](std::function<void()> task) { listener_.Post(std::move(task)); }, login_);
    service_->context().port = listener_.port();
    listener_.Start(*this);
  }
  void Stop() {
    listener_.Stop();
    // Once: the run may end before the server.
    if (LiveRun* run = std::exchange(run_, nullptr)) run->Shut();
  }

  const LiveServerOptions& options() const override { return options_; }
  Authentication& authentication() override { return *login_; }
  void Answer(const HttpQuery& query, AnswerHttp answer) override {
    AnswerQuery(service_->context(), query, answer);
  }
  std::uint64_t LargestBody(const HttpQuery& query) const override {
    const bool takes_snapshot =
        query.path == "/api/snapshot" && !options_.is_read_only && query.role >= UserRole::kOperate;
    return takes_snapshot ? kLargestSnapshot : kLargestBody;
  }
  std::shared_ptr<LiveContext> FindRun(std::string_view path) override {
    return path == "/" ? std::shared_ptr<LiveContext>(service_, &service_->context()) : nullptr;
  }
  void Tick() override { service_->Tick(); }
  bool is_watched() const override { return service_->context().clients > 0; }
  void NoteFault(std::string_view text) override {
    run_->Post([run = run_, fault = std::string(text)] { run->Log("a client's request failed: " + fault); });
  }

 private:
  const LiveServerOptions options_;
  const std::shared_ptr<Authentication> login_;
  LiveRun* run_ = nullptr;
  std::shared_ptr<LiveService> service_;
  // The connections and what they have posted end before what they refer to.
  HttpListener listener_;
};

std::shared_ptr<Authentication> MakeAuthentication(const LiveServerOptions& options) {
  if (!options.users.empty()) return std::make_shared<Authentication>(options.users, options.idle_time);
  return options.user.empty()
             ? std::make_shared<Authentication>()
             : std::make_shared<Authentication>(options.user, options.password, options.idle_time);
}

LiveServer::LiveServer(LiveServerOptions options) : host_(std::make_unique<Host>(std::move(options))) {}
LiveServer::~LiveServer() = default;
std::string LiveServer::address() const { return host_->listener().address(); }
std::uint16_t LiveServer::port() const { return host_->listener().port(); }
bool LiveServer::has_page() { return !WebFiles().empty(); }
void LiveServer::Start(LiveRun& run, HandOver<RunNote>& notes, SystemTexts texts) {
  host_->Start(run, notes, std::move(texts));
}
void LiveServer::Stop() { host_->Stop(); }

}  // namespace davit
