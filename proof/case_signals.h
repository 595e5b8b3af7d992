#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expressions/expression_compiler.h"
#include "framework/diagnostics.h"
#include "session/simulation.h"
#include "simulator/recorder.h"

namespace davit {

/// Signals over time: a row for each step point, and before and after each event and switch.
struct SignalCurves {
  std::vector<double> time;
  std::vector<std::vector<double>> signals;  ///< each with a value for each time
};

/// The expressions of one case and the signals that they read.
///
/// Call sequence: Compile all expressions, Link, Record, run the simulation, then ValueAt.
class CaseSignals final : public ExpressionHost {
 public:
  explicit CaseSignals(Simulation& simulation);
  ~CaseSignals() override;
  CaseSignals(const CaseSignals&) = delete;
  CaseSignals& operator=(const CaseSignals&) = delete;

  struct Expression {
    std::string text;
    CodeRange range;
    ValueUnit unit;
  };
  /// After an error `diagnostics` has it, and nothing is returned. `what`: the attribute.
  std::optional<Expression> Compile(std::string_view text, ValueType type, const SourceLocation& place,
                                    std::string_view what, Diagnostics& diagnostics);
  void Link();

  /// Keeps the signals of the run that follows.
  void Record();
  const SignalCurves& curves() const { return curves_; }
  const std::vector<Item>& columns() const { return plan_.columns; }

  /// At a row of the curves; NaN where it has no value.
  double ValueAt(const Expression& expression, std::size_t row);
  bool IsTrueAt(const Expression& expression, std::size_t row) { return ValueAt(expression, row) > 0.5; }
  /// At the present time of the simulation.
  bool IsTrueNow(const Expression& expression);
  /// The signals that it reads, of columns().
  std::vector<std::uint32_t> SignalsOf(const Expression& expression) const;
  /// A value of the expression with its unit: `1.2 m`.
  std::string Show(const Expression& expression, double value) const;
  /// `load.x = 1.2 m, pump.p_out = 262 bar, pump.level = 'Ideal'`
  std::string Operands(const Expression& expression, std::size_t row) const;

 private:
  // ExpressionHost
  std::optional<Found> FindSignal(std::string_view name, SymbolTable& symbols) override;
  std::string Suggest(std::string_view /*name*/) const override { return remedy_; }
  const UnitSystem* units() const override { return &simulation_.system().units(); }

  double Evaluate(const Expression& expression, double t);
  void Load(std::size_t signal, double value);

  Simulation& simulation_;
  SymbolTable symbols_;
  ExpressionProgram program_;
  ExpressionCompiler compiler_;
  RecordPlan plan_;
  std::vector<std::vector<SymbolId>> options_;  ///< by column: of a level or an option, by its number
  std::string remedy_;
  std::vector<double> memory_, stack_;
  std::unique_ptr<Recorder> recorder_;
  SignalCurves curves_;
};

}  // namespace davit
