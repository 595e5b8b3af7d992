#include "app/studio/studio_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <ostream>
#include <stdexcept>

#include "app/interrupt.h"
#include "app/live/server_options.h"
#include "app/load_plugins.h"
#include "framework/exception_text.h"
#include "studio/studio_server.h"

namespace davit {
namespace {

struct StudioOptions {
  std::filesystem::path folder = ".";
  ServerOptions server;
};

int RunStudio(StudioOptions& options, const Registry& registry, std::ostream& out, std::ostream& err) {
  if (const std::string fault = ReadServerOptions(options.server); !fault.empty()) {
    err << fault << '\n';
    return kWrongInput;
  }
  const StudioModels models{registry, LoadPluginsNamedIn};
  try {
    StudioServer server(options.folder, models, options.server.server);
    // Threads that are started later leave the signals to it.
    Interrupt interrupt({.on_first = [](int /*signal*/) {}, .after_patience = [] {}});
    server.Start();
    out << fmt::format("studio of {} at {}\n", options.folder.string(), server.address());
    if (!LiveServer::has_page())
      out << "this davit was built without its page (npm was missing); the HTTP interface works\n";
    out << "end with Ctrl-C\n" << std::flush;
    while (!interrupt.SleepUntil(std::chrono::steady_clock::now() + std::chrono::hours(1))) {
    }
    server.Stop();
  } catch (const std::runtime_error& fault) {
    err << Explain(fault) << '\n';
    return kWrongInput;
  }
  return kDone;
}

}  // namespace

void AddStudioCommand(CLI::App& command, CommandContext& context) {
  const auto options = std::make_shared<StudioOptions>();
  options->server.server.port = 7690;
  command
      .add_option("FOLDER", options->folder,
                  "Folder of systems and charts; files outside it are neither read nor written")
      ->capture_default_str();
  AddListenerOptions(command, options->server);
  command.add_flag("--read-only", options->server.server.is_read_only, "Does not write files");
  AddPluginOption(command, context);
  command.callback([&context, options] {
    context.exit_code =
        context.LoadPlugins() ? RunStudio(*options, context.registry, context.out, context.err) : kWrongInput;
  });
}

}  // namespace davit
