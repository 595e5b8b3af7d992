#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "server/hand_over.h"
#include "server/live_run.h"
#include "server/live_service.h"
#include "session/simulation.h"
#include "studio/result_rows.h"
#include "studio/studio_context.h"

namespace davit {

/// What a run is asked for.
struct StudioRunOptions {
  std::string path;  ///< of the system, seen from the folder
  Texts unsaved = {};
  bool is_paused = false;                ///< begins with a pause
  std::optional<double> factor = 1;      ///< simulated seconds per second; nothing: as fast as possible
  std::optional<std::string> stop = {};  ///< replaces StopTime, as typed
  bool accounts_energy = false;
  SimulationOptions simulation = {};  ///< values and levels of this run only
};

/// A run of an edited system, for clients to watch and steer as that of `davit serve`, in a thread of its
/// own.
///
/// Call sequence: constructor; Drive, by that thread, which returns when Quit was called or the system cannot
/// run. The run must be destroyed by the thread of the server, after that thread has ended.
class StudioRun {
 public:
  /// Called once, by the thread that drives: the run is there, or `faults` say why not (JSON).
  using Begun = std::function<void(const std::optional<Json>& faults)>;

  StudioRun(std::shared_ptr<const StudioContext> context, StudioRunOptions options, int number);
  StudioRun(const StudioRun&) = delete;
  StudioRun& operator=(const StudioRun&) = delete;

  /// Loads and runs the system. `post` and `login` are those of LiveContext. Throws nothing.
  void Drive(const LiveServerOptions& server, LiveValues::PostToServer post,
             std::shared_ptr<Authentication> login, const Begun& begun);
  /// Any thread: whether Drive is about to return.
  bool has_ended() const { return has_ended_; }
  /// Any thread: ends Drive, inside a TimeStep too.
  void Quit();

  // The thread of the server.
  int number() const { return number_; }
  const std::string& path() const { return options_.path; }
  std::uint64_t started() const { return started_; }  ///< UTC [ns]
  /// The run as clients see it; null until Begun was called.
  LiveService* service() { return is_ready_ ? service_.get() : nullptr; }
  /// As /api/state has it; its status is `loading` before.
  RunState state() const;
  /// What the system records, as a CSV file; nothing while there is none.
  std::optional<std::string> ResultCsv() const;
  /// Takes no more requests, and drops those that wait. Pre: Drive has returned.
  void Shut();

 private:
  /// Loads the system and makes what the run needs. Faults, or nothing.
  std::optional<Json> Prepare(const LiveServerOptions& server, LiveValues::PostToServer post,
                              std::shared_ptr<Authentication> login);
  Json FaultOfRun(const std::string& text) const;

  const std::shared_ptr<const StudioContext> context_;
  const StudioRunOptions options_;
  const int number_;
  const std::uint64_t started_;
  std::unique_ptr<EditedSystem> edited_;
  HandOver<RunNote> notes_{20'000};
  ResultRows rows_;
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<LiveRun> run_;
  std::shared_ptr<LiveService> service_;
  double stop_time_ = 0;
  std::atomic<bool> is_ready_ = false;
  std::atomic<bool> has_ended_ = false;
  std::mutex quit_mutex_;  ///< of is_quitting_, and of run_ until it is ready
  bool is_quitting_ = false;
};

}  // namespace davit
