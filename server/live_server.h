#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/authentication.h"
#include "server/hand_over.h"
#include "server/live_run.h"
#include "server/run_note.h"

namespace davit {

/// Where a system is served, and to whom.
struct LiveServerOptions {
  std::string address = "127.0.0.1";  ///< an IP address
  std::uint16_t port = 7689;          ///< 0: any that is free
  std::string prefix = {};            ///< path below which it serves: `/crane1`, or empty
  bool is_read_only = false;          ///< refuses every write
  std::string user = {};              ///< empty: everybody who reaches it
  std::string password = {};
  std::vector<User> users = {};       ///< with roles, instead of `user`
  std::chrono::seconds idle_time{0};  ///< after which a client that does nothing must log in again; 0: never
  std::vector<std::string> host_names = {};  ///< by which it may be called, besides its addresses
  std::optional<std::filesystem::path> tls_certificate = {};  ///< PEM
  std::optional<std::filesystem::path> tls_key = {};          ///< PEM
  std::optional<std::filesystem::path> snapshots = {};        ///< folder of snapshots by name
  std::filesystem::path system_file = {};                     ///< for show
  unsigned most_connections = 100;
};

/// Who may log in, by the options of a server.
std::shared_ptr<Authentication> MakeAuthentication(const LiveServerOptions& options);

/// Texts about the system that are made before the run and served as they are.
struct SystemTexts {
  std::string drawing;        ///< SVG
  std::string drawing_fault;  ///< why there is none
  std::string scene;          ///< JSON
  /// Paths of what moves in it: their history is kept from the start, so that a page can show any time.
  std::vector<std::string> scene_signals;
  std::string energy_remedy;  ///< how to run it so that its energy is accounted for
};

/// A server for one run: StudioAPI where a client upgrades to WebSocket, the page and the HTTP API for
/// others. It has a thread of its own, and never holds up the one that drives.
///
/// Call sequence: constructor, which opens the port; Start when the run is there; Stop, or the destructor.
class LiveServer {
 public:
  /// Opens the port. Throws std::runtime_error with what is wrong and what would be right: port in use,
  /// address that is none or needs a user, unreadable certificate.
  explicit LiveServer(LiveServerOptions options);
  ~LiveServer();
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

  /// `http://127.0.0.1:7689/`
  std::string address() const;
  std::uint16_t port() const;
  static bool has_page();

  /// Serves `run`, which must live until Stop; `notes` is where it notes what happens. In the thread that
  /// drives.
  void Start(LiveRun& run, HandOver<RunNote>& notes, SystemTexts texts);
  /// Closes all connections.
  void Stop();

 private:
  class Host;
  std::unique_ptr<Host> host_;
};

}  // namespace davit
