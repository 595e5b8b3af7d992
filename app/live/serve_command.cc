#include "app/live/serve_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <utility>

#include "app/command_stream.h"
#include "app/interrupt.h"
#include "app/live/server_options.h"
#include "app/run_command.h"
#include "app/terminal_host.h"
#include "drawing/draw_system.h"
#include "drawing/scene.h"
#include "framework/exception_text.h"
#include "server/live_run.h"
#include "server/live_server.h"

namespace davit {
namespace {

/// What `davit serve` was asked to do.
struct ServeOptions {
  RunOptions run;
  ServerOptions listener;
  bool is_paused = false;
  bool is_free = false;
  bool ends_at_stop_time = false;
};

/// Puts the server in the place of Simulation::Run.
class ServeDriver final : public RunDriver {
 public:
  ServeDriver(const ServeOptions& options, std::ostream& out) : options_(options), out_(out) {}

  /// Of default charts the page shows the last transitions.
  RunLog::Severity threshold() const override { return RunLog::Severity::kDetail; }

  void TakeLine(const RunLog::Entry& entry) override { notes_.Give(ToNote(entry)); }

  std::string Open(Simulation& simulation) override {
    try {
      server_ = std::make_unique<LiveServer>(options_.listener.server);
    } catch (const std::runtime_error& fault) {
      return Explain(fault);
    }
    try {
      texts_.drawing = DrawSystem(simulation.system());
    } catch (const std::runtime_error& fault) {
      texts_.drawing_fault = Explain(fault);
    }
    texts_.scene = DescribeScene(simulation.system());
    texts_.energy_remedy =
        fmt::format("Run davit serve {} --energy", options_.run.system.filename().string());
    texts_.scene_signals = SignalsOf(CollectScene(simulation.system()));
    return {};
  }

  std::string Drive(Simulation& simulation, CommandStream* commands,
                    const PartnerExchange& before_step) override {
    LiveRun* driven = nullptr;
    bool is_paused_by_command = false;
    LiveRunOptions live{.is_paused = options_.is_paused,
                        .factor = options_.is_free ? std::nullopt : options_.run.real_time_factor,
                        .ends_at_stop_time = options_.ends_at_stop_time};
    if (commands != nullptr || before_step) {
      live.before_step = [&](const std::function<bool()>& keeps_waiting) {
        const bool has_all = !before_step || before_step(keeps_waiting);
        if (commands != nullptr) TakeCommands(*commands, *driven, is_paused_by_command);
        return has_all;
      };
    }
    LiveRun run(simulation, notes_, std::move(live));
    driven = &run;
    // Threads that are started later leave the signals to it.
    const Interrupt interrupt({.on_first =
                                   [&](int signal) {
                                     const bool is_idle = run.status() != LiveStatus::kRunning;
                                     is_interrupted_ = true;
                                     run.Quit();
                                     if (!is_idle) WriteInterruption(signal);
                                   },
                               .after_patience =
                                   [&] {
                                     if (run.status() == LiveStatus::kRunning) simulation.RequestStopInside();
                                   }});
    struct Stopper {
      LiveServer& server;
      ~Stopper() { server.Stop(); }
    };
    server_->Start(run, notes_, texts_);
    const Stopper stopper{*server_};
    Announce();
    const std::string status = run.RunToEnd();
    return is_interrupted_ && status == "stopped" ? "interrupted" : status;
  }

 private:
  void Announce() {
    if (options_.run.is_quiet) return;
    out_ << fmt::format("serving {} at {}\n", options_.run.system.filename().string(), server_->address());
    if (!LiveServer::has_page())
      out_ << "this davit was built without its page (npm was missing); clients of StudioAPI and the HTTP "
              "API work\n";
    out_ << (options_.ends_at_stop_time ? "" : "end with Ctrl-C\n") << std::flush;
  }

  static Diagnostics Load(const std::filesystem::path& file, LiveRun& run) {
    Diagnostics diagnostics;
    std::ifstream stream(file, std::ios::binary);
    const std::string snapshot{std::istreambuf_iterator<char>(stream), {}};
    const std::string fault = stream ? run.LoadSnapshot(snapshot, "--commands")
                                     : file.string() + ": cannot be read; check the path";
    if (!fault.empty()) diagnostics.Error({}, {}, fault);
    return diagnostics;
  }

  static void TakeCommands(CommandStream& commands, LiveRun& run, bool& is_paused) {
    const std::string sender = "--commands";
    commands.Take();
    if (commands.is_stopped()) return run.Quit();
    if (const auto request = commands.TakeRequest()) {
      run.PostBetweenRuns([&commands, &run, request] {
        commands.Serve(*request, [&](const std::filesystem::path& file) { return Load(file, run); });
        const auto action = request->line.action;
        if (action == CommandLine::Action::kGoTo || action == CommandLine::Action::kBack ||
            action == CommandLine::Action::kBranch)
          run.TimeHasMoved();
      });
    }
    if (commands.is_paused() == is_paused) return;
    is_paused = commands.is_paused();
    is_paused ? run.Pause(sender) : run.Start(sender);
  }

  const ServeOptions& options_;
  std::ostream& out_;
  HandOver<RunNote> notes_{20'000};
  std::unique_ptr<LiveServer> server_;
  SystemTexts texts_;
  std::atomic<bool> is_interrupted_ = false;
};

int Serve(ServeOptions& options, const Registry& registry, std::ostream& out, std::ostream& err) {
  LiveServerOptions& server = options.listener.server;
  std::string fault;
  if (server.snapshots && !std::filesystem::is_directory(*server.snapshots)) {
    fault = fmt::format("--snapshots {}: error: not a folder; make it first, or name another one",
                        server.snapshots->string());
  } else {
    fault = ReadServerOptions(options.listener);
  }
  if (!fault.empty()) {
    err << fault << '\n';
    return kWrongInput;
  }
  server.system_file = options.run.system;
  ServeDriver driver(options, out);
  return Run(options.run, registry, out, err, &driver);
}

void AddServeOptions(CLI::App& command, ServeOptions& options) {
  LiveServerOptions& server = options.listener.server;
  AddListenerOptions(command, options.listener);
  command.add_flag("--paused", options.is_paused, "Starts paused");
  command.add_flag("--until-finished", options.ends_at_stop_time,
                   "Ends at StopTime; without it the run stays open for inspection");
  command.add_flag("--read-only", server.is_read_only, "Refuses everything that would change the run");
  command.add_option("--snapshots", server.snapshots, "Folder in which clients save snapshots by name")
      ->type_name("FOLDER");
}

}  // namespace

void AddServeCommand(CLI::App& command, CommandContext& context) {
  const auto options = std::make_shared<ServeOptions>();
  const auto factor = std::make_shared<std::vector<std::string>>();
  AddRunOptions(command, options->run);
  CLI::Option* real_time = AddRealTimeOption(command, *factor);
  command.add_flag("--free", options->is_free, "Runs as fast as possible instead of in real time")
      ->excludes(real_time);
  AddServeOptions(command, *options);
  AddPluginOption(command, context);
  command.callback([&context, options, factor, real_time] {
    options->run.is_real_time = real_time->count() > 0;
    const bool is_right = ReadRealTimeFactor(*factor, options->run.real_time_factor, context.err) &&
                          context.LoadPlugins(options->run.system);
    context.exit_code = is_right ? Serve(*options, context.registry, context.out, context.err) : kWrongInput;
  });
}

}  // namespace davit
