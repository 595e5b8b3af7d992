// Friction of hydraulic.Pipe that depends on the frequency, and the modes that it shows.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include "components/hydraulic/pipe.h"
#include "framework/mode.h"
#include "tests/support/component_harness.h"
#include "tests/support/reach_law.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

using Complex = std::complex<double>;

/// Solves A x = b; A is changed.
std::vector<Complex> Solve(std::vector<std::vector<Complex>> A, std::vector<Complex> b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;
    for (std::size_t r = i; r < n; ++r)
      if (std::abs(A[r][i]) > std::abs(A[pivot][i])) pivot = r;
    std::swap(A[i], A[pivot]);
    std::swap(b[i], b[pivot]);
    for (std::size_t r = i + 1; r < n; ++r) {
      const Complex factor = A[r][i] / A[i][i];
      for (std::size_t k = i; k < n; ++k) A[r][k] -= factor * A[i][k];
      b[r] -= factor * b[i];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= A[i][k] * b[k];
    b[i] /= A[i][i];
  }
  return b;
}

/// A pipe of one cell, closed at the outlet, at rest: a linear system from the pressure at the inlet to that
/// inside.
class OneCell {
 public:
  explicit OneCell(int terms) {
    harness.Set(pipe, "cells", "One");
    harness.Set(pipe, "friction_dynamics", "frequency_dependent");
    harness.Set(pipe, "friction_terms", std::to_string(terms));
    harness.SetStart(pipe, "p", 0);
    harness.Start();
    states = {"pressure", "flow"};
    for (int i = 0; i < terms; ++i) states.push_back("friction_flows[" + std::to_string(i) + "]");
    inlet.c = 1;
    input = Rates();
    inlet.c = 0;
    for (const std::string& state : states) {
      double& value = Memory(state);
      value = state == "pressure" ? 1.0 : 1e-9;
      std::vector<double> rates = Rates();
      for (double& rate : rates) rate /= value;
      columns.push_back(rates);
      value = 0;
    }
  }

  /// The pressure inside over that at the inlet.
  Complex Gain(double f) const {
    const std::size_t n = states.size();
    std::vector<std::vector<Complex>> A(n, std::vector<Complex>(n));
    std::vector<Complex> b(n);
    for (std::size_t r = 0; r < n; ++r) {
      for (std::size_t k = 0; k < n; ++k) A[r][k] = -columns[k][r];
      A[r][r] += Complex(0, 2 * std::numbers::pi * f);
      b[r] = input[r];
    }
    return Solve(A, b)[0];
  }

 private:
  StateSlot SlotOf(const std::string& state) {
    for (StateDeclaration& declared : pipe.mutable_declarations().states) {
      const std::string name(declared.label.name);
      if (state == name) return declared.slots[0];
      for (std::size_t i = 0; i < declared.count; ++i) {
        if (state == name + "[" + std::to_string(i) + "]") return declared.slots[i];
      }
    }
    throw std::out_of_range(state);
  }
  double& Memory(const std::string& state) {
    const StateSlot slot = SlotOf(state);
    return slot.memory->y[slot.offset];
  }
  std::vector<double> Rates() {
    harness.Evaluate();
    std::vector<double> rates;
    for (const std::string& state : states) {
      const StateSlot slot = SlotOf(state);
      rates.push_back(slot.memory->ddt[slot.offset]);
    }
    return rates;
  }

  ComponentHarness harness;
  Pipe& pipe = harness.Add<Pipe>("pipe");
  HydraulicBond& inlet = harness.AttachHydraulic(pipe, "inlet");
  HydraulicBond& outlet = harness.AttachHydraulic(pipe, "outlet");
  std::vector<std::string> states;
  std::vector<double> input;
  std::vector<std::vector<double>> columns;
};

/// The impedance of the flow in one cell is that of Zielke: the gain is 1/(1 + Gamma^2), with Gamma of a pipe
/// of 15 m and 49 mm computed apart, by Bessel functions. The ten terms approximate his weights within 1e-3,
/// which moves the impedance by less than a thousandth of the part that friction has in it, a tenth at most.
TEST(PipeFrictionDynamicsTest, OneCellHasTheImpedanceOfZielke) {
  const OneCell cell(10);
  for (const auto& [f, Gamma] : {std::pair{1.0, Complex(.00512577, .07363885)},
                                 {5.0, Complex(.01067589, .35590588)},
                                 {10.0, Complex(.01484430, .70593060)},
                                 {20.0, Complex(.02074243, 1.40352965)},
                                 {22.7, Complex(.02205892, 1.59160462)},
                                 {45.0, Complex(.03081397, 3.14284273)}}) {
    const Complex exact = 1.0 / (1.0 + Gamma * Gamma);
    EXPECT_LT(std::abs(cell.Gain(f) - exact), 1e-3 * std::abs(exact)) << f;
  }
}

/// The terms that are left out act as an inertance, so slow changes do not depend on how many there are.
TEST(PipeFrictionDynamicsTest, SlowChangesNeedFewTerms) {
  const OneCell exact(10);
  for (const int terms : {1, 4, 8}) {
    EXPECT_LT(std::abs(OneCell(terms).Gain(0.01) - exact.Gain(0.01)), 1e-6) << terms;
  }
  EXPECT_LT(std::abs(OneCell(8).Gain(45) - exact.Gain(45)), 1e-3 * std::abs(exact.Gain(45)));
}

TEST(PipeFrictionDynamicsTest, EachEquationReadsWhatIsDeclared) {
  for (const char* cells : {"One", "Several"}) {
    ComponentHarness harness;
    auto& pipe = harness.Add<Pipe>("pipe");
    auto& inlet = harness.AttachHydraulic(pipe, "inlet");
    auto& outlet = harness.AttachHydraulic(pipe, "outlet");
    harness.Set(pipe, "cells", cells);
    harness.Set(pipe, "friction_dynamics", "frequency_dependent");
    harness.SetStart(pipe, "p", 100e5);
    ASSERT_FALSE(harness.Start().has_errors());
    inlet.c = 110e5;
    inlet.Zc = 1e8;
    outlet.q = -2e-4;
    harness.Integrate(0, 1e-6, 300);
    EXPECT_THAT(ReadsBeyondReach(harness, pipe), testing::IsEmpty()) << cells;
  }
}

/// Oil of 100 bar feeds a pipe of 15 m whose end draws 1e-4 m3/s from 10 ms on. Pressures there, at each ms.
std::vector<double> DrawnPressures(const std::string& pipe, const std::string& more = "") {
  TestSystem test(SystemText(
      "TimeStep='1 ms' StopTime='1 s'", "method='rosenbrock4' rtol='1e-7' atol='1e-9'",
      "<hydraulic.PressureSource name='source' pressure='100 bar'/><hydraulic.Pipe name='pipe' "
      "level='Advanced' " +
          pipe +
          "><Start p='100 bar'/></hydraulic.Pipe><signal.Step name='demand' after='-1e-4' start_time='0.01'/>"
          "<hydraulic.FlowSource name='valve'/><Connect from='pipe.inlet' to='source.port'/>"
          "<Connect from='pipe.outlet' to='valve.port'/><Route from='demand.y' to='valve.flow'/>"
          "<Record signals='pipe.outlet.p'/>" +
          more));
  std::vector<double> pressures;
  for (const TestRow& row : test.RunAndRecord()) pressures.push_back(row.values[0]);
  return pressures;
}

double LastSwing(const std::vector<double>& pressures) {
  const auto [low, high] = std::minmax_element(pressures.end() - 100, pressures.end());
  return *high - *low;
}

/// Steady friction damps all modes alike, by R/(2 I) = 0.213/s; the first mode of a real pipe, near 22 Hz,
/// decays by Re Gamma/T = 2.0/s, and others faster. After about 0.95 s exp(-1.7) = 0.18 is left of the first,
/// and hardly any of others.
TEST(PipeFrictionDynamicsTest, TheFirstModeDiesAsInARealPipe) {
  const double steady = LastSwing(DrawnPressures("lumps='20'"));
  const double dynamic = LastSwing(DrawnPressures("lumps='20' friction_dynamics='frequency_dependent'"));
  EXPECT_LT(dynamic, 0.18 * steady);
  EXPECT_GT(dynamic, 0.06 * steady);
}

/// A level of the pipe changes while it oscillates; the end of the run is the same steady flow as without
/// memory: the drop of Hagen and Poiseuille, 128 mu L q/(pi D^4).
TEST(PipeFrictionDynamicsTest, LevelsMayChangeAndSteadyFlowHasNoMemory) {
  const double drop = 128 * 861.8 * 32e-6 * 2 * 1e-4 / (std::numbers::pi * std::pow(0.02, 4));
  for (const char* level : {"Ideal", "Standard", "Advanced"}) {
    const std::vector<double> pressures =
        DrawnPressures("friction_dynamics='frequency_dependent' length='2 m' inner_diameter='20 mm'",
                       "<At time='50 ms' set='pipe.level' value='" + std::string(level) +
                           "'/><At time='150 ms' set='pipe.level' value='Advanced'/>");
    EXPECT_NEAR(pressures.back(), 100e5 - drop, 0.02 * drop) << level;
  }
}

/// Blasius up to Re = 1e5, Hermann above, back at 9e4; laminar and turbulent as before.
TEST(PipeFrictionDynamicsTest, ShowsTheRangeOfTheSmoothLaw) {
  ComponentHarness harness;
  auto& pipe = harness.Add<Pipe>("pipe");
  harness.AttachHydraulic(pipe, "inlet");
  auto& outlet = harness.AttachHydraulic(pipe, "outlet");
  harness.Start();
  ModeBase* range = nullptr;
  for (ModeBase* mode : pipe.declarations().modes)
    if (mode->label().name == "smooth_range") range = mode;
  ASSERT_NE(range, nullptr);
  const auto shown_at = [&](double Re) {
    outlet.q = -Re * std::numbers::pi * 0.049 * 32e-6 / 4;
    harness.Evaluate();
    return range->options()[range->Classify()];
  };
  EXPECT_EQ(shown_at(9.99e4), "LowRe");
  EXPECT_EQ(shown_at(-1.01e5), "HighRe");
  range->Set(1);
  EXPECT_EQ(shown_at(9.1e4), "HighRe");
  EXPECT_EQ(shown_at(8.9e4), "LowRe");
}

}  // namespace
}  // namespace davit
