#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "framework/syntax/expression_tree.h"
#include "framework/syntax/expression_units.h"
#include "statecharts/chart.h"

namespace davit {

class Interpreter;

/// The conditions of a chart for somebody who does not know the machine around it: true, false, or open.
///
/// Known are the states of the chart (In) and the `<data>` that are made of constants and other known data.
/// Signals, the time, data of events, edges, and all that depends on them are open. In `a and b` one part
/// that is false decides, in `a or b` one that is true.
class OpenConditions {
 public:
  /// The chart outlives it; it has the data model davit or null. `unbounded`: variables that are open, too.
  explicit OpenConditions(const Chart& chart, const std::set<Index>& unbounded = {});
  ~OpenConditions();
  OpenConditions(const OpenConditions&) = delete;
  OpenConditions& operator=(const OpenConditions&) = delete;

  /// Nothing: it is open. `condition`: of Chart::expressions.
  std::optional<bool> Evaluate(Index condition, const Interpreter& session) const;
  /// The known data that conditions depend on; what else the chart counts does not matter for its paths.
  const std::vector<Index>& decisive_data() const { return decisive_; }

 private:
  struct Value;

  const ExpressionTree& TreeOf(Index expression) const { return trees_[expression]; }
  std::optional<Index> FindData(std::string_view name) const;
  bool ReadsOpen(Index expression) const;
  void AddNames(Index expression, std::vector<bool>& named) const;
  Value Evaluate(const ExpressionTree& tree, std::uint32_t node, const Interpreter& session) const;
  Value EvaluateCall(const ExpressionTree& tree, std::uint32_t node, const Interpreter& session) const;

  const Chart& chart_;
  ExpressionUnits units_;
  std::vector<ExpressionTree> trees_;  ///< by expression
  std::vector<bool> is_open_;          ///< by variable
  std::vector<Index> decisive_;        ///< variables
};

}  // namespace davit
