#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "expressions/expression_compiler.h"
#include "framework/syntax/expression_tree.h"
#include "framework/syntax/value_unit.h"

namespace davit {

/// Turns the tree of one expression into code; types and dimensions are checked on the way.
class ExpressionTranslator {
 public:
  ExpressionTranslator(ExpressionCompiler& compiler, const ExpressionTree& tree, StateId source);

  /// Appends the code of a node, or reports the fault of the tree. `variable`, where there is one, is what
  /// the value is assigned to.
  ExpressionCompiler::Result Translate(std::uint32_t node, ValueType expected,
                                       const ExpressionVariable* variable);

 private:
  /// What is known of a value whose code was emitted.
  struct Value {
    ValueType type = ValueType::kNumber;
    std::size_t code = 0;    ///< where its code begins
    std::size_t offset = 0;  ///< in the text
    ValueUnit unit = {};
    std::optional<SymbolId> constant = std::nullopt;
    const ExpressionVariable* variable = nullptr;
  };
  struct Failure {
    Fault fault;
    std::size_t offset;
  };

  Value Emit(std::uint32_t node);
  Value EmitOperand(std::uint32_t node);
  Value EmitOperator(std::uint32_t node, Value left);
  Value EmitLogic(std::uint32_t node, Value left);
  Value EmitArithmetic(std::uint32_t node, Value left);
  Value EmitComparison(std::uint32_t node, Value left);
  Value EmitConditional(std::uint32_t node);
  Value EmitSign(std::uint32_t node);
  Value EmitName(std::uint32_t node);
  Value EmitEventName(const ExpressionNode& name);
  Value EmitVariable(const ExpressionNode& name);
  Value EmitVariable(std::uint32_t variable, std::size_t offset);
  Value EmitCall(std::uint32_t node);
  Value EmitStateCall(const ExpressionNode& call);
  Value EmitMemoryCall(const ExpressionNode& call);
  Value EmitMathCall(std::uint32_t node);

  /// Gives a value of event data the type its use asks for; refuses any other type.
  void Expect(Value& value, ValueType type, std::string_view where);
  void CheckChoice(const ExpressionVariable& variable, const Value& value);
  void CheckUnit(const ExpressionVariable& variable, const Value& value);
  /// The unit of two values that `what` adds or compares.
  ValueUnit Same(const Value& left, const Value& right, std::string_view what);
  std::string NameOf(const std::optional<Dimension>& dimension) const;

  Value Push(ExpressionInstruction code, ValueType type, std::size_t offset);
  Value PushConstant(double value, ValueType type, std::size_t offset);
  void PushBinary(ExpressionOp op, const Value& left, const Value& right, std::uint32_t index = 0);
  std::size_t PushJump(ExpressionOp op);
  void Land(std::size_t jump);
  /// Where the code emitted last only pushes a value of the memory: takes it back and returns its address.
  std::uint32_t TakeOperand(std::size_t begin);
  void Grow(int places);

  [[noreturn]] void Fail(Fault fault, std::size_t offset) const;
  /// The fault of a name that has no meaning.
  Fault NoValue(std::string_view name) const;

  ExpressionCompiler& compiler_;
  ExpressionProgram& program_;
  const ExpressionTree& tree_;
  UnitRules rules_;
  StateId source_;
  int stack_ = 0;
};

}  // namespace davit
