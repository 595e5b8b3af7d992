#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "framework/diagnostics.h"
#include "session/request.h"
#include "simulator/simulator_manager.h"

namespace davit {

struct CommandLine;

/// What is to be said of a time that has passed when a request for it comes.
struct Lateness {
  bool is_lost = false;  ///< it was before the run began, so that nothing can be done any more
  std::string text;      ///< for the log; empty for a time to come
};

/// `time` [s] of a request in a run; `place` is where it comes from. It is late by more than rounding.
Lateness LatenessOf(const SimulatorManager& manager, double time, const SourceLocation& place);

/// Checks requests and hands those that can be done to the manager, which does them at their step points, in
/// the order of their times, then of their coming. A request that is refused has changed nothing.
///
/// Called between two steps of a run that has begun, by the thread that drives it.
class RequestTaker {
 public:
  explicit RequestTaker(System& system) : system_(system), manager_(SimulatorManager::Of(system)) {}

  RequestAnswer Take(const Request& request);
  /// A command that was read already; `place` is where, for the log. Pre: its action is kCommand.
  RequestAnswer Submit(CommandLine line, const SourceLocation& place);

 private:
  RequestAnswer TakeText(const Request& request);
  RequestAnswer TakeNumbers(const Request& request);
  RequestAnswer SubmitAll(std::vector<Command> commands, std::optional<double> time,
                          const SourceLocation& place);
  void Log(std::string_view text);

  System& system_;
  SimulatorManager& manager_;
};

}  // namespace davit
