#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "server/live_server.h"
#include "studio/system_loading.h"

namespace davit {

/// A server at which systems and charts of a folder are drawn, checked and run: the page of the studio, its
/// HTTP interface (docs/studio.md), and for each run what `davit serve` offers. Nothing outside of the folder
/// is read or written.
///
/// Call sequence: constructor; Start; Stop, or the destructor.
class StudioServer {
 public:
  /// Opens the folder and the port. `models` must outlive the server. Throws std::runtime_error with what is
  /// wrong and what would be right.
  StudioServer(const std::filesystem::path& folder, const StudioModels& models, LiveServerOptions options);
  ~StudioServer();
  StudioServer(const StudioServer&) = delete;
  StudioServer& operator=(const StudioServer&) = delete;

  /// `http://127.0.0.1:7690/`
  std::string address() const;
  std::uint16_t port() const;

  void Start();
  /// Ends all runs and closes all connections.
  void Stop();

 private:
  class Host;
  std::unique_ptr<Host> host_;
};

}  // namespace davit
