#include "expressions/expression_translator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numbers>
#include <utility>
#include <vector>

#include "expressions/expression_address.h"
#include "framework/nearest_name.h"
#include "framework/syntax/expression_functions.h"
#include "framework/units/quantity.h"

namespace davit {
namespace {

using Kind = ExpressionKind;

constexpr std::array<std::string_view, 3> kStateCalls{"In", "timeIn", "timeInState"};
constexpr std::array<std::string_view, 3> kMemoryCalls{"rising", "falling", "changed"};

bool Contains(const auto& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string_view TextOf(ValueType type) {
  constexpr std::array<std::string_view, 4> kNames{"a number", "a boolean", "a string", "event data"};
  return kNames[static_cast<std::size_t>(type)];
}

ExpressionOp OpOf(Kind kind) {
  switch (kind) {
    case Kind::kAdd: return ExpressionOp::kAdd;
    case Kind::kSubtract: return ExpressionOp::kSubtract;
    case Kind::kMultiply: return ExpressionOp::kMultiply;
    case Kind::kDivide: return ExpressionOp::kDivide;
    case Kind::kModulo: return ExpressionOp::kModulo;
    case Kind::kEqual: return ExpressionOp::kEqual;
    case Kind::kNotEqual: return ExpressionOp::kNotEqual;
    case Kind::kLess: return ExpressionOp::kLess;
    case Kind::kLessEqual: return ExpressionOp::kLessEqual;
    case Kind::kGreater: return ExpressionOp::kGreater;
    default: return ExpressionOp::kGreaterEqual;
  }
}

ValueUnit UnitOf(const std::optional<Dimension>& dimension) { return {dimension, false, false}; }

}  // namespace

ExpressionTranslator::ExpressionTranslator(ExpressionCompiler& compiler, const ExpressionTree& tree,
                                           StateId source)
    : compiler_(compiler),
      program_(compiler.program_),
      tree_(tree),
      rules_(tree.has_units || compiler.environment_.is_strict),
      source_(source) {}

ExpressionCompiler::Result ExpressionTranslator::Translate(std::uint32_t node, ValueType expected,
                                                           const ExpressionVariable* variable) {
  ExpressionCompiler::Result result;
  const std::size_t begin = program_.code.size();
  try {
    if (tree_.fault) Fail(tree_.fault, tree_.offset);
    Value value = Emit(node);
    if (expected == ValueType::kAnyType) {
      if (value.type == ValueType::kAnyType) Expect(value, ValueType::kNumber, "");
    } else {
      Expect(value, expected,
             expected == ValueType::kBoolean && variable == nullptr ? "the condition" : "the value");
    }
    if (variable != nullptr) {
      CheckChoice(*variable, value);
      CheckUnit(*variable, value);
    }
    result.type = value.type;
    result.constant = value.constant;
    result.unit = value.unit;
  } catch (const Failure& failure) {
    program_.code.resize(begin);
    result.fault = failure.fault;
    result.offset = failure.offset;
  }
  result.range = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(program_.code.size())};
  return result;
}

ExpressionTranslator::Value ExpressionTranslator::Emit(std::uint32_t node) {
  const std::vector<std::uint32_t> operators = tree_.LeftOperators(node);
  Value value = EmitOperand(operators.empty() ? node : tree_[operators.back()].first);
  for (auto at = operators.rbegin(); at != operators.rend(); ++at) value = EmitOperator(*at, value);
  return value;
}

ExpressionTranslator::Value ExpressionTranslator::EmitOperand(std::uint32_t node) {
  const ExpressionNode& n = tree_[node];
  switch (n.kind) {
    case Kind::kNumber: {
      Value value = PushConstant(n.number, ValueType::kNumber, n.offset);
      value.unit = {n.dimension, !n.has_unit, false};
      return value;
    }
    case Kind::kText: {
      const SymbolId symbol = compiler_.symbols_.Add(n.text);
      Value value = PushConstant(symbol, ValueType::kString, n.offset);
      value.constant = symbol;
      return value;
    }
    case Kind::kName: return EmitName(node);
    case Kind::kVariable: return EmitVariable(static_cast<std::uint32_t>(n.number), n.offset);
    case Kind::kCall: return EmitCall(node);
    case Kind::kConditional: return EmitConditional(node);
    case Kind::kUnit: {
      Value value = Emit(n.first);
      value.unit = {n.dimension, !n.has_unit, false};
      return value;
    }
    default: return EmitSign(node);
  }
}

ExpressionTranslator::Value ExpressionTranslator::EmitOperator(std::uint32_t node, Value left) {
  const Kind kind = tree_[node].kind;
  if (kind == Kind::kAnd || kind == Kind::kOr) return EmitLogic(node, left);
  return IsArithmetic(kind) ? EmitArithmetic(node, left) : EmitComparison(node, left);
}

ExpressionTranslator::Value ExpressionTranslator::EmitLogic(std::uint32_t node, Value left) {
  const ExpressionNode& n = tree_[node];
  Expect(left, ValueType::kBoolean, fmt::format("the operand before '{}'", n.text));
  const std::size_t jump = PushJump(n.kind == Kind::kAnd ? ExpressionOp::kAndJump : ExpressionOp::kOrJump);
  Grow(-1);
  Value right = Emit(tree_[n.first].next);
  Expect(right, ValueType::kBoolean, fmt::format("the operand after '{}'", n.text));
  Land(jump);
  return {.type = ValueType::kBoolean, .code = left.code, .offset = left.offset};
}

ExpressionTranslator::Value ExpressionTranslator::EmitArithmetic(std::uint32_t node, Value left) {
  const ExpressionNode& n = tree_[node];
  Value right = Emit(tree_[n.first].next);
  Expect(left, ValueType::kNumber, "the left operand");
  Expect(right, ValueType::kNumber, "the right operand");
  ValueUnit unit = left.unit;
  if (IsSum(n.kind)) {
    unit = Same(left, right, n.kind == Kind::kAdd ? "'+' adds" : "'-' subtracts");
  } else if (n.kind != Kind::kModulo) {
    unit = rules_.Product(left.unit, right.unit, n.kind == Kind::kMultiply ? 1 : -1);
  }
  PushBinary(OpOf(n.kind), left, right);
  return {.code = left.code, .offset = left.offset, .unit = unit};
}

ExpressionTranslator::Value ExpressionTranslator::EmitComparison(std::uint32_t node, Value left) {
  const ExpressionNode& n = tree_[node];
  Value right = Emit(tree_[n.first].next);
  const bool is_equality = n.kind == Kind::kEqual || n.kind == Kind::kNotEqual;
  ValueType type = ValueType::kNumber;
  if (is_equality) type = left.type != ValueType::kAnyType ? left.type : right.type;
  if (type == ValueType::kAnyType) type = ValueType::kNumber;
  Expect(left, type, "the left side of the comparison");
  Expect(right, type, "the right side of the comparison");
  if (left.variable != nullptr) CheckChoice(*left.variable, right);
  if (right.variable != nullptr) CheckChoice(*right.variable, left);
  if (type == ValueType::kNumber) Same(left, right, fmt::format("'{}' compares", n.text));
  PushBinary(OpOf(n.kind), left, right);
  return {.type = ValueType::kBoolean, .code = left.code, .offset = left.offset};
}

ExpressionTranslator::Value ExpressionTranslator::EmitConditional(std::uint32_t node) {
  const ExpressionNode& n = tree_[node];
  const std::uint32_t first = tree_[n.first].next;
  Value condition = Emit(n.first);
  Expect(condition, ValueType::kBoolean, "the condition before '?'");
  const std::size_t to_else = PushJump(ExpressionOp::kJumpUnless);
  Grow(-1);
  Value yes = Emit(first);
  const std::size_t to_end = PushJump(ExpressionOp::kJump);
  Grow(-1);
  Land(to_else);
  Value no = Emit(tree_[first].next);
  Land(to_end);
  const ValueType type = yes.type != ValueType::kAnyType  ? yes.type
                         : no.type != ValueType::kAnyType ? no.type
                                                          : ValueType::kNumber;
  Expect(yes, type, "the value before ':'");
  Expect(no, type, "the value after ':'");
  Value value{.type = type, .code = condition.code, .offset = condition.offset};
  if (type == ValueType::kNumber) value.unit = Same(yes, no, "'? :' chooses between");
  return value;
}

ExpressionTranslator::Value ExpressionTranslator::EmitSign(std::uint32_t node) {
  const ExpressionNode& n = tree_[node];
  Value value = Emit(n.first);
  const bool is_not = n.kind == Kind::kNot;
  Expect(value, is_not ? ValueType::kBoolean : ValueType::kNumber,
         fmt::format("the operand after '{}'", n.text));
  if (is_not) program_.code.push_back({ExpressionOp::kNot});
  if (n.kind == Kind::kNegate) program_.code.push_back({ExpressionOp::kNegate});
  value.offset = n.offset;
  value.variable = nullptr;
  return value;
}

ExpressionTranslator::Value ExpressionTranslator::EmitName(std::uint32_t node) {
  const ExpressionNode& name = tree_[node];
  if (name.text == "true" || name.text == "false")
    return PushConstant(name.text == "true" ? 1 : 0, ValueType::kBoolean, name.offset);
  if (compiler_.environment_.is_null_model) {
    Fail({fmt::format("the null data model has no values, so {} means nothing", Quoted(name.text)),
          "it has In('id') only"},
         name.offset);
  }
  if (name.text.starts_with("_event")) return EmitEventName(name);
  return EmitVariable(name);
}

ExpressionTranslator::Value ExpressionTranslator::EmitEventName(const ExpressionNode& name) {
  if (compiler_.environment_.states == nullptr)
    Fail({Quoted(name.text) + " belongs to an event", "only a chart has events"}, name.offset);
  constexpr std::string_view kField = "_event.data.";
  if (name.text == "_event.name") return Push({ExpressionOp::kEventName}, ValueType::kString, name.offset);
  ExpressionInstruction code{ExpressionOp::kEventValue};
  if (name.text.starts_with(kField)) {
    code.op = ExpressionOp::kEventField;
    code.index = compiler_.symbols_.Add(name.text.substr(kField.size()));
  } else if (name.text != "_event.data") {
    Fail({fmt::format("no {} in the davit data model", Quoted(name.text)),
          "it has _event.name, _event.data and _event.data.NAME"},
         name.offset);
  }
  Value value = Push(code, ValueType::kAnyType, name.offset);
  value.unit = UnitOf(std::nullopt);
  return value;
}

ExpressionTranslator::Value ExpressionTranslator::EmitVariable(std::uint32_t variable, std::size_t offset) {
  const ExpressionVariable& meaning = program_.variables[variable];
  ExpressionInstruction push{ExpressionOp::kPush, meaning.type};
  push.left = AddressOf(AddressKind::kVariable, variable);
  Value value = Push(push, meaning.type, offset);
  value.unit = UnitOf(meaning.dimension);
  value.variable = &meaning;
  return value;
}

ExpressionTranslator::Value ExpressionTranslator::EmitVariable(const ExpressionNode& name) {
  if (const auto variable = compiler_.FindVariable(name.text)) return EmitVariable(*variable, name.offset);
  if (name.text == "time") {
    compiler_.reads_time_ = true;
    Value value = Push({ExpressionOp::kTime}, ValueType::kNumber, name.offset);
    value.unit = rules_.Time();
    return value;
  }
  auto known = std::ranges::find(program_.signals, name.text, &ExpressionSignal::path);
  if (known == program_.signals.end()) {
    ExpressionHost* const host = compiler_.environment_.host;
    std::optional<ExpressionHost::Found> found;
    if (host != nullptr) found = host->FindSignal(name.text, compiler_.symbols_);
    if (!found && name.text == "pi") {
      Value value = PushConstant(std::numbers::pi, ValueType::kNumber, name.offset);
      value.unit.is_bare = true;
      return value;
    }
    if (!found) Fail(NoValue(name.text), name.offset);
    program_.signals.push_back({std::string(name.text), found->type, found->handle});
    compiler_.signal_meanings_.push_back(
        {std::string(name.text), found->type, std::move(found->choices), found->dimension});
    known = program_.signals.end() - 1;
  }
  const auto number = static_cast<std::uint32_t>(known - program_.signals.begin());
  ExpressionInstruction push{ExpressionOp::kPush, known->type};
  push.left = AddressOf(AddressKind::kSignal, number);
  Value value = Push(push, known->type, name.offset);
  value.variable = &compiler_.signal_meanings_[number];
  value.unit = UnitOf(value.variable->dimension);
  return value;
}

Fault ExpressionTranslator::NoValue(std::string_view name) const {
  const std::vector<std::string> names = compiler_.VariableNames();
  const ExpressionHost* const host = compiler_.environment_.host;
  const bool is_of_host = host != nullptr && !FindNearest(name, names);
  return {"no value is named " + Quoted(name),
          is_of_host ? host->Suggest(name) : SuggestName("the chart has", name, names)};
}

ExpressionTranslator::Value ExpressionTranslator::EmitCall(std::uint32_t node) {
  const ExpressionNode& call = tree_[node];
  if (compiler_.environment_.is_null_model && call.text != "In")
    Fail({"the null data model has the function In('id') only", {}}, call.offset);
  Value value = Contains(kStateCalls, call.text)    ? EmitStateCall(call)
                : Contains(kMemoryCalls, call.text) ? EmitMemoryCall(call)
                                                    : EmitMathCall(node);
  value.offset = call.offset;
  return value;
}

ExpressionTranslator::Value ExpressionTranslator::EmitStateCall(const ExpressionNode& call) {
  ExpressionInstruction code{call.text == "In" ? ExpressionOp::kIn : ExpressionOp::kTimeIn};
  const std::uint32_t argument = call.first;
  const auto refuse_more = [&](std::uint32_t last) {
    if (last != ExpressionNode::kNone) Fail({"')' is missing here", {}}, tree_[last].offset);
  };
  if (call.text == "timeInState") {
    if (source_ == kNoState)
      Fail({"timeInState() is available only in a transition", "write timeIn('id')"}, call.offset);
    refuse_more(argument);
    code.index = source_;
  } else {
    if (argument == ExpressionNode::kNone || tree_[argument].kind != Kind::kText) {
      Fail({fmt::format("{} takes the id of a state", call.text), fmt::format("write {}('id')", call.text)},
           argument == ExpressionNode::kNone ? call.end - 1 : tree_[argument].offset);
    }
    const std::string_view id = tree_[argument].text;
    const ExpressionStates* const states = compiler_.environment_.states;
    if (states != nullptr) code.index = states->FindState(id);
    if (states == nullptr || code.index == kNoState) {
      Fail({"no state has the id " + Quoted(id),
            states == nullptr ? "only a chart has states" : states->SuggestState(id)},
           tree_[argument].offset);
    }
    refuse_more(tree_[argument].next);
  }
  if (call.text == "In") return Push(code, ValueType::kBoolean, call.offset);
  compiler_.reads_time_ = true;
  Value value = Push(code, ValueType::kNumber, call.offset);
  value.unit = rules_.Time();
  return value;
}

ExpressionTranslator::Value ExpressionTranslator::EmitMemoryCall(const ExpressionNode& call) {
  if (call.first == ExpressionNode::kNone || tree_[call.first].next != ExpressionNode::kNone)
    Fail({fmt::format("{} takes one argument", call.text), {}}, call.end - 1);
  Value value = Emit(call.first);
  if (call.text != "changed") {
    Expect(value, ValueType::kBoolean, fmt::format("what {} watches", call.text));
  } else if (value.type == ValueType::kAnyType) {
    Fail({"changed() cannot watch the data of an event", "it watches variables and signals"}, value.offset);
  }
  ExpressionInstruction code{call.text == "rising"    ? ExpressionOp::kRising
                             : call.text == "falling" ? ExpressionOp::kFalling
                                                      : ExpressionOp::kChanged};
  code.index = static_cast<std::uint32_t>(program_.memories.size());
  program_.memories.push_back(
      {static_cast<std::uint32_t>(value.code), static_cast<std::uint32_t>(program_.code.size())});
  program_.code.push_back(code);
  return {.type = ValueType::kBoolean, .code = value.code, .offset = call.offset};
}

ExpressionTranslator::Value ExpressionTranslator::EmitMathCall(std::uint32_t node) {
  const ExpressionNode& call = tree_[node];
  const auto* const function = std::ranges::find(kExpressionFunctions, call.text, &ExpressionFunction::name);
  if (function == kExpressionFunctions.end()) {
    std::vector<std::string> names(kStateCalls.begin(), kStateCalls.end());
    names.insert(names.end(), kMemoryCalls.begin(), kMemoryCalls.end());
    for (const ExpressionFunction& known : kExpressionFunctions) names.emplace_back(known.name);
    Fail({"no function is named " + Quoted(call.text), SuggestName("use one of", call.text, names)},
         call.offset);
  }
  const auto index = static_cast<std::uint32_t>(function - kExpressionFunctions.begin());
  const std::vector<std::uint32_t> arguments = tree_.ArgumentsOf(node);
  const std::size_t wanted = function->one != nullptr ? 1 : 2;
  if (arguments.size() != wanted) {
    Fail({fmt::format("{} takes {} argument{}", call.text, wanted == 1 ? "one" : "two",
                      wanted == 1 ? "" : "s"),
          {}},
         arguments.empty() ? call.end - 1 : tree_[arguments[std::min(arguments.size(), wanted) - 1]].end);
  }
  const std::string where = fmt::format("the argument of {}", call.text);
  Value first = Emit(arguments[0]);
  Expect(first, ValueType::kNumber, where);
  Value value{.code = first.code, .offset = call.offset};
  if (wanted == 1) {
    ExpressionInstruction code{ExpressionOp::kCall1};
    code.index = index;
    program_.code.push_back(code);
    value.unit = rules_.Call(call.text, first.unit);
    return value;
  }
  Value second = Emit(arguments[1]);
  Expect(second, ValueType::kNumber, where);
  const ExpressionNode& last = tree_[arguments[1]];
  if (call.text == "pow") {
    value.unit = rules_.Call(call.text, first.unit,
                             last.kind == Kind::kNumber ? std::optional(last.number) : std::nullopt);
  } else {
    value.unit = rules_.Call(call.text, Same(first, second, fmt::format("{} compares", call.text)));
  }
  PushBinary(ExpressionOp::kCall2, first, second, index);
  return value;
}

void ExpressionTranslator::Expect(Value& value, ValueType type, std::string_view where) {
  if (value.type == ValueType::kAnyType) {
    program_.code[value.code].type = type;  // an event value is one instruction
    value.type = type;
    return;
  }
  if (value.type == type) return;
  const bool is_uncompared = type == ValueType::kBoolean && value.type == ValueType::kNumber;
  Fail({fmt::format("{} is {}", where, TextOf(value.type)),
        is_uncompared ? "compare it, for example x > 0" : fmt::format("it must be {}", TextOf(type))},
       value.offset);
}

void ExpressionTranslator::CheckChoice(const ExpressionVariable& variable, const Value& value) {
  if (variable.choices.empty() || !value.constant) return;
  if (std::ranges::find(variable.choices, *value.constant) != variable.choices.end()) return;
  std::vector<std::string> names;
  names.reserve(variable.choices.size());
  for (const SymbolId choice : variable.choices) names.push_back(compiler_.symbols_.Text(choice));
  const std::string& text = compiler_.symbols_.Text(*value.constant);
  Fail({fmt::format("'{}' is never {}", variable.name, Quoted(text)), SuggestName("it can be", text, names)},
       value.offset);
}

void ExpressionTranslator::CheckUnit(const ExpressionVariable& variable, const Value& value) {
  if (!variable.dimension || value.type != ValueType::kNumber || FitsUnit(value.unit, *variable.dimension))
    return;
  Fail({fmt::format("the value is {}, but {} is needed", NameOf(value.unit.dimension),
                    NameOf(variable.dimension)),
        "a number in the expression may have a unit, as in 2 N/m"},
       value.offset);
}

ValueUnit ExpressionTranslator::Same(const Value& left, const Value& right, std::string_view what) {
  const std::optional<ValueUnit> unit = rules_.Same(left.unit, right.unit);
  if (unit) return *unit;
  Fail({fmt::format("{} {} and {}", what, NameOf(left.unit.dimension), NameOf(right.unit.dimension)),
        "both must have the same dimension"},
       right.offset);
}

std::string ExpressionTranslator::NameOf(const std::optional<Dimension>& dimension) const {
  const std::string unit = SiUnitOf(dimension.value_or(Dimension{}), compiler_.units_.get());
  return unit.empty() ? "a number" : unit;
}

ExpressionTranslator::Value ExpressionTranslator::Push(ExpressionInstruction code, ValueType type,
                                                       std::size_t offset) {
  program_.code.push_back(code);
  Grow(1);
  return {.type = type, .code = program_.code.size() - 1, .offset = offset};
}

ExpressionTranslator::Value ExpressionTranslator::PushConstant(double value, ValueType type,
                                                               std::size_t offset) {
  program_.constants.push_back(value);
  const auto index = static_cast<std::uint32_t>(program_.constants.size() - 1);
  return Push({ExpressionOp::kPush, type, index}, type, offset);
}

std::uint32_t ExpressionTranslator::TakeOperand(std::size_t begin) {
  std::vector<ExpressionInstruction>& code = program_.code;
  if (code.size() != begin + 1 || code.back().op != ExpressionOp::kPush)
    return ExpressionInstruction::kOnStack;
  const std::uint32_t address = code.back().left;
  code.pop_back();
  return address;
}

void ExpressionTranslator::PushBinary(ExpressionOp op, const Value& left, const Value& right,
                                      std::uint32_t index) {
  ExpressionInstruction binary{op};
  binary.index = index;
  binary.right = TakeOperand(right.code);
  if (binary.right != ExpressionInstruction::kOnStack) binary.left = TakeOperand(left.code);
  program_.code.push_back(binary);
  Grow(-1);
}

std::size_t ExpressionTranslator::PushJump(ExpressionOp op) {
  program_.code.push_back({op});
  return program_.code.size() - 1;
}

void ExpressionTranslator::Land(std::size_t jump) {
  program_.code[jump].index = static_cast<std::uint32_t>(program_.code.size());
}

void ExpressionTranslator::Grow(int places) {
  stack_ += places;
  program_.stack_size = std::max(program_.stack_size, static_cast<std::size_t>(stack_) + 1);
}

void ExpressionTranslator::Fail(Fault fault, std::size_t offset) const {
  throw Failure{std::move(fault), offset};
}

}  // namespace davit
