#include "simulator/passes/solver_choice.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/loaded_system.h"

namespace davit {
namespace {

using testing::HasSubstr;

/// The solver of one component, after passes without faults.
SolverType SolverOf(std::string_view content, std::string_view path) {
  LoadedSystem loaded(content);
  Diagnostics diagnostics;
  const SolverTypes solvers = ChooseSolvers(loaded.index(), diagnostics);
  EXPECT_EQ(TextOf(diagnostics), "");
  return solvers.at(loaded[path]);
}

std::string ChoiceFaults(std::string_view content) {
  LoadedSystem loaded(content);
  Diagnostics diagnostics;
  ChooseSolvers(loaded.index(), diagnostics);
  return TextOf(diagnostics);
}

/// A chain v0 - o0 - v1 - o1 - ... of volumes of these models with orifices between them.
std::string Chain(const std::vector<std::string>& models) {
  std::string text;
  for (std::size_t i = 0; i < models.size(); ++i) {
    text += fmt::format("<{} name='v{}'/>", models[i], i);
    if (i == 0) continue;
    text += fmt::format(
        "<hydraulic.Orifice name='o{0}'/><Connect from='v{0}.port' to='o{0}.a'/>"
        "<Connect from='o{0}.b' to='v{1}.port'/>",
        i - 1, i);
  }
  return text;
}

// An orifice takes fixed steps exactly where each pressure beside it is delayed or constant, and one is
// delayed.
RC_GTEST_PROP(ChooseSolversTest, WhatIsBetweenDelaysIsTlm, ()) {
  const std::vector<std::string> kinds{"hydraulic.Volume", "hydraulic.VolumeC", "hydraulic.Tank"};
  const auto chain =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kinds)));
  if (chain.size() < 2) return;
  LoadedSystem loaded(Chain(chain));
  Diagnostics diagnostics;
  const SolverTypes solvers = ChooseSolvers(loaded.index(), diagnostics);
  RC_ASSERT(!diagnostics.has_errors());
  for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
    const auto has = [&](const std::string& kind) { return chain[i] == kind || chain[i + 1] == kind; };
    const bool is_tlm = solvers[loaded[fmt::format("o{}", i)]] == SolverType::kTlm;
    RC_ASSERT(is_tlm == (has("hydraulic.VolumeC") && !has("hydraulic.Volume")));
  }
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const bool is_tlm = solvers[loaded[fmt::format("v{}", i)]] == SolverType::kTlm;
    RC_ASSERT(is_tlm == (chain[i] == "hydraulic.VolumeC"));
  }
}

TEST(ChooseSolversTest, TheAttributeWins) {
  const std::string between =
      "<hydraulic.VolumeC name='v'/><hydraulic.Orifice name='o' solver='{}'/><hydraulic.Tank name='t'/>"
      "<Connect from='v.port' to='o.a'/><Connect from='o.b' to='t.port'/>";
  const auto with = [&](const std::string& solver) {
    std::string text = between;
    return SolverOf(text.replace(text.find("{}"), 2, solver), "o");
  };
  EXPECT_EQ(with("Automatic"), SolverType::kTlm);
  EXPECT_EQ(with("Tlm"), SolverType::kTlm);
  EXPECT_EQ(with("Differential"), SolverType::kDifferential);
  EXPECT_EQ(with("Algebraic"), SolverType::kAlgebraic);
}

TEST(ChooseSolversTest, ASourceTakesFixedStepsWhereAllItsNeighboursDo) {
  const std::string source =
      "<hydraulic.PressureSource name='s'/><hydraulic.Orifice name='o'/>"
      "<Connect from='s.port' to='o.a'/><Connect from='o.b' to='v.port'/>";
  EXPECT_EQ(SolverOf(source + "<hydraulic.VolumeC name='v'/>", "s"), SolverType::kTlm);
  EXPECT_EQ(SolverOf(source + "<hydraulic.Volume name='v'/>", "s"), SolverType::kDifferential);
  EXPECT_EQ(SolverOf(source + "<hydraulic.VolumeC name='v'/><hydraulic.Volume name='w'/>"
                              "<hydraulic.Orifice name='p'/><Connect from='s.port' to='p.a'/>"
                              "<Connect from='p.b' to='w.port'/>",
                     "s"),
            SolverType::kDifferential);
}

TEST(ChooseSolversTest, AlgebraicVariablesMakeAModelAlgebraic) {
  EXPECT_EQ(SolverOf("<test.Square name='z'/>", "z"), SolverType::kAlgebraic);
  EXPECT_EQ(SolverOf("<test.Oscillator name='m'/>", "m"), SolverType::kDifferential);
}

TEST(ChooseSolversTest, StatesWithoutAStepOfTheirOwnAreDifferentialBetweenDelays) {
  EXPECT_EQ(SolverOf("<hydraulic.VolumeC name='v'/><hydraulic.ReliefValve name='r' "
                     "dynamics='first_order'/><hydraulic.Tank name='t'/>"
                     "<Connect from='v.port' to='r.in'/><Connect from='r.out' to='t.port'/>",
                     "r"),
            SolverType::kDifferential);
  EXPECT_EQ(
      SolverOf("<mechanical.SpringC name='s'/><mechanical.Fixed name='wall'/><mechanical.Mass name='m'/>"
               "<Connect from='wall.port' to='s.a'/><Connect from='s.b' to='m.a'/>",
               "m"),
      SolverType::kTlm);  // has a step of its own
}

TEST(ChooseSolversTest, RefusesWhatCannotBe) {
  const std::string kTank =
      "<hydraulic.Orifice name='o'/><hydraulic.Tank name='t'/>"
      "<Connect from='v.port' to='o.a'/><Connect from='o.b' to='t.port'/>";
  EXPECT_THAT(ChoiceFaults("<hydraulic.VolumeC name='v' solver='Differential'/>" + kTank),
              HasSubstr("/v: a hydraulic.VolumeC supports fixed-step (TLM) integration only"));
  EXPECT_THAT(ChoiceFaults("<hydraulic.VolumeC name='v' solver='Algebraic'/>" + kTank),
              HasSubstr("/v: a hydraulic.VolumeC supports fixed-step (TLM) integration only"));
  EXPECT_THAT(ChoiceFaults("<test.Square name='z' solver='Tlm'/>"),
              HasSubstr("/z: a test.Square has algebraic variables; leave out"));
  EXPECT_THAT(ChoiceFaults("<hydraulic.Volume name='v'/><hydraulic.Orifice name='o' solver='Tlm'/>"
                           "<hydraulic.Tank name='t'/><Connect from='v.port' to='o.a'/>"
                           "<Connect from='o.b' to='t.port'/>"),
              HasSubstr("/o: solver Tlm needs a transmission delay at every port"));
}

}  // namespace
}  // namespace davit
