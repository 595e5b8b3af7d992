#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "statecharts/chart_event.h"
#include "statecharts/state_set.h"

namespace davit {

/// The operations of compiled expressions. Those with two operands take each from `ExpressionCode::left` and
/// `right`, or from the stack where that is kOnStack, and push the result.
enum class ExpressionOp : std::uint8_t {
  kPush,  ///< left: the address of the value
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kModulo,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kCall2,  ///< index: Functions()
  kCall1,  ///< index: Functions(); one operand on the stack
  kNegate,
  kNot,
  kAndJump,     ///< where the top is false, keep it and go to index; else drop it
  kOrJump,      ///< where the top is true, keep it and go to index; else drop it
  kJumpUnless,  ///< drop the top; where it was false, go to index
  kJump,        ///< go to index
  kIn,          ///< index: a state
  kTimeIn,      ///< index: a state; seconds since it was entered
  kTime,
  kEventName,
  kEventValue,  ///< type: what it must be
  kEventField,  ///< index: the symbol of its name; type: what it must be
  kRising,
  kFalling,
  kChanged,  ///< index: a memory of one step; the value is on the stack
};

struct ExpressionCode {
  static constexpr std::uint32_t kOnStack = UINT32_MAX;

  ExpressionOp op = ExpressionOp::kPush;
  ValueType type = ValueType::kNumber;
  std::uint32_t left = kOnStack;
  std::uint32_t right = kOnStack;
  std::uint32_t index = 0;
};

/// [begin, end) of ExpressionProgram::code.
struct CodeRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// A `<data>` of the chart.
struct ExpressionVariable {
  std::string name;
  ValueType type = ValueType::kNumber;
  std::vector<SymbolId> choices;  ///< of an enumeration: all it can be; else empty
};

/// A value of the system that conditions read. What it is is found when the chart is loaded.
struct ExpressionSignal {
  std::string path;
  ValueType type = ValueType::kNumber;
  std::uint32_t handle = 0;  ///< of the ChartHost
};

/// A value of the system that the chart sets.
struct ExpressionProperty {
  std::string path;
  ValueType type = ValueType::kNumber;
  std::uint32_t handle = 0;  ///< of the ChartHost
};

/// All expressions of a chart in the data model `davit`. Every value is a double: a boolean is 0 or 1, a
/// string its symbol; types are checked when the chart is loaded. Addresses count through the constants, then
/// the variables, then the signals.
struct ExpressionProgram {
  std::vector<ExpressionCode> code;
  std::vector<double> constants;
  std::vector<ExpressionVariable> variables;
  std::vector<ExpressionSignal> signals;
  std::vector<ExpressionProperty> properties;
  std::vector<CodeRange> memories;  ///< what rising(), falling() and changed() compare with the last step
  std::size_t stack_size = 1;

  std::size_t first_variable() const { return constants.size(); }
  std::size_t first_signal() const { return constants.size() + variables.size(); }
  std::size_t memory_size() const { return first_signal() + signals.size(); }
};

/// What expressions read besides their memory.
struct ExpressionContext {
  const StateSet* configuration = nullptr;
  const double* entered = nullptr;  ///< by state: when it was entered [s]
  double time = 0;                  ///< [s]
  const Event* event = nullptr;     ///< null before the first event
  const double* last = nullptr;     ///< by memory: its value of the last step
};

struct ExpressionValue {
  double value = 0;
  bool is_valid = true;  ///< false: no finite number, or the event has no such data
};

/// Runs the code of one expression. `stack` has at least `program.stack_size` places.
ExpressionValue Evaluate(const ExpressionProgram& program, CodeRange range, std::span<const double> memory,
                         const ExpressionContext& context, std::span<double> stack);

/// A mathematical function of one or two numbers.
struct ExpressionFunction {
  std::string_view name;
  double (*one)(double) = nullptr;
  double (*two)(double, double) = nullptr;
};
std::span<const ExpressionFunction> ExpressionFunctions();

}  // namespace davit
