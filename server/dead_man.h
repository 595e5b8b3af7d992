#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "framework/tree/operator_panel.h"
#include "server/live_run.h"

namespace davit {

/// Returns the levers of panels that have a spring to neutral when the client that holds them is lost: its
/// connection is closed, or it gave no sign of life for the timeout of the panel. The panel then has its
/// alarm, and charts get its event.
///
/// A client holds a lever that it has written last, until it writes neutral. Used by the thread of the server
/// alone.
class DeadMan {
 public:
  using Clock = std::chrono::steady_clock;
  using Client = std::uint64_t;

  /// `run` must outlive it.
  explicit DeadMan(LiveRun& run);

  Client AddClient() { return ++last_client_; }
  /// A client writes an item, which need not be a lever. `number` is in SI; nothing: it is not known.
  void TakeWrite(const Item& item, std::optional<double> number, Client client, Clock::time_point now);
  void TakeSign(Client client, Clock::time_point now);
  /// Its levers return with the next Tick.
  void Lose(Client client);
  /// How often a client must be asked for a sign of life; nothing if it holds no lever.
  std::optional<Clock::duration> FindInterval(Client client) const;
  void Tick(Clock::time_point now);

 private:
  struct Lever {
    PanelAxis axis;
    Client client = 0;  ///< that holds it; 0: nobody
    Clock::time_point sign = {};
  };
  struct Watched {
    OperatorPanel* panel;
    Clock::duration timeout;
    std::vector<Lever> levers = {};
    bool is_lost = false;  ///< the alarm was set
  };

  /// False, and nothing has happened, if the run takes no more tasks.
  bool Return(const Watched& watched, const std::vector<Lever*>& levers);

  LiveRun& run_;
  std::vector<Watched> panels_;
  Client last_client_ = 0;
};

}  // namespace davit
