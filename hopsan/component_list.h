#pragma once

#include <memory>
#include <vector>

#include "framework/registry.h"
#include "hopsan/component.h"
#include "hopsan/subsystem.h"

namespace davit::hopsan {

/// The components of a system or sub-system in the order in which they run, and its clock.
///
/// Call sequence: Begin, Initialize, then StepSAndC and StepQ in turn.
class ComponentList {
 public:
  /// Of one phase, in the order of the file.
  struct Members {
    std::vector<HopsanComponent*> components;
    /// A signal from one place to another. One that leads backwards in time binds nobody: it comes a step
    /// late where its reader runs first.
    struct Edge {
      std::size_t writer, reader;
      bool is_binding;
    };
    std::vector<Edge> edges;
    /// Writers before readers, then one type after the other as far as no signal is between them. False where
    /// a loop is in the way; `components` is then as it was.
    bool Sort();
  };

  /// Of a sub-system, or of the system (null).
  explicit ComponentList(Subsystem* owner) : owner_(owner) {}

  Subsystem* owner() const { return owner_; }
  Members& of(Phase phase) { return phases_[static_cast<std::size_t>(phase)]; }
  std::vector<std::unique_ptr<ComponentList>>& inner() { return inner_; }
  const Clock& clock() const { return clock_; }

  /// Makes the calls of its sorted members, also inside; T is the time step [s].
  void Plan(double T);
  /// To the start time; every component has its clock.
  void Begin(double t);
  /// Of all S, then C, then Q components; inside sub-systems likewise.
  void Initialize();
  /// A step: first its S and C components, then its Q components.
  void StepSAndC();
  void StepQ();
  bool is_stop_asked() const;
  void ArchiveMemory(Archive& archive);

 private:
  /// Components of one type that follow each other, or a sub-system.
  struct Call {
    BatchStep run = nullptr;
    Component* const* components = nullptr;
    std::size_t count = 0;
    ComponentList* inner = nullptr;
  };
  void RunTo(double t);
  void Run(std::size_t begin, std::size_t end);

  Subsystem* owner_;
  Clock clock_;
  std::array<Members, 3> phases_;
  std::vector<std::unique_ptr<ComponentList>> inner_;
  std::vector<Component*> order_;
  std::vector<Call> calls_;
  std::size_t first_q_call_ = 0;
};

}  // namespace davit::hopsan
