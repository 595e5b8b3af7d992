#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "fmi/import/fmu_unit.h"
#include "fmi/import/fmu_value_list.h"
#include "framework/parameter.h"
#include "framework/property.h"
#include "framework/signal.h"
#include "simulator/guard.h"
#include "simulator/state_variable.h"

namespace davit {

/// A choice of an enumeration of an FMU: its position.
enum class FmuChoice : std::uint32_t {};

/// Values of an FMU that go one way together, in its own units.
struct FmuValues {
  FmuValueList list;
  std::vector<double> values;
};

/// What a component with an FMU has declared, and where the FMU has it. `place` is in the values of the list
/// it belongs to.
struct FmuItems {
  /// Of an enumeration: the numbers of its options; null: of anything else.
  using Options = const std::vector<std::int64_t>*;

  /// An element of a parameter: a number, or a property with a number.
  struct Setting {
    const double* number = nullptr;
    const PropertyBase* property = nullptr;
    FmuUnit unit;
    Options options = nullptr;

    /// In the units of the FMU.
    double Read() const;
  };
  struct ParameterLink {
    FmuValues values;  ///< those of the FMU: the start values, then what was sent
    std::vector<double> start;
    std::vector<Setting> elements;
    bool is_structural = false;  ///< of FMI 3.0: it sizes arrays
    bool is_tunable = false;
  };
  struct TextLink {
    const Property<std::string>* property;
    std::uint32_t reference;
    std::string start;
  };
  struct InputLink {
    const Input* input;
    std::size_t declaration;
    std::size_t place;
    FmuUnit unit;
  };
  /// Inputs that go to the FMU together.
  struct InputPart {
    std::vector<InputLink> links;
    FmuValues values;  ///< those sent last, or about to be sent
    bool is_new = false;
  };
  /// Inputs during the run: what is routed goes to the FMU again and again. Any other variable goes there
  /// when its value has changed only: the FMU may have changed it since.
  struct RunInputs {
    InputPart routed;
    std::vector<InputPart> own;  ///< by variable
  };
  struct OutputLink {
    double* value;
    std::size_t declaration;
    std::size_t place;
    FmuUnit unit;
    Options options;
  };
  struct StateLink {
    StateVariable* state;
    std::size_t declaration;
    FmuUnit unit;
    FmuBaseType type;
    std::uint32_t reference;
    std::size_t element;  ///< of its variable
    std::size_t count;    ///< of elements of its variable
  };

  /// States that take part at the same time.
  struct Use {
    bool is_in_use = true;
    std::vector<std::size_t> states;  ///< numbers in `states`
  };

  std::deque<Parameter> parameters;
  std::deque<Property<bool>> conditions;
  std::deque<Property<FmuChoice>> choices;
  std::deque<Property<std::string>> texts;
  std::deque<Input> inputs;
  std::deque<Output> outputs;
  std::deque<StateVariable> states;
  std::deque<Guard> guards;
  std::deque<std::vector<std::int64_t>> option_numbers;

  std::deque<ParameterLink> parameter_links;
  std::vector<TextLink> text_links;
  /// Those that may change inside a step, and those that an event must bring.
  std::vector<InputLink> continuous_links, discrete_links;
  FmuValues continuous, discrete;
  /// The same two, after the start.
  RunInputs continuous_run, discrete_run;
  /// Those that read no input, and the others.
  std::vector<OutputLink> early_links, late_links;
  FmuValues early, late;
  /// All of them, of model exchange.
  std::vector<OutputLink> shown_links;
  FmuValues shown;
  /// Of these, those that are routed: the others need not be known in each evaluation. Of model exchange.
  std::vector<OutputLink> routed_early_links, routed_late_links;
  FmuValues routed_early, routed_late;
  std::vector<StateLink> state_links;
  std::deque<Use> uses;
  FmuValues use_values;  ///< by use
  std::size_t indicators = 0;
  std::vector<std::string> passed_over;  ///< names of variables that davit has no items for
};

}  // namespace davit
