// Model exchange: a master with a solver of its own meets what davit computes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <numbers>
#include <tuple>

#include "tests/fmi/exported_fmu.h"
#include "tests/fmi/model_exchange_master.h"

namespace davit {
namespace {

using testing::HasSubstr;

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Outputs that are numbers, as a NativeRun has them.
std::vector<std::size_t> RealColumns(const ExportedFmu& fmu, const NativeRun& run, FmiVersion version) {
  const std::string text = fmu.description();
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < run.names.size(); ++i) {
    std::size_t place = text.find("name=\"" + run.names[i] + "\"");
    if (place == std::string::npos) continue;
    place = version == FmiVersion::k2 ? text.find("<", place) : text.rfind("<", place);
    const std::string element = text.substr(place + 1, text.find_first_of(" />", place + 1) - place - 1);
    if (element == "Real" || element == "Float64") columns.push_back(i);
  }
  return columns;
}

/// The largest difference of a column, as a share of the largest value in it.
double WorstDifference(const NativeRun& native, const std::vector<std::vector<double>>& rows,
                       const std::vector<std::size_t>& columns, std::string& where) {
  double worst = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    double largest = 0, difference = 0;
    std::size_t row = 0;
    for (std::size_t n = 0; n < native.rows.size(); ++n) {
      largest = std::max(largest, std::abs(native.rows[n][columns[c]]));
      const double here = std::abs(native.rows[n][columns[c]] - rows[n][c]);
      if (here > difference) row = n;
      difference = std::max(difference, here);
    }
    if (largest == 0) largest = 1;
    if (difference / largest <= worst) continue;
    worst = difference / largest;
    where = native.names[columns[c]] + " in row " + std::to_string(row) + ": " +
            std::to_string(native.rows[row][columns[c]]) + ", by the master " + std::to_string(rows[row][c]);
  }
  return worst;
}

/// The system file of a case. Where the file asks for less accuracy than is compared here, a copy with more:
/// the time of the slip moves the friction force by 2.5e-4 between rtol 1e-9 of ida and this.
std::filesystem::path SystemOf(const std::string& name) {
  if (name != "stick_slip") return SystemNamed(name);
  std::ifstream stream(ExampleSystem(name));
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  const std::string given = R"(method="ida" rtol="1e-9" atol="1e-9")";
  const std::size_t place = text.find(given);
  if (place != std::string::npos)
    text.replace(place, given.size(), R"(method="rodas5p" rtol="1e-10" atol="1e-12")");
  const std::filesystem::path copy = FreshFolder() / "stick_slip.xml";
  std::ofstream(copy) << text;
  return copy;
}

struct MasterCase {
  const char* system;
  double stop;
  double interval;
  const char* method;
  double tolerance = 1e-7;
};

/// An interval that meets no step point at which a level switches: there a master sees the values after the
/// switch, and a native run has both.
constexpr double kOffGrid = 0.0137;

class ModelExchangeTest : public testing::TestWithParam<std::tuple<MasterCase, FmiVersion>> {};

// Law: the equations and events that a master sees are those that davit solves.
TEST_P(ModelExchangeTest, MeetsTheNativeRun) {
  const auto& [example, version] = GetParam();
  const std::filesystem::path system = SystemOf(example.system);
  const ExportedFmu fmu(system, version, {}, true);
  const NativeRun native = RunNatively(system, example.interval, example.stop);
  const std::vector<std::size_t> columns = RealColumns(fmu, native, version);
  ASSERT_FALSE(columns.empty());
  std::vector<std::string> outputs;
  for (const std::size_t c : columns) outputs.push_back(native.names[c]);
  const auto master = ModelExchange::Make(fmu, version);
  const auto rows = RunModelExchange(*master, outputs,
                                     {.stop = example.stop,
                                      .interval = example.interval,
                                      .method = example.method,
                                      .tolerance = example.tolerance});
  ASSERT_EQ(rows.size(), native.rows.size());
  std::string where;
  EXPECT_LE(WorstDifference(native, rows, columns, where), 1e-4) << where;
}

INSTANTIATE_TEST_SUITE_P(
    Systems, ModelExchangeTest,
    testing::Combine(testing::Values(MasterCase{"bouncing_ball", 3.5, 0.01, "runge_kutta_dopri5"},
                                     MasterCase{"bouncing_ball", 5, 0.01, "rodas5p"},
                                     MasterCase{"stick_slip", 20, 0.02, "rodas5p", 1e-9},
                                     MasterCase{"mass_spring", 2, 0.01, "runge_kutta_dopri5"},
                                     MasterCase{"lifting_cylinder", 3, 0.01, "rodas5p"},
                                     MasterCase{"level_switching", 1400 * kOffGrid, kOffGrid, "rodas5p"},
                                     MasterCase{"blinker", 3, 0.01, "rodas5p"},
                                     MasterCase{"scripted", 2, 0.01, "runge_kutta_dopri5"},
                                     MasterCase{"van_der_pol", 10, 0.01, "runge_kutta_dopri5", 1e-9}),
                     testing::Values(FmiVersion::k2, FmiVersion::k3)),
    [](const auto& parameter) {
      const MasterCase& example = std::get<0>(parameter.param);
      return std::string(example.system) + "_" + example.method +
             (std::get<1>(parameter.param) == FmiVersion::k2 ? "_2" : "_3");
    });

// Law: a master that does not look at event indicators is told of events when it completes a step.
TEST(ModelExchangeEventTest, CompletedStepsTellOfEvents) {
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"), FmiVersion::k3, {}, true);
  const auto master = ModelExchange::Make(fmu, FmiVersion::k3);
  const auto rows = RunModelExchange(*master, {"ball.x", "ball.v"},
                                     {.stop = 1, .interval = 1e-3, .has_state_events = false});
  // The first impact, after sqrt(2 h/g) = 0.4515 s, is seen at most one row late: the ball rises again.
  const auto at = [&](double t) { return rows[static_cast<std::size_t>(std::lround(t / 1e-3))]; };
  EXPECT_LT(at(0.45)[1], -4.4);
  EXPECT_GT(at(0.454)[1], 0.8 * 4.429 - 0.1);
  for (const auto& row : rows) EXPECT_GT(row[0], -4.5e-3);
}

// Law: d(y')/dy and d(output)/d(input) are the differences of what the FMU computes.
TEST(ModelExchangeDerivativeTest, AreThoseOfDifferences) {
  for (const FmiVersion version : {FmiVersion::k2, FmiVersion::k3}) {
    const ExportedFmu fmu(ExampleSystem("mass_spring"), version, {}, true);
    const auto master = ModelExchange::Make(fmu, version);
    master->Initialize(0, 2);
    master->UpdateDiscreteStates();
    master->EnterContinuousTime();
    const std::size_t n = master->state_count();
    ASSERT_GT(n, 0u);
    std::vector<double> x(n), shifted(n), above(n), below(n);
    master->GetStates(x);
    std::vector<std::string> states, derivatives;
    for (std::size_t i = 0; i < n; ++i) {
      states.push_back(fmu.NameOfState(i));
      derivatives.push_back("der(" + states.back() + ")");
    }
    for (std::size_t j = 0; j < n; ++j) {
      const double step = 1e-6 * std::max(1.0, std::abs(x[j]));
      shifted = x;
      shifted[j] = x[j] + step;
      master->SetStates(shifted);
      master->GetDerivatives(above);
      shifted[j] = x[j] - step;
      master->SetStates(shifted);
      master->GetDerivatives(below);
      master->SetStates(x);
      std::vector<double> seed(n, 0.0);
      seed[j] = 1;
      const std::vector<double> column = master->Directional(derivatives, states, seed);
      for (std::size_t i = 0; i < n; ++i) {
        const double difference = (above[i] - below[i]) / (2 * step);
        EXPECT_NEAR(column[i], difference, 1e-6 * std::max(1.0, std::abs(difference)))
            << derivatives[i] << " over " << states[j];
      }
    }
  }
}

// Law: the same at states close to zero, whose size says nothing of how far they have to be shifted: from the
// start of the cranes by 1e-3 of the nominal values. Where differences to both sides over 1e-5 of these agree
// to 1e-4 there is no kink, and they are the derivative to that; the rest is what rounding leaves, 1e-15 of
// the value over a shift of 1e-8.
TEST(ModelExchangeDerivativeTest, AreThoseOfDifferencesNearZero) {
  for (const char* system : {"knuckle_boom_crane", "laboratory_crane"}) {
    const ExportedFmu fmu(ExampleSystem(system), FmiVersion::k3, {}, true);
    const auto master = ModelExchange::Make(fmu, FmiVersion::k3);
    master->Initialize(0, 2);
    master->UpdateDiscreteStates();
    master->EnterContinuousTime();
    const std::size_t n = master->state_count();
    std::vector<double> x(n), nominal(n), base(n), above(n), below(n);
    master->GetStates(x);
    master->GetNominals(nominal);
    std::vector<std::string> derivatives;
    for (std::size_t i = 0; i < n; ++i) {
      x[i] += 1e-3 * nominal[i];
      derivatives.push_back("der(" + fmu.NameOfState(i) + ")");
    }
    master->SetStates(x);
    master->GetDerivatives(base);
    std::size_t compared = 0;
    for (std::size_t j = 0; j < n; ++j) {
      if (!fmu.NameOfState(j).starts_with("crane.")) continue;
      const double seed = 1;
      const std::vector<double> column = master->Directional(derivatives, {fmu.NameOfState(j)}, {&seed, 1});
      std::vector<double> shifted = x;
      const double step = 1e-5 * nominal[j];
      shifted[j] = x[j] + step;
      master->SetStates(shifted);
      master->GetDerivatives(above);
      shifted[j] = x[j] - step;
      master->SetStates(shifted);
      master->GetDerivatives(below);
      master->SetStates(x);
      for (std::size_t i = 0; i < n; ++i) {
        const double up = (above[i] - base[i]) / step, down = (base[i] - below[i]) / step;
        const double both = (up + down) / 2;
        if (both == 0 || !(std::abs(up - down) <= 1e-4 * std::abs(both))) continue;
        ++compared;
        const double rounding = 1e-15 * std::max(std::abs(base[i]), 1.0) / (1e-8 * nominal[j]);
        EXPECT_NEAR(column[i], both, 1e-4 * std::abs(both) + rounding)
            << system << ' ' << derivatives[i] << " over " << fmu.NameOfState(j);
      }
    }
    EXPECT_GT(compared, 50U) << system;
  }
}

// Law: each state that the description declares can be asked for, also those of levels that are not in use:
// dx/dx is 1, and what is not in use changes nothing, as the FMU shows what the component makes of it.
TEST(ModelExchangeDerivativeTest, AreThereForStatesOfAllLevels) {
  const ExportedFmu fmu(ExampleSystem("lifting_cylinder"), FmiVersion::k2, {}, true);
  const auto master = ModelExchange::Make(fmu, FmiVersion::k2);
  master->Initialize(0, 2);
  master->UpdateDiscreteStates();
  master->EnterContinuousTime();
  std::vector<double> x(master->state_count()), ddt(x.size()), with_other(x.size());
  master->GetStates(x);
  master->GetDerivatives(ddt);
  std::size_t unused = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::vector<std::string> unknowns{fmu.NameOfState(i)};
    for (std::size_t k = 0; k < x.size(); ++k) unknowns.push_back("der(" + fmu.NameOfState(k) + ")");
    const double seed = 3;
    const std::vector<double> change = master->Directional(unknowns, {fmu.NameOfState(i)}, {&seed, 1});
    std::vector<double> other = x;
    other[i] += 1;
    master->SetStates(other);
    master->GetDerivatives(with_other);
    const bool is_shown = master->Real(unknowns[0]) == other[i];
    master->SetStates(x);
    EXPECT_EQ(change.at(0), is_shown ? seed : 0) << unknowns[0];
    if (with_other != ddt) continue;
    ++unused;
    for (std::size_t k = 1; k < change.size(); ++k) EXPECT_EQ(change[k], 0) << unknowns[k];
  }
  EXPECT_GT(unused, 0U);
}

// Law: a state saved in one instance goes on in another one as it does in the first.
TEST(ModelExchangeStateTest, ContinuesInAnotherInstance) {
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"), FmiVersion::k2, {}, true);
  const auto first = ModelExchange::Make(fmu, FmiVersion::k2);
  RunModelExchange(*first, {"ball.x"}, {.stop = 0.7, .interval = 0.1});
  const std::string bytes = first->SaveState();
  const auto second = ModelExchange::Make(fmu, FmiVersion::k2);
  second->LoadState(bytes);
  std::vector<double> x(2), y(2);
  for (double t = 0.7; t < 0.9; t += 0.01) {
    for (ModelExchange* one : {first.get(), second.get()}) {
      std::vector<double>& states = one == first.get() ? x : y;
      one->GetStates(states);
      std::vector<double> ddt(2);
      one->GetDerivatives(ddt);
      for (std::size_t i = 0; i < 2; ++i) states[i] += 0.01 * ddt[i];
      one->SetTime(t + 0.01);
      one->SetStates(states);
      EXPECT_FALSE(one->CompleteStep());
    }
    EXPECT_EQ(x, y);
    EXPECT_EQ(first->Real("ball.x"), second->Real("ball.x"));
  }
}

TEST(ModelExchangeExportTest, WhatItCannotBeSaysWhy) {
  for (const auto& [name, why] : {std::pair<const char*, const char*>{"water_hammer", "fixed steps (TLM)"},
                                  {"transistor_amplifier", "algebraic equations (DAE)"}}) {
    Diagnostics diagnostics;
    ExportFmu({.system = ExampleSystem(name),
               .output = FreshFolder() / "x.fmu",
               .has_model_exchange = true,
               .has_reference = false,
               .runtime = std::filesystem::path(DAVIT_BINARY).parent_path() / "davit_fmu_runtime.so"},
              FmuModels(), diagnostics);
    ASSERT_TRUE(diagnostics.has_errors());
    EXPECT_THAT(ToText(diagnostics.all().front()), HasSubstr(why));
    EXPECT_THAT(ToText(diagnostics.all().front()), HasSubstr("write --kind cs"));
  }
}

// ---- events of charts ------------------------------------------------------------------------------------

std::filesystem::path WriteEventSystem(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "gate.scxml") << R"(<?xml version="1.0"?>
<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="gate" initial="closed" datamodel="davit">
  <datamodel><data id="count" expr="0"/></datamodel>
  <state id="closed">
    <transition event="lift" target="open"><assign location="count" expr="count + 1"/></transition>
  </state>
  <state id="open">
    <onentry><send event="timeout" delay="100ms"/></onentry>
    <transition event="timeout" target="closed"/>
    <transition event="lift"><assign location="count" expr="count + 1"/></transition>
  </state>
</scxml>
)";
  const std::filesystem::path system = folder / "gate.xml";
  std::ofstream(system) << R"(<?xml version="1.0"?>
<System name="gate" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" StopTime="1 s"/>
  <Statechart name="gate" src="gate.scxml"/>
  <Record signals="gate.*" interval="10 ms"/>
</System>
)";
  return system;
}

// Law: adding k to the counter sends k events; events that charts send themselves are no inputs.
TEST(FmuEventTest, CountersSendEvents) {
  const ExportedFmu fmu(WriteEventSystem(FreshFolder() / "system"), FmiVersion::k2, {}, true);
  EXPECT_THAT(fmu.description(), HasSubstr("name=\"event(lift)\""));
  EXPECT_THAT(fmu.description(), testing::Not(HasSubstr("event(timeout)")));
  Slave2 slave(fmu);
  slave.Start(0, 1);
  EXPECT_EQ(slave.Step(0, 0.01), fmi2OK);
  EXPECT_EQ(slave.Real("gate.count"), 0);
  slave.SetInteger("event(lift)", 2);
  EXPECT_EQ(slave.Step(0.01, 0.01), fmi2OK);
  EXPECT_EQ(slave.Real("gate.count"), 2);
  slave.SetInteger("event(lift)", 2);
  EXPECT_EQ(slave.Step(0.02, 0.01), fmi2OK);
  EXPECT_EQ(slave.Real("gate.count"), 2) << "the counter has not grown";
  const fmi2ValueReference reference = fmu.reference("event(lift)");
  const int less = 1;
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2SetInteger)(slave.component(), &reference, 1, &less), fmi2Error);
  EXPECT_THAT(slave.log().back(), HasSubstr("the counter of the event lift is 2 and cannot become 1"));
}

TEST(FmuEventTest, CountersSendEventsInModelExchange) {
  const ExportedFmu fmu(WriteEventSystem(FreshFolder() / "system"), FmiVersion::k3, {}, true);
  const auto master = ModelExchange::Make(fmu, FmiVersion::k3);
  int sent = 0;
  const auto rows = RunModelExchange(
      *master, {"gate.count"}, {.stop = 0.5, .interval = 0.1, .at_row = [&](ModelExchange& model, double t) {
                                  if (t > 0.05) model.SetWhole("event(lift)", sent += 2);
                                }});
  EXPECT_EQ(rows.back()[0], 8) << "two at each of four rows; those of the last one act at the next TimeStep";
}

class EventsOfFmuTest : public testing::TestWithParam<FmiVersion> {};

// Law: solvers with a search for roots may stop at the very zero of an indicator, and the impact happens
// there: v becomes -0.8 v. The ball falls from 1 m.
TEST_P(EventsOfFmuTest, AnEventAtTheVeryZeroHappens) {
  constexpr double kGravity = 9.81;
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"), GetParam(), {}, true);
  for (const bool has_events_between : {true, false}) {
    const auto model = ModelExchange::Make(fmu, GetParam());
    model->Initialize(0, 5);
    model->UpdateDiscreteStates();
    model->EnterContinuousTime();
    ASSERT_EQ(model->state_count(), 2U);
    const std::size_t x = fmu.NameOfState(0) == "ball.x" ? 0 : 1;
    std::vector<double> states(2);
    const auto bring = [&](double t, double height) {
      states[x] = height;
      states[1 - x] = -kGravity * t;
      model->SetTime(t);
      model->SetStates(states);
      return model->CompleteStep();
    };
    for (int i = 1; i <= 45; ++i) {
      const double t = 0.01 * i;
      EXPECT_FALSE(bring(t, 1 - kGravity / 2 * t * t)) << t;
      if (!has_events_between) continue;
      model->EnterEvent();
      model->UpdateDiscreteStates();
      model->EnterContinuousTime();
    }
    const double impact = std::sqrt(2 / kGravity);
    EXPECT_TRUE(bring(impact, 0));
    model->EnterEvent();
    EXPECT_TRUE(model->UpdateDiscreteStates().has_changed_states);
    model->GetStates(states);
    EXPECT_NEAR(states[x], 0, 1e-8);
    EXPECT_NEAR(states[1 - x], 0.8 * kGravity * impact, 1e-7);
  }
}

// Law: where nothing acts at step points there is no reason to stop there. The hooks of a mass without stops,
// or with located ones, do nothing; alarms look only; an integrator with limits acts.
TEST_P(EventsOfFmuTest, StepPointsAreEventsWhereSomethingActs) {
  const auto next_event = [&](const std::filesystem::path& system) {
    const ExportedFmu fmu(system, GetParam(), {}, true);
    const auto model = ModelExchange::Make(fmu, GetParam());
    model->Initialize(0, 50);
    return model->UpdateDiscreteStates().next;
  };
  EXPECT_EQ(next_event(ExampleSystem("mass_spring")), kNever);
  EXPECT_EQ(next_event(ExampleSystem("bouncing_ball")), kNever);
  const std::filesystem::path folder = FreshFolder();
  const auto write = [&](const char* limits) {
    std::ofstream(folder / "limit.xml")
        << R"(<System name="limit"><SimulatorManager TimeStep="10 ms"/>)"
        << R"(<signal.Integrator name="i" )" << limits << R"(/><Record signals="i.y"/></System>)";
    return folder / "limit.xml";
  };
  EXPECT_EQ(next_event(write("")), kNever);
  EXPECT_EQ(next_event(write(R"(high="1")")), 0.01);
}

// Law: a solver that cannot be told of a longest step stops four times a period of a source that swings.
TEST_P(EventsOfFmuTest, SourcesThatSwingStopTheSolver) {
  const std::filesystem::path folder = FreshFolder();
  std::ofstream(folder / "swing.xml")
      << R"(<System name="swing"><SimulatorManager TimeStep="10 ms"/><signal.Sine name="s" frequency="4 rad/s"/>)"
      << R"(<signal.Integrator name="i"/><Route from="s.y" to="i.u"/><Record signals="i.y"/></System>)";
  const ExportedFmu fmu(folder / "swing.xml", GetParam(), {}, true);
  const auto model = ModelExchange::Make(fmu, GetParam());
  model->Initialize(0, 10);
  for (int i = 1; i <= 8; ++i) {
    const double next = model->UpdateDiscreteStates().next;
    EXPECT_NEAR(next, std::numbers::pi / 8 * i, 1e-9);
    model->EnterContinuousTime();
    model->SetTime(next);
    model->CompleteStep();
    model->EnterEvent();
  }
}

// Law: a parameter that is set in event mode is looked at by models at the next step point.
TEST_P(EventsOfFmuTest, TheStepPointAfterAWriteIsAnEvent) {
  const ExportedFmu fmu(ExampleSystem("mass_spring"), GetParam(), {}, true);
  const auto model = ModelExchange::Make(fmu, GetParam());
  model->Initialize(0, 10);
  EXPECT_EQ(model->UpdateDiscreteStates().next, kNever);
  model->EnterContinuousTime();
  model->SetTime(0.034);
  model->CompleteStep();
  model->EnterEvent();
  model->SetReal("load.mass", 11);
  EXPECT_NEAR(model->UpdateDiscreteStates().next, 0.04, 1e-15);
}

// Law: states that a master gives at a step point stay as they are, also where it has summed up its times:
// the alarms of the system look at step points. Values that components show in states of other levels are no
// news.
TEST_P(EventsOfFmuTest, ATimeThatMissesAStepPointByRoundingMeansIt) {
  const ExportedFmu fmu(ExampleSystem("lifting_cylinder"), GetParam(), {}, true);
  const auto model = ModelExchange::Make(fmu, GetParam());
  model->Initialize(0, 10);
  model->UpdateDiscreteStates();
  model->EnterContinuousTime();
  std::vector<double> states(model->state_count());
  model->GetStates(states);
  for (double& state : states) state *= 1 + 1e-6;
  const double late = std::nextafter(0.05, 1);
  model->SetTime(late);
  model->SetStates(states);
  EXPECT_FALSE(model->CompleteStep());
  std::vector<double> kept(states.size());
  model->GetStates(kept);
  EXPECT_EQ(kept, states);
  model->EnterEvent();
  model->UpdateDiscreteStates();
  model->GetStates(kept);
  EXPECT_EQ(kept, states);
}

// Law: y' = u jumps each half second and nothing else happens: those events tell solvers to begin anew, the
// others do not.
TEST_P(EventsOfFmuTest, JumpsOfDerivativesTellTheSolverToBeginAnew) {
  const std::filesystem::path system = FreshFolder() / "pulse.xml";
  std::ofstream(system) << R"(<System name="pulse"><SimulatorManager TimeStep="0.1 s" StopTime="2 s"/>
<signal.Pulse name="pulse" period="1 s" width="0.5 s"/><signal.Integrator name="y"/>
<Route from="pulse.y" to="y.u"/><Record signals="y.y"/></System>)";
  const ExportedFmu fmu(system, GetParam(), {}, true);
  const auto model = ModelExchange::Make(fmu, GetParam());
  model->Initialize(0, 2);
  double next = model->UpdateDiscreteStates().next;
  model->EnterContinuousTime();
  std::vector<double> states{0};
  int jumps = 0;
  for (double t = 0; next < 1.9;) {
    std::vector<double> slopes(1);
    model->GetDerivatives(slopes);
    states[0] += (next - t) * slopes[0];
    t = next;
    model->SetTime(t);
    model->SetStates(states);
    model->CompleteStep();
    model->EnterEvent();
    const ModelExchange::Events events = model->UpdateDiscreteStates();
    model->EnterContinuousTime();
    const bool is_jump = std::abs(t * 2 - std::round(t * 2)) < 1e-9;
    EXPECT_EQ(events.has_changed_states, is_jump) << t;
    jumps += is_jump ? 1 : 0;
    next = events.next;
  }
  EXPECT_EQ(jumps, 3);
  EXPECT_NEAR(states[0], 1, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Versions, EventsOfFmuTest, testing::Values(FmiVersion::k2, FmiVersion::k3),
                         [](const auto& parameter) {
                           return parameter.param == FmiVersion::k2 ? "Fmi2" : "Fmi3";
                         });

}  // namespace
}  // namespace davit
