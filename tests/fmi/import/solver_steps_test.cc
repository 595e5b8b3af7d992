// What an FMU for model exchange is told of the steps of its solver (completedIntegratorStep). The FMU of
// tests/fmus/steps2.cc counts what a master does wrong in `faults`.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

#include "tests/fmi/exported_fmu.h"
#include "tests/fmi/import/test_fmus.h"

namespace davit {
namespace {

std::string StepsDescription(bool needs_steps) {
  const std::string flag = needs_steps ? "false" : "true";
  const auto state = [](const char* name, int reference, const char* start) {
    return std::string("<ScalarVariable name=\"") + name + "\" valueReference=\"" +
           std::to_string(reference) + R"(" causality="output" initial="exact"><Real start=")" + start +
           "\"/></ScalarVariable>";
  };
  const auto slope = [](const char* name, int reference, int state) {
    return std::string("<ScalarVariable name=\"") + name + "\" valueReference=\"" +
           std::to_string(reference) + R"("><Real derivative=")" + std::to_string(state) +
           "\"/></ScalarVariable>";
  };
  std::string text = R"(<fmiModelDescription fmiVersion="2.0" modelName="steps" guid="s">)"
                     R"(<ModelExchange modelIdentifier="steps2" completedIntegratorStepNotNeeded=")" +
                     flag + R"("/><ModelVariables>)" + state("x", 1, "1") + state("v", 2, "0") +
                     state("z", 3, "0") + slope("der(x)", 4, 1) + slope("der(v)", 5, 2) +
                     slope("der(z)", 6, 3);
  int reference = 7;
  for (const char* name : {"period", "delay"}) {
    text += std::string("<ScalarVariable name=\"") + name + "\" valueReference=\"" +
            std::to_string(reference++) +
            R"(" causality="parameter" variability="fixed"><Real start="0"/></ScalarVariable>)";
  }
  std::string outputs;
  for (const char* name : {"sum", "last", "completed", "events", "timers", "faults"}) {
    text += std::string("<ScalarVariable name=\"") + name + "\" valueReference=\"" +
            std::to_string(reference) +
            R"(" causality="output" variability="discrete"><Real/></ScalarVariable>)";
    outputs += "<Unknown index=\"" + std::to_string(reference++) + "\"/>";
  }
  text += R"(<ScalarVariable name="push" valueReference="15" causality="input"><Real start="0"/>)"
          "</ScalarVariable>";
  return text +
         R"(</ModelVariables><ModelStructure><Outputs><Unknown index="1"/><Unknown index="2"/>)"
         R"(<Unknown index="3"/>)" +
         outputs +
         R"(</Outputs><Derivatives><Unknown index="4"/><Unknown index="5"/><Unknown index="6"/></Derivatives>)"
         R"(</ModelStructure></fmiModelDescription>)";
}

class SolverStepsTest : public testing::Test {
 protected:
  /// 2 s of the FMU.
  static std::unique_ptr<Simulation> Run(const std::string& time_step, const std::string& attributes = {},
                                         const std::string& integration = {}, bool needs_steps = true,
                                         const std::string& others = {}) {
    PackFmu("steps", StepsDescription(needs_steps), "steps2");
    const std::string text = "<System name=\"test\"><SimulatorManager TimeStep=\"" + time_step +
                             "\" StopTime=\"2 s\"><Integration " + integration +
                             "/></SimulatorManager><fmi.Fmu name=\"fmu\" file=\"steps.fmu\" " + attributes +
                             "/>" + others + "</System>";
    LoadedSimulation loaded = Simulation::LoadText(text, FreshFolder() / "test.xml", ModelsWithFmus());
    EXPECT_NE(loaded.simulation, nullptr) << loaded.ToText();
    if (loaded.simulation == nullptr) return nullptr;
    loaded.simulation->Initialize();
    loaded.simulation->Run();
    EXPECT_EQ(loaded.simulation->Read("fmu.faults"), 0);
    return std::move(loaded.simulation);
  }
};

// Law: with one TimeStep that is as long as the run, there are the steps of the solver and nothing else.
TEST_F(SolverStepsTest, EachStepOfTheSolverIsTold) {
  for (const char* method : {"runge_kutta_dopri5", "rodas5p", "auto"}) {
    for (const char* tolerance : {"1e-4", "1e-8"}) {
      const std::string integration =
          std::string("method=\"") + method + "\" rtol=\"" + tolerance + "\" atol=\"1e-9\"";
      const auto run = Run("2 s", {}, integration);
      ASSERT_NE(run, nullptr);
      EXPECT_GT(run->statistics().solver_steps, 3) << integration;
      EXPECT_EQ(run->Read("fmu.completed"), static_cast<double>(run->statistics().solver_steps))
          << integration;
      EXPECT_EQ(run->Read("fmu.last"), 2) << integration;
    }
  }
}

// Law: step points inside of a step of the solver are no steps; where the solver does not tell of its steps
// they take their place, 200 in the run; the outputs at its end are read before the last one is told.
TEST_F(SolverStepsTest, StepPointsAreToldOnlyInPlaceOfSteps) {
  const auto run = Run("10 ms");
  EXPECT_LT(run->statistics().solver_steps, 100);
  EXPECT_EQ(run->Read("fmu.completed"), static_cast<double>(run->statistics().solver_steps));
  EXPECT_EQ(Run("10 ms", {}, R"(method="adams_bashforth_moulton")")->Read("fmu.completed"), 199);
}

TEST_F(SolverStepsTest, AnFmuThatNeedsNoneIsToldOfNone) {
  EXPECT_EQ(Run("10 ms", {}, {}, false)->Read("fmu.completed"), 0);
}

// Law: z' = 1 and z jumps to 0 in events only, where the FMU adds it up: sum + z = t. An event is at the
// first completed step after a multiple of the period: with steps of 7 ms at most, and 0.1 s between them,
// there are 19 of them before 2 s.
TEST_F(SolverStepsTest, WishesForEventModeAreMet) {
  for (const char* time_step : {"2 s", "10 ms", "0.3 ms"}) {
    const auto run = Run(time_step, R"(period="0.1")", R"(max_step="7 ms")");
    EXPECT_NEAR(run->Read("fmu.sum") + run->Read("fmu.z"), 2, 1e-12) << time_step;
    EXPECT_GE(run->Read("fmu.events"), 19) << time_step;
    EXPECT_LE(run->Read("fmu.events"), 20) << time_step;
  }
}

// Law: the same where a neighbour's event ends a step (the ball of tests/fmus, which bounces), and where its
// jumps do.
TEST_F(SolverStepsTest, EventsAndJumpsOfNeighboursEndSteps) {
  PackBall2();
  for (const char* neighbour :
       {R"(<fmi.Fmu name="n" file="ball.fmu" kind="ModelExchange"/><Route from="n.h" to="fmu.push"/>)",
        R"(<signal.Pulse name="n" period="71 ms" width="13 ms"/><Route from="n.y" to="fmu.push"/>)"}) {
    const auto run = Run("2 s", R"(period="0.1" delay="0.0371")", R"(max_step="7 ms")", true, neighbour);
    EXPECT_NEAR(run->Read("fmu.sum") + run->Read("fmu.z"), 2, 1e-12) << neighbour;
    EXPECT_GE(run->Read("fmu.timers"), run->Read("fmu.events") - 1) << neighbour;
  }
}

// Law: a step is told once, also one that an event of a neighbour ends, at the place of the event: with one
// TimeStep as long as the run there are as many as the solver has accepted.
TEST_F(SolverStepsTest, AStepThatANeighbourEndsIsToldOnce) {
  PackBall2();
  const auto run = Run("2 s", {}, R"(max_step="7 ms")", true,
                       R"(<fmi.Fmu name="n" file="ball.fmu" kind="ModelExchange"/>)"
                       R"(<Route from="n.h" to="fmu.push"/>)");
  const RunStatistics statistics = run->statistics();
  EXPECT_GT(statistics.events, 3);  // it bounces
  EXPECT_EQ(run->Read("fmu.completed"), static_cast<double>(statistics.solver_steps));
}

// Law: a time event that another event asks for is met, in the same TimeStep as well: each event has its own,
// but for one that would be after the end.
TEST_F(SolverStepsTest, TimeEventsThatEventsAskForAreMet) {
  for (const char* time_step : {"2 s", "0.5 s", "10 ms"}) {
    const auto run = Run(time_step, R"(period="0.1" delay="0.0371")", R"(max_step="7 ms")");
    EXPECT_GE(run->Read("fmu.events"), 19) << time_step;
    EXPECT_GE(run->Read("fmu.timers"), run->Read("fmu.events") - 1) << time_step;
  }
}

// Law: the solution does not know of the events: x = cos t.
TEST_F(SolverStepsTest, TheSolutionIsThatOfTheEquations) {
  const auto run = Run("10 ms", R"(period="0.1")", R"(rtol="1e-10" atol="1e-12")");
  EXPECT_NEAR(run->Read("fmu.x"), std::cos(2.0), 1e-8);
}

// Law: methods with fixed steps have steps, too: 5 substeps in each of 20 TimeSteps.
TEST_F(SolverStepsTest, FixedStepsAreTold) {
  EXPECT_EQ(Run("0.1 s", {}, R"(method="runge_kutta4" substeps="5")")->Read("fmu.completed"), 100);
}

}  // namespace
}  // namespace davit
