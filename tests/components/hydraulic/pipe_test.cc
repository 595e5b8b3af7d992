#include "components/hydraulic/pipe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "components/hydraulic/orifice.h"
#include "components/hydraulic/volume.h"
#include "simulator/passes/component_pattern.h"
#include "tests/support/component_harness.h"
#include "tests/support/reach_law.h"

namespace davit {
namespace {

TEST(PipeTest, HandsEffortOnAndFlowBack) {
  ComponentHarness harness;
  auto& pipe = harness.Add<Pipe>("pipe");
  auto& inlet = harness.AttachHydraulic(pipe, "inlet");
  auto& outlet = harness.AttachHydraulic(pipe, "outlet");
  EXPECT_FALSE(harness.Start().has_errors());
  inlet.c = 7e6;
  inlet.Zc = 1e8;
  outlet.q = -2e-3;
  harness.Evaluate();
  EXPECT_EQ(outlet.c, 7e6);
  EXPECT_EQ(outlet.Zc, 1e8);
  EXPECT_EQ(inlet.q, -2e-3);
  EXPECT_EQ(inlet.p(), outlet.p());
  EXPECT_EQ(harness.Read(pipe, "q"), 2e-3);
}

TEST(PipeTest, ChangesNothingBetweenAVolumeAndAnOrifice) {
  struct Levelling {
    explicit Levelling(bool has_pipe) {
      auto& left = harness.Add<Volume>("left");
      auto& right = harness.Add<Volume>("right");
      auto& pipe = harness.Add<Pipe>("pipe");
      auto& orifice = harness.Add<Orifice>("orifice");
      if (has_pipe) {
        harness.Connect(left, "port", pipe, "inlet");
        harness.Connect(pipe, "outlet", orifice, "a");
      } else {
        harness.Connect(left, "port", orifice, "a");
      }
      harness.Connect(orifice, "b", right, "port");
      harness.SetStart(left, "p", 100e5);
      harness.Start();
      oil_before = harness.Read(left, "pressure") + harness.Read(right, "pressure");
      harness.Integrate(0, 1e-5, 200);
      p_left = harness.Read(left, "pressure");
      p_right = harness.Read(right, "pressure");
      q_pipe = harness.Read(pipe, "q");
      q_orifice = harness.Read(orifice, "q");
    }
    ComponentHarness harness;
    double oil_before, p_left, p_right, q_pipe, q_orifice;
  };
  const Levelling with_pipe(true);
  const Levelling without_pipe(false);
  EXPECT_EQ(with_pipe.p_left, without_pipe.p_left);
  EXPECT_EQ(with_pipe.p_right, without_pipe.p_right);
  EXPECT_NEAR(with_pipe.p_left + with_pipe.p_right, with_pipe.oil_before, 1e-7);
  EXPECT_LT(with_pipe.p_left, 99e5);
  EXPECT_GT(with_pipe.q_pipe, 0);
  EXPECT_EQ(with_pipe.q_pipe, with_pipe.q_orifice);
}

// At a point where everything acts: flows and pressures differ from cell to cell, the ends have impedances.
TEST(PipeTest, EachEquationReadsWhatIsDeclared) {
  for (const char* formulation : {"pressure", "quantity"}) {
    for (const char* cells : {"One", "Several"}) {
      ComponentHarness harness;
      auto& pipe = harness.Add<Pipe>("pipe");
      auto& inlet = harness.AttachHydraulic(pipe, "inlet");
      auto& outlet = harness.AttachHydraulic(pipe, "outlet");
      harness.Set(pipe, "formulation", formulation);
      harness.Set(pipe, "cells", cells);
      harness.Set(pipe, "minor_loss", 2);
      harness.SetStart(pipe, "p", 100e5);
      ASSERT_FALSE(harness.Start().has_errors());
      inlet.c = 110e5;
      inlet.Zc = 1e8;
      outlet.q = -2e-3;
      harness.Integrate(0, 1e-5, 300);
      EXPECT_THAT(ReadsBeyondReach(harness, pipe), testing::IsEmpty()) << formulation << ' ' << cells;
    }
  }
}

/// Of n cells each flow reads itself and two pressures, the first one less; each pressure reads itself and
/// two flows, the last one less. The one cell is two states that read each other.
TEST(PipeTest, TheEntriesOfItsJacobianAreLinearInTheNumberOfCells) {
  for (const std::size_t n : {1U, 10U, 1000U}) {
    ComponentHarness harness;
    auto& pipe = harness.Add<Pipe>("pipe");
    harness.Set(pipe, "cells", "Several");
    harness.Set(pipe, "lumps", std::to_string(n));
    harness.Start();
    EXPECT_EQ(ComponentPattern(pipe).nonzeros(), (3 * n - 1) + (3 * n - 1) + 4);
  }
}

}  // namespace
}  // namespace davit
