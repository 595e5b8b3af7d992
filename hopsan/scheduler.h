#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "hopsan/border.h"
#include "hopsan/component_list.h"

namespace davit {
class SimulatorManager;
}

namespace davit::hopsan {

/// Steps all `hopsan.*` components of a system by Hopsan's rules.
class Scheduler final : public TlmComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hopsan.Scheduler",
      .text = "Steps the Hopsan components of a system, which need one scheduler",
      .equations = R"(
At the start: outputs and nodes get their start values, then the power ports of C components theirs; then all S,
all C and all Q components are initialised. In each TimeStep h of the system: t := t + h; all S, then all C,
then all Q components, in the order of the file but each after what writes its inputs in the same phase. So C
components read flows of the step before, S components read what C and Q components wrote in the step before.
Signals from components of davit are those at the begin of the step; components of davit read those of Hopsan as
they were at the begin of their step.
If a hopsan.HydraulicBorderQ joins a C component of davit, Hopsan's Q components run after davit's C
components: the waves that they read are those of the step.
)",
  };

  void Link(System& system, Diagnostics& diagnostics) override;
  void CheckConnections(Diagnostics& diagnostics) override;
  void Reset() override;
  void InitializeWaves() override;
  void SimulateOneTimestep(double /*t*/) override;
  /// What components of davit write is kept for the next step.
  void PostIntegrate() override;
  /// Runs the Q components where they wait for the waves of davit: the first call of a step, from any thread.
  void StepQ();
  void ArchiveMemory(Archive& archive) override;
  bool AcceptsChild(std::string_view /*model*/) const override { return false; }
  /// The time of the system or of a sub-system, as Hopsan logs it [s].
  double TimeOf(const Subsystem* subsystem) const;

 private:
  /// What a component of davit writes, as it was at the begin of the step.
  struct Latch {
    Item from;
    double value = 0;
  };

  void AddMembers(const std::vector<Component*>& children, ComponentList& list);
  void FindPhases(ComponentList& list);
  void AddEdges();
  void SortAll(ComponentList& list, Diagnostics& diagnostics);
  void WriteStartValues();
  void RunQ();
  bool IsOurs(const Component& component) const;

  System* system_ = nullptr;
  Clock idle_clock_;  ///< of components that are never stepped
  SimulatorManager* manager_ = nullptr;
  std::unique_ptr<ComponentList> root_;
  std::vector<ComponentList*> lists_;  ///< all
  std::deque<Latch> latches_;
  std::vector<HydraulicBorderQ*> borders_;
  std::mutex q_mutex_;
  bool is_q_waiting_ = false;
};

}  // namespace davit::hopsan
