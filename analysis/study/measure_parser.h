#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/study/measure_accumulator.h"
#include "expressions/expression_compiler.h"
#include "framework/component.h"
#include "framework/fault.h"
#include "framework/syntax/expression_tree.h"
#include "framework/system.h"

namespace davit {

/// One measure inside of an expression: `max(load.x - reference.y)`.
struct MeasureCall {
  MeasureKind kind = MeasureKind::kMax;
  std::string text = {};                 ///< as written
  std::string signal = {};               ///< what is measured, as written
  CodeRange range = {};                  ///< the same, compiled; empty of kEvents
  double argument = 0;                   ///< as MeasureAccumulator has it
  const Component* component = nullptr;  ///< of kEvents
  std::uint32_t variable = 0;            ///< of the program: its value after the run
};

/// An expression of measures: `max(cylinder.p_a) - 250 bar`.
struct MeasureExpression {
  std::string name;
  CodeRange range = {};
  std::optional<Dimension> dimension = {};  ///< of the value; nothing: unknown
  std::uint32_t variable = 0;               ///< of the program: its value after the run
};

/// What the functions of measures are called.
std::vector<std::string> MeasureNames();
/// Whether an expression has a measure in it: else it is one of signals, with a value for each time.
bool HasMeasure(std::string_view text, const UnitSystem& units);

/// Compiles expressions of measures:
///
///     max(x) min(x) mean(x) rms(x) final(x) integral(x) at(x, 5 s) crossing(x, 1.5 m)
///     rise_time(x) settling_time(x, 2 %) overshoot(x) events(component)
///
/// x is an expression of signals; all else that expressions have (ExpressionCompiler) is around it or in it.
/// table(x, x0, y0, x1, y1 ...) with numbers is made of straight lines, constant before x0 and after the last
/// one; two points of one x are a jump.
class MeasureParser {
 public:
  /// The host of the compiler finds signals, and its rules for units are strict.
  MeasureParser(System& system, ExpressionCompiler& compiler, const ExpressionProgram& program)
      : system_(system), compiler_(compiler), program_(program) {}

  /// Compiles the next measure, which may use those before it. Returns the fault, if there is one.
  Fault Add(const std::string& name, std::string_view text);
  const std::vector<MeasureCall>& calls() const { return calls_; }
  const std::vector<MeasureExpression>& measures() const { return measures_; }

 private:
  class Reader;

  System& system_;
  ExpressionCompiler& compiler_;
  const ExpressionProgram& program_;
  std::vector<MeasureCall> calls_;
  std::vector<MeasureExpression> measures_;
};

}  // namespace davit
