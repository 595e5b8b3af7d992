// The functions of expressions.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "expressions/expression_parser.h"
#include "framework/nearest_name.h"

namespace davit {
namespace {

constexpr std::array<std::string_view, 3> kStateCalls{"In", "timeIn", "timeInState"};
constexpr std::array<std::string_view, 3> kMemoryCalls{"rising", "falling", "changed"};

bool Contains(const auto& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

ExpressionParser::Node ExpressionParser::Call(const Token& name) {
  CheckDepth();
  ++depth_;
  Advance();  // (
  if (compiler_.environment_.is_null_model && name.text != "In") {
    Fail({"the null data model has the function In('id') only", {}}, name.offset);
  }
  Node node = Contains(kStateCalls, name.text)    ? StateCall(name)
              : Contains(kMemoryCalls, name.text) ? MemoryCall(name)
                                                  : MathCall(name);
  Require(")");
  node.offset = name.offset;
  --depth_;
  return node;
}

ExpressionParser::Node ExpressionParser::StateCall(const Token& name) {
  ExpressionInstruction code{name.text == "In" ? ExpressionOp::kIn : ExpressionOp::kTimeIn};
  if (name.text == "timeInState") {
    if (source_ == kNoState)
      Fail({"timeInState() is available only in a transition", "write timeIn('id')"}, name.offset);
    code.index = source_;
  } else {
    if (token_.kind != TokenKind::kString) {
      Fail({fmt::format("{} takes the id of a state", name.text), fmt::format("write {}('id')", name.text)},
           token_.offset);
    }
    const ExpressionStates* const states = compiler_.environment_.states;
    if (states != nullptr) code.index = states->FindState(token_.text);
    if (states == nullptr || code.index == kNoState) {
      Fail({"no state has the id " + Quoted(token_.text),
            states == nullptr ? "only a chart has states" : states->SuggestState(token_.text)},
           token_.offset);
    }
    Advance();
  }
  if (name.text == "In") return Emit(code, ValueType::kBoolean, name.offset);
  compiler_.reads_time_ = true;
  return Emit(code, ValueType::kNumber, name.offset);
}

ExpressionParser::Node ExpressionParser::MemoryCall(const Token& name) {
  Node node = Ternary();
  if (name.text != "changed") {
    Expect(node, ValueType::kBoolean, fmt::format("what {} watches", name.text));
  } else if (node.type == ValueType::kAnyType) {
    Fail({"changed() cannot watch the data of an event", "it watches variables and signals"}, node.offset);
  }
  ExpressionInstruction code{name.text == "rising"    ? ExpressionOp::kRising
                             : name.text == "falling" ? ExpressionOp::kFalling
                                                      : ExpressionOp::kChanged};
  code.index = static_cast<std::uint32_t>(program_.memories.size());
  program_.memories.push_back(
      {static_cast<std::uint32_t>(node.code), static_cast<std::uint32_t>(program_.code.size())});
  program_.code.push_back(code);
  return {ValueType::kBoolean, node.code, name.offset, std::nullopt, nullptr};
}

ExpressionParser::Node ExpressionParser::MathCall(const Token& name) {
  const std::span<const ExpressionFunction> functions = ExpressionFunctions();
  const auto function = std::ranges::find(functions, name.text, &ExpressionFunction::name);
  if (function == functions.end()) {
    std::vector<std::string> names(kStateCalls.begin(), kStateCalls.end());
    names.insert(names.end(), kMemoryCalls.begin(), kMemoryCalls.end());
    for (const ExpressionFunction& known : functions) names.emplace_back(known.name);
    Fail({"no function is named " + Quoted(name.text), SuggestName("use one of", name.text, names)},
         name.offset);
  }
  const auto index = static_cast<std::uint32_t>(function - functions.begin());
  const std::string where = fmt::format("the argument of {}", name.text);
  Node first = Ternary();
  Expect(first, ValueType::kNumber, where);
  if (function->one != nullptr) {
    if (IsSymbol(",")) Fail({fmt::format("{} takes one argument", name.text), {}}, token_.offset);
    ExpressionInstruction code{ExpressionOp::kCall1};
    code.index = index;
    program_.code.push_back(code);
  } else {
    if (!IsSymbol(",")) Fail({fmt::format("{} takes two arguments", name.text), {}}, token_.offset);
    Advance();
    Node second = Ternary();
    Expect(second, ValueType::kNumber, where);
    EmitBinary(ExpressionOp::kCall2, first, second, index);
  }
  return {ValueType::kNumber, first.code, name.offset, std::nullopt, nullptr};
}

}  // namespace davit
