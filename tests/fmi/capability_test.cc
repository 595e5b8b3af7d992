// What FMUs for co-simulation can do besides steps: derivatives of inputs and outputs, event mode, early
// return, intermediate update.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>

#include "tests/fmi/exported_fmu.h"

namespace davit {
namespace {

/// m v' = F - c v - k x with a force that nothing is routed to.
std::filesystem::path WriteBody(const std::filesystem::path& folder, double stiffness, double damping) {
  std::filesystem::create_directories(folder);
  const std::filesystem::path system = folder / "body.xml";
  std::ofstream(system) << R"(<?xml version="1.0"?>
<System name="body" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" StopTime="10 s">
    <Integration solver="ODE" method="runge_kutta_dopri5" rtol="1e-10" atol="1e-12"/>
  </SimulatorManager>
  <mechanical.MassSpringDamper name="body" mass="2 kg" stiffness=")"
                        << stiffness << "\" damping=\"" << damping << R"("/>
  <Record signals="body.x body.v" interval="10 ms"/>
</System>
)";
  return system;
}

/// x after 1 s in steps of 0.1 s with F = t + t^2.
double PositionUnderRamp(const ExportedFmu& fmu, bool gives_derivatives) {
  Slave2 slave(fmu);
  slave.Start(0, 10);
  const fmi2ValueReference force = fmu.reference("body.force");
  for (int n = 0; n < 10; ++n) {
    const double t = 0.1 * n;
    slave.SetReal("body.force", t + t * t);
    if (gives_derivatives) {
      const fmi2ValueReference references[] = {force, force};
      const fmi2Integer orders[] = {1, 2};
      const double values[] = {1 + 2 * t, 2};
      EXPECT_EQ(
          DAVIT_FMU_CALL(fmu, fmi2SetRealInputDerivatives)(slave.component(), references, 2, orders, values),
          fmi2OK);
    }
    EXPECT_EQ(slave.Step(t, 0.1), fmi2OK);
  }
  return slave.Real("body.x");
}

// Law: with F = t + t^2 and m = 2, x = (t^3/6 + t^4/12) / 2; held at the beginnings of steps, F lags half a
// step.
TEST(FmuInputDerivativeTest, InputsFollowThemInsideSteps) {
  const ExportedFmu fmu(WriteBody(FreshFolder() / "system", 0, 0));
  const double exact = (1.0 / 6 + 1.0 / 12) / 2;
  EXPECT_NEAR(PositionUnderRamp(fmu, true), exact, 1e-8);
  EXPECT_GT(std::abs(PositionUnderRamp(fmu, false) - exact), 1e-2);
}

// Law: dx/dt = v and dv/dt = (F - c v - k x)/m; d(v')/dF = 1/m; x does not depend on F at once.
TEST(FmuOutputDerivativeTest, IsThatOfTheEquations) {
  const ExportedFmu fmu(WriteBody(FreshFolder() / "system", 4, 0.5));
  Slave2 slave(fmu);
  slave.Start(0, 10);
  slave.SetReal("body.force", 3);
  for (int n = 0; n < 5; ++n) EXPECT_EQ(slave.Step(0.1 * n, 0.1), fmi2OK);
  const double x = slave.Real("body.x"), v = slave.Real("body.v");
  const fmi2ValueReference references[] = {fmu.reference("body.x"), fmu.reference("body.v")};
  const fmi2Integer orders[] = {1, 1};
  double values[2];
  EXPECT_EQ(
      DAVIT_FMU_CALL(fmu, fmi2GetRealOutputDerivatives)(slave.component(), references, 2, orders, values),
      fmi2OK);
  EXPECT_NEAR(values[0], v, 1e-6);
  EXPECT_NEAR(values[1], (3 - 0.5 * v - 4 * x) / 2, 1e-6);
  const fmi2ValueReference unknowns[] = {fmu.reference("der(body.v)"), fmu.reference("body.x")};
  const fmi2ValueReference force = fmu.reference("body.force");
  const double seed = 10;
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2GetDirectionalDerivative)(slave.component(), unknowns, 2, &force, 1,
                                                              &seed, values),
            fmi2OK);
  EXPECT_NEAR(values[0], 10 / 2.0, 1e-6);
  EXPECT_EQ(values[1], 0);
  EXPECT_EQ(slave.Real("body.x"), x) << "asking has changed nothing";
}

// Law: what a master has said of its inputs belongs to the state: a step that is taken again gives the same
// bits.
TEST(FmuInputDerivativeTest, BelongToTheState) {
  const ExportedFmu fmu(WriteBody(FreshFolder() / "system", 4, 0.5));
  Slave2 slave(fmu);
  slave.Start(0, 10);
  const fmi2ValueReference force = fmu.reference("body.force");
  const fmi2Integer order = 1;
  const double slope = 30;
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2SetRealInputDerivatives)(slave.component(), &force, 1, &order, &slope),
            fmi2OK);
  fmi2FMUstate state = nullptr;
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2GetFMUstate)(slave.component(), &state), fmi2OK);
  ASSERT_EQ(slave.Step(0, 0.1), fmi2OK);
  const double x = slave.Real("body.x");
  // F = 30 t moves it by 30 t^3 / (6 m); the damping takes c t / (4 m) = 0.6 % of that, the spring less.
  EXPECT_NEAR(x, 2.5e-3, 2.5e-5);
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2SetFMUstate)(slave.component(), state), fmi2OK);
  ASSERT_EQ(slave.Step(0, 0.1), fmi2OK);
  EXPECT_EQ(slave.Real("body.x"), x);
  DAVIT_FMU_CALL(fmu, fmi2FreeFMUstate)(slave.component(), &state);
}

/// An instance of FMI 3.0 that has entered its first mode.
class Slave3 {
 public:
  Slave3(const ExportedFmu& fmu, bool uses_event_mode, bool may_return_early,
         fmi3IntermediateUpdateCallback update = nullptr, void* environment = nullptr)
      : fmu_(fmu) {
    instance_ = DAVIT_FMU_CALL(fmu_, fmi3InstantiateCoSimulation)(
        "slave", fmu_.token().c_str(), fmu_.resources_path().c_str(), false, false, uses_event_mode,
        may_return_early, nullptr, 0, environment, nullptr, update);
    EXPECT_NE(instance_, nullptr);
    EXPECT_EQ(DAVIT_FMU_CALL(fmu_, fmi3EnterInitializationMode)(instance_, false, 0, 0, true, 5), fmi3OK);
    EXPECT_EQ(DAVIT_FMU_CALL(fmu_, fmi3ExitInitializationMode)(instance_), fmi3OK);
  }
  ~Slave3() { DAVIT_FMU_CALL(fmu_, fmi3FreeInstance)(instance_); }
  Slave3(const Slave3&) = delete;
  Slave3& operator=(const Slave3&) = delete;

  fmi3Status Step(double t, double h) {
    return DAVIT_FMU_CALL(fmu_, fmi3DoStep)(instance_, t, h, true, &has_event, &is_terminated, &is_early,
                                            &reached);
  }
  double Real(const std::string& variable) const {
    const fmi3ValueReference reference = fmu_.reference(variable);
    double value = std::nan("");
    EXPECT_EQ(DAVIT_FMU_CALL(fmu_, fmi3GetFloat64)(instance_, &reference, 1, &value, 1), fmi3OK);
    return value;
  }
  void HandleEvent() {
    bool needs_update = true, has_nominals = true, has_values = true, has_next = true;
    double next = 0;
    EXPECT_EQ(DAVIT_FMU_CALL(fmu_, fmi3UpdateDiscreteStates)(instance_, &needs_update, &is_terminated,
                                                             &has_nominals, &has_values, &has_next, &next),
              fmi3OK);
    EXPECT_FALSE(needs_update || is_terminated || has_next);
    EXPECT_EQ(DAVIT_FMU_CALL(fmu_, fmi3EnterStepMode)(instance_), fmi3OK);
  }
  fmi3Instance instance() const { return instance_; }

  bool has_event = false, is_terminated = false, is_early = false;
  double reached = -1;

 private:
  const ExportedFmu& fmu_;
  fmi3Instance instance_ = nullptr;
};

// Law: the ball meets the floor after sqrt(2 h/g) = 0.4515 s; the step ends at the step point behind it.
TEST(FmuEventModeTest, StepsEndAtEvents) {
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"), FmiVersion::k3);
  Slave3 slave(fmu, true, true);
  EXPECT_EQ(slave.Step(0, 1), fmi3Error) << "it begins in event mode";
  slave.HandleEvent();
  ASSERT_EQ(slave.Step(0, 1), fmi3OK);
  EXPECT_TRUE(slave.is_early && slave.has_event);
  EXPECT_NEAR(slave.reached, 0.46, 1e-12);
  EXPECT_GT(slave.Real("ball.v"), 3);
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi3EnterEventMode)(slave.instance()), fmi3OK);
  slave.HandleEvent();
  ASSERT_EQ(slave.Step(0.46, 0.2), fmi3OK);
  EXPECT_FALSE(slave.is_early || slave.has_event);
  EXPECT_NEAR(slave.reached, 0.66, 1e-12);

  Slave3 whole(fmu, true, false);
  whole.HandleEvent();
  ASSERT_EQ(whole.Step(0, 1), fmi3OK);
  EXPECT_FALSE(whole.is_early) << "early return is not allowed";
}

// Law: in a system without located events and switches of levels, events are the transitions of its chart.
// That of the lift waits, while modes of its valves change from step to step.
TEST(FmuEventModeTest, AChartThatWaitsIsNoEvent) {
  std::set<std::string> native;
  SimulationOptions options;
  options.log_level = RunLog::Severity::kInfo;
  options.log = [&](RunLog::Severity, std::string_view line) {
    if (line.find("/operator: ") != std::string_view::npos && line.find(" -> ") != std::string_view::npos)
      native.emplace(line.substr(0, line.find(" s: ")));  // its time
  };
  const auto simulation = Simulation::Load(ExampleSystem("operated_lift"), FmuModels(), options).Take();
  simulation->Initialize();
  simulation->AdvanceTo(4.5);
  ASSERT_EQ(simulation->statistics().events + simulation->statistics().level_switches, 0U);
  ASSERT_EQ(native.size(), 2U);  // it begins at 2 s and halts at 3 s

  const ExportedFmu fmu(ExampleSystem("operated_lift"), FmiVersion::k3);
  Slave3 slave(fmu, true, true);
  slave.HandleEvent();
  std::size_t events = 0;
  for (int i = 0; i < 450; ++i) {
    ASSERT_EQ(slave.Step(0.01 * i, 0.01), fmi3OK);
    if (!slave.has_event) continue;
    ++events;
    ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi3EnterEventMode)(slave.instance()), fmi3OK);
    slave.HandleEvent();
  }
  EXPECT_EQ(events, native.size());
}

struct Watcher {
  int calls = 0;
  double last = 0;
  double early = 100;
};

void WatchStep(fmi3InstanceEnvironment environment, fmi3Float64 t, fmi3Boolean may_set, fmi3Boolean may_get,
               fmi3Boolean is_finished, fmi3Boolean may_return, fmi3Boolean* is_early, fmi3Float64* early) {
  auto& watcher = *static_cast<Watcher*>(environment);
  EXPECT_TRUE(may_get && may_return && !may_set && !is_finished);
  EXPECT_GT(t, watcher.last);
  watcher.last = t;
  ++watcher.calls;
  *is_early = watcher.early < 100;
  *early = watcher.early;
}

TEST(FmuIntermediateUpdateTest, ComesAtStepPointsAndEndsSteps) {
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"), FmiVersion::k3);
  Watcher watcher;
  Slave3 slave(fmu, false, true, WatchStep, &watcher);
  ASSERT_EQ(slave.Step(0, 0.1), fmi3OK);
  EXPECT_EQ(watcher.calls, 9) << "step points of 10 ms inside of 0.1 s";
  EXPECT_FALSE(slave.is_early);
  watcher.early = 0.145;
  ASSERT_EQ(slave.Step(0.1, 0.1), fmi3OK);
  EXPECT_TRUE(slave.is_early);
  EXPECT_NEAR(slave.reached, 0.145, 1e-12);
}

// Law: what a step says of events does not depend on whether the master looks at it on the way.
TEST(FmuIntermediateUpdateTest, HidesNoEvent) {
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"), FmiVersion::k3);
  Slave3 watched(fmu, true, false,
                 [](fmi3InstanceEnvironment, fmi3Float64, fmi3Boolean, fmi3Boolean, fmi3Boolean, fmi3Boolean,
                    fmi3Boolean*, fmi3Float64*) {}),
      alone(fmu, true, false);
  for (Slave3* slave : {&watched, &alone}) {
    slave->HandleEvent();
    ASSERT_EQ(slave->Step(0, 0.5), fmi3OK);
    EXPECT_TRUE(slave->has_event) << "the floor at 0.45 s";
    ASSERT_EQ(slave->Step(0.5, 0.1), fmi3OK);
    EXPECT_FALSE(slave->has_event);
  }
}

struct Meddler {
  const ExportedFmu* fmu = nullptr;
  fmi3Instance instance = nullptr;
  int allowed = 0;
  double seen = std::nan("");
};

void Meddle(fmi3InstanceEnvironment environment, fmi3Float64 t, fmi3Boolean /*may_set*/,
            fmi3Boolean /*may_get*/, fmi3Boolean /*is_finished*/, fmi3Boolean /*may_return*/,
            fmi3Boolean* /*is_early*/, fmi3Float64* /*early*/) {
  auto& meddler = *static_cast<Meddler*>(environment);
  const ExportedFmu& fmu = *meddler.fmu;
  const fmi3ValueReference x = fmu.reference("ball.x"), mass = fmu.reference("ball.mass");
  const double heavy = 100;
  bool flag = false;
  double reached = 0;
  fmi3FMUState state = nullptr;
  const fmi3Instance c = meddler.instance;
  meddler.allowed +=
      DAVIT_FMU_CALL(fmu, fmi3DoStep)(c, t, 0.01, true, &flag, &flag, &flag, &reached) == fmi3OK;
  meddler.allowed += DAVIT_FMU_CALL(fmu, fmi3Reset)(c) == fmi3OK;
  meddler.allowed += DAVIT_FMU_CALL(fmu, fmi3Terminate)(c) == fmi3OK;
  meddler.allowed += DAVIT_FMU_CALL(fmu, fmi3SetFloat64)(c, &mass, 1, &heavy, 1) == fmi3OK;
  meddler.allowed += DAVIT_FMU_CALL(fmu, fmi3GetFMUState)(c, &state) == fmi3OK;
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi3GetFloat64)(c, &x, 1, &meddler.seen, 1), fmi3OK);
}

// Law: inside a step a master may look, and nothing else; so the step is that of a master that does not.
TEST(FmuIntermediateUpdateTest, AllowsNothingButReading) {
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"), FmiVersion::k3);
  Meddler meddler{&fmu};
  Slave3 slave(fmu, false, true, Meddle, &meddler), alone(fmu, false, true);
  meddler.instance = slave.instance();
  ASSERT_EQ(slave.Step(0, 0.02), fmi3OK);
  EXPECT_EQ(meddler.allowed, 0);
  EXPECT_NEAR(meddler.seen, 1 - 9.81 * 1e-4 / 2, 1e-9) << "half of the way, 10 ms";
  ASSERT_EQ(alone.Step(0, 0.02), fmi3OK);
  EXPECT_EQ(slave.Real("ball.x"), alone.Real("ball.x"));
}

}  // namespace
}  // namespace davit
