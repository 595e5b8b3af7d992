#pragma once

#include <functional>
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
  /// A PartnerExchange: the thread that drives, before each step of a run that has begun. Does nothing until
  /// an exchange is due. In lock step, throws SimulationFailure where a partner does not answer.
  bool Exchange(const std::function<bool()>& keeps_waiting = {});

 private:
  class Link;
  Simulation& simulation_;
  std::vector<std::unique_ptr<Link>> links_;
  std::vector<Link*> due_;  ///< at due_time_; until their partners have answered
  double due_time_ = 0;
};

}  // namespace davit
