#pragma once

#include <string>
#include <vector>

#include "framework/archive.h"
#include "framework/component.h"
#include "framework/item.h"
#include "framework/property.h"
#include "framework/signal.h"
#include "framework/tree/operator_holder.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/operator.h"

namespace davit {

/// The element `<Operators signal=...>` inside a component: what an input, an output or a state passes
/// through.
///
/// Of an input, at the step point at which a step begins: u is the value routed to the input, or its own; y
/// is what the component reads during the whole step. Of an output, at the end of a step: u is what the
/// component has computed; y is what everybody else reads until the end of the next step. So a step point
/// lies between both: a signal is sampled there and held (zero-order hold). Of a state y is what routes from
/// it carry, sampled and held like an output; the solver, results, charts and commands have the state itself.
class OperatorChain final : public Component, public OperatorHolder {
 public:
  using HoldsOperators = void;
  static constexpr ModelInfo kInfo{
      .name = "Operators",
      .text =
          "What a signal of a component passes through, once each TimeStep: the operators inside, in order",
      .equations = R"(
y = operator_n(... operator_2(operator_1(u)))   at each communication point, held until the next one
For an input, u is the routed value and y the value that the component reads. For an output, u is the computed
value and y the value that others read. For a state, u is its value and y the value that its routes carry; the
solver continues with the unchanged state. `davit list 'operator.*'` lists operators; see docs/operators.md.
Example: signal="force"
)",
  };

  /// It has its own part of the reader: operators, in their order.
  bool AcceptsChild(std::string_view /*model*/) const override { return false; }
  void Attach(const UnitSystem& units, Diagnostics& diagnostics) override;
  bool IsOfState(std::string_view name) const override;
  /// Leads what comes out to the input.
  void Link(System& system, Diagnostics& diagnostics) override;
  void ArchiveMemory(Archive& archive) override;

  /// The component whose signal it is.
  DynamicSimComponent& owner() const { return static_cast<DynamicSimComponent&>(*parent()); }
  bool is_of_input() const { return input_ != kNone; }
  bool is_of_output() const { return !is_of_input() && output_ != kNone; }
  /// Whether it has found its signal.
  bool is_attached() const { return is_attached_; }
  const std::vector<Operator*>& operators() const { return operators_; }

  // Of a run, for OperatorSchedule.
  /// Finds what routes lead here. Pre: all routes are known.
  void Bind(const System& system);
  /// From now on with the present values, as if they had always been there.
  void Begin(double t);
  /// Once each TimeStep. Of an input the first time after Begin it begins once more: something may have been
  /// written at the start.
  void Run(double t);
  /// The operator that is or was running last.
  const Component& running() const { return *operators_[running_]; }
  /// The value that comes out.
  double y() const { return y_; }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  /// A routed input of an operator.
  struct Sample {
    Item from;
    double value = 0;

    void ArchiveMemory(Archive& archive) { archive(value); }
  };

  double Source() const;
  void TakeSamples();

  Property<std::string> signal_{this, "signal", "Input, output or state of the component"};
  Property<std::string> unit_{this, "unit",
                              "Unit on the other side of the operators, where they change it: an SI unit"};
  Output u_{this, "u", kAnyUnit, "Input of the operator"};
  Output y_{this, "y", kAnyUnit, "Output of the operator"};

  bool is_attached_ = false;
  std::vector<Operator*> operators_;
  std::size_t input_ = kNone;           ///< in the list of the owner
  std::size_t output_ = kNone;          ///< likewise
  std::size_t state_ = kNone;           ///< likewise
  std::vector<Item> source_;            ///< of a routed input and of a state: one
  const double* own_source_ = nullptr;  ///< where there is none
  std::vector<Sample> samples_;
  std::size_t running_ = 0;
  bool has_run_ = false;  ///< since Begin
};

}  // namespace davit
