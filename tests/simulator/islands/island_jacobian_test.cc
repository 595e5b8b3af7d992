#include "simulator/islands/island_jacobian.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "simulator/islands/island.h"
#include "simulator/solvers/difference_quotients.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

/// The only island of a system, at its start values.
class RunningIsland {
 public:
  explicit RunningIsland(const std::string& content)
      : test_(SystemText("TimeStep='1 ms'", "method='rosenbrock4'", content)) {
    test_.manager().Initialize();
    EXPECT_EQ(test_.manager().islands().size(), 1U);
    island_ = test_.manager().islands().at(0).get();
    y_ = island_->states().y;
  }

  std::size_t size() const { return y_.size(); }
  double Nominal(std::size_t i) const { return island_->states().Declaration(i).nominal; }
  double Value(std::size_t i) const { return y_[i]; }
  std::string Name(std::size_t i) const { return island_->states().Name(i); }
  bool is_implicit() const { return island_->is_implicit(); }
  const JacobianPattern& pattern() const { return island_->jacobian_pattern(); }

  /// f(y), or F(y, y' + cj*(y - start)) of a DAE island.
  std::vector<double> Equations(const std::vector<double>& y) {
    std::vector<double> values(size());
    if (!is_implicit()) {
      island_->problem().evaluate(island_->problem().context, y.data(), values.data(), 0);
      return values;
    }
    std::vector<double> ddt = island_->states().ddt;
    for (std::size_t i = 0; i < size(); ++i) ddt[i] += kCj * (y[i] - y_[i]);
    island_->EvaluateResidual(0, y.data(), ddt.data(), values.data());
    return values;
  }
  std::vector<double> EquationsWith(std::size_t column, double change) {
    std::vector<double> y = y_;
    y[column] += change;
    return Equations(y);
  }

  /// The entries that davit makes, column by column of the pattern; `cost` in evaluations.
  std::vector<double> Entries(double* cost = nullptr) {
    std::vector<double> increments, entries(pattern().nonzeros());
    for (std::size_t i = 0; i < size(); ++i) increments.push_back(Increment(y_[i], Nominal(i)));
    const LinearizationPoint point{.t = 0,
                                   .y = y_.data(),
                                   .ddt = island_->states().ddt.data(),
                                   .increments = increments.data(),
                                   .cj = kCj};
    const double spent = island_->problem().linearize(island_->problem().context, point, entries.data());
    if (cost != nullptr) *cost = spent;
    return entries;
  }
  double Entry(const std::vector<double>& entries, std::size_t row, std::size_t column) const {
    const auto rows = pattern().Rows(column);
    const auto at = std::find(rows.begin(), rows.end(), row);
    return at == rows.end() ? 0
                            : entries[pattern().Begin(column) + static_cast<std::size_t>(at - rows.begin())];
  }

  static constexpr double kCj = 1e3;  // [1/s]

 private:
  TestSystem test_;
  Island* island_ = nullptr;
  std::vector<double> y_;
};

/// Changes unknowns far enough to reach other branches of the equations: what changes must be in the pattern.
/// Returns how many pairs (equation, unknown) there are.
std::size_t CountDependencies(RunningIsland& island) {
  std::size_t count = 0;
  const std::vector<double> before = island.EquationsWith(0, 0);
  for (std::size_t j = 0; j < island.size(); ++j) {
    const auto rows = island.pattern().Rows(j);
    for (const double change : {1e-3, -0.7, 0.4}) {
      const std::vector<double> after = island.EquationsWith(j, change * island.Nominal(j));
      for (std::uint32_t i = 0; i < island.size(); ++i) {
        if (before[i] == after[i]) continue;
        ++count;
        EXPECT_TRUE(std::find(rows.begin(), rows.end(), i) != rows.end())
            << island.Name(i) << " reads " << island.Name(j);
      }
    }
  }
  return count;
}

/// Compares each entry with the central difference of all equations, of a larger increment. Returns how many
/// dependencies there are. Units are nominal values.
std::size_t CountEntries(const std::string& content) {
  RunningIsland island(content);
  const std::vector<double> entries = island.Entries();
  const std::vector<double> base = island.EquationsWith(0, 0);
  const std::size_t n = island.size();
  std::vector<std::vector<double>> quotients(n, std::vector<double>(n));  // by column
  std::vector<double> largest(n);                                         // by row
  for (std::size_t j = 0; j < n; ++j) {
    // Rounding and curvature: about eps^(2/3) of the largest term.
    const double change = 1e-5 * island.Nominal(j);
    const std::vector<double> above = island.EquationsWith(j, change);
    const std::vector<double> below = island.EquationsWith(j, -change);
    for (std::size_t i = 0; i < n; ++i) {
      quotients[j][i] = (above[i] - below[i]) / (2 * change) * island.Nominal(j);
      largest[i] = std::max(largest[i], std::abs(quotients[j][i]));
    }
  }
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  for (std::size_t j = 0; j < n; ++j) {
    const double shifts = island.Nominal(j) / Increment(island.Value(j), island.Nominal(j));
    for (std::size_t i = 0; i < n; ++i) {
      const double rounding = 4 * kEpsilon * (std::abs(base[i]) + largest[i]) * shifts;
      EXPECT_NEAR(island.Entry(entries, i, j) * island.Nominal(j), quotients[j][i],
                  1e-5 * largest[i] + rounding)
          << island.Name(i) << " over " << island.Name(j);
    }
  }
  return CountDependencies(island);
}

const char kMachine[] =
    "<hydraulic.PressureSource name='supply' pressure='100 bar'/><hydraulic.Orifice name='inlet'/>"
    "<hydraulic.Volume name='a'/><hydraulic.Volume name='b'/><hydraulic.Cylinder name='cylinder'>"
    "<Start x='0.5 m'/></hydraulic.Cylinder><mechanical.Mass name='load' mass='100 kg'/><mechanical.Spring "
    "name='spring'/>"
    "<mechanical.Fixed name='wall'/><hydraulic.Orifice name='outlet'/><hydraulic.Tank name='tank'/>"
    "<signal.LowPass name='filter'/><signal.Gain name='gain' gain='-1e5'/><signal.LowPass name='slow'/>"
    "<Connect from='supply.port' to='inlet.a'/><Connect from='inlet.b' to='a.port'/>"
    "<Connect from='a.port' to='cylinder.a'/><Connect from='b.port' to='cylinder.b'/>"
    "<Connect from='b.port' to='outlet.a'/><Connect from='outlet.b' to='tank.port'/>"
    "<Connect from='cylinder.rod' to='load.a'/><Connect from='load.b' to='spring.a'/>"
    "<Connect from='spring.b' to='wall.port'/><Route from='load.v.ddt' to='filter.u'/>"
    "<Route from='filter.y' to='gain.u'/><Route from='gain.y' to='supply.pressure'/>"
    "<Route from='spring.force' to='slow.u'/>";

TEST(IslandJacobianTest, HasTheEntriesOfAMachine) { EXPECT_GT(CountEntries(kMachine), 20U); }

TEST(IslandJacobianTest, LeavesAllThatMembersHandOnAsItWas) {
  RunningIsland island(kMachine);
  const std::vector<double> first = island.Entries();
  EXPECT_EQ(first, island.Entries());
  EXPECT_EQ(island.EquationsWith(0, 0), island.EquationsWith(0, 0));
}

// Chains with random routes between states, derivatives and outputs.
RC_GTEST_PROP(IslandJacobianTest, HasEveryDependencyOfRandomSignals, ()) {
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
  RC_ASSERT(CountEntries(text) > 0U);
}

TEST(IslandJacobianTest, HasEveryDependencyOfAlgebraicEquations) {
  EXPECT_GT(CountEntries("<test.ChainLink name='a'/><test.ChainLink name='b'/><test.ChainLink name='c'/>"
                         "<Route from='a.z' to='b.left'/><Route from='b.y' to='a.right'/>"
                         "<Route from='b.z' to='c.left'/><Route from='c.y' to='b.right'/>"),
            10U);
  EXPECT_GT(CountEntries("<signal.Gain name='a' solver='Algebraic' gain='0.5'/>"
                         "<signal.LowPass name='f'/><signal.Sum name='s'/>"
                         "<Route from='f.y' to='s.u'/><Route from='a.y' to='s.u'/>"
                         "<Route from='s.y' to='a.u'/><Route from='a.y' to='f.u'/>"),
            3U);
}

TEST(IslandJacobianTest, WhatIsNotReadIsLeftOutAndCostsNothing) {
  const auto chain = [](int length) {
    std::string text = "<signal.LowPass name='f0'/>";
    for (int i = 1; i < length; ++i) {
      text += fmt::format("<signal.LowPass name='f{0}'/><Route from='f{1}.y' to='f{0}.u'/>", i, i - 1);
    }
    return text;
  };
  for (const int length : {20, 200}) {
    RunningIsland island(chain(length));
    EXPECT_EQ(island.pattern().nonzeros(), static_cast<std::size_t>(2 * length - 1));  // two diagonals
    double cost = 0;
    island.Entries();  // the first one is checked
    island.Entries(&cost);
    EXPECT_LE(cost, 1 + 2 * 2) << "two inputs each, from both sides, and the base";
  }
}

TEST(IslandJacobianTest, DerivativesOverBothSidesOfAPortWithoutFlowCancel) {
  // Volumes of 200 bar joined by a port that is laminar within less than 1 Pa: what counts is how slowly both
  // pressures move together.
  RunningIsland island(
      "<hydraulic.Volume name='a'><Start p='200 bar'/></hydraulic.Volume>"
      "<hydraulic.Volume name='b'><Start p='20000000.2 Pa'/></hydraulic.Volume>"
      "<hydraulic.Orifice name='port' law='laminar_turbulent' area='5 cm2'/>"
      "<Connect from='a.port' to='port.a'/><Connect from='port.b' to='b.port'/>");
  const std::vector<double> entries = island.Entries();
  for (const std::size_t row : {0U, 1U}) {
    const double stiff = island.Entry(entries, row, row);
    EXPECT_LT(stiff, -1e5);  // [1/s]
    // The increments are exact to the last digit of the pressure, 4e-9 Pa in 0.3 Pa.
    EXPECT_NEAR(island.Entry(entries, row, 0) + island.Entry(entries, row, 1), 0, 1e-7 * std::abs(stiff));
  }
}

TEST(IslandJacobianTest, ACouplingThatMovesByRoundingHasAnEntry) {
  // The sum `a` is 1 and moves by 2 eps, `b` passes through 0: points nearer than these are one point.
  RunningIsland island(
      "<signal.LowPass name='f'/><signal.Gain name='g' gain='3e-3'/><signal.Constant name='one' value='1'/>"
      "<signal.Sum name='a'/><signal.Sum name='b' signs='+-'/><signal.LowPass name='z'/>"
      "<Route from='f.y' to='g.u'/><Route from='g.y' to='a.u'/><Route from='one.y' to='a.u'/>"
      "<Route from='a.y' to='b.u'/><Route from='one.y' to='b.u'/><Route from='b.y' to='z.u'/>");
  const std::vector<double> entries = island.Entries();
  ASSERT_EQ(island.Name(1), "z.y");
  const double rounding = std::numeric_limits<double>::epsilon() / Increment(0, 1);
  EXPECT_NEAR(island.Entry(entries, 1, 0), 3e-3, rounding);  // d(z.y')/d(f.y)
}

}  // namespace
}  // namespace davit
