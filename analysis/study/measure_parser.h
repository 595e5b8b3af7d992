#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/study/measure_accumulator.h"
#include "framework/component.h"
#include "framework/fault.h"
#include "framework/system.h"
#include "framework/units/unit_system.h"

namespace davit {

/// One measure inside of an expression: `max(load.x - reference.y)`.
struct MeasureCall {
  MeasureKind kind = MeasureKind::kMax;
  std::string text = {};    ///< as written
  std::string signal = {};  ///< what is measured, as the expressions library reads it: SI, without units
  double argument = 0;      ///< as MeasureAccumulator has it
  const Component* component = nullptr;  ///< of kEvents
};

/// A name that an expression of measures may use: a measure before it, or a varied value.
struct MeasureName {
  std::string name;
  std::optional<Dimension> dimension;
};

/// An expression of measures with units as it was read: `max(cylinder.p_a) - 250 bar`.
struct ParsedMeasure {
  std::string text;  ///< without units: each call is a variable, see MeasureVariable
  std::vector<MeasureCall> calls;
  std::optional<Dimension> dimension;  ///< of the value; nothing: unknown
  Fault fault;                         ///< empty when read
};

/// The name of call number `i` in ParsedMeasure::text.
std::string MeasureVariable(std::size_t i);

/// What the functions of measures are called.
std::vector<std::string> MeasureNames();

/// Reads an expression of measures:
///
///     max(x) min(x) mean(x) rms(x) final(x) integral(x) at(x, 5 s) crossing(x, 1.5 m)
///     rise_time(x) settling_time(x, 2 %) overshoot(x) events(component)
///
/// x is an expression of signals; all else that expressions have (ExpressionCompiler) is around it or in it.
/// table(x, x0, y0, x1, y1 ...) with numbers is made of straight lines, constant before x0 and after the last
/// one; two points of one x are a jump. A number may have a unit; one without is in SI. What is added or
/// compared must have the same dimension.
///
/// `first_call`: the number of the first call, so that several expressions can share the variables.
ParsedMeasure ParseMeasure(std::string_view text, System& system, std::span<const MeasureName> names,
                           std::size_t first_call);

}  // namespace davit
