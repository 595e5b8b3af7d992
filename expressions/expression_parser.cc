#include "expressions/expression_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "expressions/expression_address.h"
#include "framework/nearest_name.h"

namespace davit {
namespace {

constexpr int kMostLevels = 100;

std::string_view TextOf(ValueType type) {
  constexpr std::array<std::string_view, 4> kNames{"a number", "a boolean", "a string", "event data"};
  return kNames[static_cast<std::size_t>(type)];
}

}  // namespace

ExpressionParser::ExpressionParser(ExpressionCompiler& compiler, std::string_view text, StateId source)
    : compiler_(compiler), program_(compiler.program_), lexer_(text), source_(source) {}

ExpressionCompiler::Result ExpressionParser::Parse(ValueType expected, const ExpressionVariable* variable) {
  ExpressionCompiler::Result result;
  const std::size_t begin = program_.code.size();
  try {
    Advance();
    if (token_.kind == TokenKind::kEnd) Fail({"the expression is empty", "write a value"}, 0);
    Node node = Ternary();
    if (token_.kind == TokenKind::kFault) Fail(token_.fault, token_.offset);
    if (token_.kind != TokenKind::kEnd) {
      Fail({"the expression should end here", "an operator is missing, or there is a parenthesis too many"},
           token_.offset);
    }
    if (expected == ValueType::kAnyType) {
      if (node.type == ValueType::kAnyType) Expect(node, ValueType::kNumber, "");
    } else {
      Expect(node, expected,
             expected == ValueType::kBoolean && variable == nullptr ? "a condition" : "the value");
    }
    if (variable != nullptr) CheckChoice(*variable, node);
    result.type = node.type;
    result.constant = node.constant;
  } catch (const Failure& failure) {
    program_.code.resize(begin);
    result.fault = failure.fault;
    result.offset = failure.offset;
  }
  result.range = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(program_.code.size())};
  return result;
}

// The grammar, weakest binding first.

ExpressionParser::Node ExpressionParser::Ternary() {
  CheckDepth();
  ++depth_;
  Node condition = Or();
  if (IsSymbol("?")) {
    Expect(condition, ValueType::kBoolean, "the condition before '?'");
    Advance();
    const std::size_t to_else = EmitJump(ExpressionOp::kJumpUnless);
    Grow(-1);
    Node yes = Ternary();
    const std::size_t to_end = EmitJump(ExpressionOp::kJump);
    Grow(-1);
    Land(to_else);
    Require(":");
    Node no = Ternary();
    Land(to_end);
    const ValueType type = yes.type != ValueType::kAnyType  ? yes.type
                           : no.type != ValueType::kAnyType ? no.type
                                                            : ValueType::kNumber;
    Expect(yes, type, "the value before ':'");
    Expect(no, type, "the value after ':'");
    condition = {type, condition.code, condition.offset, std::nullopt, nullptr};
  }
  --depth_;
  return condition;
}

ExpressionParser::Node ExpressionParser::Or() {
  Node left = And();
  while (IsSymbol("||")) {
    Expect(left, ValueType::kBoolean, "the operand before '||'");
    Advance();
    const std::size_t jump = EmitJump(ExpressionOp::kOrJump);
    Grow(-1);
    Node right = And();
    Expect(right, ValueType::kBoolean, "the operand after '||'");
    Land(jump);
  }
  return left;
}

ExpressionParser::Node ExpressionParser::And() {
  Node left = Equality();
  while (IsSymbol("&&")) {
    Expect(left, ValueType::kBoolean, "the operand before '&&'");
    Advance();
    const std::size_t jump = EmitJump(ExpressionOp::kAndJump);
    Grow(-1);
    Node right = Equality();
    Expect(right, ValueType::kBoolean, "the operand after '&&'");
    Land(jump);
  }
  return left;
}

ExpressionParser::Node ExpressionParser::Equality() {
  Node left = Comparison();
  while (IsSymbol("==") || IsSymbol("!=")) {
    const ExpressionOp op = IsSymbol("==") ? ExpressionOp::kEqual : ExpressionOp::kNotEqual;
    Advance();
    left = Compare(left, op, Comparison());
  }
  return left;
}

ExpressionParser::Node ExpressionParser::Comparison() {
  Node left = Sum();
  constexpr std::array<std::pair<std::string_view, ExpressionOp>, 4> kOps{
      {{"<", ExpressionOp::kLess},
       {"<=", ExpressionOp::kLessEqual},
       {">", ExpressionOp::kGreater},
       {">=", ExpressionOp::kGreaterEqual}}};
  const auto* const op = std::ranges::find_if(kOps, [&](const auto& known) { return IsSymbol(known.first); });
  if (op == kOps.end()) return left;
  Advance();
  left = Compare(left, op->second, Sum());
  if (IsSymbol("<") || IsSymbol("<=") || IsSymbol(">") || IsSymbol(">=")) {
    Fail({"comparisons do not chain", "write a < b && b < c"}, token_.offset);
  }
  return left;
}

ExpressionParser::Node ExpressionParser::Sum() {
  Node left = Product();
  while (IsSymbol("+") || IsSymbol("-")) {
    const ExpressionOp op = IsSymbol("+") ? ExpressionOp::kAdd : ExpressionOp::kSubtract;
    Advance();
    left = Arithmetic(left, op, Product());
  }
  return left;
}

ExpressionParser::Node ExpressionParser::Product() {
  Node left = Unary();
  while (IsSymbol("*") || IsSymbol("/") || IsSymbol("%")) {
    const ExpressionOp op = IsSymbol("*")   ? ExpressionOp::kMultiply
                            : IsSymbol("/") ? ExpressionOp::kDivide
                                            : ExpressionOp::kModulo;
    Advance();
    left = Arithmetic(left, op, Unary());
  }
  return left;
}

ExpressionParser::Node ExpressionParser::Unary() {
  if (!IsSymbol("!") && !IsSymbol("-") && !IsSymbol("+")) return Primary();
  CheckDepth();
  ++depth_;
  const Token sign = token_;
  Advance();
  Node node = Unary();
  const bool is_not = sign.text == "!";
  Expect(node, is_not ? ValueType::kBoolean : ValueType::kNumber,
         fmt::format("the operand after '{}'", sign.text));
  if (is_not) program_.code.push_back({ExpressionOp::kNot});
  if (sign.text == "-") program_.code.push_back({ExpressionOp::kNegate});
  node.offset = sign.offset;
  node.variable = nullptr;
  --depth_;
  return node;
}

ExpressionParser::Node ExpressionParser::Primary() {
  const Token token = token_;
  switch (token.kind) {
    case TokenKind::kNumber: {
      Advance();
      program_.constants.push_back(token.number);
      const auto index = static_cast<std::uint32_t>(program_.constants.size() - 1);
      return Emit({ExpressionOp::kPush, ValueType::kNumber, index}, ValueType::kNumber, token.offset);
    }
    case TokenKind::kString: {
      Advance();
      const SymbolId symbol = compiler_.symbols_.Add(token.text);
      program_.constants.push_back(symbol);
      const auto index = static_cast<std::uint32_t>(program_.constants.size() - 1);
      Node node = Emit({ExpressionOp::kPush, ValueType::kString, index}, ValueType::kString, token.offset);
      node.constant = symbol;
      return node;
    }
    case TokenKind::kName: return NameOrCall();
    case TokenKind::kFault: Fail(token.fault, token.offset);
    default: break;
  }
  if (!IsSymbol("(")) {
    Fail(token.kind == TokenKind::kEnd
             ? Fault{"the expression ends too early", "a value is missing"}
             : Fault{"a value is missing before " + Quoted(token.text), "write a number, a name or '('"},
         token.offset);
  }
  Advance();
  Node node = Ternary();
  Require(")");
  return node;
}

ExpressionParser::Node ExpressionParser::NameOrCall() {
  const Token name = token_;
  Advance();
  if (IsSymbol("(")) return Call(name);
  if (name.text == "true" || name.text == "false") {
    program_.constants.push_back(name.text == "true" ? 1 : 0);
    const auto index = static_cast<std::uint32_t>(program_.constants.size() - 1);
    return Emit({ExpressionOp::kPush, ValueType::kBoolean, index}, ValueType::kBoolean, name.offset);
  }
  if (compiler_.environment_.is_null_model) {
    Fail({fmt::format("the null data model has no values, so {} means nothing", Quoted(name.text)),
          "it has In('id') only"},
         name.offset);
  }
  if (name.text.starts_with("_event")) return EventName(name);
  return Variable(name);
}

ExpressionParser::Node ExpressionParser::EventName(const Token& name) {
  if (compiler_.environment_.states == nullptr)
    Fail({Quoted(name.text) + " belongs to an event", "only a chart has events"}, name.offset);
  constexpr std::string_view kField = "_event.data.";
  if (name.text == "_event.name") return Emit({ExpressionOp::kEventName}, ValueType::kString, name.offset);
  if (name.text == "_event.data") return Emit({ExpressionOp::kEventValue}, ValueType::kAnyType, name.offset);
  if (name.text.starts_with(kField)) {
    ExpressionInstruction code{ExpressionOp::kEventField};
    code.index = compiler_.symbols_.Add(name.text.substr(kField.size()));
    return Emit(code, ValueType::kAnyType, name.offset);
  }
  Fail({fmt::format("no {} in the davit data model", Quoted(name.text)),
        "it has _event.name, _event.data and _event.data.NAME"},
       name.offset);
}

ExpressionParser::Node ExpressionParser::Variable(const Token& name) {
  ExpressionInstruction push{ExpressionOp::kPush};
  if (const auto variable = compiler_.FindVariable(name.text)) {
    push.left = AddressOf(AddressKind::kVariable, *variable);
    push.type = program_.variables[*variable].type;
    Node node = Emit(push, push.type, name.offset);
    node.variable = &program_.variables[*variable];
    return node;
  }
  if (name.text == "time") {
    compiler_.reads_time_ = true;
    return Emit({ExpressionOp::kTime}, ValueType::kNumber, name.offset);
  }
  auto known = std::ranges::find(program_.signals, name.text, &ExpressionSignal::path);
  if (known == program_.signals.end()) {
    ExpressionHost* const host = compiler_.environment_.host;
    std::optional<ExpressionHost::Found> found;
    if (host != nullptr) found = host->FindSignal(name.text, compiler_.symbols_);
    if (!found) Fail(NoValue(name.text), name.offset);
    program_.signals.push_back({std::string(name.text), found->type, found->handle});
    compiler_.signal_meanings_.push_back({std::string(name.text), found->type, std::move(found->choices)});
    known = program_.signals.end() - 1;
  }
  const auto number = static_cast<std::uint32_t>(known - program_.signals.begin());
  push.left = AddressOf(AddressKind::kSignal, number);
  push.type = known->type;
  Node node = Emit(push, push.type, name.offset);
  node.variable = &compiler_.signal_meanings_[number];
  return node;
}

Fault ExpressionParser::NoValue(std::string_view name) const {
  const std::vector<std::string> names = compiler_.VariableNames();
  const ExpressionHost* const host = compiler_.environment_.host;
  const bool is_of_host = host != nullptr && !FindNearest(name, names);
  return {"no value is named " + Quoted(name),
          is_of_host ? host->Suggest(name) : SuggestName("the chart has", name, names)};
}

ExpressionParser::Node ExpressionParser::Arithmetic(const Node& left, ExpressionOp op, const Node& right) {
  Node x = left;
  Node y = right;
  Expect(x, ValueType::kNumber, "the left operand");
  Expect(y, ValueType::kNumber, "the right operand");
  EmitBinary(op, x, y);
  return {ValueType::kNumber, x.code, x.offset, std::nullopt, nullptr};
}

ExpressionParser::Node ExpressionParser::Compare(Node left, ExpressionOp op, Node right) {
  const bool is_equality = op == ExpressionOp::kEqual || op == ExpressionOp::kNotEqual;
  ValueType type = ValueType::kNumber;
  if (is_equality) type = left.type != ValueType::kAnyType ? left.type : right.type;
  if (type == ValueType::kAnyType) type = ValueType::kNumber;
  Expect(left, type, "the left side of the comparison");
  Expect(right, type, "the right side of the comparison");
  if (left.variable != nullptr) CheckChoice(*left.variable, right);
  if (right.variable != nullptr) CheckChoice(*right.variable, left);
  EmitBinary(op, left, right);
  return {ValueType::kBoolean, left.code, left.offset, std::nullopt, nullptr};
}

void ExpressionParser::Expect(Node& node, ValueType type, std::string_view where) {
  if (node.type == ValueType::kAnyType) {
    program_.code[node.code].type = type;  // an event value is one instruction
    node.type = type;
    return;
  }
  if (node.type == type) return;
  std::string_view example;
  if (type == ValueType::kBoolean && node.type == ValueType::kNumber) example = ", for example x > 0";
  Fail({fmt::format("{} is {}", where, TextOf(node.type)),
        fmt::format("it must be {}{}", TextOf(type), example)},
       node.offset);
}

void ExpressionParser::CheckChoice(const ExpressionVariable& variable, const Node& value) {
  if (variable.choices.empty() || !value.constant) return;
  if (std::ranges::find(variable.choices, *value.constant) != variable.choices.end()) return;
  std::vector<std::string> names;
  names.reserve(variable.choices.size());
  for (const SymbolId choice : variable.choices) names.push_back(compiler_.symbols_.Text(choice));
  const std::string& text = compiler_.symbols_.Text(*value.constant);
  Fail({fmt::format("'{}' is never {}", variable.name, Quoted(text)), SuggestName("it can be", text, names)},
       value.offset);
}

void ExpressionParser::CheckDepth() {
  if (depth_ > kMostLevels) Fail({"the expression is nested too deeply", "split it"}, token_.offset);
}

ExpressionParser::Node ExpressionParser::Emit(ExpressionInstruction code, ValueType type,
                                              std::size_t offset) {
  program_.code.push_back(code);
  Grow(1);
  return {type, program_.code.size() - 1, offset, std::nullopt, nullptr};
}

std::uint32_t ExpressionParser::TakeOperand(std::size_t begin) {
  std::vector<ExpressionInstruction>& code = program_.code;
  if (code.size() != begin + 1 || code.back().op != ExpressionOp::kPush)
    return ExpressionInstruction::kOnStack;
  const std::uint32_t address = code.back().left;
  code.pop_back();
  return address;
}

void ExpressionParser::EmitBinary(ExpressionOp op, const Node& left, const Node& right, std::uint32_t index) {
  ExpressionInstruction binary{op};
  binary.index = index;
  binary.right = TakeOperand(right.code);
  if (binary.right != ExpressionInstruction::kOnStack) binary.left = TakeOperand(left.code);
  program_.code.push_back(binary);
  Grow(-1);
}

std::size_t ExpressionParser::EmitJump(ExpressionOp op) {
  program_.code.push_back({op});
  return program_.code.size() - 1;
}

void ExpressionParser::Land(std::size_t jump) {
  program_.code[jump].index = static_cast<std::uint32_t>(program_.code.size());
}

void ExpressionParser::Grow(int places) {
  stack_ += places;
  program_.stack_size = std::max(program_.stack_size, static_cast<std::size_t>(stack_) + 1);
}

void ExpressionParser::Advance() { token_ = lexer_.Next(); }

void ExpressionParser::Require(std::string_view symbol) {
  if (token_.kind == TokenKind::kFault) Fail(token_.fault, token_.offset);
  if (!IsSymbol(symbol)) Fail({fmt::format("'{}' is missing here", symbol), {}}, token_.offset);
  Advance();
}

void ExpressionParser::Fail(Fault fault, std::size_t offset) const {
  throw Failure{std::move(fault), offset};
}

}  // namespace davit
