#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "framework/archive.h"
#include "framework/system.h"

namespace davit {

struct Network;

/// Shows what the equations make of values that were written between two steps, and takes it back before the
/// run continues. A run has the same bits whether somebody reads in between or not.
///
/// What a step begins with is evaluated: outputs, connections, derivatives and algebraic unknowns follow
/// states, inputs and parameters; held signals are exchanged; operators of inputs run once. What a step does
/// before, it does alone: levels, routes to parameters and values that a provider hands down wait for it, and
/// so do components that compute only in fixed steps (TLM).
///
/// Call sequence: Bind after each build of the network; then Show and Restore in turns.
class WrittenValues {
 public:
  /// Both must outlive the use.
  void Bind(System& system, Network& network);
  bool is_shown() const { return is_shown_; }
  /// Makes all values those of the time t [s]. `tick`: of a step point, counted from the first; nothing
  /// inside of a TimeStep. `h`: the TimeStep [s]. Throws EvaluationFailure, IntegrationError and
  /// SimulationFailure; then nothing has changed.
  void Show(double t, std::optional<std::uint64_t> tick, double h);
  /// What Show has replaced is back; does nothing where nothing is shown.
  void Restore();

 private:
  void ListPlaces();
  void ArchiveMemory(Archive& archive);
  void Evaluate(double t, std::optional<std::uint64_t> tick, double h);

  System* system_ = nullptr;
  Network* network_ = nullptr;
  bool is_shown_ = false;
  std::vector<double*> places_;         ///< of outputs and connections
  std::vector<Component*> components_;  ///< whose memory evaluations may write
  std::vector<double> values_;          ///< by place, as they were
  std::string memory_;                  ///< of components, islands and schedules, as it was
};

}  // namespace davit
