#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "server/live_server.h"

namespace CLI {
class App;
}

namespace davit {

/// What commands with a server are asked for, with what stands in texts.
struct ServerOptions {
  LiveServerOptions server;
  std::string idle_lock = "30 min";
  std::optional<std::filesystem::path> password_file;
  std::optional<std::filesystem::path> users_file;
};

/// The options of a listener: --port, --listen, --prefix, --user, --users, --tls-cert and those that belong
/// to them. `options` outlives the command.
void AddListenerOptions(CLI::App& command, ServerOptions& options);

/// Reads what stands in texts; asks for the password where no file has it. What is wrong; empty if nothing
/// is.
std::string ReadServerOptions(ServerOptions& options);

}  // namespace davit
