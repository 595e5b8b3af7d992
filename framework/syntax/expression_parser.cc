#include "framework/syntax/expression_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>
#include <utility>

#include "framework/nearest_name.h"

namespace davit {
namespace {

constexpr int kMostLevels = 100;

using Kind = ExpressionKind;
struct OperatorSymbol {
  std::string_view text;
  Kind kind;
  std::size_t level = 0;  ///< how strongly it binds, 0 the weakest
};

constexpr auto kOperators = std::to_array<OperatorSymbol>({{"||", Kind::kOr, 0},
                                                           {"&&", Kind::kAnd, 1},
                                                           {"==", Kind::kEqual, 2},
                                                           {"!=", Kind::kNotEqual, 2},
                                                           {"<", Kind::kLess, 3},
                                                           {"<=", Kind::kLessEqual, 3},
                                                           {">", Kind::kGreater, 3},
                                                           {">=", Kind::kGreaterEqual, 3},
                                                           {"+", Kind::kAdd, 4},
                                                           {"-", Kind::kSubtract, 4},
                                                           {"*", Kind::kMultiply, 5},
                                                           {"/", Kind::kDivide, 5},
                                                           {"%", Kind::kModulo, 5}});
constexpr std::size_t kComparisonLevel = 3;
constexpr std::size_t kSignLevel = 6;

constexpr auto kHopsanOperators = std::to_array<OperatorSymbol>({{"+", Kind::kAdd, 4},
                                                                 {"-", Kind::kSubtract, 4},
                                                                 {"|", Kind::kOr, 4},
                                                                 {"*", Kind::kMultiply, 5},
                                                                 {"/", Kind::kDivide, 5},
                                                                 {"&", Kind::kAnd, 5},
                                                                 {"^", Kind::kPower, 7},
                                                                 {"<", Kind::kLess, 7},
                                                                 {">", Kind::kGreater, 7}});
constexpr std::size_t kPowerLevel = 7;

/// Recursive descent.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const ExpressionUnits* units, ExpressionDialect dialect)
      : lexer_(text, units, dialect),
        is_hopsan_(dialect == ExpressionDialect::kHopsan),
        operators_(is_hopsan_ ? std::span<const OperatorSymbol>(kHopsanOperators) : kOperators) {
    tree_.text = text;
  }

  ExpressionTree Parse() {
    try {
      Advance();
      if (token_.kind == TokenKind::kEnd) Fail({"the expression is empty", "write a value"}, 0);
      const std::uint32_t root = Conditional();
      if (token_.kind == TokenKind::kFault) Fail(token_.fault, token_.offset);
      if (token_.kind != TokenKind::kEnd) {
        Fail({"the expression should end here", "an operator is missing, or there is a parenthesis too many"},
             token_.offset);
      }
      tree_.root = root;
    } catch (const Failure& failure) {
      tree_.fault = failure.fault;
      tree_.offset = failure.offset;
    }
    return std::move(tree_);
  }

 private:
  struct Failure {
    Fault fault;
    std::size_t offset;
  };
  /// One level deeper as long as it lives.
  class Depth {
   public:
    explicit Depth(ExpressionParser& parser) : depth_(parser.depth_) {
      if (depth_ > kMostLevels)
        parser.Fail({"the expression is nested too deeply", "split it"}, parser.token_.offset);
      ++depth_;
    }
    ~Depth() { --depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;

   private:
    int& depth_;
  };

  std::uint32_t Conditional() {
    const Depth depth(*this);
    const std::uint32_t condition = Binary(is_hopsan_ ? kHopsanOperators.front().level : 0);
    if (!IsSymbol("?")) return condition;
    Advance();
    const std::uint32_t yes = Conditional();
    Require(":");
    const std::uint32_t no = Conditional();
    return Add({.kind = Kind::kConditional, .text = "?", .offset = tree_[condition].offset},
               {condition, yes, no});
  }

  const OperatorSymbol* OperatorOf(std::size_t level) const {
    for (const OperatorSymbol& symbol : operators_) {
      if (symbol.level == level && IsSymbol(symbol.text)) return &symbol;
    }
    return nullptr;
  }

  std::uint32_t Binary(std::size_t level) {
    if (level == kSignLevel) return Signed([this] { return is_hopsan_ ? Powers() : Primary(); });
    std::uint32_t left = Binary(level + 1);
    while (const OperatorSymbol* const symbol = OperatorOf(level)) {
      Advance();
      left = Pair(left, *symbol, Binary(level + 1));
      if (level == kComparisonLevel && OperatorOf(level) != nullptr)
        Fail({"comparisons do not chain", "write a < b && b < c"}, token_.offset);
    }
    return left;
  }

  /// Of Hopsan: 2^-1 has a sign after the operator, -2^2 one before the power.
  std::uint32_t Powers() {
    std::uint32_t left = Primary();
    while (const OperatorSymbol* const symbol = OperatorOf(kPowerLevel)) {
      Advance();
      left = Pair(left, *symbol, Signed([this] { return Primary(); }));
    }
    return left;
  }

  std::uint32_t Pair(std::uint32_t left, const OperatorSymbol& symbol, std::uint32_t right) {
    return Add({.kind = symbol.kind, .text = symbol.text, .offset = tree_[left].offset}, {left, right});
  }

  std::uint32_t Signed(auto operand) {
    const bool is_not = IsSymbol("!");
    if (!is_not && !IsSymbol("-") && !IsSymbol("+")) return operand();
    const Depth depth(*this);
    const Token sign = token_;
    Advance();
    const std::uint32_t node = Signed(operand);
    const Kind kind = is_not ? Kind::kNot : sign.text == "-" ? Kind::kNegate : Kind::kPlus;
    return Add({.kind = kind, .text = sign.text, .offset = sign.offset}, {node});
  }

  std::uint32_t Primary() {
    const Token token = token_;
    switch (token.kind) {
      case TokenKind::kNumber: {
        Advance();
        tree_.has_units = tree_.has_units || token.has_unit;
        return Add({.kind = Kind::kNumber,
                    .has_unit = token.has_unit,
                    .text = token.text,
                    .number = token.number,
                    .dimension = token.dimension,
                    .offset = token.offset},
                   {});
      }
      case TokenKind::kString:
        Advance();
        return Add({.kind = Kind::kText, .text = token.text, .offset = token.offset}, {});
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
    const std::uint32_t node = Conditional();
    Require(")");
    return node;
  }

  std::uint32_t NameOrCall() {
    const Token name = token_;
    Advance();
    if (!IsSymbol("(")) return Add({.kind = Kind::kName, .text = name.text, .offset = name.offset}, {});
    const Depth depth(*this);
    const std::uint32_t call = Add({.kind = Kind::kCall, .text = name.text, .offset = name.offset}, {});
    std::uint32_t last = ExpressionNode::kNone;
    Advance();  // (
    while (!IsSymbol(")")) {
      const std::uint32_t argument = Conditional();
      (last == ExpressionNode::kNone ? tree_[call].first : tree_[last].next) = argument;
      last = argument;
      if (!IsSymbol(",")) break;
      Advance();
    }
    Require(")");
    tree_[call].end = end_;
    return call;
  }

  std::uint32_t Add(ExpressionNode node, std::initializer_list<std::uint32_t> operands = {}) {
    node.end = end_;
    return tree_.Add(node, operands);
  }

  bool IsSymbol(std::string_view symbol) const {
    return token_.kind == TokenKind::kSymbol && token_.text == symbol;
  }
  void Advance() {
    end_ = lexer_.end();
    token_ = lexer_.Next();
  }
  void Require(std::string_view symbol) {
    if (token_.kind == TokenKind::kFault) Fail(token_.fault, token_.offset);
    if (!IsSymbol(symbol)) Fail({fmt::format("'{}' is missing here", symbol), {}}, token_.offset);
    Advance();
  }
  [[noreturn]] void Fail(Fault fault, std::size_t offset) const { throw Failure{std::move(fault), offset}; }

  ExpressionLexer lexer_;
  bool is_hopsan_;
  std::span<const OperatorSymbol> operators_;
  ExpressionTree tree_;
  Token token_;
  std::size_t end_ = 0;  ///< of the token before
  int depth_ = 0;
};

}  // namespace

ExpressionTree ParseExpression(std::string_view text, const ExpressionUnits* units,
                               ExpressionDialect dialect) {
  return ExpressionParser(text, units, dialect).Parse();
}

}  // namespace davit
