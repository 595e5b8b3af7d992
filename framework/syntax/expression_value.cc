#include "framework/syntax/expression_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "framework/counted.h"
#include "framework/nearest_name.h"
#include "framework/syntax/expression_parser.h"

namespace davit {
namespace {

using Kind = ExpressionKind;

class ConstantEvaluation {
 public:
  ConstantEvaluation(const ExpressionTree& tree, const ExpressionConstants& constants, bool is_hopsan)
      : tree_(tree), constants_(constants), is_hopsan_(is_hopsan) {}

  ConstantResult Run() {
    try {
      const double value = NumberOf(tree_.root);
      if (!std::isfinite(value))
        Fail({Quoted(tree_.text) + " has no finite value", "look for a division by zero"});
      return {value, {}};
    } catch (const Fault& fault) {
      return {0, fault};
    }
  }

 private:
  struct Value {
    double number = 0;
    bool is_condition = false;
  };

  [[noreturn]] static void Fail(Fault fault) { throw fault; }

  double Typed(const Value& value, bool is_condition, std::uint32_t node) const {
    if (is_hopsan_ || value.is_condition == is_condition) return value.number;
    Fail({Quoted(tree_.TextOf(node)) + (is_condition ? " is a number" : " is a condition"),
          is_condition ? "write a condition, for example i > 2" : "write for example i > 2 ? 1 : 0"});
  }
  double NumberOf(std::uint32_t node) const { return Typed(Evaluate(node), false, node); }
  bool IsTrue(const Value& value, std::uint32_t node) const { return Typed(value, true, node) > 0; }

  Value Evaluate(std::uint32_t node) const {
    const std::vector<std::uint32_t> operators = tree_.LeftOperators(node);
    Value value = Operand(operators.empty() ? node : tree_[operators.back()].first);
    for (auto at = operators.rbegin(); at != operators.rend(); ++at) value = Apply(*at, value);
    return value;
  }

  Value Apply(std::uint32_t node, const Value& left) const {
    const Kind kind = tree_[node].kind;
    const std::uint32_t first = tree_[node].first;
    const std::uint32_t second = tree_[first].next;
    if (kind == Kind::kAnd || kind == Kind::kOr) {
      const bool is_left = IsTrue(left, first);
      const bool is_right = IsTrue(Evaluate(second), second);
      return {(kind == Kind::kAnd ? is_left && is_right : is_left || is_right) ? 1.0 : 0.0, true};
    }
    const Value right = Evaluate(second);
    if (kind == Kind::kEqual || kind == Kind::kNotEqual) {
      Typed(right, left.is_condition, second);
      return {(left.number == right.number) == (kind == Kind::kEqual) ? 1.0 : 0.0, true};
    }
    const double a = Typed(left, false, first);
    const double b = Typed(right, false, second);
    switch (kind) {
      case Kind::kAdd: return {a + b};
      case Kind::kSubtract: return {a - b};
      case Kind::kMultiply: return {a * b};
      case Kind::kDivide: return {a / b};
      case Kind::kModulo: return {std::fmod(a, b)};
      case Kind::kPower: return {std::pow(a, b)};
      case Kind::kLess: return {a < b ? 1.0 : 0.0, true};
      case Kind::kLessEqual: return {a <= b ? 1.0 : 0.0, true};
      case Kind::kGreater: return {a > b ? 1.0 : 0.0, true};
      default: return {a >= b ? 1.0 : 0.0, true};
    }
  }

  Value Operand(std::uint32_t node) const {
    const ExpressionNode& n = tree_[node];
    switch (n.kind) {
      case Kind::kNumber: return {n.number};
      case Kind::kName: return Name(n.text);
      case Kind::kCall: return {Call(node)};
      case Kind::kPlus: return {NumberOf(n.first)};
      case Kind::kNegate: return {-NumberOf(n.first)};
      case Kind::kNot: return {IsTrue(Evaluate(n.first), n.first) ? 0.0 : 1.0, true};
      case Kind::kConditional: {
        const std::uint32_t yes = tree_[n.first].next;
        return Evaluate(IsTrue(Evaluate(n.first), n.first) ? yes : tree_[yes].next);
      }
      default: Fail({Quoted(n.text) + " is a text", "write a number"});
    }
  }

  Value Name(std::string_view name) const {
    Fault fault;
    if (const std::optional<double> value = constants_.find(name, &fault)) return {*value};
    if (name == "pi") return {std::numbers::pi};
    if (!is_hopsan_ && (name == "true" || name == "false")) return {name == "true" ? 1.0 : 0.0, true};
    Fail(fault);
  }

  double Call(std::uint32_t node) const {
    const std::string_view name = tree_[node].text;
    const auto function = std::ranges::find(constants_.functions, name, &ExpressionFunction::name);
    if (function == constants_.functions.end()) {
      std::vector<std::string> known;
      for (const ExpressionFunction& one : constants_.functions) known.emplace_back(one.name);
      Fail({"no function " + Quoted(name), SuggestName("there are", name, known)});
    }
    const std::vector<std::uint32_t> arguments = tree_.ArgumentsOf(node);
    const std::size_t wanted = function->one != nullptr ? 1 : 2;
    if (arguments.size() != wanted) Fail({fmt::format("{} takes {}", name, Counted(wanted, "number")), {}});
    const double first = NumberOf(arguments[0]);
    return wanted == 1 ? function->one(first) : function->two(first, NumberOf(arguments[1]));
  }

  const ExpressionTree& tree_;
  const ExpressionConstants& constants_;
  bool is_hopsan_;
};

}  // namespace

ConstantResult EvaluateConstant(std::string_view text, const ExpressionConstants& constants,
                                ExpressionDialect dialect) {
  ExpressionTree tree = ParseExpression(text, nullptr, dialect);
  if (tree.fault) {
    if (tree.fault.remedy.empty()) tree.fault.remedy = "see docs/expressions.md";
    return {0, std::move(tree.fault)};
  }
  return ConstantEvaluation(tree, constants, dialect == ExpressionDialect::kHopsan).Run();
}

}  // namespace davit
