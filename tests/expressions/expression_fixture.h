#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expressions/expression_compiler.h"

namespace davit {

/// A system with a pump: its pressure is a number, its level one of two texts.
class PumpHost final : public ExpressionHost {
 public:
  static constexpr std::uint32_t kPressure = 7;
  static constexpr std::uint32_t kLevel = 8;

  std::optional<Found> FindSignal(std::string_view name, SymbolTable& symbols) override {
    ++asked;
    if (name == "pump.p") return Found{kPressure, ValueType::kNumber};
    if (name != "pump.level") return std::nullopt;
    return Found{kLevel, ValueType::kString, {symbols.Add("Ideal"), symbols.Add("Lossy")}};
  }
  std::string Suggest(std::string_view /*name*/) const override { return "did you mean 'pump.p'?"; }

  int asked = 0;
};

/// A chart with 100 states, s0 to s99.
class HundredStates final : public ExpressionStates {
 public:
  StateId FindState(std::string_view id) const override {
    for (StateId state = 0; state < 100; ++state) {
      if (id == 's' + std::to_string(state)) return state;
    }
    return kNoState;
  }
  std::string SuggestState(std::string_view /*id*/) const override { return "use one of s0 to s99"; }
};

/// Expressions over x = 2.5, b = true and m, which is 'auto' or 'manual' and now 'auto'.
class ExpressionFixture {
 public:
  ExpressionFixture() : compiler(program, symbols, {.host = &host, .states = &states}) {
    compiler.AddVariable({"x", ValueType::kNumber, {}});
    compiler.AddVariable({"b", ValueType::kBoolean, {}});
    compiler.AddVariable({"m", ValueType::kString, {symbols.Add("auto"), symbols.Add("manual")}});
  }

  /// Compiles, links and evaluates one expression.
  ExpressionValue Evaluate(std::string_view text) {
    const ExpressionCompiler::Result result = compiler.Compile(text, ValueType::kAnyType, source);
    if (result.fault) return {std::numeric_limits<double>::quiet_NaN(), false};
    compiler.Link();
    return Run(result.range);
  }
  /// Evaluates what was compiled before Link.
  ExpressionValue Run(CodeRange range) {
    memory = program.constants;
    for (const double value : {2.5, 1.0, static_cast<double>(symbols.Find("auto"))}) memory.push_back(value);
    memory.insert(memory.end(), signals.begin(), signals.end());
    memory.resize(program.memory_size());
    std::vector<double> stack(program.stack_size);
    return davit::Evaluate(program, range, memory, context, stack);
  }

  SymbolTable symbols;
  PumpHost host;
  HundredStates states;
  ExpressionProgram program;
  ExpressionCompiler compiler;
  ExpressionContext context;
  StateId source = kNoState;
  std::vector<double> signals;  ///< in the order in which expressions name them
  std::vector<double> memory;
};

}  // namespace davit
