// Feeds expressions of the data model `davit` to the compiler and evaluates what it takes.
//
// Built as chart_fuzzer.cc. The corpus is tests/fuzz/chart_expressions, the words are in
// tests/fuzz/chart.dict.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "expressions/expression_compiler.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace davit;
  ExpressionProgram program;
  SymbolTable symbols;
  ExpressionCompiler compiler(
      program, symbols, nullptr, [](std::string_view id) { return id == "s" ? StateId{1} : kNoState; },
      [](std::string_view) { return std::string("there is s"); }, false);
  compiler.AddVariable({"x", ValueType::kNumber, {}});
  compiler.AddVariable({"b", ValueType::kBoolean, {}});
  compiler.AddVariable({"m", ValueType::kString, {symbols.Add("auto"), symbols.Add("manual")}});
  const std::string text(reinterpret_cast<const char*>(data), size);
  const ExpressionCompiler::Result result = compiler.Compile(text, ValueType::kAnyType, 1);
  if (!result.fault.empty()) {
    if (result.offset > text.size()) std::abort();
    return 0;
  }
  compiler.Link();
  std::vector<double> memory(program.memory_size(), 0.5);
  std::copy(program.constants.begin(), program.constants.end(), memory.begin());
  std::vector<double> stack(program.stack_size + 1);
  const std::vector<double> last(program.memories.size());
  const StateSet configuration(2);
  const std::vector<double> entered(2);
  const ExpressionContext context{&configuration, entered.data(), 1, nullptr, last.data()};
  Evaluate(program, result.range, memory, context, stack);
  return 0;
}
