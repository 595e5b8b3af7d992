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

#include "fmi/import/fmu_call.h"
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
  throw FmuFailure(fmt::format("the program {} is not next to {}; install it, or leave isolated out",
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
      Archive request;
      request(folder, kind, instance, is_logging);
      Exchange(request.Take());
    } catch (...) {
      End();
      throw;
    }
  }
  ~IsolatedFmu() override { End(); }

  void Configure(const FmuValueList& list, std::span<const double> values) override {
    Call<&ForeignFmu::Configure>(list, values);
  }
  void SetValues(const FmuValueList& list, std::span<const double> values) override {
    if (list.size() > 0) Call<&ForeignFmu::SetValues>(list, values);
  }
  void GetValues(const FmuValueList& list, std::span<double> values) override {
    if (list.size() > 0) Call<&ForeignFmu::GetValues>(list, values);
  }
  void SetText(std::uint32_t reference, const std::string& text) override {
    Call<&ForeignFmu::SetText>(reference, text);
  }
  void EnterInitialization(double start, std::optional<double> stop,
                           std::optional<double> tolerance) override {
    Call<&ForeignFmu::EnterInitialization>(start, stop, tolerance);
  }
  void ExitInitialization() override { Call<&ForeignFmu::ExitInitialization>(); }

  void SetInputDerivatives(const std::vector<std::uint32_t>& references,
                           std::span<const double> values) override {
    Call<&ForeignFmu::SetInputDerivatives>(references, values);
  }
  bool DoStep(double t, double h) override { return Call<&ForeignFmu::DoStep>(t, h); }

  void EnterEventMode() override { Call<&ForeignFmu::EnterEventMode>(); }
  FmuEvents UpdateDiscreteStates() override { return Call<&ForeignFmu::UpdateDiscreteStates>(); }
  void EnterContinuousTime() override { Call<&ForeignFmu::EnterContinuousTime>(); }
  bool SetPoint(double t, std::span<const double> states) override {
    return Call<&ForeignFmu::SetPoint>(t, states);
  }
  bool GetDerivatives(std::span<double> derivatives) override {
    return Call<&ForeignFmu::GetDerivatives>(derivatives);
  }
  bool GetDirectionalDerivatives(const std::vector<std::uint32_t>& unknowns,
                                 const std::vector<std::uint32_t>& knowns, std::span<const double> seed,
                                 std::span<double> changes) override {
    return Call<&ForeignFmu::GetDirectionalDerivatives>(unknowns, knowns, seed, changes);
  }
  void GetStates(std::span<double> states) override { Call<&ForeignFmu::GetStates>(states); }
  void GetNominals(std::span<double> nominals) override { Call<&ForeignFmu::GetNominals>(nominals); }
  void GetIndicators(std::span<double> indicators) override { Call<&ForeignFmu::GetIndicators>(indicators); }
  bool CompleteStep(bool* is_terminated) override { return Call<&ForeignFmu::CompleteStep>(is_terminated); }

  std::string SaveState() override { return Call<&ForeignFmu::SaveState>(); }
  void LoadState(const std::string& bytes) override { Call<&ForeignFmu::LoadState>(bytes); }
  std::vector<FmuLogLine> TakeLog() override {
    return channel_ == nullptr ? std::vector<FmuLogLine>() : Call<&ForeignFmu::TakeLog>();
  }

 private:
  template <auto function, class... Arguments>
  typename FmuCall<function>::Result Call(const Arguments&... arguments) {
    return FmuCall<function>::Ask(
        FmuCalls::NumberOf<function>(), [this](const std::string& request) { return Exchange(request); },
        arguments...);
  }
  Archive Exchange(const std::string& request) {
    if (channel_ == nullptr) throw FmuFailure("its process has ended");
    std::optional<std::string> answer;
    try {
      if (channel_->Send(request)) answer = channel_->Receive();
    } catch (...) {  // somebody has given it up
      kill(process_, SIGKILL);
      End();
      throw;
    }
    if (!answer) Bury();
    Archive reply(std::move(*answer));
    std::string failure;
    reply(failure);
    if (!reply.is_good()) throw FmuFailure("its process sent an invalid reply");
    if (!failure.empty()) throw FmuFailure(failure);
    return reply;
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
