#pragma once

#include <cstddef>
#include <cstdint>

namespace davit {

/// What a run has done so far.
struct RunStatistics {
  std::size_t components = 0;
  std::size_t states = 0;
  std::size_t islands = 0;
  unsigned threads = 1;            ///< in use at the end: several only where they pay, or ThreadUse::kAlways
  std::uint64_t steps = 0;         ///< of the manager: TimeSteps
  std::uint64_t solver_steps = 0;  ///< accepted inside the islands
  std::uint64_t rejected_steps = 0;   ///< tried again with a smaller size
  std::uint64_t evaluations = 0;      ///< of the equations of an island
  std::uint64_t implicit_steps = 0;   ///< of `solver_steps`, where method auto has chosen an implicit method
  std::uint64_t method_switches = 0;  ///< of method auto
  std::uint64_t level_switches = 0;
  double released_oil = 0;     ///< that states held which ended with a switch, beyond the new ones [m3]
  double released_energy = 0;  ///< the same of energy [J]
  std::uint64_t events = 0;
  std::uint64_t commands = 0;
  std::uint64_t missed_periods = 0;  ///< of 1/fs that took longer than real time
  double largest_work_share = 0;     ///< that computing took of the real time of a period; 0 without pacing
  std::size_t charts = 0;
  std::uint64_t transitions = 0;  ///< of charts
  std::uint64_t livelocks = 0;    ///< macrosteps of charts that were stopped by the cap
  std::uint64_t lost_events = 0;  ///< of charts: there was no room for them
  double simulated = 0;           ///< [s]
};

}  // namespace davit
