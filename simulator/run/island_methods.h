#pragma once

#include <string>

#include "framework/diagnostics.h"

namespace davit {

class Island;
struct IntegrationDefaults;
struct OdeMethod;
struct RunContext;

/// Which ODE methods the islands have that no `<Integration>` of their own speaks of: the one that the
/// property Method chooses, or that of `<Integration>`.
class IslandMethods {
 public:
  explicit IslandMethods(RunContext& run) : run_(run) {}

  /// How islands are solved that no member speaks of, from the `<Integration>` elements of the manager.
  IntegrationDefaults ReadDefaults(Diagnostics& diagnostics);
  /// Before islands start.
  void Choose();
  /// At a step point: Method was written.
  void Change();

 private:
  std::string_view MethodInForce() const;
  /// Whether an island can have a method; if not, the log says so.
  bool MayUse(const Island& island, const OdeMethod& method) const;

  RunContext& run_;
  std::string given_;  ///< of `<Integration>`
};

}  // namespace davit
