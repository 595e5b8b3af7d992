#include "expressions/expression_program.h"

#include <cmath>

#include "framework/syntax/expression_functions.h"

namespace davit {
namespace {

constexpr double Truth(bool is_true) { return is_true ? 1 : 0; }

/// One run over the code of an expression.
class Machine {
 public:
  Machine(const ExpressionProgram& program, std::span<const double> memory, const ExpressionContext& context,
          std::span<double> stack)
      : program_(program), memory_(memory.data()), context_(context), top_(stack.data()) {}

  ExpressionValue Run(CodeRange range) {
    const ExpressionInstruction* const code = program_.code.data();
    for (std::uint32_t at = range.begin; at < range.end; ++at) {
      const ExpressionInstruction& c = code[at];
      double x = 0;
      double y = 0;
      switch (c.op) {
        case ExpressionOp::kPush: Push(memory_[c.left]); break;
        case ExpressionOp::kAdd: Load(c, x, y), Push(x + y); break;
        case ExpressionOp::kSubtract: Load(c, x, y), Push(x - y); break;
        case ExpressionOp::kMultiply: Load(c, x, y), Push(x * y); break;
        case ExpressionOp::kDivide: Load(c, x, y), Push(x / y); break;
        case ExpressionOp::kModulo: Load(c, x, y), Push(std::fmod(x, y)); break;
        case ExpressionOp::kEqual: LoadOrdered(c, x, y), Push(Truth(x == y)); break;
        case ExpressionOp::kNotEqual: LoadOrdered(c, x, y), Push(Truth(x != y)); break;
        case ExpressionOp::kLess: LoadOrdered(c, x, y), Push(Truth(x < y)); break;
        case ExpressionOp::kLessEqual: LoadOrdered(c, x, y), Push(Truth(x <= y)); break;
        case ExpressionOp::kGreater: LoadOrdered(c, x, y), Push(Truth(x > y)); break;
        case ExpressionOp::kGreaterEqual: LoadOrdered(c, x, y), Push(Truth(x >= y)); break;
        case ExpressionOp::kCall2: Load(c, x, y), Push(kExpressionFunctions[c.index].two(x, y)); break;
        case ExpressionOp::kCall1: top_[-1] = kExpressionFunctions[c.index].one(top_[-1]); break;
        case ExpressionOp::kNegate: top_[-1] = -top_[-1]; break;
        case ExpressionOp::kNot: top_[-1] = Truth(top_[-1] == 0); break;
        case ExpressionOp::kAndJump:
          if (top_[-1] == 0) {
            at = c.index - 1;
          } else {
            --top_;
          }
          break;
        case ExpressionOp::kOrJump:
          if (top_[-1] != 0) {
            at = c.index - 1;
          } else {
            --top_;
          }
          break;
        case ExpressionOp::kJumpUnless:
          if (*--top_ == 0) at = c.index - 1;
          break;
        case ExpressionOp::kJump: at = c.index - 1; break;
        case ExpressionOp::kIn: Push(Truth(IsActive(c.index))); break;
        case ExpressionOp::kTimeIn: Push(context_.time - context_.entered[c.index]); break;
        case ExpressionOp::kTime: Push(context_.time); break;
        case ExpressionOp::kEventName: PushEventName(); break;
        case ExpressionOp::kEventValue: PushEventValue(c); break;
        case ExpressionOp::kEventField: PushEventField(c); break;
        case ExpressionOp::kRising: top_[-1] = Truth(top_[-1] != 0 && context_.last[c.index] == 0); break;
        case ExpressionOp::kFalling: top_[-1] = Truth(top_[-1] == 0 && context_.last[c.index] != 0); break;
        case ExpressionOp::kChanged: top_[-1] = Truth(top_[-1] != context_.last[c.index]); break;
      }
    }
    const double value = top_[-1];
    return {value, is_valid_ && std::isfinite(value)};
  }

 private:
  void Push(double value) { *top_++ = value; }

  /// Both operands, the right one from the top of the stack.
  void Load(const ExpressionInstruction& c, double& x, double& y) {
    y = c.right == ExpressionInstruction::kOnStack ? *--top_ : memory_[c.right];
    x = c.left == ExpressionInstruction::kOnStack ? *--top_ : memory_[c.left];
  }
  /// The same for a comparison, which fails with what is no finite number, such as 1/0.
  void LoadOrdered(const ExpressionInstruction& c, double& x, double& y) {
    Load(c, x, y);
    is_valid_ = is_valid_ && std::isfinite(x) && std::isfinite(y);
  }

  bool IsActive(std::uint32_t state) const {
    constexpr std::uint32_t kBits = 64;
    return ((context_.active_states[state / kBits] >> (state % kBits)) & 1U) != 0;
  }

  void PushEventName() {
    const bool is_known = context_.event != nullptr && context_.event->name != kNoSymbol;
    // A name that occurs in no chart equals no constant.
    Push(is_known ? context_.event->name : kNoSymbol);
    is_valid_ = is_valid_ && context_.event != nullptr;
  }
  void PushEventValue(const ExpressionInstruction& c) {
    const bool is_there =
        context_.event != nullptr && context_.event->has_value && context_.event->value.type == c.type;
    Push(is_there ? context_.event->value.value : 0);
    is_valid_ = is_valid_ && is_there;
  }
  void PushEventField(const ExpressionInstruction& c) {
    if (context_.event != nullptr) {
      for (std::size_t i = 0; i < context_.event->field_count; ++i) {
        const EventField& field = context_.event->fields[i];
        if (field.name == c.index && field.type == c.type) return Push(field.value);
      }
    }
    Push(0);
    is_valid_ = false;
  }

  const ExpressionProgram& program_;
  const double* memory_;
  const ExpressionContext& context_;
  double* top_;
  bool is_valid_ = true;
};

}  // namespace

ExpressionValue Evaluate(const ExpressionProgram& program, CodeRange range, std::span<const double> memory,
                         const ExpressionContext& context, std::span<double> stack) {
  return Machine(program, memory, context, stack).Run(range);
}

}  // namespace davit
