#include "simulator/network/jacobian_structure.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "tests/support/loaded_system.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

JacobianPattern PatternOf(const std::string& content, std::string_view path) {
  LoadedSystem loaded(content);
  const SystemPasses passes(loaded.index());
  const EvaluationGraph graph =
      MakeEvaluationGraph(loaded.index(), passes.contexts, passes.ContextOf(loaded[path]));
  EvaluationOrder order = SortEvaluations(graph.types, graph.edges);
  const EvaluationBatches batches = MakeBatches(graph, std::move(order.order));
  return FindJacobianPattern(graph, batches, LayOutStates(passes.MembersWith(loaded[path]), graph, batches));
}

/// The only island of a system, at its start values.
struct RunningIsland {
  explicit RunningIsland(const std::string& content)
      : test(SystemText("TimeStep='1 ms'", "method='rosenbrock4'", content)) {
    test.manager().Initialize();
    island = test.manager().islands().at(0).get();
  }
  /// The left sides of all equations after unknown `column` was changed by `change`.
  std::vector<double> EquationsWith(std::size_t column, double change) {
    StateVectors& states = island->states();
    std::vector<double> y = states.y;
    y[column] += change * states.Declaration(column).nominal;
    if (island->is_dae()) {
      std::vector<double> residual(states.size());
      island->EvaluateResidual(0, y.data(), states.ddt.data(), residual.data());
      return residual;
    }
    std::swap(states.y, y);
    island->EvaluateAt(0);
    std::vector<double> slopes = states.ddt;
    std::swap(states.y, y);
    return slopes;
  }

  TestSystem test;
  Island* island = nullptr;
};

/// The pairs (equation, unknown) that a change of unknowns shows, which must all be in the pattern.
std::size_t CountDependencies(const std::string& content, std::string_view path) {
  const JacobianPattern pattern = PatternOf(content, path);
  RunningIsland running(content);
  EXPECT_EQ(running.test.manager().islands().size(), 1U);
  // States that are not in use take no part: by place in the pattern, the place that is left.
  const std::vector<std::uint32_t>& offsets = running.island->states().offsets();
  EXPECT_EQ(pattern.size(), offsets.size());
  std::size_t count = 0;
  for (std::size_t column = 0; column < pattern.size(); ++column) {
    if (offsets[column] == StateVectors::kAbsent) continue;
    const auto rows = pattern.Rows(column);
    for (const double change : {1e-3, -0.7, 0.4}) {
      const std::vector<double> before = running.EquationsWith(offsets[column], 0);
      const std::vector<double> after = running.EquationsWith(offsets[column], change);
      for (std::uint32_t row = 0; row < pattern.size(); ++row) {
        if (offsets[row] == StateVectors::kAbsent || before[offsets[row]] == after[offsets[row]]) continue;
        ++count;
        EXPECT_TRUE(std::find(rows.begin(), rows.end(), row) != rows.end())
            << running.island->states().Name(offsets[row]) << " reads "
            << running.island->states().Name(offsets[column]);
      }
    }
  }
  return count;
}

TEST(FindJacobianPatternTest, HasEveryDependencyOfAMachine) {
  const std::string machine =
      "<hydraulic.PressureSource name='supply' pressure='100 bar'/><hydraulic.Orifice name='inlet'/>"
      "<hydraulic.Volume name='a'/><hydraulic.Volume name='b'/><hydraulic.Cylinder name='cylinder'/>"
      "<mechanical.Mass name='load' mass='100 kg'/><mechanical.Spring name='spring'/>"
      "<mechanical.Fixed name='wall'/><hydraulic.Orifice name='outlet'/><hydraulic.Tank name='tank'/>"
      "<signal.LowPass name='filter'/><signal.Gain name='gain' gain='-1e5'/><signal.LowPass name='slow'/>"
      "<Connect from='supply.port' to='inlet.a'/><Connect from='inlet.b' to='a.port'/>"
      "<Connect from='a.port' to='cylinder.a'/><Connect from='b.port' to='cylinder.b'/>"
      "<Connect from='b.port' to='outlet.a'/><Connect from='outlet.b' to='tank.port'/>"
      "<Connect from='cylinder.rod' to='load.a'/><Connect from='load.b' to='spring.a'/>"
      "<Connect from='spring.b' to='wall.port'/><Route from='load.v.ddt' to='filter.u'/>"
      "<Route from='filter.y' to='gain.u'/><Route from='gain.y' to='supply.pressure'/>"
      "<Route from='spring.force' to='slow.u'/>";
  EXPECT_GT(CountDependencies(machine, "load"), 20U);
}

// Chains with random routes between states, derivatives and outputs.
RC_GTEST_PROP(FindJacobianPatternTest, HasEveryDependencyOfRandomSignals, ()) {
  const auto count = *rc::gen::inRange<std::uint32_t>(1, 8);
  std::string text = "<test.Oscillator name='m'/><signal.Sum name='all'/><Route from='m.x' to='all.u'/>";
  for (std::uint32_t i = 0; i < count; ++i) {
    text += fmt::format(
        "<test.Sum name='s{0}'/><signal.LowPass name='f{0}'/><Route from='s{0}.sum' to='f{0}.u'/>"
        "<Route from='f{0}.y' to='all.u'/><Route from='f{1}.y' to='s{0}.a'/>",
        i, *rc::gen::inRange<std::uint32_t>(0, count));
    const auto from = *rc::gen::inRange<std::uint32_t>(0, i + 1);
    text += fmt::format("<Route from='{}' to='s{}.b'/>",
                        from == i ? std::string(*rc::gen::element("m.x", "m.v.ddt"))
                                  : fmt::format("{}{}.{}", *rc::gen::element('s', 'f'), from, "?"),
                        i);
    const std::size_t unknown = text.find(".?");
    if (unknown == std::string::npos) continue;
    const bool is_sum = text[text.rfind('\'', unknown) + 1] == 's';
    text.replace(unknown, 2, is_sum ? ".sum" : ".y.ddt");
  }
  RC_ASSERT(CountDependencies(text, "m") > 0U);
}

TEST(FindJacobianPatternTest, HasEveryDependencyOfAlgebraicEquations) {
  EXPECT_GT(CountDependencies("<test.ChainLink name='a'/><test.ChainLink name='b'/><test.ChainLink name='c'/>"
                              "<Route from='a.z' to='b.left'/><Route from='b.y' to='a.right'/>"
                              "<Route from='b.z' to='c.left'/><Route from='c.y' to='b.right'/>",
                              "a"),
            10U);
  EXPECT_GT(CountDependencies("<signal.Gain name='a' solver='Algebraic' gain='0.5'/>"
                              "<signal.LowPass name='f'/><signal.Sum name='s'/>"
                              "<Route from='f.y' to='s.u'/><Route from='a.y' to='s.u'/>"
                              "<Route from='s.y' to='a.u'/><Route from='a.y' to='f.u'/>",
                              "a"),
            3U);
}

TEST(FindJacobianPatternTest, AnArrayWithADeclaredReachIsBanded) {
  EXPECT_GT(CountDependencies("<test.Diffusion name='d'/>", "d"), 0U);
  const JacobianPattern pattern = PatternOf("<test.Diffusion name='d' cells='10000'/>", "d");
  EXPECT_EQ(pattern.nonzeros(), 3U * 10'000 - 2);
  EXPECT_EQ(pattern.group_count(), 3U);
}

TEST(FindJacobianPatternTest, WhatIsNotReadIsLeftOut) {
  std::string text = "<signal.LowPass name='f0'/>";
  for (int i = 1; i < 20; ++i) {
    text += fmt::format("<signal.LowPass name='f{0}'/><Route from='f{1}.y' to='f{0}.u'/>", i, i - 1);
  }
  EXPECT_EQ(PatternOf(text, "f0").nonzeros(), 20U + 19U);  // a chain: two diagonals
}

}  // namespace
}  // namespace davit
