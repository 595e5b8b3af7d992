// Mistakes of those who write models end the run with the component and what would be right.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "components/register.h"
#include "session/simulation.h"
#include "simulator/guard.h"
#include "simulator/simulation_failure.h"
#include "simulator/state_failure.h"
#include "tests/support/dae_models.h"
#include "tests/support/system_harness.h"
#include "tests/support/test_models.h"

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

/// Its start values follow from another one.
class OwnReset final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "fault.OwnReset", .text = "Begins where it likes"};
  void EvaluateDiffEquations(double /*t*/) override { y[0].ddt = y[1].ddt = 0; }
  void Reset() override {
    DynamicSimComponent::Reset();
    y[1].OverrideStateValue(2 * y[0]);
  }

 private:
  StateVariableArray y{this, "y", "m", "States", 2};
};

/// With fixed steps the default step asks for derivatives, too.
class NoStepDerivative final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "fault.NoStepDerivative", .text = "y' is forgotten"};
  void EvaluateDiffEquations(double /*t*/) override { x[0].ddt = x[2].ddt = 1; }

 private:
  StateVariableArray x{this, "x", "", "States", 3};
};

void AddFaults(Registry& registry) {
  registry.Add<StuckBreak, EndlessBreaks, NoDerivative, NoEvaluation, NoSize, LateSize, ThrowingReset,
               LimitedLaw, Guarded, OwnReset, NoStepDerivative>();
}

std::string FaultySystem(const std::string& component) {
  return "<System><SimulatorManager TimeStep='0.1' StopTime='1'/>" + component + "</System>";
}

/// What the run of one component of the model says.
std::string FailureOf(const std::string& model) {
  SystemHarness system(FaultySystem("<fault." + model + " name='b'/>"), AddFaults);
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

/// What `davit check` finds in a system that loads.
std::vector<std::string> FaultsAtStart(const std::string& components) {
  SystemHarness system(FaultySystem(components), AddFaults);
  Diagnostics diagnostics;
  system.manager().CheckStart(diagnostics);
  std::vector<std::string> faults;
  for (const Diagnostic& fault : diagnostics.all()) faults.push_back(fault.path + ": " + fault.message());
  return faults;
}

TEST(AuthorFaultsTest, ACheckFindsAllDerivativesThatAreNotWritten) {
  EXPECT_THAT(
      FaultsAtStart("<fault.NoDerivative name='b'/><fault.NoEvaluation name='c'/><fault.NoStepDerivative "
                    "name='d' solver='Tlm'/>"),
      testing::UnorderedElementsAre(
          StartsWith("/b: no derivative of b.y: EvaluateDiffEquations of fault.NoDerivative must write"),
          StartsWith("/c: no derivative of c.x"), StartsWith("/d: no derivative of d.x[1]")));
  EXPECT_THAT(FaultsAtStart("<fault.LimitedLaw name='b'/>"), testing::IsEmpty());
  EXPECT_THAT(FailureOf("NoStepDerivative"), HasSubstr("no derivative of b.x[1]"));
}

/// What the begin of the first step refuses, a check does.
TEST(AuthorFaultsTest, ACheckFindsAStateThatItsComponentRefuses) {
  const auto faults = [](const std::string& x) {
    return FaultsAtStart(
        "<hydraulic.Cylinder name='c' level='Standard' stops='constant' stroke='2 m'><Start x='" + x +
        "'/></hydraulic.Cylinder><hydraulic.Volume name='a'/><hydraulic.Volume name='b'/><mechanical.Mass "
        "name='m'/>"
        "<Connect from='c.a' to='a.port'/><Connect from='c.b' to='b.port'/><Connect from='c.rod' to='m.a'/>");
  };
  EXPECT_THAT(faults("1 m"), testing::IsEmpty());
  EXPECT_THAT(faults("3 m"),
              ElementsAre(StartsWith("/c: the piston is at x = 3 m, 1 m beyond its stop at 2 m")));
}

TEST(AuthorFaultsTest, ACheckNamesArraysWithoutElements) {
  const auto warnings = [](const std::string& model) {
    Registry registry = AllModels();
    AddFaults(registry);
    const LoadedSimulation loaded =
        Simulation::LoadText(FaultySystem("<fault." + model + " name='b'/>"), "test", registry);
    return loaded.ToText();
  };
  EXPECT_THAT(
      warnings("NoSize"),
      HasSubstr("warning: /b: the array x has no elements; fault.NoSize should give it a size with SetSize"));
  EXPECT_EQ(warnings("LateSize"), "");
}

/// Of each element of the file either an island takes its tolerances, or a warning names its line.
TEST(AuthorFaultsTest, AnIntegrationThatNothingReadsIsTold) {
  const std::string ode = "<Integration solver='ODE' rtol='1e-3'/>",
                    dae = "<Integration solver='DAE' rtol='1e-3'/>";
  const auto warnings = [](const std::string& manager, const std::string& content) {
    const std::string text = "<System><SimulatorManager TimeStep='0.1 s' StopTime='1 s'>" + manager +
                             "</SimulatorManager>\n" + content + "</System>";
    Registry registry = AllModels();
    RegisterTestModels(registry);
    RegisterDaeModels(registry);
    return Simulation::LoadText(text, "test", registry).ToText();
  };
  const std::string body = "<test.Oscillator name='b'/>", square = "<test.Square name='z'/>";
  EXPECT_EQ(warnings(ode, body), "");
  EXPECT_EQ(warnings(ode, square), "");  // one element speaks for both kinds
  EXPECT_EQ(warnings(dae, square), "");
  EXPECT_EQ(warnings(ode + dae, body + square), "");
  EXPECT_THAT(warnings(dae, body),
              HasSubstr("test:1: warning: /SimulatorManager: <Integration solver=\"DAE\"> has no effect"));
  EXPECT_THAT(warnings(ode + dae, square), HasSubstr("<Integration solver=\"ODE\"> has no effect"));
  EXPECT_EQ(warnings(ode, "<signal.Constant name='c'/>"), "");  // nothing is integrated
  EXPECT_EQ(warnings("", "<test.Oscillator name='b'>" + ode + "</test.Oscillator>"), "");
  EXPECT_THAT(warnings("", "<test.Oscillator name='b'>" + dae + "</test.Oscillator>"),
              HasSubstr("test:2: warning: /b: <Integration solver=\"DAE\"> has no effect"));
  EXPECT_THAT(warnings(ode, "<test.Oscillator name='b'>" + ode + "</test.Oscillator>"),
              HasSubstr("test:1: warning: /SimulatorManager: <Integration solver=\"ODE\"> has no effect"));
}

TEST(AuthorFaultsTest, AStartValueThatAResetWritesOverIsTold) {
  Registry registry = AllModels();
  AddFaults(registry);
  std::vector<std::string> log;
  SimulationOptions options{.log_level = RunLog::Severity::kWarning,
                            .log = [&](RunLog::Severity severity, std::string_view line) {
                              if (severity == RunLog::Severity::kWarning) log.emplace_back(line);
                            }};
  options.load.set = {"b.y[0]=1", "b.y[1]=3"};
  const auto simulation =
      Simulation::LoadText(FaultySystem("<fault.OwnReset name='b'/>"), "test", registry, options).Take();
  Diagnostics diagnostics;
  simulation->manager().CheckStart(diagnostics);
  ASSERT_EQ(diagnostics.all().size(), 1U);
  EXPECT_EQ(ToText(diagnostics.all()[0]),
            "--set b.y[1]=3: warning: /b: the start value of y[1], 3 m, is not used: Reset of fault.OwnReset "
            "writes 2 m over it; give what the model computes it from, or leave it out");
  simulation->Initialize();
  EXPECT_THAT(log, ElementsAre(HasSubstr("the start value of y[1], 3 m, is not used")));
  log.clear();
  options.load.set = {"b.y[0]=1", "b.y[1]=2"};
  Simulation::LoadText(FaultySystem("<fault.OwnReset name='b'/>"), "test", registry, options)
      .Take()
      ->Initialize();
  EXPECT_THAT(log, testing::IsEmpty());
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
      SystemHarness::FaultsOf(FaultySystem("<fault.Guarded name='b' solver='Tlm'/>"), AddFaults),
      ElementsAre(HasSubstr(
          "/b: its events cannot be located in a fixed-step (TLM) component; take solver=\"Differential\"")));
}

TEST(AuthorFaultsTest, AHarnessRunsToNoTimeThatDoesNotCome) {
  SystemHarness system(FaultySystem("<fault.Guarded name='b'/>"), AddFaults);
  system.RunTo(0.55);  // step points are tenths
  EXPECT_NEAR(system.Read("b.x"), 0.6, 1e-12);
  EXPECT_THROW(system.RunTo(0.2), std::out_of_range);
  EXPECT_THROW(system.RunTo(1.5), std::out_of_range);
  system.RunTo(1);
  EXPECT_NEAR(system.Read("b.x"), 1, 1e-12);
}

}  // namespace
}  // namespace davit
