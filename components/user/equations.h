#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "components/user/equation_component.h"
#include "statecharts/davit_program.h"
#include "statecharts/register_code.h"

namespace davit {

/// The items and the compiled equations of an EquationComponent. A place is an index into `memory`.
struct EquationComponent::Equations {
  using Place = std::uint32_t;

  /// When an expression is evaluated.
  enum Phase : std::uint8_t { kConstant, kEarly, kLate };
  static constexpr std::size_t kPhases = 3;

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
    double* (*find)(void* bond);
    const double* value = nullptr;
  };
  /// Where an output or a variable of a port is written.
  struct Written {
    double* value;
    Place place;
    PortBase* port = nullptr;  ///< null: an output
    double* (*find)(void* bond) = nullptr;
  };
  /// What a phase reads, evaluates and writes. The states of a component always lie in one memory.
  struct Step {
    std::vector<Read> reads;
    std::vector<StateValue> states;
    std::vector<StateValue> derivatives;
    std::vector<Written> written;
    std::uint32_t code = 0;  ///< where it begins
    bool has_code = false;

    bool is_idle() const { return !has_code && derivatives.empty() && written.empty(); }
    void Gather(double* memory) const {
      for (const Read& read : reads) memory[read.place] = **read.source;
      if (states.empty()) return;
      const double* const y = states.front().slot->memory->y;
      for (const StateValue& state : states) memory[state.place] = y[state.slot->offset];
    }
    void Scatter(const double* memory) const {
      for (const Written& to : written) *to.value = memory[to.place];
      if (derivatives.empty()) return;
      double* const ddt = derivatives.front().slot->memory->ddt;
      for (const StateValue& state : derivatives) ddt[state.slot->offset] = memory[state.place];
    }
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
    StateVariable* state;  ///< null: a held value
    Output* output;
    Place to;
    Place value;
  };
  struct Reaction {
    std::uint32_t code = 0;  ///< where it begins
    std::vector<Assigned> assigned;
  };
  struct Event {
    std::uint32_t value = 0;  ///< where its code begins
    Place value_place;
    Reaction reaction, rest;
  };
  struct Result {
    Place place;
    std::string_view name;
  };

  void Evaluate(const Step& step, double t);
  double ReadGuard(const Event& event);
  void React(const Reaction& reaction, double t);
  void Run(std::uint32_t begin) { code->Run(begin, memory.data()); }

  // What evaluations touch lies close together.
  std::vector<double> memory;  ///< empty where the equations are faulty
  std::optional<RegisterCode> code;
  Place time_place = 0;
  std::array<Step, kPhases> steps;

  std::vector<ItemElement> items;
  std::deque<std::string> texts;  ///< of the declarations, which hold views
  std::deque<Parameter> parameters;
  std::deque<Input> inputs;
  std::deque<Output> outputs;
  std::deque<StateVariable> states;
  std::deque<std::variant<std::monostate, HydraulicPort, TranslationalPort, RotationalPort>> ports;
  std::deque<Event> events;
  std::deque<Guard> guards;

  std::deque<BondValue> bonds;  ///< that are read
  std::vector<ParameterValue> parameter_values;
  std::vector<Held> held;
  Step all;  ///< reads what any expression reads: for guards
  std::vector<Result> results;
};

}  // namespace davit
