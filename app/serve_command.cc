#include "app/serve_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <utility>

#include "app/command_stream.h"
#include "app/interrupt.h"
#include "app/password_input.h"
#include "app/run_command.h"
#include "app/terminal_host.h"
#include "drawing/draw_system.h"
#include "drawing/scene.h"
#include "framework/units/quantity.h"
#include "server/live_run.h"
#include "server/live_server.h"

namespace davit {
namespace {

/// What `davit serve` was asked to do.
struct ServeOptions {
  RunOptions run;
  LiveServerOptions server;
  bool is_paused = false;
  bool is_free = false;
  bool ends_at_stop_time = false;
  std::string idle_lock = "30 min";
  std::optional<std::filesystem::path> password_file;
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
      server_ = std::make_unique<LiveServer>(options_.server);
    } catch (const std::runtime_error& fault) {
      return fault.what();
    }
    try {
      texts_.drawing = DrawSystem(simulation.system());
    } catch (const std::runtime_error& fault) {
      texts_.drawing_fault = fault.what();
    }
    texts_.scene = DescribeScene(simulation.system());
    return {};
  }

  std::string Drive(Simulation& simulation, CommandStream* commands) override {
    LiveRun* driven = nullptr;
    bool is_paused_by_command = false;
    LiveRunOptions live{.is_paused = options_.is_paused,
                        .factor = options_.is_free ? std::nullopt : options_.run.real_time_factor,
                        .ends_at_stop_time = options_.ends_at_stop_time};
    if (commands != nullptr) {
      live.before_step = [&] { TakeCommands(*commands, *driven, is_paused_by_command); };
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

  static void TakeCommands(CommandStream& commands, LiveRun& run, bool& is_paused) {
    const std::string sender = "--commands";
    commands.Take();
    if (commands.is_stopped()) return run.Quit();
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

/// Reads what stands in texts. What is wrong; empty if nothing is.
std::string ReadServeOptions(ServeOptions& options) {
  LiveServerOptions& server = options.server;
  std::string& prefix = server.prefix;
  while (prefix.ends_with('/')) prefix.pop_back();
  if (!prefix.empty() &&
      (!prefix.starts_with('/') || prefix.find_first_of("?#% \\\"<>;") != std::string::npos))
    return fmt::format("--prefix {}: error: no path; write for example --prefix /crane1", prefix);
  if (server.user.empty() && options.password_file)
    return "--password-file: error: a password without user; add --user NAME";
  if (server.snapshots && !std::filesystem::is_directory(*server.snapshots))
    return fmt::format("--snapshots {}: error: not a folder; make it first, or name another one",
                       server.snapshots->string());
  const QuantityResult idle = ParseQuantity(options.idle_lock, "s", UnitSystem());
  if (!idle.value || !(idle.value->si >= 0 && idle.value->si <= 1e8))
    return fmt::format("--idle-lock {}: error: {}; write for example --idle-lock '30 min', or 0 for never",
                       options.idle_lock, idle.value ? "the time must be >= 0" : idle.fault.ToText());
  server.idle_time = std::chrono::seconds(static_cast<long>(idle.value->si));
  server.system_file = options.run.system;
  if (server.user.empty()) return {};
  try {
    server.password = options.password_file ? ReadPasswordFile(*options.password_file)
                                            : AskForPassword(fmt::format("password of {}: ", server.user));
  } catch (const std::runtime_error& fault) {
    return fault.what();
  }
  return {};
}

int Serve(ServeOptions& options, const Registry& registry, std::ostream& out, std::ostream& err) {
  if (const std::string fault = ReadServeOptions(options); !fault.empty()) {
    err << fault << '\n';
    return kWrongInput;
  }
  ServeDriver driver(options, out);
  return Run(options.run, registry, out, err, &driver);
}

void AddServerOptions(CLI::App& command, ServeOptions& options) {
  LiveServerOptions& server = options.server;
  command.add_option("--port", server.port, "Port of the server; 0: any that is free")
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--listen", server.address, "Address to listen on; one that is not local needs --user")
      ->type_name("ADDRESS")
      ->capture_default_str();
  command.add_flag("--paused", options.is_paused, "Begins with a pause");
  command.add_flag("--until-finished", options.ends_at_stop_time,
                   "Ends at StopTime; without it the run stays to be looked at");
  command.add_flag("--read-only", server.is_read_only, "Refuses everything that would change the run");
  command.add_option("--prefix", server.prefix, "Serves below a path, behind a proxy")->type_name("/PATH");
  command.add_option("--snapshots", server.snapshots, "Folder in which clients save snapshots by name")
      ->type_name("FOLDER");
  command.add_option("--user", server.user, "Asks clients for this user and a password")->type_name("NAME");
  command
      .add_option("--password-file", options.password_file,
                  "File with the password; without it, it is asked for")
      ->type_name("FILE");
  command
      .add_option("--idle-lock", options.idle_lock,
                  "With --user: after so long without a request a client must log in again; 0: never")
      ->type_name("T")
      ->capture_default_str();
  command
      .add_option(
          "--host-name", server.host_names,
          "Name by which browsers may call this server, besides localhost and addresses; may be given "
          "several times")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  command.add_option("--tls-cert", server.tls_certificate, "Certificate chain (PEM) for https and wss")
      ->type_name("FILE");
  command.add_option("--tls-key", server.tls_key, "Its private key (PEM)")->type_name("FILE");
}

}  // namespace

void AddServeCommand(CLI::App& program, CommandContext& context) {
  CLI::App& command = *program.add_subcommand(
      "serve", "Runs a system that browsers and clients of CDP Studio watch and steer");
  const auto options = std::make_shared<ServeOptions>();
  const auto factor = std::make_shared<std::vector<std::string>>();
  AddRunOptions(command, options->run);
  CLI::Option* real_time = AddRealTimeOption(command, *factor);
  command.add_flag("--free", options->is_free, "Runs as fast as possible instead of in real time")
      ->excludes(real_time);
  AddServerOptions(command, *options);
  AddPluginOption(command, context);
  command.callback([&context, options, factor] {
    const bool is_right = ReadRealTimeFactor(*factor, options->run.real_time_factor, context.err) &&
                          context.LoadPlugins(options->run.system);
    context.exit_code = is_right ? Serve(*options, context.registry, context.out, context.err) : kWrongInput;
  });
}

}  // namespace davit
