#pragma once

#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/aspect.h"
#include "framework/component.h"
#include "framework/domains/standard.h"
#include "framework/item.h"
#include "framework/parameter.h"
#include "framework/property.h"
#include "framework/signal.h"
#include "framework/start_value.h"
#include "simulator/aspect_switch.h"
#include "simulator/guard.h"
#include "simulator/partial_derivatives.h"
#include "simulator/solver_type.h"
#include "simulator/state_variable.h"

namespace davit {

/// Signals and states of a component by their full names, such as `crane.boom.force`.
using SimSignalMap = std::map<std::string, Item, std::less<>>;
using StateVariableMap = std::map<std::string, StateVariable*, std::less<>>;

/// Base of all models.
///
/// A model declares its states, parameters, signals and ports as members and overrides what it needs of the
/// following. The manager calls, in each step: `PreIntegrate`; then, many times, `EvaluateEfforts` of all
/// members of an island before the `EvaluateDiffEquations` that read them; then `PostIntegrate`. Evaluations
/// are pure: they write derivatives, flows, efforts and outputs, and nothing else; they may be called at any
/// time in any order of t. A component can be evaluated alone, without a system: its states then live in a
/// memory of its own.
class DynamicSimComponent : public Component {
 public:
  using SimulationBase = DynamicSimComponent;

  DynamicSimComponent();
  ~DynamicSimComponent() override;

  /// Writes the efforts of the C ports (c, Zc), the motion (x, v) of mechanical Q ports, and outputs declared
  /// `WrittenBy::kEfforts`. Only for components whose such values are not constant.
  virtual void EvaluateEfforts(double /*t*/) {}
  /// Writes every `.ddt`, the flows of hydraulic Q ports, and all other outputs. Must not write a state.
  virtual void EvaluateDiffEquations(double /*t*/) {}
  /// Writes every `.residual` of 0 = f(y, y', t), and what EvaluateDiffEquations would write besides
  /// derivatives. Called in its place where the component is Algebraic. Must not write a state or derivative.
  virtual void EvaluateAlgebraicEquations(double /*t*/) {}
  /// Where derivatives of its equations are known, they make Jacobians cheaper than differences do: sets the
  /// partial derivatives of all that EvaluateEfforts and EvaluateDiffEquations write (derivatives of states,
  /// variables of bonds, outputs) over all states, variables of bonds and inputs that they depend on, by any
  /// way inside the component; what is not set is 0. Called after both evaluations at the same point, so what
  /// these keep is known. Returns false where some are not known at this point: differences are taken then.
  /// They are compared with differences now and then; if they disagree the run log says so.
  virtual bool WritePartials(PartialDerivatives& /*partials*/) const { return false; }
  /// Advances states, flows and outputs by one TimeStep to t; for components between delays, where waves c at
  /// t are known. The default takes one trapezoidal step of the component's own equations, with p = c + Zc q
  /// at its ports solved along; an own one (bilinear transforms) must agree with it.
  virtual void SimulateOneTimestep(double t);
  /// Between two steps, after aspects have changed: gives the states that begin their values
  /// (OverrideStateValue), so that what can stay continuous does, and says what the states held that end.
  /// Ports and outputs have the values of the step point, made by the equations until now; parameters are
  /// those of the new options.
  virtual void AspectsChanged(AspectSwitch& /*change*/) {}
  /// Once a step, before and after integration; may override states.
  virtual void PreIntegrate() {}
  virtual void PostIntegrate() {}
  /// Once a period 1/fs, after the step.
  virtual void Process() {}
  /// The first time after `t` [s] at which an output jumps or has a kink; infinity for none. The solver steps
  /// exactly there and restarts; evaluations before it see a smaller t, later ones at least this t.
  virtual double NextBreakTime(double /*t*/) const { return std::numeric_limits<double>::infinity(); }
  /// The longest step [s], from `t` on, that sees how an output depends on the time: a quarter of the period
  /// of a wave. An adaptive solver whose error estimate finds nothing between its stages would else step over
  /// whole periods. Asked of components that override NextBreakTime; infinity for no limit.
  virtual double LongestStep(double /*t*/) const { return std::numeric_limits<double>::infinity(); }
  /// For components that sample something at step points, such as a power that they hold for a TimeStep: the
  /// search for the steady state keeps what is held as it is, then calls this, and searches again while any
  /// component returns true. Takes the sample, or what brings the next one nearer to it; returns whether that
  /// is another than was held. Not called outside of such a search.
  virtual bool SampleInSteadyState() { return false; }
  /// Power [W] that comes into the component otherwise than through its ports, as of the last evaluation: of
  /// a shaft whose speed is a signal, of a source; negative what a gas spring takes. For whoever draws up the
  /// balance of energy.
  virtual double PowerBesidePorts() const { return 0; }
  /// Looks whether the component can be run with a TimeStep of `h` [s]; what is wrong goes to `diagnostics`.
  /// Called when the system is built and again before it continues with another TimeStep; parameters are
  /// known.
  virtual void CheckTimeStep(double /*h*/, Diagnostics& /*diagnostics*/) const {}

  /// Every state back to its start value.
  void Reset() override;
  /// Elements inside its own: `<Integration>` and `<Operators>`.
  bool AcceptsChild(std::string_view model) const override;

  /// The solver in use: the one asked for, or what the manager chose.
  SolverType GetSolverType() const;
  /// The TimeStep of the manager [s].
  double GetSimulatorTimestep() const { return time_step_; }
  /// The interval at which operators on its signals run [s]: its TimeStep.
  double GetOperatorPeriod() const { return time_step_; }

  // Its signals and states by name: the name alone, `force`, or in full, `crane.boom.force`. Outside of
  // evaluations: a look-up allocates. What it finds is valid as long as the system.
  /// An input or output; nothing if there is none of this name.
  std::optional<Item> GetSimSignalWithMatchingFullName(std::string_view name);
  /// A state, also as `x.Value` or `x.ddt`, or the element `a[2]` of an array; null if there is none.
  /// Algebraic unknowns are not found.
  StateVariable* GetStateVariableWithMatchingFullName(std::string_view name);
  /// Whether an operator on one of its signals has this full name, or, without its own path, this name:
  /// `force_operators.limiter`.
  bool HasOperatorWithMatchingFullName(std::string_view name) const;
  /// All inputs and outputs, without input arrays.
  SimSignalMap GetSimSignals();
  StateVariableMap GetStateVariables();

  // For state variables and the manager.
  SolverType requested_solver() const;
  /// The TimeStep of its own that it was given [s]; 0 for that of its surroundings.
  double requested_time_step() const;
  void ChooseSolver(SolverType type);
  void AddGuard(Guard& guard);
  /// Takes a state out of the structure of the model, or back in; only in the constructor or Configure.
  void SetStateActive(const StateVariable& state, bool is_active);
  /// In the order of their declaration.
  const std::vector<Guard*>& guards() const;
  /// Whether the model itself asks for SUNDIALS IDA: it has algebraic variables, or algebraic equations only.
  bool is_algebraic_model() const;
  /// Sizes the work space of the default SimulateOneTimestep; after the states have their places.
  void PrepareTimestep();
  StateSlot AddLocalState(double start);
  void set_simulator_time_step(double h) { time_step_ = h; }

 protected:
  /// Something an evaluation can read.
  class ReadItem {
   public:
    ReadItem(const Input& input) : id_(input.id()) {}       // NOLINT(google-explicit-constructor)
    ReadItem(const InputArray& input) : id_(input.id()) {}  // NOLINT(google-explicit-constructor)
    ReadItem(const PortBase& port) : id_(&port) {}          // NOLINT(google-explicit-constructor)
    const void* id() const { return id_; }

   private:
    const void* id_;
  };
  /// Declares, in the constructor, all that EvaluateEfforts reads besides states and parameters. Without this
  /// call everything counts as read, and loops may be found where there are none.
  void EffortsRead(std::initializer_list<ReadItem> items);
  /// Declares, in the constructor or Configure, all that the equation of a state or of each element of an
  /// array reads: its derivative, or its residual. The state or element itself is always read. With it the
  /// Jacobian of an array is banded, so an implicit method takes time linear in the size of the array.
  /// Without this call the equation may read all states, inputs and ports. What is missing in the list makes
  /// Jacobians wrong. A second call for a reader replaces the first.
  ///
  /// Throws std::logic_error where a reader or something read is not of this component, or an offset makes no
  /// sense.
  void Reads(const Readable& reader, std::initializer_list<Reach> reads);
  /// The same for an output; of a port in the call above: for what either evaluation writes there.
  void Reads(const Output& output, std::initializer_list<Reach> reads);
  /// Ends the run: an evaluation at t has no solution. `what` says which and what may help.
  [[noreturn]] void FailEvaluation(double t, const std::string& what) const;
  /// The declaration of a state of this component, with its start value and whether the user gave one.
  const StateDeclaration& DeclarationOf(const StateVariable& state) const;

 private:
  struct Local;
  std::unique_ptr<Local> local_;
  double time_step_ = 0;  // here and not in Local: fixed steps read it each time
};

}  // namespace davit
