#include "expressions/register_code.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "expressions/expression_compiler.h"
#include "expressions/symbol_table.h"
#include "tests/expressions/expression_fixture.h"

namespace davit {
namespace {

constexpr std::array<const char*, 4> kNames{"a", "b", "c", "d"};

/// Expressions over four variables.
class Compiled {
 public:
  Compiled() : compiler_(program_, symbols_, {}) {
    for (const char* name : kNames) compiler_.AddVariable({name, ValueType::kNumber, {}});
  }
  CodeRange Add(const std::string& text) {
    const ExpressionCompiler::Result result = compiler_.Compile(text, ValueType::kNumber);
    EXPECT_EQ(result.fault.ToText(), "") << text;
    return result.range;
  }
  const ExpressionProgram& Link() {
    compiler_.Link();
    return program_;
  }

 private:
  SymbolTable symbols_;
  ExpressionProgram program_;
  ExpressionCompiler compiler_;
};

/// Both ways to evaluate `text` give the same bits.
void ExpectSameBits(const std::string& text, const std::array<double, 4>& values, double t = 0.75) {
  Compiled compiled;
  const CodeRange range = compiled.Add(text);
  const ExpressionProgram& program = compiled.Link();
  ASSERT_TRUE(RegisterCode::CanHold(program, range)) << text;
  RegisterCode code(program);
  const auto target = static_cast<std::uint32_t>(program.first_variable() + 3);  // d: written, so not read
  code.Add(program, range, target);
  std::vector<double> memory(code.memory_size());
  std::copy(program.constants.begin(), program.constants.end(), memory.begin());
  std::copy(values.begin(), values.end(),
            memory.begin() + static_cast<std::ptrdiff_t>(program.first_variable()));
  memory[code.time_place()] = t;
  std::vector<double> stack(program.stack_size);
  ExpressionContext context;
  context.time = t;
  const double expected = Evaluate(program, range, memory, context, stack).value;
  code.Run({0, code.end()}, memory.data());
  const double seen = memory[target];
  EXPECT_TRUE(std::bit_cast<std::uint64_t>(seen) == std::bit_cast<std::uint64_t>(expected) ||
              (std::isnan(seen) && std::isnan(expected)))
      << text << ": " << seen << ", not " << expected;
}

/// Random expressions of the whole grammar, by depth.
class Generator {
 public:
  explicit Generator(std::uint32_t seed) : random_(seed) {}

  std::string Number(int depth) {
    if (depth == 0) return Leaf();
    switch (Draw(12)) {
      case 0: return "sin(" + Number(depth - 1) + ')';
      case 1: return "max(" + Number(depth - 1) + ',' + Number(depth - 1) + ')';
      case 2: return "(-" + Number(depth - 1) + ')';
      case 3: return '(' + Condition(depth - 1) + '?' + Number(depth - 1) + ':' + Number(depth - 1) + ')';
      case 4: return '(' + Number(depth - 1) + '/' + Number(depth - 1) + ')';
      case 5: return Leaf();
      case 6:
      case 7: return '(' + Number(depth - 1) + '*' + Number(depth - 1) + ')';
      case 8:
      case 9: return '(' + Number(depth - 1) + '-' + Number(depth - 1) + '*' + Number(depth - 1) + ')';
      default: return '(' + Number(depth - 1) + '+' + Number(depth - 1) + ')';
    }
  }
  std::array<double, 4> Values() {
    std::array<double, 4> values;
    for (double& value : values) value = std::uniform_real_distribution<>(-3, 3)(random_);
    return values;
  }

 private:
  std::string Condition(int depth) {
    switch (depth == 0 ? 0U : Draw(4)) {
      case 1: return '(' + Condition(depth - 1) + "&&" + Condition(depth - 1) + ')';
      case 2: return '(' + Condition(depth - 1) + "||" + Condition(depth - 1) + ')';
      case 3: return "!(" + Condition(depth - 1) + ')';
      default: return '(' + Number(depth / 2) + (Draw(2) == 0 ? "<" : ">=") + Number(depth / 2) + ')';
    }
  }
  std::string Leaf() {
    switch (Draw(6)) {
      case 0: return "time";
      case 1: return std::to_string(Draw(9)) + ".25";
      default: return kNames[Draw(3)];
    }
  }
  std::uint32_t Draw(std::uint32_t count) {
    return std::uniform_int_distribution<std::uint32_t>(0, count - 1)(random_);
  }

  std::mt19937 random_;
};

TEST(RegisterCodeTest, GivesTheBitsOfTheStackMachine) {
  const std::array<double, 4> values{2, -0.5, 3, 0};
  for (const char* text :
       {"a", "1.5", "time", "-a", "a - b*c", "a*b + c", "a*b - c", "a - b*c - a*c", "a + b*c - a*b + c*c - a",
        "(a - b*c - c*a)/b", "a*b*c*(a + b)", "a - (b + c)*(a - c)", "a > b ? a : b",
        "a > b and b > c or not(a == c) ? a - b*c : c*(a > 0 ? b : c)", "atan2(a, b) + hypot(b*c, a - b)",
        "a % c", "max(a*b, a - b*c)", "1/0 - a", "0/0"}) {
    ExpectSameBits(text, values);
  }
}

TEST(RegisterCodeTest, GivesTheBitsOfTheStackMachineForRandomExpressions) {
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    Generator generator(seed);
    const std::string text = generator.Number(1 + static_cast<int>(seed % 5));
    ExpectSameBits(text, generator.Values());
  }
}

/// Values of one lane, evaluated in three ways: alone, as one of the lanes, and with all lanes together.
void ExpectLanesLikeAlone(const std::string& text, Generator& generator, std::size_t count) {
  constexpr std::size_t kLanes = RegisterCode::kLanes;
  struct alignas(64) Row {
    std::array<double, kLanes> values{};
  };
  Compiled compiled;
  const CodeRange range = compiled.Add(text);
  const ExpressionProgram& program = compiled.Link();
  RegisterCode code(program);
  code.Add(program, range, static_cast<std::uint32_t>(program.first_variable() + 3));
  std::vector<Row> rows(code.memory_size());
  std::vector<std::vector<double>> alone(count, std::vector<double>(code.memory_size()));
  for (std::size_t lane = 0; lane < count; ++lane) {
    std::copy(program.constants.begin(), program.constants.end(), alone[lane].begin());
    const std::array<double, 4> values = generator.Values();
    std::copy(values.begin(), values.end(),
              alone[lane].begin() + static_cast<std::ptrdiff_t>(program.first_variable()));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].values[lane] = alone[lane][i];
    code.Run({0, code.end()}, alone[lane].data());
  }
  std::vector<Row> one_by_one = rows;
  for (std::size_t lane = 0; lane < count; ++lane)
    code.RunLane({0, code.end()}, one_by_one[0].values.data(), lane);
  code.RunLanes({0, code.end()}, rows[0].values.data(), count);
  const auto bits = [](double x) { return std::isnan(x) ? 0 : std::bit_cast<std::uint64_t>(x); };
  for (std::size_t lane = 0; lane < count; ++lane) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(bits(one_by_one[i].values[lane]), bits(alone[lane][i])) << text << ' ' << lane << ' ' << i;
      EXPECT_EQ(bits(rows[i].values[lane]), bits(alone[lane][i])) << text << ' ' << lane << ' ' << i;
    }
  }
}

// Also where lanes part at a condition, and where some lanes are empty.
TEST(RegisterCodeTest, LanesHaveTheBitsOfOwnersAlone) {
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    Generator generator(seed);
    const std::string text = generator.Number(1 + static_cast<int>(seed % 5));
    ExpectLanesLikeAlone(text, generator, 1 + seed % RegisterCode::kLanes);
  }
}

TEST(RegisterCodeTest, LaterExpressionsReadEarlierOnes) {
  Compiled compiled;
  const CodeRange first = compiled.Add("a + 1");
  const CodeRange second = compiled.Add("b*b");
  const ExpressionProgram& program = compiled.Link();
  RegisterCode code(program);
  const auto place = [&](std::size_t i) { return static_cast<std::uint32_t>(program.first_variable() + i); };
  code.Add(program, first, place(1));
  code.Add(program, second, place(2));
  const std::uint32_t behind = code.end();
  code.Add(program, first, place(3));
  std::vector<double> memory(code.memory_size());
  std::copy(program.constants.begin(), program.constants.end(), memory.begin());
  memory[place(0)] = 2;
  code.Run({0, behind}, memory.data());
  EXPECT_EQ(memory[place(1)], 3);
  EXPECT_EQ(memory[place(2)], 9);
  EXPECT_EQ(memory[place(3)], 0);
  code.Run({behind, code.end()}, memory.data());
  EXPECT_EQ(memory[place(3)], 3);
}

TEST(RegisterCodeTest, RefusesWhatNeedsAChart) {
  ExpressionFixture fixture;
  const auto can_hold = [&](const char* text) {
    const ExpressionCompiler::Result result = fixture.compiler.Compile(text, ValueType::kNumber);
    EXPECT_EQ(result.fault.ToText(), "") << text;
    return RegisterCode::CanHold(fixture.program, result.range);
  };
  EXPECT_TRUE(can_hold("x > 0 ? 1 : 2"));
  EXPECT_TRUE(can_hold("time * pump.p"));
  EXPECT_FALSE(can_hold("rising(x > 0) ? 1 : 2"));
  EXPECT_FALSE(can_hold("_event.data.x + 1"));
  EXPECT_FALSE(can_hold("In('s1') ? 1 : 2"));
  EXPECT_FALSE(can_hold("timeIn('s1')"));
}

}  // namespace
}  // namespace davit
