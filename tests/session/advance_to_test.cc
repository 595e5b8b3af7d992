// AdvanceTo: times inside a TimeStep.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "simulator/islands/island.h"
#include "tests/session/sessions.h"

namespace davit {
namespace {

using testing::HasSubstr;

/// m x'' = -c x' - k x from x0 at rest, underdamped.
double ExactX(double t) {
  constexpr double m = 2, k = 50, c = 3, x0 = 0.1;
  const double d = c / (2 * m);
  const double w = std::sqrt(k / m - d * d);
  return x0 * std::exp(-d * t) * (std::cos(w * t) + d / w * std::sin(w * t));
}

/// A body of the given method that receives its values at TimeSteps of 10 ms.
std::unique_ptr<Simulation> LoadWithMethod(const std::string& method) {
  SimulationOptions options;
  options.load.set = {"SimulatorManager.Integration.method=" + method,
                      "SimulatorManager.Integration.substeps=10"};
  return LoadBody(options);
}

class AdvanceToTest : public testing::TestWithParam<std::string> {};

/// Off the grid time is exactly what was asked for, and values are those of that time: within the tolerance
/// of the solver (1e-8 of 0.1 m, times what 1 s amplifies), or the error of a fourth-order method with h = 1
/// ms
/// ((w h)^4 / 120 = 5e-12) and 1e-6 for the low orders.
TEST_P(AdvanceToTest, MeetsTheExactSolutionAtAnyTime) {
  const auto s = LoadWithMethod(GetParam());
  s->Initialize();
  for (const double t : {0.0037, 0.0061, 0.01, 0.0137, 0.25, 0.25001, 0.7777, 0.99999}) {
    EXPECT_EQ(s->AdvanceTo(t), RunEnd::kReached);
    EXPECT_EQ(s->time(), t);
    EXPECT_NEAR(s->Read("body.x"), ExactX(t), 1e-7) << t;
    EXPECT_NEAR(s->Read("double.y"), 2 * s->Read("body.x"), 1e-15) << t;
  }
  s->Run();
  EXPECT_EQ(s->time(), 1);
  EXPECT_NEAR(s->Read("body.x"), ExactX(1), 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Methods, AdvanceToTest,
                         testing::Values("runge_kutta_dopri5", "runge_kutta_cash_karp54", "rosenbrock4",
                                         "rodas5p", "runge_kutta4", "adams_bashforth_moulton",
                                         "bulirsch_stoer"),
                         [](const auto& one) { return one.param; });

/// Solvers that show values inside their own steps lose nothing by it: the run has the bits of one that never
/// stopped off the grid.
TEST(AdvanceToTest, LeavesSolversWithValuesInsideAlone) {
  for (const char* method : {"runge_kutta_dopri5", "rosenbrock4", "rodas5p"}) {
    const auto whole = LoadWithMethod(method);
    whole->Initialize();
    whole->Run();
    const auto parts = LoadWithMethod(method);
    parts->Initialize();
    for (double t = 0.0033; t < 1; t += 0.0127) parts->AdvanceTo(t);
    parts->Run();
    EXPECT_EQ(parts->Read("body.x"), whole->Read("body.x")) << method;
  }
}

/// Rows, held signals and requests belong to step points: what lies between changes none of them.
TEST(AdvanceToTest, StepPointsStayWhatTheyAre) {
  const std::string text =
      "<System name=\"s\"><SimulatorManager TimeStep=\"10 ms\" StopTime=\"0.5 s\">"
      "<Integration solver=\"ODE\" method=\"runge_kutta_dopri5\" rtol=\"1e-10\" "
      "atol=\"1e-12\"/></SimulatorManager>"
      "<mechanical.MassSpringDamper name=\"a\" mass=\"1\" stiffness=\"40\" damping=\"0.3\"><Start x=\"1\"/>"
      "</mechanical.MassSpringDamper>"
      "<mechanical.MassSpringDamper name=\"b\" mass=\"1\" stiffness=\"90\" damping=\"0.3\"/>"
      "<signal.Gain name=\"k\" gain=\"3 N/m\"/><Route from=\"a.x\" to=\"k.u\"/>"
      "<Route from=\"k.y\" to=\"b.force\" hold=\"step\"/>"
      "<At time=\"0.203\" set=\"a.mass\" value=\"2\"/>"
      "<Record signals=\"a.* b.*\" interval=\"10 ms\"/></System>";
  const auto whole = LoadText(text);
  const Rows whole_rows = RowsOf(*whole);
  whole->Initialize();
  whole->Run();
  const auto parts = LoadText(text);
  const Rows part_rows = RowsOf(*parts);
  parts->Initialize();
  ASSERT_EQ(parts->statistics().islands, 2U);
  for (double t = 0.004; t < 0.5; t += 0.0071) parts->AdvanceTo(t);
  parts->Run();
  const std::vector<double> wanted = whole_rows.Take();
  const std::vector<double> rows = part_rows.Take();
  ASSERT_EQ(rows.size(), wanted.size());
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_NEAR(rows[i], wanted[i], 1e-8) << i;
  EXPECT_EQ(parts->statistics().steps, whole->statistics().steps);
}

/// A value that is written between two step points counts from there on: x' = u.
TEST(AdvanceToTest, WrittenValuesCountFromThePresentTime) {
  const auto s = LoadText(
      "<System name=\"s\"><SimulatorManager TimeStep=\"10 ms\" StopTime=\"1 s\"/>"
      "<signal.Integrator name=\"i\"/></System>");
  s->Initialize();
  s->Write("i.u", 1);
  s->AdvanceTo(0.0125);
  s->Write("i.u", -2);
  s->AdvanceTo(0.0175);
  EXPECT_NEAR(s->Read("i.y"), 0.0125 - 2 * 0.005, 1e-12);
  s->Write("i.y", 5.0);
  s->AdvanceTo(0.02);
  EXPECT_NEAR(s->Read("i.y"), 5 - 2 * 0.0025, 1e-12);
}

/// Events inside a part of a step have their rows; a ball that is dropped from h lands at sqrt(2 h / g).
TEST(AdvanceToTest, EventsAreLocatedAsEver) {
  const auto whole = LoadExample("bouncing_ball", "2 s");
  const Rows whole_rows = RowsOf(*whole);
  whole->Initialize();
  whole->Run();
  const auto parts = LoadExample("bouncing_ball", "2 s");
  const Rows part_rows = RowsOf(*parts);
  parts->Initialize();
  for (double t = 0.0041; t < 2; t += 0.0173) parts->AdvanceTo(t);
  parts->Run();
  EXPECT_GT(parts->statistics().events, 2U);
  EXPECT_EQ(parts->statistics().events, whole->statistics().events);
  const std::vector<double> wanted = whole_rows.Take();
  const std::vector<double> rows = part_rows.Take();
  ASSERT_EQ(rows.size(), wanted.size());
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_NEAR(rows[i], wanted[i], 1e-5) << i;
}

/// A snapshot between two step points is one as any other.
TEST(AdvanceToTest, SnapshotsBetweenStepPointsGoOnBitForBit) {
  for (const std::string name : {"lifting_cylinder", "bouncing_ball", "operated_lift", "level_switching"}) {
    const auto saving = LoadExample(name, "2 s");
    saving->Initialize();
    saving->AdvanceTo(0.5 * saving->stop_time() + 0.37 * saving->time_step());
    const std::string snapshot = saving->TakeSnapshot();
    const auto loading = LoadExample(name, "2 s");
    ASSERT_FALSE(loading->LoadSnapshot(snapshot).has_errors());
    EXPECT_EQ(loading->time(), saving->time());
    EXPECT_TRUE(loading->TakeSnapshot() == snapshot) << name;
    const Rows saved_rows = RowsOf(*saving, {.has_row_now = false});
    const Rows loaded_rows = RowsOf(*loading, {.has_row_now = false});
    for (Simulation* s : {saving.get(), loading.get()}) {
      s->AdvanceTo(s->time() + 0.21 * s->time_step());
      s->Run();
    }
    EXPECT_TRUE(HaveSameBits(saved_rows.Take(), loaded_rows.Take())) << name;
    EXPECT_TRUE(loading->TakeSnapshot() == saving->TakeSnapshot()) << name;
  }
}

/// Fixed-step components and several TimeSteps meet at step points only.
TEST(AdvanceToTest, FixedStepsRefuseTimesBetween) {
  const auto tlm = LoadExample("water_hammer", "0.2 s");
  tlm->Initialize();
  const double h = tlm->time_step();
  const std::string before = tlm->TakeSnapshot();
  EXPECT_THAT(
      WhatOf<std::invalid_argument>([&] { tlm->AdvanceTo(2.5 * h); }),
      HasSubstr(
          "is not a communication point, and fixed-step (TLM) components advance with the fixed TimeStep"));
  EXPECT_TRUE(tlm->TakeSnapshot() == before);
  EXPECT_EQ(tlm->AdvanceTo(2 * h), RunEnd::kReached);
  EXPECT_EQ(tlm->statistics().steps, 2U);

  const auto rates = LoadText(
      "<System name=\"s\"><SimulatorManager TimeStep=\"10 ms\" StopTime=\"1 s\"/>"
      "<signal.Integrator name=\"slow\"/><signal.Integrator name=\"quick\" TimeStep=\"1 ms\"/></System>");
  rates->Initialize();
  EXPECT_THAT(WhatOf<std::invalid_argument>([&] { rates->AdvanceTo(0.025); }),
              HasSubstr("multirate components advance with the fixed TimeStep of 0.01 s; take "
                        "0.02 s or 0.03 s"));
  EXPECT_EQ(rates->AdvanceTo(0.02), RunEnd::kReached);
}

}  // namespace
}  // namespace davit
