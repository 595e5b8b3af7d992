// Mistakes of those who write models end the run with the component and what would be right.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "simulator/guard.h"
#include "simulator/simulation_failure.h"
#include "simulator/state_failure.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

/// Its break time is the present one when that comes.
class StuckBreak final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "fault.StuckBreak", .text = "A break time that does not advance"};
  void EvaluateDiffEquations(double /*t*/) override { x.ddt = 1; }
  double NextBreakTime(double t) const override { return t <= 0.5 ? 0.5 : 1e9; }

 private:
  StateVariable x{this, "x", "", "State"};
};

class EndlessBreaks final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "fault.EndlessBreaks", .text = "Break times without end"};
  void EvaluateDiffEquations(double /*t*/) override { x.ddt = 1; }
  double NextBreakTime(double t) const override { return t + 1e-12; }

 private:
  StateVariable x{this, "x", "", "State"};
};

class NoDerivative final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "fault.NoDerivative", .text = "y' is forgotten"};
  void EvaluateDiffEquations(double /*t*/) override { x.ddt = 1; }

 private:
  StateVariable x{this, "x", "", "State"};
  StateVariable y{this, "y", "", "State"};
};

class NoEvaluation final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "fault.NoEvaluation", .text = "Overrides nothing"};

 private:
  StateVariable x{this, "x", "", "State"};
};

class NoSize final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "fault.NoSize", .text = "An array that was given no size"};
  void EvaluateDiffEquations(double /*t*/) override { x[0].ddt = 1; }

 private:
  StateVariableArray x{this, "x", "", "States"};
};

class LateSize final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "fault.LateSize",
                                   .text = "An array that grows when the run begins"};
  void EvaluateDiffEquations(double /*t*/) override { x[0].ddt = 1; }
  void Reset() override { x.SetSize(2); }

 private:
  StateVariableArray x{this, "x", "", "States", 1};
};

class ThrowingReset final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "fault.ThrowingReset", .text = "Throws in Reset"};
  void EvaluateDiffEquations(double /*t*/) override { x.ddt = 1; }
  void Reset() override { throw std::runtime_error("no map"); }

 private:
  StateVariable x{this, "x", "", "State"};
};

/// Its equations hold below x = 0.25.
class LimitedLaw final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "fault.LimitedLaw", .text = "Ends the run where its law ends"};
  void EvaluateDiffEquations(double /*t*/) override { x.ddt = 1; }
  void PreIntegrate() override {
    if (x > 0.25) throw StateFailure("x is beyond 0.25; start below");
  }

 private:
  StateVariable x{this, "x", "", "State"};
};

class Guarded final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "fault.Guarded", .text = "Has an event"};
  void EvaluateDiffEquations(double /*t*/) override { x.ddt = 1; }

 private:
  StateVariable x{this, "x", "", "State"};
  Guard half{this,         "half", "x is a half", Guard::Direction::kRising, [this] { return x - 0.5; },
             [](double) {}};
};

void AddFaults(Registry& registry) {
  registry.Add<StuckBreak, EndlessBreaks, NoDerivative, NoEvaluation, NoSize, LateSize, ThrowingReset,
               LimitedLaw, Guarded>();
}

std::string Text(const std::string& component) {
  return "<System><SimulatorManager TimeStep='0.1' StopTime='1'/>" + component + "</System>";
}

/// What the run of one component of the model says.
std::string FailureOf(const std::string& model) {
  SystemHarness system(Text("<fault." + model + " name='b'/>"), AddFaults);
  try {
    system.Run();
  } catch (const SimulationFailure& failure) {
    return failure.what();
  }
  return "nothing";
}

TEST(AuthorFaultsTest, BreakTimesMustAdvance) {
  EXPECT_THAT(
      FailureOf("StuckBreak"),
      HasSubstr("/b: the run failed at t = 0.5 s: NextBreakTime(0.5) returned 0.5, which is not later"));
  EXPECT_THAT(FailureOf("EndlessBreaks"),
              HasSubstr("its time events (break times) follow each other within 1e-09 s without end"));
}

TEST(AuthorFaultsTest, EveryStateHasADerivative) {
  EXPECT_THAT(FailureOf("NoDerivative"), HasSubstr("/b: the run failed at t = 0 s: no derivative of b.y"));
  EXPECT_THAT(FailureOf("NoEvaluation"), HasSubstr("no derivative of b.x"));
}

TEST(AuthorFaultsTest, ArraysHaveTheirSizeBeforeTheRun) {
  EXPECT_THAT(FailureOf("NoSize"), HasSubstr("x[0] does not exist, there are 0"));
  EXPECT_THAT(FailureOf("LateSize"), HasSubstr("SetSize of x after Configure"));
}

TEST(AuthorFaultsTest, AResetThatThrowsIsNamed) {
  EXPECT_THAT(FailureOf("ThrowingReset"), HasSubstr("/b: the run failed at t = 0 s"));
}

TEST(AuthorFaultsTest, AModelEndsTheRunWhereItsLawEnds) {
  EXPECT_THAT(FailureOf("LimitedLaw"),
              StartsWith("/b: the run failed at t = 0.3 s: x is beyond 0.25; start below"));
}

TEST(AuthorFaultsTest, EventsAreNotForFixedSteps) {
  EXPECT_EQ(FailureOf("Guarded"), "nothing");
  EXPECT_THAT(
      SystemHarness::FaultsOf(Text("<fault.Guarded name='b' solver='Tlm'/>"), AddFaults),
      ElementsAre(HasSubstr(
          "/b: its events cannot be located in a fixed-step (TLM) component; take solver=\"Differential\"")));
}

TEST(AuthorFaultsTest, AHarnessRunsToNoTimeThatDoesNotCome) {
  SystemHarness system(Text("<fault.Guarded name='b'/>"), AddFaults);
  system.RunTo(0.55);  // step points are tenths
  EXPECT_NEAR(system.Read("b.x"), 0.6, 1e-12);
  EXPECT_THROW(system.RunTo(0.2), std::out_of_range);
  EXPECT_THROW(system.RunTo(1.5), std::out_of_range);
  system.RunTo(1);
  EXPECT_NEAR(system.Read("b.x"), 1, 1e-12);
}

}  // namespace
}  // namespace davit
