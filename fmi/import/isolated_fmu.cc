#include "fmi/import/isolated_fmu.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <system_error>
#include <utility>
#include <vector>

#include "fmi/import/fmu_channel.h"

extern char** environ;

namespace davit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHostName = "davit_fmu_host";
constexpr int kHostSocket = 3;  ///< its number in the other process

/// Beside the program, or where `cmake --install` puts it.
fs::path FindFmuHost() {
  std::error_code fault;
  const fs::path folder = fs::read_symlink("/proc/self/exe", fault).parent_path();
  for (const char* place : {".", "../lib/x86_64-linux-gnu/davit", "../lib/davit"}) {
    fs::path file = (folder / place / kHostName).lexically_normal();
    if (fs::exists(file, fault)) return file;
  }
  throw FmuFailure(fmt::format("the program {} is not beside {}; install it, or leave isolated out",
                               kHostName, folder.string()));
}

class IsolatedFmu final : public ForeignFmu {
 public:
  explicit IsolatedFmu(const ForeignFmuSource& source) {
    const fs::path host = FindFmuHost();
    int sockets[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
      throw FmuFailure("there is no socket for its process: too many files are open");
    channel_ = std::make_unique<FmuChannel>(sockets[0], source.while_waiting);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    // dup2 clears close-on-exec, even onto the same number since glibc 2.29.
    posix_spawn_file_actions_adddup2(&actions, sockets[1], kHostSocket);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    std::string name = host.string();
    char* const arguments[] = {name.data(), nullptr};
    const int error = posix_spawn(&process_, name.c_str(), &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(sockets[1]);
    if (error != 0) throw FmuFailure(fmt::format("{} cannot be started: {}", name, strerror(error)));
    std::string folder = source.folder.string(), instance = source.name;
    FmuKind kind = source.kind;
    bool is_logging = source.is_logging;
    try {
      Ask(FmuRequest::kMake, [&](Archive& a) { a(folder, kind, instance, is_logging); });
    } catch (...) {
      End();
      throw;
    }
  }
  ~IsolatedFmu() override { End(); }

  void Configure(const FmuValueList& list, std::span<const double> values) override {
    AskWithValues(FmuRequest::kConfigure, list, values);
  }
  void SetValues(const FmuValueList& list, std::span<const double> values) override {
    if (list.size() > 0) AskWithValues(FmuRequest::kSetValues, list, values);
  }
  void GetValues(const FmuValueList& list, std::span<double> values) override {
    if (list.size() == 0) return;
    Take(Ask(FmuRequest::kGetValues,
             [&](Archive& a) {
               FmuValueList copy = list;
               ArchiveList(a, copy);
             }),
         values);
  }
  void SetText(std::uint32_t reference, const std::string& text) override {
    std::string copy = text;
    Ask(FmuRequest::kSetText, [&](Archive& a) { a(reference, copy); });
  }
  void EnterInitialization(double start, std::optional<double> stop,
                           std::optional<double> tolerance) override {
    bool has_stop = stop.has_value(), has_tolerance = tolerance.has_value();
    double end = stop.value_or(0), exactness = tolerance.value_or(0);
    Ask(FmuRequest::kEnterInitialization,
        [&](Archive& a) { a(start, has_stop, end, has_tolerance, exactness); });
  }
  void ExitInitialization() override { Ask(FmuRequest::kExitInitialization); }

  void SetInputDerivatives(const std::vector<std::uint32_t>& references,
                           std::span<const double> values) override {
    std::vector<std::uint32_t> copy = references;
    std::vector<double> numbers(values.begin(), values.end());
    Ask(FmuRequest::kSetInputDerivatives, [&](Archive& a) {
      a.List(copy);
      a.List(numbers);
    });
  }
  bool DoStep(double t, double h) override {
    return TakeFlag(Ask(FmuRequest::kDoStep, [&](Archive& a) { a(t, h); }));
  }

  void EnterEventMode() override { Ask(FmuRequest::kEnterEventMode); }
  FmuEvents UpdateDiscreteStates() override {
    Archive reply = Ask(FmuRequest::kUpdateDiscreteStates);
    FmuEvents events;
    reply(events.is_terminated, events.has_new_states, events.has_new_nominals, events.next_time);
    return events;
  }
  void EnterContinuousTime() override { Ask(FmuRequest::kEnterContinuousTime); }
  bool SetPoint(double t, std::span<const double> states) override {
    std::vector<double> numbers(states.begin(), states.end());
    return TakeFlag(Ask(FmuRequest::kSetPoint, [&](Archive& a) {
      a(t);
      a.List(numbers);
    }));
  }
  bool GetDerivatives(std::span<double> derivatives) override {
    Archive reply = AskCount(FmuRequest::kGetDerivatives, derivatives.size());
    bool is_done = false;
    reply(is_done);
    Take(std::move(reply), derivatives);
    return is_done;
  }
  bool GetDirectionalDerivatives(const std::vector<std::uint32_t>& unknowns,
                                 const std::vector<std::uint32_t>& knowns, std::span<const double> seed,
                                 std::span<double> changes) override {
    std::vector<std::uint32_t> of = unknowns, over = knowns;
    std::vector<double> numbers(seed.begin(), seed.end());
    Archive reply = Ask(FmuRequest::kGetDirectionalDerivatives, [&](Archive& a) {
      a.List(of);
      a.List(over);
      a.List(numbers);
    });
    bool is_done = false;
    reply(is_done);
    Take(std::move(reply), changes);
    return is_done;
  }
  void GetStates(std::span<double> states) override {
    Take(AskCount(FmuRequest::kGetStates, states.size()), states);
  }
  void GetNominals(std::span<double> nominals) override {
    std::vector<double> numbers(nominals.begin(), nominals.end());
    Take(Ask(FmuRequest::kGetNominals, [&](Archive& a) { a.List(numbers); }), nominals);
  }
  void GetIndicators(std::span<double> indicators) override {
    Take(AskCount(FmuRequest::kGetIndicators, indicators.size()), indicators);
  }
  bool CompleteStep(bool* is_terminated) override {
    Archive reply = Ask(FmuRequest::kCompleteStep);
    bool wants_events = false;
    reply(wants_events, *is_terminated);
    return wants_events;
  }

  std::string SaveState() override {
    Archive reply = Ask(FmuRequest::kSaveState);
    std::string bytes;
    reply(bytes);
    return bytes;
  }
  void LoadState(const std::string& bytes) override {
    std::string copy = bytes;
    Ask(FmuRequest::kLoadState, [&](Archive& a) { a(copy); });
  }
  std::vector<FmuLogLine> TakeLog() override {
    std::vector<FmuLogLine> lines;
    if (channel_ == nullptr) return lines;
    Archive reply = Ask(FmuRequest::kTakeLog);
    std::uint64_t count = 0;
    reply(count);
    for (std::uint64_t i = 0; i < count && reply.is_good(); ++i) {
      FmuLogLine& line = lines.emplace_back();
      reply(line.is_error, line.text);
    }
    return lines;
  }

 private:
  template <class Fill>
  Archive Ask(FmuRequest request, const Fill& fill) {
    if (channel_ == nullptr) throw FmuFailure("its process has ended");
    Archive message;
    message(request);
    fill(message);
    std::optional<std::string> answer;
    try {
      if (channel_->Send(message.Take())) answer = channel_->Receive();
    } catch (...) {  // somebody has given it up
      kill(process_, SIGKILL);
      End();
      throw;
    }
    if (!answer) Bury();
    Archive reply(std::move(*answer));
    std::string failure;
    reply(failure);
    if (!reply.is_good()) throw FmuFailure("its process has sent what is no answer");
    if (!failure.empty()) throw FmuFailure(failure);
    return reply;
  }
  Archive Ask(FmuRequest request) {
    return Ask(request, [](Archive&) {});
  }
  Archive AskCount(FmuRequest request, std::uint64_t count) {
    return Ask(request, [&](Archive& a) { a(count); });
  }
  void AskWithValues(FmuRequest request, const FmuValueList& list, std::span<const double> values) {
    FmuValueList copy = list;
    std::vector<double> numbers(values.begin(), values.end());
    Ask(request, [&](Archive& a) {
      ArchiveList(a, copy);
      a.List(numbers);
    });
  }
  static void Take(Archive reply, std::span<double> to) {
    std::vector<double> numbers;
    reply.List(numbers);
    if (!reply.is_good() || numbers.size() != to.size())
      throw FmuFailure("its process has sent what is no answer");
    std::copy(numbers.begin(), numbers.end(), to.begin());
  }
  static bool TakeFlag(Archive reply) {
    bool flag = false;
    reply(flag);
    return flag;
  }

  /// The process has ended by itself: says how.
  [[noreturn]] void Bury() {
    const int status = End();
    if (WIFSIGNALED(status)) {
      throw FmuFailure(
          fmt::format("its process has crashed: signal {} ({}); the FMU is faulty, ask its maker",
                      WTERMSIG(status), strsignal(WTERMSIG(status))));
    }
    throw FmuFailure(
        fmt::format("its process has ended by itself with code {}; the FMU is faulty, ask its maker",
                    WEXITSTATUS(status)));
  }

  /// It ends when its socket is closed; if it does not, it is ended. Returns how it has ended.
  int End() {
    channel_.reset();
    int status = 0;
    if (process_ <= 0) return status;
    const pid_t process = std::exchange(process_, -1);
    const auto end = std::chrono::steady_clock::now() + kPatienceWithFmu;
    for (int i = 0; std::chrono::steady_clock::now() < end; ++i) {
      if (waitpid(process, &status, WNOHANG) != 0) return status;
      usleep(i < 20 ? 500 : 10'000);
    }
    kill(process, SIGKILL);
    waitpid(process, &status, 0);
    return status;
  }

  std::unique_ptr<FmuChannel> channel_;
  pid_t process_ = -1;
};

}  // namespace

std::unique_ptr<ForeignFmu> MakeIsolatedFmu(const FmuDescription& /*description*/,
                                            const ForeignFmuSource& source) {
  return std::make_unique<IsolatedFmu>(source);
}

}  // namespace davit
