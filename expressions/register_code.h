#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "expressions/expression_program.h"
#include "framework/syntax/expression_functions.h"

namespace davit {

/// Numeric expressions of an ExpressionProgram as operations on places of one memory, for what is evaluated
/// many times in a step: no stack, one operation for `a - b*c`, no check of each comparison. The values are
/// those of Evaluate, bit for bit; infinities and NaN are those of IEEE arithmetic.
///
/// The memory has `memory_size()` places: first those of the program (constants, variables, signals), then
/// the time, then room for intermediate results. Expressions run in the order in which they were added.
///
/// Several owners of equal code can be evaluated together: each has a lane, and the values of all lanes lie
/// side by side, place by place. An operation is then read once for all of them. The bits of a lane are those
/// of a memory of its own.
class RegisterCode {
 public:
  static constexpr std::size_t kLanes = 8;

  /// Whether an expression reads values and the time only: no states or events of a chart, no edges.
  static bool CanHold(const ExpressionProgram& program, CodeRange range);

  /// `program` is linked; it must outlive Add only.
  explicit RegisterCode(const ExpressionProgram& program);

  /// Appends an expression whose value goes to `target`, a place. Pre: CanHold.
  void Add(const ExpressionProgram& program, CodeRange range, std::uint32_t target);
  /// Where the next expression begins. The code between two such places can be run.
  std::uint32_t end() const { return static_cast<std::uint32_t>(code_.size()); }

  std::uint32_t time_place() const { return time_place_; }
  std::size_t memory_size() const { return memory_size_; }

  /// Runs expressions that follow each other. Does not allocate.
  void Run(CodeRange range, double* memory) const { RunOn(range, Lane<1>{memory}); }
  /// The same for one of kLanes lanes. `memory[kLanes*place + lane]` are the values; begins at a multiple of
  /// 64 bytes.
  void RunLane(CodeRange range, double* memory, std::size_t lane) const {
    RunOn(range, Lane<kLanes>{memory + lane});
  }
  /// The same for the first `count` lanes. What the others hold afterwards is undefined.
  void RunLanes(CodeRange range, double* memory, std::size_t count) const {
    RunOn(range, Lanes{memory, count});
  }

  /// Whether both compute the same from the same places.
  friend bool operator==(const RegisterCode& a, const RegisterCode& b) {
    return a.code_ == b.code_ && a.memory_size_ == b.memory_size_;
  }
  /// Equal for equal code.
  std::size_t hash() const;

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
  };
  struct Operation {
    Op op = Op::kCopy;
    std::uint32_t to = 0;
    std::uint32_t left = 0;
    std::uint32_t right = 0;
    std::uint32_t third = 0;  ///< a place, a function, or where to jump
    std::uint32_t fourth = 0;
    std::uint32_t fifth = 0;

    bool operator==(const Operation&) const = default;
  };
  class Translation;

  /// The values of one owner, every `stride` numbers one.
  template <std::size_t stride>
  struct Lane {
    using Number = double;
    double* memory;
    double last = 0;  ///< the result before, kept at hand, for the next operation often begins with it

    double At(std::uint32_t place) const { return memory[stride * place]; }
    /// Gives the place `to` what `f` computes of numbers that it asks for by place.
    template <class F>
    void Each(std::uint32_t to, F f) {
      const auto number = [this](std::uint32_t place) { return At(place); };
      const auto before = [this](std::uint32_t /*place*/) { return last; };
      last = f(number, before);
      memory[stride * to] = last;
    }
    /// The same for a function that takes single numbers only.
    template <class F>
    void EachAlone(std::uint32_t to, F f) {
      Each(to, [&](auto number, auto /*before*/) { return f(number); });
    }
  };
  /// The values of several owners, side by side.
  struct Lanes {
    /// As many as a processor computes at once; operators work on both.
    using Number [[gnu::vector_size(2 * sizeof(double)), gnu::may_alias]] = double;
    double* memory;
    std::size_t count;

    template <class F>
    void Each(std::uint32_t to, F f) {
      auto* const result = Row(to);
#pragma GCC unroll 8
      for (std::size_t i = 0; i < kLanes / 2; ++i) {
        const auto number = [this, i](std::uint32_t place) { return Row(place)[i]; };
        result[i] = f(number, number);
      }
    }
    template <class F>
    void EachAlone(std::uint32_t to, F f) {
      for (std::size_t i = 0; i < count; ++i)
        memory[kLanes * to + i] = f([this, i](std::uint32_t place) { return memory[kLanes * place + i]; });
    }
    Number* Row(std::uint32_t place) const { return reinterpret_cast<Number*>(memory + kLanes * place); }
  };

  template <class Memory>
  void RunOn(CodeRange range, Memory memory) const;
  /// The operation after a jump; `end` where the lanes part, after each has run to the end alone.
  template <std::size_t stride>
  const Operation* Follow(const Operation* at, const Operation* /*end*/, const Lane<stride>& memory) const {
    const bool jumps = at->op == Op::kJump || (memory.At(at->left) == 0) == (at->op == Op::kJumpIfZero);
    return jumps ? code_.data() + at->third : at + 1;
  }
  const Operation* Follow(const Operation* at, const Operation* end, const Lanes& memory) const {
    const auto one = [&](std::size_t i) { return Lane<kLanes>{memory.memory + i}; };
    const auto next = [&](std::size_t i) { return Follow(at, end, one(i)); };
    bool is_same = true;
    for (std::size_t i = 1; i < memory.count; ++i) is_same = is_same && next(i) == next(0);
    if (is_same) return next(0);
    const auto place = [this](const Operation* operation) {
      return static_cast<std::uint32_t>(operation - code_.data());
    };
    for (std::size_t i = 0; i < memory.count; ++i) RunOn({place(next(i)), place(end)}, one(i));
    return end;
  }

  const ExpressionFunction* functions_;
  std::vector<Operation> code_;
  std::uint32_t time_place_;
  std::uint32_t first_result_;
  std::size_t memory_size_;
};

// Here, so that it becomes part of the evaluation that calls it.
template <class Memory>
inline void RegisterCode::RunOn(CodeRange range, Memory memory) const {
  const Operation* const end = code_.data() + range.end;
  constexpr auto truth = [](bool is_true) { return is_true ? 1.0 : 0.0; };
  for (const Operation* at = code_.data() + range.begin; at != end; ++at) {
    const auto [op, to, left, right, third, fourth, fifth] = *at;
    // n(place) is a number, last(left) the result of the operation before.
    const auto each = [&](auto f) { memory.Each(to, f); };
    const auto alone = [&](auto f) { memory.EachAlone(to, f); };
    switch (op) {
      case Op::kCopy: each([&](auto n, auto) { return n(left); }); break;
      case Op::kAdd: each([&](auto n, auto) { return n(left) + n(right); }); break;
      case Op::kSubtract: each([&](auto n, auto) { return n(left) - n(right); }); break;
      case Op::kMultiply: each([&](auto n, auto) { return n(left) * n(right); }); break;
      case Op::kDivide: each([&](auto n, auto) { return n(left) / n(right); }); break;
      case Op::kModulo: alone([&](auto n) { return std::fmod(n(left), n(right)); }); break;
      case Op::kEqual: alone([&](auto n) { return truth(n(left) == n(right)); }); break;
      case Op::kNotEqual: alone([&](auto n) { return truth(n(left) != n(right)); }); break;
      case Op::kLess: alone([&](auto n) { return truth(n(left) < n(right)); }); break;
      case Op::kLessEqual: alone([&](auto n) { return truth(n(left) <= n(right)); }); break;
      case Op::kGreater: alone([&](auto n) { return truth(n(left) > n(right)); }); break;
      case Op::kGreaterEqual: alone([&](auto n) { return truth(n(left) >= n(right)); }); break;
      case Op::kCall2: alone([&](auto n) { return functions_[third].two(n(left), n(right)); }); break;
      case Op::kCall1: alone([&](auto n) { return functions_[third].one(n(left)); }); break;
      case Op::kNegate: each([&](auto n, auto) { return -n(left); }); break;
      case Op::kNot: alone([&](auto n) { return truth(n(left) == 0); }); break;
      case Op::kJump:
      case Op::kJumpIfZero:
      case Op::kJumpUnlessZero: at = Follow(at, end, memory) - 1; break;
      case Op::kAddProduct: each([&](auto n, auto) { return n(left) + n(right) * n(third); }); break;
      case Op::kSubtractProduct: each([&](auto n, auto) { return n(left) - n(right) * n(third); }); break;
      case Op::kLastAdd: each([&](auto n, auto last) { return last(left) + n(right); }); break;
      case Op::kLastSubtract: each([&](auto n, auto last) { return last(left) - n(right); }); break;
      case Op::kLastMultiply: each([&](auto n, auto last) { return last(left) * n(right); }); break;
      case Op::kLastDivide: each([&](auto n, auto last) { return last(left) / n(right); }); break;
      case Op::kLastAddProduct:
        each([&](auto n, auto last) { return last(left) + n(right) * n(third); });
        break;
      case Op::kLastSubtractProduct:
        each([&](auto n, auto last) { return last(left) - n(right) * n(third); });
        break;
      case Op::kAddAddProduct:
        each([&](auto n, auto) { return n(left) + n(right) * n(third) + n(fourth) * n(fifth); });
        break;
      case Op::kAddSubtractProduct:
        each([&](auto n, auto) { return n(left) + n(right) * n(third) - n(fourth) * n(fifth); });
        break;
      case Op::kSubtractAddProduct:
        each([&](auto n, auto) { return n(left) - n(right) * n(third) + n(fourth) * n(fifth); });
        break;
      case Op::kSubtractSubtractProduct:
        each([&](auto n, auto) { return n(left) - n(right) * n(third) - n(fourth) * n(fifth); });
        break;
      default: __builtin_unreachable();
    }
  }
}

}  // namespace davit
