#pragma once

#include <vector>

#include "framework/system.h"
#include "simulator/requests/value_keeper.h"
#include "simulator/requests/value_writer.h"

namespace davit {

/// Routes that end at parameters: what they begin at is written into the parameter at each step point, as a
/// command would, so that it holds for the step that begins there.
class ParameterRoutes {
 public:
  /// Those of `system`; both must outlive the use.
  void Bind(const System& system);
  bool is_empty() const { return routes_.empty(); }
  /// The values before the run, to be put back when it is repeated.
  void KeepOriginals(ValueKeeper& keeper) const;
  /// At the start: what is no value that a parameter can have is left out, since not all that routes begin at
  /// may be known yet.
  void WriteFirst(ValueWriter& writer) const;
  /// At the step point t [s]. Throws SimulationFailure for a value that the parameter cannot have.
  void Write(ValueWriter& writer, double t) const;

 private:
  std::vector<const Route*> routes_;
};

}  // namespace davit
