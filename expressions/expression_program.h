#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expressions/expression_event.h"
#include "expressions/symbol_table.h"
#include "expressions/value_type.h"
#include "framework/units/unit_system.h"

namespace davit {

/// The operations of compiled expressions. Those with two operands take each from
/// `ExpressionInstruction::left` and `right`, or from the stack where that is kOnStack, and push the result.
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
  kCall2,  ///< index: kExpressionFunctions
  kCall1,  ///< index: kExpressionFunctions; one operand on the stack
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

/// One operation with its operands.
struct ExpressionInstruction {
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

/// A value that expressions read and their owner sets: a `<data>` of a chart, an item of an equation
/// component.
struct ExpressionVariable {
  std::string name;
  ValueType type = ValueType::kNumber;
  std::vector<SymbolId> choices = {};                 ///< of an enumeration: all it can be; else empty
  std::optional<Dimension> dimension = std::nullopt;  ///< of a number, where it is known
};

/// A value of the host that expressions read.
struct ExpressionSignal {
  std::string path;
  ValueType type = ValueType::kNumber;
  std::uint32_t handle = 0;  ///< of the ExpressionHost
};

/// All expressions of one owner, a chart or an equation component. Every value is a double: a boolean is 0 or
/// 1, a string its symbol. The memory they are evaluated on has the constants, then the variables, then the
/// signals; an address is a place in it.
struct ExpressionProgram {
  std::vector<ExpressionInstruction> code;
  std::vector<double> constants;
  std::vector<ExpressionVariable> variables;
  std::vector<ExpressionSignal> signals;
  std::vector<CodeRange> memories;  ///< what rising(), falling() and changed() compare with the last step
  std::size_t stack_size = 1;

  std::size_t first_variable() const { return constants.size(); }
  std::size_t first_signal() const { return constants.size() + variables.size(); }
  std::size_t memory_size() const { return first_signal() + signals.size(); }
};

/// What expressions read besides their memory. A pointer may be null where no expression uses what it is for.
struct ExpressionContext {
  const std::uint64_t* active_states = nullptr;  ///< for In(): 64 states a word, the first in the lowest bit
  const double* entered = nullptr;               ///< for timeIn(): by state, when it was entered [s]
  double time = 0;                               ///< [s]
  const ExpressionEvent* event = nullptr;        ///< null before the first event
  const double* last = nullptr;                  ///< of rising() and its like: by memory, its last value
};

struct ExpressionValue {
  double value = 0;
  bool is_valid = true;  ///< false: no finite number, or the event has no such data
};

/// Runs the code of one expression. `stack` has at least `program.stack_size` places.
ExpressionValue Evaluate(const ExpressionProgram& program, CodeRange range, std::span<const double> memory,
                         const ExpressionContext& context, std::span<double> stack);

}  // namespace davit
