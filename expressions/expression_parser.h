#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expressions/expression_compiler.h"
#include "expressions/expression_lexer.h"

namespace davit {

/// Compiles one expression: recursive descent, types checked on the way, code emitted as it goes.
class ExpressionParser {
 public:
  ExpressionParser(ExpressionCompiler& compiler, std::string_view text, StateId source);

  /// Appends the code of the whole text. `variable`, where there is one, is what the value is assigned to.
  ExpressionCompiler::Result Parse(ValueType expected, const ExpressionVariable* variable);

 private:
  /// What is known of a value whose code was emitted.
  struct Node {
    ValueType type = ValueType::kNumber;
    std::size_t code = 0;    ///< where its code begins
    std::size_t offset = 0;  ///< in the text
    std::optional<SymbolId> constant;
    const ExpressionVariable* variable = nullptr;
  };
  struct Failure {
    Fault fault;
    std::size_t offset;
  };

  Node Ternary();
  Node Or();
  Node And();
  Node Equality();
  Node Comparison();
  Node Sum();
  Node Product();
  Node Unary();
  Node Primary();
  Node NameOrCall();
  Node Call(const Token& name);
  Node StateCall(const Token& name);
  Node MemoryCall(const Token& name);
  Node MathCall(const Token& name);
  Node EventName(const Token& name);
  Node Variable(const Token& name);
  Node Arithmetic(const Node& left, ExpressionOp op, const Node& right);
  Node Compare(Node left, ExpressionOp op, Node right);

  /// Gives a value of event data the type its use asks for; refuses any other type.
  void Expect(Node& node, ValueType type, std::string_view where);
  void CheckChoice(const ExpressionVariable& variable, const Node& value);
  void CheckDepth();

  Node Emit(ExpressionInstruction code, ValueType type, std::size_t offset);
  void EmitBinary(ExpressionOp op, const Node& left, const Node& right, std::uint32_t index = 0);
  std::size_t EmitJump(ExpressionOp op);
  void Land(std::size_t jump);
  /// Where the code emitted last only pushes a value of the memory: takes it back and returns its address.
  std::uint32_t TakeOperand(std::size_t begin);
  void Grow(int places);

  bool IsSymbol(std::string_view symbol) const {
    return token_.kind == TokenKind::kSymbol && token_.text == symbol;
  }
  void Advance();
  void Require(std::string_view symbol);
  [[noreturn]] void Fail(Fault fault, std::size_t offset) const;
  /// The fault of a name that has no meaning.
  Fault NoValue(std::string_view name) const;

  ExpressionCompiler& compiler_;
  ExpressionProgram& program_;
  ExpressionLexer lexer_;
  Token token_;
  StateId source_;
  int depth_ = 0;
  int stack_ = 0;
};

}  // namespace davit
