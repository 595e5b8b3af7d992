#pragma once

#include <memory>
#include <vector>

#include "framework/diagnostics.h"
#include "io/interface.h"
#include "io/io_reach.h"
#include "session/simulation.h"

namespace davit {

/// The interfaces of a simulation that are open: exchanges values with their partners.
///
/// Values change hands at communication points only. What partners have written since the last exchange acts
/// at one point, as requests that the log has as `<At>`: they repeat the run without the partners.
class InterfaceRun {
 public:
  /// Opens what `reach` allows; an interface that it does not allow is an error. `simulation` must outlive
  /// the object and not have begun. After errors no port is open.
  InterfaceRun(Simulation& simulation, IoReach reach, Diagnostics& diagnostics);
  ~InterfaceRun();

  bool is_empty() const { return links_.empty(); }
  /// The thread that drives, before each step of a run that has begun: RunHost::BeforeStep. Does nothing
  /// until an exchange is due. In lock step, waits for the partner; throws SimulationFailure where that does
  /// not answer.
  void Exchange();

 private:
  class Link;
  std::vector<std::unique_ptr<Link>> links_;
  std::vector<Link*> due_;  ///< of one call
};

}  // namespace davit
