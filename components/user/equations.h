#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "components/user/equation_block.h"
#include "components/user/equation_component.h"
#include "expressions/expression_program.h"
#include "expressions/register_code.h"

namespace davit {

/// The items and the compiled equations of an EquationComponent. A place is where its code finds a value; the
/// values themselves lie in a lane of an EquationBlock.
struct EquationComponent::Equations {
  using Place = std::uint32_t;
  using BondMember = double& (*)(Bond& bond);

  /// When an expression is evaluated.
  enum Phase : std::uint8_t { kConstant, kEarly, kLate };
  static constexpr std::size_t kPhases = 3;
  /// The step that guards read by: all that any expression reads.
  static constexpr std::size_t kForGuards = kPhases;
  static constexpr std::size_t kSteps = kPhases + 1;

  /// What an input or a port reads. `source` is what the declaration keeps, or `own` for a port.
  struct Read {
    const double* const* source;
    Place place;
  };
  struct StateValue {
    StateSlot* slot;
    Place place;
  };
  /// A variable of a port. `value` is where it lives once the port is connected.
  struct BondValue {
    PortBase* port;
    BondMember member;
    const double* value = nullptr;
  };
  /// Where an output or a variable of a port is written.
  struct Written {
    double* value;
    Place place;
    PortBase* port = nullptr;  ///< null: an output
    BondMember member = nullptr;
  };
  /// What a phase reads, evaluates and writes. The states of a component always lie in one memory.
  struct Step {
    std::vector<Read> reads;
    std::vector<StateValue> states;
    std::vector<StateValue> derivatives;
    std::vector<Written> written;
    CodeRange code;

    bool is_idle() const { return code.begin == code.end && derivatives.empty() && written.empty(); }
    /// Whether the same places are read and written.
    bool MovesAs(const Step& other) const;
  };
  struct ParameterValue {
    const Parameter* parameter;
    Place place;
  };
  /// A value that only guards change.
  struct Held {
    Output* output;
    double* value;  ///< of the output
    double start;
    Place place;
  };
  /// What a guard writes: a state or a held value.
  struct Assigned {
    StateSlot* state;  ///< null: a held value
    Output* output;
    Place to;
    Place value;
  };
  struct Reaction {
    CodeRange code;
    std::vector<Assigned> assigned;
  };
  struct Event {
    CodeRange value;
    Place value_place;
    Reaction reaction, rest;
  };
  struct Result {
    Place place;
    std::string_view name;
  };

  double ReadGuard(const Event& event);
  void React(const Reaction& reaction, double t);
  /// Whether the same is done with the same places, so that both can share one block.
  bool EvaluatesAs(const Equations& other) const;
  double& ValueAt(Place place) const { return block->ValueAt(place, lane); }

  std::shared_ptr<EquationBlock> block;  ///< null where the equations are faulty
  std::size_t lane = 0;
  std::optional<RegisterCode> code;
  Place time_place = 0;
  std::array<Step, kSteps> steps;

  std::vector<ItemElement> items;
  std::deque<Parameter> parameters;
  std::deque<Input> inputs;
  std::deque<Output> outputs;
  std::deque<StateVariable> states;
  std::deque<StateVariableArray> arrays;
  const StateSlot* first_state = nullptr;  ///< of all states
  std::deque<AnyPort> ports;
  std::deque<Event> events;
  std::deque<Guard> guards;

  std::deque<BondValue> bonds;  ///< that are read
  std::vector<ParameterValue> parameter_values;
  std::vector<Held> held;
  std::vector<Result> results;
};

}  // namespace davit
