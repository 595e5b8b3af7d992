#include "app/live/server_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <stdexcept>

#include "app/live/password_input.h"
#include "app/live/users_file.h"
#include "framework/exception_text.h"
#include "framework/units/quantity.h"

namespace davit {

std::string ReadServerOptions(ServerOptions& options) {
  LiveServerOptions& server = options.server;
  std::string& prefix = server.prefix;
  while (prefix.ends_with('/')) prefix.pop_back();
  if (!prefix.empty() &&
      (!prefix.starts_with('/') || prefix.find_first_of("?#% \\\"<>;") != std::string::npos))
    return fmt::format("--prefix {}: error: no path; write for example --prefix /crane1", prefix);
  if (options.users_file && (!server.user.empty() || options.password_file))
    return "--users: error: cannot be combined with --user or --password-file; put this user into the file, "
           "or "
           "omit --users";
  if (server.user.empty() && options.password_file)
    return "--password-file: error: a password without user; add --user NAME";
  const QuantityResult idle = ParseQuantity(options.idle_lock, "s", UnitSystem());
  if (!idle.value || !(idle.value->si >= 0 && idle.value->si <= 1e8))
    return fmt::format("--idle-lock {}: error: {}; write for example --idle-lock '30 min', or 0 for never",
                       options.idle_lock, idle.value ? "the time must be >= 0" : idle.fault.ToText());
  server.idle_time = std::chrono::seconds(static_cast<long>(idle.value->si));
  if (options.users_file) {
    Diagnostics diagnostics;
    server.users = ReadUsersFile(*options.users_file, diagnostics);
    std::string faults;
    for (const Diagnostic& one : diagnostics.all()) faults += (faults.empty() ? "" : "\n") + ToText(one);
    return faults;
  }
  if (server.user.empty()) return {};
  try {
    server.password = options.password_file ? ReadPasswordFile(*options.password_file)
                                            : AskForPassword(fmt::format("password of {}: ", server.user));
  } catch (const std::runtime_error& fault) {
    return Explain(fault);
  }
  return {};
}

void AddListenerOptions(CLI::App& command, ServerOptions& options) {
  LiveServerOptions& server = options.server;
  command.add_option("--port", server.port, "Port of the server; 0: any free port")
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option("--listen", server.address,
                  "Address to listen on; one that is not local needs --user or --users")
      ->type_name("ADDRESS")
      ->capture_default_str();
  command.add_option("--prefix", server.prefix, "Serves below a path, behind a proxy")->type_name("/PATH");
  command.add_option("--user", server.user, "Asks clients for this user and a password")->type_name("NAME");
  command
      .add_option(
          "--users", options.users_file,
          fmt::format("File of users who may log in, a line each: name, role ({}), hash of the password",
                      fmt::join(kUserRoleNames, ", ")))
      ->type_name("FILE");
  command
      .add_option("--password-file", options.password_file,
                  "File with the password; without it the program asks for the password")
      ->type_name("FILE");
  command
      .add_option(
          "--idle-lock", options.idle_lock,
          "With --user or --users: time without a request after which a client must log in again; 0: never")
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
  command.add_option("--tls-key", server.tls_key, "Private key of the certificate (PEM)")->type_name("FILE");
}

}  // namespace davit
