#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/domain.h"
#include "framework/level.h"
#include "framework/option_condition.h"
#include "framework/range.h"
#include "framework/reach.h"
#include "framework/state_slot.h"
#include "framework/text.h"

namespace davit {

class Alarm;
class AspectBase;
class Component;
class EventReceiver;
class Indicator;
class Message;
class ModeBase;
class ObservedRate;
class PortBase;
class PropertyBase;
class StateVariable;

/// The unit of signals and values that may have any dimension.
inline constexpr Text kAnyUnit = "*";

/// Name, unit and meaning of a declared item. The texts live as long as the component: each was a Text.
struct Label {
  std::string_view name;
  std::string_view unit;
  std::string_view text;
};

/// When a write to a parameter takes effect.
enum class Tunability : std::uint8_t {
  kLive,        ///< at the next step point
  kStructural,  ///< only while the system is loaded: sizes, lumps, delays
};

/// Which evaluation writes an output: the one of flows and derivatives, or the earlier one of efforts, which
/// reads less and so closes fewer loops.
enum class WrittenBy : std::uint8_t { kFlows, kEfforts };

struct ParameterDeclaration {
  Label label;
  double default_value = 0;
  Range range;
  Tunability tunability = Tunability::kLive;
  double* value = nullptr;
  OptionCondition when;            ///< an equation uses it
  std::string_view formerly = {};  ///< a name that system files may still use
  bool is_routed = false;          ///< System::AddRoute has found a signal for it
};

struct InputDeclaration {
  Label label = {};
  double default_value = 0;
  Range range = kAny;
  bool is_mandatory = false;
  bool is_array = false;
  bool is_routed = false;                         ///< System::AddRoute has found a signal for it
  double* own_value = nullptr;                    ///< read while nothing is routed here; null for an array
  const double** source = nullptr;                ///< null for an array
  std::vector<const double*>* sources = nullptr;  ///< null for a single input
  OptionCondition when = {};                      ///< an equation uses it
  Component* operators = nullptr;                 ///< the `<Operators>` that its signal passes through
};

/// What the number of an output or a property means.
enum class ValueKind : std::uint8_t {
  kNumber,
  kInteger,    ///< of properties only
  kCondition,  ///< 0 or 1
  kOption,     ///< the position of one of several named options
  kText,       ///< of properties only: no number at all
};

struct OutputDeclaration {
  Label label;
  WrittenBy written_by = WrittenBy::kFlows;
  double* value = nullptr;
  ValueKind kind = ValueKind::kNumber;
  std::span<const std::string_view> options = {};  ///< kOption
  bool is_primary = true;                          ///< whether a glob such as `cylinder.*` means it too
  bool is_indicator = false;                       ///< written only while something reads such an output
  Component* operators = nullptr;                  ///< the `<Operators>` that the value passes through
  const double* operated = nullptr;                ///< what comes out of them: what everybody else reads
};

/// One state variable or an array of them. `slots` points at the first of `count` slots.
struct StateDeclaration {
  Label label;
  double nominal = 1;
  bool is_algebraic = false;
  bool is_array = false;
  bool is_active = true;            ///< whether the structure of the model has it
  bool is_sized = true;             ///< of an array: whether the model has given it a size
  OptionCondition when;             ///< the state is in use: integrated, and part of the island
  const bool* is_wanted = nullptr;  ///< what else that depends on, which may change at events; null: nothing
  std::vector<double> start;        ///< one value per element
  bool is_start_given = false;
  StateSlot* slots = nullptr;
  std::uint32_t count = 1;
  const void* id = nullptr;           ///< what identifies it among those its owner declared
  StateVariable* variable = nullptr;  ///< the member; null for an array and for algebraic unknowns
  std::vector<StateSlot> home;        ///< where the elements live while the state is not in use

  bool is_in_use() const { return is_active && when.holds() && (is_wanted == nullptr || *is_wanted); }
  bool is_always_in_use() const { return when.is_always() && is_wanted == nullptr; }
};

struct StartDeclaration {
  Label label;
  double default_value = 0;
  Range range;
  double* value = nullptr;
  bool* is_given = nullptr;
  OptionCondition when;  ///< it is used
};

struct PortDeclaration {
  Label label;
  const Domain* domain = nullptr;
  Role role = Role::kC;
  bool is_mandatory = true;
  bool is_array = false;
  PortBase* port = nullptr;
};

/// A fault that the model can have (FaultMode).
struct FaultModeDeclaration {
  Label label;
  std::string_view item;     ///< what stands for it, of the same component
  double value = 0;          ///< of the item then: in SI, or the position of an option
  bool is_multiple = false;  ///< `value` is a factor of the value that the item has
};

/// The largest indicator that a level neglects: an output.
struct LevelIndicator {
  Level level = Level::kIdeal;
  double value = 0;
};

/// Everything a component has declared, in the order of its members. It lies outside the component so that
/// what the equations touch lies close together.
struct Declarations {
  std::vector<ParameterDeclaration> parameters;
  std::vector<InputDeclaration> inputs;
  std::vector<OutputDeclaration> outputs;
  std::vector<StateDeclaration> states;
  std::vector<StartDeclaration> starts;
  std::vector<PortDeclaration> ports;
  std::vector<PropertyBase*> properties;  ///< the aspects too
  std::vector<AspectBase*> aspects;
  std::vector<ModeBase*> modes;        ///< each is an output too
  std::vector<Indicator*> indicators;  ///< each is an output too
  std::vector<std::unique_ptr<LevelIndicator>> level_indicators;
  std::vector<ObservedRate*> observed_rates;
  bool are_indicators_read = false;   ///< the run reads one of their outputs: a recorder, a chart, a route
  bool are_indicators_shown = false;  ///< somebody outside of the run looks at one
  std::vector<Message*> messages;
  std::vector<Alarm*> alarms;
  std::vector<FaultModeDeclaration> fault_modes;
  EventReceiver* event_receiver = nullptr;  ///< what takes events for the component: its chart
  /// Inputs and ports that `EvaluateEfforts` reads; without a value: all of them.
  std::optional<std::vector<const void*>> effort_reads;
  std::vector<ReachDeclaration> reaches;  ///< of whatever is not here: it may read everything
};

}  // namespace davit
