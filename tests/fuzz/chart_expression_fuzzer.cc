// Feeds expressions to the compiler and evaluates what it takes.
//
// Corpus: tests/fuzz/chart_expressions; words: tests/fuzz/chart.dict.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "expressions/expression_compiler.h"

namespace {

/// A chart with one state besides its root.
class States final : public davit::ExpressionStates {
 public:
  davit::StateId FindState(std::string_view id) const override {
    return id == "s" ? davit::StateId{1} : davit::kNoState;
  }
  std::string SuggestState(std::string_view /*id*/) const override { return "there is s"; }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace davit;
  ExpressionProgram program;
  SymbolTable symbols;
  const States states;
  ExpressionCompiler compiler(program, symbols, {.states = &states});
  compiler.AddVariable({"x", ValueType::kNumber, {}});
  compiler.AddVariable({"b", ValueType::kBoolean, {}});
  compiler.AddVariable({.name = "p", .dimension = Dimension{.exponents = {-1, 1, -2, 0, 0, 0}}});
  compiler.AddVariable({"m", ValueType::kString, {symbols.Add("auto"), symbols.Add("manual")}});
  const std::string text(reinterpret_cast<const char*>(data), size);
  const ExpressionCompiler::Result result = compiler.Compile(text, ValueType::kAnyType, 1);
  if (result.fault) {
    if (result.offset > text.size()) std::abort();
    return 0;
  }
  compiler.Link();
  std::vector<double> memory(program.memory_size(), 0.5);
  std::copy(program.constants.begin(), program.constants.end(), memory.begin());
  std::vector<double> stack(program.stack_size + 1);
  const std::vector<double> last(program.memories.size());
  const std::uint64_t active_states = 0;
  const std::vector<double> entered(2);
  const ExpressionContext context{&active_states, entered.data(), 1, nullptr, last.data()};
  Evaluate(program, result.range, memory, context, stack);
  return 0;
}
