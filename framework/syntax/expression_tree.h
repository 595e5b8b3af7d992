#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "framework/fault.h"
#include "framework/units/unit_system.h"

namespace davit {

enum class ExpressionKind : std::uint8_t {
  kNumber,
  kText,
  kName,
  kVariable,  ///< of a program, by its number: what a host puts in the place of other nodes
  kCall,
  kPlus,
  kNegate,
  kNot,
  kUnit,  ///< its operand, which a host knows to have the unit of this node
  kConditional,
  // Two operands.
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kModulo,
  kPower,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kAnd,
  kOr,
};

/// One value of an expression and how it is made of others.
struct ExpressionNode {
  static constexpr std::uint32_t kNone = UINT32_MAX;

  ExpressionKind kind = ExpressionKind::kNumber;
  bool has_unit = false;       ///< of a number or kUnit
  std::string_view text = {};  ///< of a name or call the name; of a string what is quoted; else the operator
  double number = 0;           ///< in SI; of kVariable which
  Dimension dimension = {};    ///< of a number or kUnit, if it has a unit
  std::size_t offset = 0;      ///< in the text [bytes]
  std::size_t end = 0;
  std::uint32_t first = kNone;  ///< operand or argument
  std::uint32_t next = kNone;   ///< operand or argument of the same node
};

constexpr bool IsBinary(ExpressionKind kind) { return kind >= ExpressionKind::kAdd; }
constexpr bool IsSum(ExpressionKind kind) {
  return kind == ExpressionKind::kAdd || kind == ExpressionKind::kSubtract;
}
constexpr bool IsArithmetic(ExpressionKind kind) {
  return kind >= ExpressionKind::kAdd && kind <= ExpressionKind::kPower;
}

/// An expression as it was read; what its names mean is for others to say. The text must outlive it.
struct ExpressionTree {
  std::string_view text;
  std::vector<ExpressionNode> nodes;
  std::uint32_t root = ExpressionNode::kNone;
  bool has_units = false;
  Fault fault;             ///< of the syntax; empty where there is a root
  std::size_t offset = 0;  ///< of the fault [bytes]

  /// Appends a node with its operands, none of which has another place.
  std::uint32_t Add(const ExpressionNode& node, std::initializer_list<std::uint32_t> operands = {}) {
    nodes.push_back(node);
    std::uint32_t* place = &nodes.back().first;
    for (const std::uint32_t operand : operands) {
      *place = operand;
      place = &nodes[operand].next;
    }
    return static_cast<std::uint32_t>(nodes.size() - 1);
  }
  const ExpressionNode& operator[](std::uint32_t node) const { return nodes[node]; }
  ExpressionNode& operator[](std::uint32_t node) { return nodes[node]; }
  std::string_view TextOf(std::uint32_t node) const {
    return text.substr(nodes[node].offset, nodes[node].end - nodes[node].offset);
  }
  std::vector<std::uint32_t> ArgumentsOf(std::uint32_t node) const {
    std::vector<std::uint32_t> arguments;
    for (std::uint32_t at = nodes[node].first; at != ExpressionNode::kNone; at = nodes[at].next)
      arguments.push_back(at);
    return arguments;
  }
  /// The operators at the left of each other, as in a + b + c, outermost first. Walking them in a loop keeps
  /// the depth of recursion small, for a sum may be long.
  std::vector<std::uint32_t> LeftOperators(std::uint32_t node) const {
    std::vector<std::uint32_t> operators;
    for (; IsBinary(nodes[node].kind); node = nodes[node].first) operators.push_back(node);
    return operators;
  }
};

}  // namespace davit
