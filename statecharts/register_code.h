#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "statecharts/davit_program.h"

namespace davit {

/// Numeric expressions of a DavitProgram as operations on places of one memory, for what is evaluated many
/// times in a step: no stack, one operation for `a - b*c`, no check of each comparison. The values are those
/// of Evaluate, bit for bit; what is no finite number goes on as IEEE arithmetic has it.
///
/// The memory has `memory_size()` places: first those of the program (constants, variables, signals), then
/// the time, then room for intermediate results. Expressions run in the order in which they were added.
class RegisterCode {
 public:
  /// Whether the code of an expression stands for itself: it asks for no states of a chart and no events.
  static bool CanHold(const DavitProgram& program, CodeRange range);

  /// `program` is linked; it must outlive Add only.
  explicit RegisterCode(const DavitProgram& program);

  /// Appends an expression whose value goes to `target`, a place. Pre: CanHold.
  void Add(const DavitProgram& program, CodeRange range, std::uint32_t target);
  /// Where the next expression begins.
  std::uint32_t end() const { return static_cast<std::uint32_t>(code_.size()); }

  std::uint32_t time_place() const { return time_place_; }
  std::size_t memory_size() const { return memory_size_; }

  /// Ends the expressions that are run together.
  void Close();

  /// Runs the expressions from `begin`, a value of end(), to the next Close. Takes no memory from the heap.
  void Run(std::uint32_t begin, double* memory) const;

 private:
  enum class Op : std::uint32_t {
    kCopy,
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
    kCall2,
    kCall1,
    kNegate,
    kNot,
    kJump,
    kJumpIfZero,
    kJumpUnlessZero,
    kAddProduct,       ///< left + right * third
    kSubtractProduct,  ///< left - right * third
    // The same with the result of the operation before in the place of `left`.
    kLastAdd,
    kLastSubtract,
    kLastMultiply,
    kLastDivide,
    kLastAddProduct,
    kLastSubtractProduct,
    // left +- right * third +- fourth * fifth
    kAddAddProduct,
    kAddSubtractProduct,
    kSubtractAddProduct,
    kSubtractSubtractProduct,
    kEnd,
  };
  struct Operation {
    Op op = Op::kCopy;
    std::uint32_t to = 0;
    std::uint32_t left = 0;
    std::uint32_t right = 0;
    std::uint32_t third = 0;  ///< a place, a function, or where to jump
    std::uint32_t fourth = 0;
    std::uint32_t fifth = 0;
  };
  class Translation;

  const DavitFunction* functions_;
  std::vector<Operation> code_;
  std::uint32_t time_place_;
  std::uint32_t first_result_;
  std::size_t memory_size_;
};

// Here, so that it becomes part of the evaluation that calls it.
inline void RegisterCode::Run(std::uint32_t begin, double* memory) const {
  const Operation* const code = code_.data();
  const auto truth = [](bool is_true) { return is_true ? 1.0 : 0.0; };
  double last = 0;  // kept at hand, for the next operation often begins with it
  for (const Operation* at = code + begin;; ++at) {
    const double x = memory[at->left];
    const double y = memory[at->right];
    switch (at->op) {
      case Op::kCopy: last = x; break;
      case Op::kAdd: last = x + y; break;
      case Op::kSubtract: last = x - y; break;
      case Op::kMultiply: last = x * y; break;
      case Op::kDivide: last = x / y; break;
      case Op::kModulo: last = std::fmod(x, y); break;
      case Op::kEqual: last = truth(x == y); break;
      case Op::kNotEqual: last = truth(x != y); break;
      case Op::kLess: last = truth(x < y); break;
      case Op::kLessEqual: last = truth(x <= y); break;
      case Op::kGreater: last = truth(x > y); break;
      case Op::kGreaterEqual: last = truth(x >= y); break;
      case Op::kCall2: last = functions_[at->third].two(x, y); break;
      case Op::kCall1: last = functions_[at->third].one(x); break;
      case Op::kNegate: last = -x; break;
      case Op::kNot: last = truth(x == 0); break;
      case Op::kJump: at = code + at->third - 1; continue;
      case Op::kJumpIfZero:
        if (x == 0) at = code + at->third - 1;
        continue;
      case Op::kJumpUnlessZero:
        if (x != 0) at = code + at->third - 1;
        continue;
      case Op::kAddProduct: last = x + y * memory[at->third]; break;
      case Op::kSubtractProduct: last = x - y * memory[at->third]; break;
      case Op::kLastAdd: last += y; break;
      case Op::kLastSubtract: last -= y; break;
      case Op::kLastMultiply: last *= y; break;
      case Op::kLastDivide: last /= y; break;
      case Op::kLastAddProduct: last += y * memory[at->third]; break;
      case Op::kLastSubtractProduct: last -= y * memory[at->third]; break;
      case Op::kAddAddProduct:
        last = x + y * memory[at->third] + memory[at->fourth] * memory[at->fifth];
        break;
      case Op::kAddSubtractProduct:
        last = x + y * memory[at->third] - memory[at->fourth] * memory[at->fifth];
        break;
      case Op::kSubtractAddProduct:
        last = x - y * memory[at->third] + memory[at->fourth] * memory[at->fifth];
        break;
      case Op::kSubtractSubtractProduct:
        last = x - y * memory[at->third] - memory[at->fourth] * memory[at->fifth];
        break;
      case Op::kEnd: return;
      default: __builtin_unreachable();
    }
    memory[at->to] = last;
  }
}

}  // namespace davit
