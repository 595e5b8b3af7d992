#pragma once

#include <deque>
#include <string>
#include <vector>

#include "expressions/expression_program.h"
#include "framework/tree/item_element.h"
#include "simulator/operator.h"

namespace davit {

/// y = an expression of u.
class ExpressionOperator final : public Operator, public ItemTaker {
 public:
  static constexpr ModelInfo kInfo{
      .name = "operator.Expression",
      .text = "Computes a signal by an expression of the system file",
      .equations = R"(
y = expr, at each communication point; it reads u, y (that of the communication point before), time, period (the TimeStep), and
the items inside:
  <Parameter name= value= unit= text=/>  a number; --set and <At> reach it
  <Input name= value= unit= text=/>      a signal, routed to it
Expressions are described in docs/expressions.md.
Example: expr="k*u + (1 - k)*y"
)",
  };

  std::vector<std::string> ItemKinds() const override { return {"Parameter", "Input"}; }
  std::string_view ExampleItems() const override {
    return "<Parameter name=\"k\" value=\"0.5\" text=\"Gain\"/>\n";
  }
  void TakeItems(std::vector<ItemElement> items, const UnitSystem& units, const Registry& registry,
                 Diagnostics& diagnostics) override;
  const std::vector<ItemElement>& items() const override { return items_; }
  /// Compiles the expression.
  void Configure(Diagnostics& diagnostics) override;

  /// y before the start is u.
  double Begin(double u) override { return Compute(u, u); }
  double Apply(double u) override { return Compute(u, last()); }
  bool ChangesUnit() const override { return true; }

 private:
  struct Reader;

  double Compute(double u, double y);

  Property<std::string> expr{this, "expr", "Expression of u"};
  std::vector<ItemElement> items_;
  const UnitSystem* units_ = nullptr;          ///< of the system; null until there are items
  std::vector<ExpressionVariable> variables_;  ///< the parameters, then the inputs
  std::deque<Parameter> parameters_;
  std::deque<Input> inputs_;

  ExpressionProgram program_;
  CodeRange range_;
  std::vector<double> memory_, stack_;
};

}  // namespace davit
