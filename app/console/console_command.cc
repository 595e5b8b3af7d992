#include "app/console/console_command.h"

#include <fmt/format.h>
#include <unistd.h>
#include <csignal>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "app/command_stream.h"
#include "app/complete_command.h"
#include "app/console/line_editor.h"
#include "app/exit_code.h"
#include "app/interrupt.h"
#include "app/line_source.h"
#include "app/run_command.h"
#include "simulator/step_interrupted.h"

namespace davit {
namespace {

/// The line that was typed last.
class TypedLine final : public LineSource {
 public:
  void Put(std::string line) { line_ = std::move(line); }

  Result Read(std::string& line) override {
    if (!line_) return Result::kNothing;
    line = *std::exchange(line_, std::nullopt);
    ++line_number_;
    read_ += line.size();
    return line.size() > kLongestLine ? Result::kTooLong : Result::kLine;
  }
  int line_number() const override { return line_number_; }
  bool is_regular_file() const override { return true; }
  std::size_t read() const override { return read_; }
  int descriptor() const override { return STDIN_FILENO; }

 private:
  std::optional<std::string> line_;
  int line_number_ = 0;
  std::size_t read_ = 0;
};

/// Keeps Ctrl-C from ending the shell between a line and the run that it starts: it pauses that run.
class HeldInterrupt {
 public:
  HeldInterrupt() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGINT);
    pthread_sigmask(SIG_BLOCK, &signals_, &previous_);
  }
  ~HeldInterrupt() {
    Drop();
    pthread_sigmask(SIG_SETMASK, &previous_, nullptr);
  }
  HeldInterrupt(const HeldInterrupt&) = delete;
  HeldInterrupt& operator=(const HeldInterrupt&) = delete;

  /// Forgets what came after the run.
  void Drop() const {
    const timespec at_once{};
    while (sigtimedwait(&signals_, nullptr, &at_once) > 0) {
    }
  }

 private:
  sigset_t signals_;
  sigset_t previous_;
};

/// Lets the run advance until a command pauses or ends it, or Ctrl-C comes.
class ConsoleHost final : public RunHost {
 public:
  ConsoleHost(Simulation& simulation, CommandStream& commands, const PartnerExchange& before_step)
      : simulation_(simulation),
        commands_(commands),
        before_step_(before_step),
        interrupt_({.on_first = [this](int) { simulation_.RequestStop(); }, .after_patience = [] {}}) {}

  Clock::duration BeforeStep() override {
    if (before_step_) before_step_({});
    commands_.Take();
    if (commands_.is_paused() || commands_.is_stopped() || commands_.has_request()) simulation_.RequestStop();
    return {};
  }
  bool SleepUntil(Clock::time_point when) override {
    interrupt_.SleepUntil(when);
    return true;
  }
  bool is_interrupted() const { return interrupt_.IsRequested(); }

 private:
  Simulation& simulation_;
  CommandStream& commands_;
  const PartnerExchange& before_step_;
  Interrupt interrupt_;
};

std::filesystem::path HistoryFile() {
  const char* const state = std::getenv("XDG_STATE_HOME");
  const char* const home = std::getenv("HOME");
  const bool has_state = state != nullptr && *state != '\0';
  if (!has_state && (home == nullptr || *home == '\0')) return {};
  return (has_state ? std::filesystem::path(state) : std::filesystem::path(home) / ".local/state") / "davit" /
         "console_history";
}

class ConsoleDriver final : public RunDriver {
 public:
  ConsoleDriver(const RunOptions& options, TypedLine*& typed, std::ostream& out)
      : options_(options), typed_(typed), out_(out) {}

  RunLog::Severity threshold() const override { return RunLog::Severity::kError; }
  void TakeLine(const RunLog::Entry& /*entry*/) override {}
  std::string Open(Simulation& /*simulation*/) override { return {}; }

  std::string Drive(Simulation& simulation, CommandStream* commands,
                    const PartnerExchange& before_step) override {
    LineEditor editor([&](std::string_view line) { return CompleteCommand(simulation.system(), line); },
                      HistoryFile());
    commands->Pause(true);
    if (!options_.is_quiet)
      out_ << "the run waits: 'continue' or 'until T' starts it, Ctrl-C pauses it; 'help' lists the commands"
           << std::endl;
    const HeldInterrupt held;
    while (!commands->is_stopped()) {
      std::optional<std::string> line = editor.Read(fmt::format("{:.9g} s> ", simulation.time()));
      if (!line) out_ << std::endl;
      Obey(line.value_or("quit"), simulation, *commands);
      while (!commands->is_paused() && !commands->is_stopped()) Advance(simulation, *commands, before_step);
      held.Drop();
      if (!simulation.is_initialized() && simulation.time_travel() == nullptr) return "diverged";
    }
    if (!simulation.is_initialized()) return "diverged";
    return simulation.is_finished() ? "done" : "stopped";
  }

 private:
  void Obey(std::string line, Simulation& simulation, CommandStream& commands) {
    const std::size_t pending = simulation.manager().pending_commands();
    typed_->Put(std::move(line));
    commands.Take();
    Serve(simulation, commands);
    if (commands.is_paused() && simulation.manager().pending_commands() > pending && !options_.is_quiet)
      out_ << "acts when the run continues" << std::endl;
  }

  static void Serve(Simulation& simulation, CommandStream& commands) {
    const auto request = commands.TakeRequest();
    if (!request) return;
    commands.Serve(*request, [&](const std::filesystem::path& file) { return simulation.LoadState(file); });
  }

  void Advance(Simulation& simulation, CommandStream& commands, const PartnerExchange& before_step) {
    if (!simulation.is_initialized()) {
      out_ << "the run has failed; go to its past with 'back' or 'goto T', or quit" << std::endl;
      return commands.Pause(true);
    }
    if (simulation.is_finished()) {
      out_ << fmt::format("the run is at its end, {:.9g} s; go back, load a snapshot, or quit",
                          simulation.time())
           << std::endl;
      return commands.Pause(true);
    }
    ConsoleHost host(simulation, commands, before_step);
    try {
      simulation.Run(host, options_.real_time_factor);
    } catch (const StepInterrupted&) {
      throw;
    } catch (const SimulationFailure&) {
      if (simulation.time_travel() == nullptr) throw;
      for (const std::string& line : simulation.failure()) out_ << line << std::endl;
      return;
    }
    Serve(simulation, commands);
    if (commands.is_paused() || commands.is_stopped()) return;
    const bool has_ended = simulation.is_finished() || !simulation.manager().is_running();
    if (host.is_interrupted() || has_ended) commands.Pause(has_ended);
  }

  const RunOptions& options_;
  TypedLine*& typed_;
  std::ostream& out_;
};

int RunConsole(RunOptions& options, CommandContext& context) {
  if (options.commands) {
    context.err
        << "--commands: error: the console reads them from the terminal; leave it out, or use davit run\n";
    return kWrongInput;
  }
  options.is_recorded = true;
  if (isatty(STDIN_FILENO) != 1 || isatty(STDOUT_FILENO) != 1) {
    options.commands = "-";
    return Run(options, context.registry, context.out, context.err);
  }
  TypedLine* typed = nullptr;
  options.lines = [&typed] {
    auto lines = std::make_unique<TypedLine>();
    typed = lines.get();
    return lines;
  };
  ConsoleDriver driver(options, typed, context.out);
  return Run(options, context.registry, context.out, context.err, &driver);
}

}  // namespace

void AddConsoleCommand(CLI::App& command, CommandContext& context) {
  const auto options = std::make_shared<RunOptions>();
  const auto factor = std::make_shared<std::vector<std::string>>();
  AddRunOptions(command, *options);
  const CLI::Option* real_time = AddRealTimeOption(command, *factor);
  AddPluginOption(command, context);
  command.callback([&context, options, factor, real_time] {
    options->is_real_time = real_time->count() > 0;
    const bool is_right =
        (real_time->count() == 0 || ReadRealTimeFactor(*factor, options->real_time_factor, context.err)) &&
        context.LoadPlugins(options->system);
    context.exit_code = is_right ? RunConsole(*options, context) : kWrongInput;
  });
}

}  // namespace davit
