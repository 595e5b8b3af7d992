#include "proof/open_conditions.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "framework/syntax/expression_functions.h"
#include "framework/syntax/expression_parser.h"
#include "statecharts/interpreter.h"

namespace davit {
namespace {

using Kind = ExpressionKind;

bool IsConstant(std::string_view name) { return name == "true" || name == "false" || name == "pi"; }

const ExpressionFunction* FindFunction(std::string_view name) {
  const auto* const found = std::ranges::find(kExpressionFunctions, name, &ExpressionFunction::name);
  return found == kExpressionFunctions.end() ? nullptr : found;
}

}  // namespace

/// Of an expression or a part of it.
struct OpenConditions::Value {
  bool is_known = false;
  double number = 0;  ///< of a condition 0 or 1
  std::string_view text = {};
  bool is_text = false;

  static Value Open() { return {}; }
  static Value Of(double number) { return {.is_known = std::isfinite(number), .number = number}; }
  static Value Of(std::string_view text) { return {.is_known = true, .text = text, .is_text = true}; }
  bool is_true() const { return is_known && number > 0.5; }
  bool is_false() const { return is_known && !(number > 0.5); }
};

OpenConditions::OpenConditions(const Chart& chart, const std::set<Index>& unbounded) : chart_(chart) {
  trees_.reserve(chart.expressions.size());
  for (const ChartExpression& expression : chart.expressions)
    trees_.push_back(ParseExpression(expression.text, &units_));
  is_open_.assign(chart.program.variables.size(), false);
  for (const Index variable : unbounded) is_open_[variable] = true;
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    const auto mark = [&](Index variable, bool is_open) {
      if (!is_open || is_open_[variable]) return;
      is_open_[variable] = has_changed = true;
    };
    for (const AssignElement& assignment : chart.assignments) {
      if (assignment.variable == kNoIndex) continue;
      mark(assignment.variable, assignment.value == kNoIndex || ReadsOpen(assignment.value));
    }
    for (const DataItem& data : chart.data) {
      if (data.variable != kNoIndex) mark(data.variable, data.value != kNoIndex && ReadsOpen(data.value));
    }
  }
  std::vector<bool> named(chart.program.variables.size(), false);
  for (const Transition& transition : chart.transitions) {
    if (transition.cond != kNoIndex) AddNames(transition.cond, named);
  }
  for (const Instruction& instruction : chart.instructions) {
    if (instruction.op == Op::kJumpUnless) AddNames(instruction.index, named);
  }
  for (const Send& send : chart.sends) {
    for (const TextOrExpression* text : {&send.event, &send.target, &send.type, &send.delay}) {
      if (text->value != kNoIndex) AddNames(text->value, named);
    }
  }
  for (std::size_t before = 0;;) {
    for (const AssignElement& assignment : chart.assignments) {
      if (assignment.variable != kNoIndex && named[assignment.variable] && assignment.value != kNoIndex)
        AddNames(assignment.value, named);
    }
    const auto now = static_cast<std::size_t>(std::ranges::count(named, true));
    if (now == before) break;
    before = now;
  }
  for (Index i = 0; i < named.size(); ++i) {
    if (named[i] && !is_open_[i]) decisive_.push_back(i);
  }
}

OpenConditions::~OpenConditions() = default;

std::optional<Index> OpenConditions::FindData(std::string_view name) const {
  const std::vector<ExpressionVariable>& variables = chart_.program.variables;
  const auto found = std::ranges::find(variables, name, &ExpressionVariable::name);
  if (found == variables.end()) return std::nullopt;
  return static_cast<Index>(found - variables.begin());
}

bool OpenConditions::ReadsOpen(Index expression) const {
  const ExpressionTree& tree = TreeOf(expression);
  if (tree.root == ExpressionNode::kNone) return true;
  return std::ranges::any_of(tree.nodes, [this](const ExpressionNode& node) {
    if (node.kind == Kind::kCall) return node.text != "In" && FindFunction(node.text) == nullptr;
    if (node.kind != Kind::kName || IsConstant(node.text)) return false;
    const std::optional<Index> data = FindData(node.text);
    return !data || is_open_[*data];
  });
}

void OpenConditions::AddNames(Index expression, std::vector<bool>& named) const {
  for (const ExpressionNode& node : TreeOf(expression).nodes) {
    if (node.kind != Kind::kName) continue;
    if (const std::optional<Index> data = FindData(node.text)) named[*data] = true;
  }
}

std::optional<bool> OpenConditions::Evaluate(Index condition, const Interpreter& session) const {
  const ExpressionTree& tree = TreeOf(condition);
  if (tree.root == ExpressionNode::kNone) return std::nullopt;
  const Value value = Evaluate(tree, tree.root, session);
  return value.is_known && !value.is_text ? std::optional(value.is_true()) : std::nullopt;
}

OpenConditions::Value OpenConditions::EvaluateCall(const ExpressionTree& tree, std::uint32_t node,
                                                   const Interpreter& session) const {
  const std::vector<std::uint32_t> arguments = tree.ArgumentsOf(node);
  if (tree[node].text == "In") {
    const auto state = arguments.size() == 1 ? chart_.state_of_id.find(std::string(tree[arguments[0]].text))
                                             : chart_.state_of_id.end();
    return state == chart_.state_of_id.end() ? Value::Open()
                                             : Value::Of(session.IsActive(state->second) ? 1 : 0);
  }
  const ExpressionFunction* const function = FindFunction(tree[node].text);
  if (function == nullptr) return Value::Open();
  std::vector<double> numbers;
  for (const std::uint32_t argument : arguments) {
    const Value value = Evaluate(tree, argument, session);
    if (!value.is_known || value.is_text) return Value::Open();
    numbers.push_back(value.number);
  }
  if (function->one != nullptr && numbers.size() == 1) return Value::Of(function->one(numbers[0]));
  if (function->two != nullptr && numbers.size() == 2)
    return Value::Of(function->two(numbers[0], numbers[1]));
  return Value::Open();
}

OpenConditions::Value OpenConditions::Evaluate(const ExpressionTree& tree, std::uint32_t at,
                                               const Interpreter& session) const {
  const ExpressionNode& node = tree[at];
  const auto operand = [&](std::uint32_t one) { return Evaluate(tree, one, session); };
  switch (node.kind) {
    case Kind::kNumber: return Value::Of(node.number);
    case Kind::kText: return Value::Of(node.text);
    case Kind::kCall: return EvaluateCall(tree, at, session);
    case Kind::kName: {
      if (node.text == "pi") return Value::Of(std::numbers::pi);
      if (IsConstant(node.text)) return Value::Of(node.text == "true" ? 1 : 0);
      const std::optional<Index> data = FindData(node.text);
      if (!data || is_open_[*data]) return Value::Open();
      const double value = session.Value(*data);
      if (chart_.program.variables[*data].type != ValueType::kString) return Value::Of(value);
      return Value::Of(chart_.symbols->Text(static_cast<SymbolId>(value)));
    }
    case Kind::kPlus:
    case Kind::kUnit: return operand(node.first);
    case Kind::kVariable: return Value::Open();
    default: break;
  }
  const Value a = operand(node.first);
  if (node.kind == Kind::kNegate) return a.is_known ? Value::Of(-a.number) : a;
  if (node.kind == Kind::kNot) return a.is_known ? Value::Of(a.is_true() ? 0 : 1) : a;
  const std::uint32_t second = tree[node.first].next;
  if (node.kind == Kind::kConditional) {
    if (!a.is_known) return Value::Open();
    return operand(a.is_true() ? second : tree[second].next);
  }
  if (node.kind == Kind::kAnd && a.is_false()) return a;
  if (node.kind == Kind::kOr && a.is_true()) return a;
  const Value b = operand(second);
  if (node.kind == Kind::kAnd) return b.is_false() ? b : a.is_known ? b : Value::Open();
  if (node.kind == Kind::kOr) return b.is_true() ? b : a.is_known ? b : Value::Open();
  if (!a.is_known || !b.is_known) return Value::Open();
  const auto condition = [](bool is_true) { return Value::Of(is_true ? 1.0 : 0.0); };
  if (a.is_text || b.is_text) {
    const bool is_same = a.is_text == b.is_text && a.text == b.text;
    if (node.kind == Kind::kEqual) return condition(is_same);
    if (node.kind == Kind::kNotEqual) return condition(!is_same);
    return Value::Open();
  }
  const double x = a.number, y = b.number;
  switch (node.kind) {
    case Kind::kAdd: return Value::Of(x + y);
    case Kind::kSubtract: return Value::Of(x - y);
    case Kind::kMultiply: return Value::Of(x * y);
    case Kind::kDivide: return Value::Of(x / y);
    case Kind::kModulo: return Value::Of(std::fmod(x, y));
    case Kind::kPower: return Value::Of(std::pow(x, y));
    case Kind::kEqual: return condition(x == y);
    case Kind::kNotEqual: return condition(x != y);
    case Kind::kLess: return condition(x < y);
    case Kind::kLessEqual: return condition(x <= y);
    case Kind::kGreater: return condition(x > y);
    case Kind::kGreaterEqual: return condition(x >= y);
    default: return Value::Open();
  }
}

}  // namespace davit
