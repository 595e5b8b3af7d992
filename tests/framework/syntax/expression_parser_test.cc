#include "framework/syntax/expression_parser.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "framework/syntax/expression_units.h"

namespace davit {
namespace {

using Kind = ExpressionKind;

std::string Joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

/// An expression with all its parentheses.
std::string Printed(const ExpressionTree& tree, std::uint32_t node) {
  const ExpressionNode& n = tree[node];
  std::vector<std::string> parts;
  for (const std::uint32_t operand : tree.ArgumentsOf(node)) parts.push_back(Printed(tree, operand));
  switch (n.kind) {
    case Kind::kNumber: return fmt::format("{}", n.number) + (n.has_unit ? ' ' + ToText(n.dimension) : "");
    case Kind::kText: return "'" + std::string(n.text) + "'";
    case Kind::kName: return std::string(n.text);
    case Kind::kCall: return std::string(n.text) + '(' + Joined(parts) + ')';
    case Kind::kConditional: return '(' + parts[0] + " ? " + parts[1] + " : " + parts[2] + ')';
    default: break;
  }
  const std::string op(n.text);
  return parts.size() == 1 ? '(' + op + parts[0] + ')' : '(' + parts[0] + ' ' + op + ' ' + parts[1] + ')';
}

std::string Parsed(std::string_view text, ExpressionDialect dialect = ExpressionDialect::kDavit) {
  const ExpressionUnits units;
  const ExpressionTree tree = ParseExpression(text, &units, dialect);
  return tree.fault ? tree.fault.ToText() : Printed(tree, tree.root);
}

TEST(ParseExpressionTest, BindsAsC) {
  EXPECT_EQ(Parsed("a - b - c*d % e"), "((a - b) - ((c * d) % e))");
  EXPECT_EQ(Parsed("-a*b"), "((-a) * b)");
  EXPECT_EQ(Parsed("not a and b or c lt d + 1"), "(((!a) && b) || (c < (d + 1)))");
  EXPECT_EQ(Parsed("a ? b : c ? d : e"), "(a ? b : (c ? d : e))");
  EXPECT_EQ(Parsed("a == b < c"), "(a == (b < c))");
  EXPECT_EQ(Parsed("f(a, (b)) + time() - 3 m/s"), "((f(a, b) + time()) - 3 m/s)");
}

TEST(ParseExpressionTest, BindsAsHopsan) {
  const auto parsed = [](std::string_view text) { return Parsed(text, ExpressionDialect::kHopsan); };
  EXPECT_EQ(parsed("-2^2"), "(-(2 ^ 2))");
  EXPECT_EQ(parsed("2*a^-1"), "(2 * (a ^ (-1)))");
  EXPECT_EQ(parsed("a|b&c>d"), "(a | (b & (c > d)))");
  EXPECT_EQ(parsed("self.in.Value + k#1"), "(self.in.Value + k#1)");
}

TEST(ParseExpressionTest, ANodeKnowsItsText) {
  const ExpressionTree tree = ParseExpression("1 + max( a , b ) ", nullptr);
  const std::vector<std::uint32_t> operands = tree.ArgumentsOf(tree.root);
  EXPECT_EQ(tree.TextOf(operands[1]), "max( a , b )");
  EXPECT_EQ(tree.TextOf(tree.root), "1 + max( a , b )");
}

/// A random tree of at most `levels` levels, printed.
std::string RandomText(int levels) {
  const auto choose = [](std::initializer_list<const char*> list) {
    return std::string(*rc::gen::elementOf(std::vector<const char*>(list)));
  };
  if (levels == 0 || *rc::gen::inRange(0, 4) == 0) {
    return choose({"1", "2.5e-07", "3 m/s", "x", "pump.p", "q[2]", "'auto'", "true", "0.1 kg/(m s2)"});
  }
  const auto inner = [levels] { return RandomText(levels - 1); };
  switch (*rc::gen::inRange(0, 4)) {
    case 0: return '(' + choose({"!", "-", "+"}) + inner() + ')';
    case 1: return choose({"f", "max", "In"}) + '(' + inner() + ", " + inner() + ')';
    case 2: return '(' + inner() + " ? " + inner() + " : " + inner() + ')';
    default:
      return '(' + inner() + ' ' +
             choose({"||", "&&", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%"}) + ' ' + inner() +
             ')';
  }
}

RC_GTEST_PROP(ParseExpressionTest, APrintedTreeReadsBack, ()) {
  const std::string text = RandomText(5);
  RC_ASSERT(Parsed(text) == text);
}

}  // namespace
}  // namespace davit
