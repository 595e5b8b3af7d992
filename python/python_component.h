#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "framework/tree/file_described.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

class SimulatorManager;

/// A component whose class is written in Python: a davit.Component with declared items.
///
/// `derivatives(t)` is called by each evaluation and gives a derivative for each state; `step()` is called at
/// the beginning of each TimeStep. Before both the object has the values of parameters, inputs and states as
/// attributes, afterwards its attributes are the outputs. What else it remembers is part of snapshots.
/// A component with `step` alone exchanges its signals at step points.
///
/// The interpreter's lock is taken for each call.
class PythonComponent final : public DynamicSimComponent, public FileDescribed {
 public:
  static constexpr ModelInfo kInfo{
      .name = "python.Component",
      .text = "A component written in Python, in a system that the module davit runs",
      .equations = R"(
x' = derivatives(t) of the class, or y = step() at each communication point, seen by others one TimeStep later
Parameters, inputs, outputs and states are those of the class (docs/python.md)
Example: class="controllers:Damper"
)",
  };

  PythonComponent();
  ~PythonComponent() override;

  void DeclareItems(const Attributes& attributes, const UnitSystem& units, Diagnostics& diagnostics) override;
  bool has_sampled_signals() const override;

  void Configure(Diagnostics& diagnostics) override;
  void Link(System& system, Diagnostics& diagnostics) override;
  void Reset() override;
  void ParametersChanged() override;
  void PreIntegrate() override;
  void EvaluateDiffEquations(double t) override;
  void ArchiveMemory(Archive& archive) override;

 private:
  struct Object;

  void Declare(const std::string& name, const UnitSystem& units, Diagnostics& diagnostics);
  /// Runs `call` with the interpreter's lock; what it raises ends the run at `t`, with the Python line.
  template <class Call>
  void Run(double t, const Call& call);
  void SetValues();
  void TakeOutputs();

  Property<std::string> class_{this, "class", "The class, MODULE:CLASS"};
  /// Never watched: it says that the component remembers something.
  Guard memory_{this, "memory", "Not in use", Guard::Direction::kBoth, [] { return 1.0; }, [](double) {}};
  std::string declared_class_;
  std::deque<Parameter> parameters_;
  std::deque<Input> inputs_;
  std::deque<Output> outputs_;
  std::deque<StateVariable> states_;
  std::unique_ptr<Object> object_;  ///< null where the class could not be read
  SimulatorManager* manager_ = nullptr;
  double time_ = 0;  ///< of the last evaluation [s]
  bool is_told_ = false;
};

}  // namespace davit
