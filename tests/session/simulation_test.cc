// The life of a simulation: loading, the order of calls, the ways to step.

#include "session/simulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/session/sessions.h"

namespace davit {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// One way to go from the start to the end of a run.
struct Partition {
  const char* name;
  void (*run)(Simulation& simulation);
};

constexpr Partition kPartitions[] = {
    {"Step",
     [](Simulation& s) {
       while (!s.is_finished()) s.Step();
     }},
    {"RunUntilInSevenths",
     [](Simulation& s) {
       const double part = (s.stop_time() - s.start_time()) / 7;
       for (int i = 1; i < 7; ++i) s.RunUntil(s.start_time() + i * part);
       s.RunUntil(s.stop_time());
     }},
    {"AdvanceToStepPoints",
     [](Simulation& s) {
       for (int i = 3; !s.is_finished(); i += 3)
         s.AdvanceTo(std::min(s.start_time() + i * s.time_step(), s.stop_time()));
     }},
    {"RequestStopEachStep",
     [](Simulation& s) {
       struct Stopper final : RunHost {
         explicit Stopper(Simulation& one) : simulation(one) {}
         Clock::duration BeforeStep() override {
           if (++steps % 2 == 0) simulation.RequestStop();
           return {};
         }
         Simulation& simulation;
         int steps = 0;
       } host(s);
       while (!s.is_finished()) s.Run(host);
     }},
};

using Case = std::tuple<std::string, std::string>;

class PartitionTest : public testing::TestWithParam<Case> {};

/// However a run is cut into calls, it has the bits of a run in one call: all states, solvers, charts,
/// delays.
TEST_P(PartitionTest, GivesTheBitsOfOneRun) {
  const auto& [name, stop] = GetParam();
  const auto whole = LoadExample(name, stop);
  whole->Initialize();
  EXPECT_EQ(whole->Run(), RunEnd::kReached);
  const std::string wanted = whole->TakeSnapshot();
  for (const Partition& partition : kPartitions) {
    const auto parts = LoadExample(name, stop);
    parts->Initialize();
    partition.run(*parts);
    EXPECT_TRUE(parts->TakeSnapshot() == wanted) << partition.name;
    EXPECT_EQ(parts->statistics().evaluations, whole->statistics().evaluations) << partition.name;
  }
}

/// Initialize repeats the run, at the same cost.
TEST_P(PartitionTest, InitializeRepeatsTheRun) {
  const auto& [name, stop] = GetParam();
  const auto simulation = LoadExample(name, stop);
  const Rows rows = RowsOf(*simulation);
  simulation->Initialize();
  simulation->Run();
  const std::vector<double> first = rows.Take();
  const std::uint64_t evaluations = simulation->statistics().evaluations;
  simulation->Initialize();
  simulation->Run();
  EXPECT_TRUE(HaveSameBits(rows.Take(), first));
  EXPECT_EQ(simulation->statistics().evaluations, evaluations);
}

INSTANTIATE_TEST_SUITE_P(Systems, PartitionTest,
                         testing::Values(Case{"lifting_cylinder", "2 s"}, Case{"bouncing_ball", "2 s"},
                                         Case{"operated_lift", "2 s"}, Case{"water_hammer", "0.2 s"},
                                         Case{"level_switching", "1 s"}),
                         [](const auto& one) { return std::get<0>(one.param); });

TEST(SimulationTest, WrongSystemGivesAllFaultsAsAValue) {
  const LoadedSimulation loaded = Simulation::LoadText(
      "<System name=\"s\">\n<mechanical.Mass name=\"load\" mas=\"5 t\"/>\n"
      "<mechanical.Mass name=\"other\" mass=\"5 bar\"/>\n</System>",
      "crane.xml", SessionModels());
  EXPECT_EQ(loaded.simulation, nullptr);
  EXPECT_EQ(loaded.diagnostics.error_count(), 2U);
  EXPECT_THAT(loaded.ToText(), HasSubstr("crane.xml:2: error: /load: no parameter 'mas'"));
  EXPECT_THAT(loaded.ToText(), HasSubstr("crane.xml:3: error: /other: mass: '5 bar' is"));
}

/// Faults that only the building of the network finds are part of loading, too.
TEST(SimulationTest, FaultsOfTheNetworkAreFaultsOfLoading) {
  const LoadedSimulation loaded = Simulation::LoadText(
      "<System name=\"s\"><signal.Gain name=\"a\"/><signal.Gain name=\"b\"/>"
      "<Route from=\"a.y\" to=\"b.u\"/><Route from=\"b.y\" to=\"a.u\"/></System>",
      "loop.xml", SessionModels());
  EXPECT_EQ(loaded.simulation, nullptr);
  EXPECT_THAT(loaded.ToText(), HasSubstr("/a: algebraic loop"));
}

TEST(SimulationTest, MissingFileIsAFault) {
  LoadedSimulation loaded = Simulation::Load("nowhere.xml", SessionModels());
  EXPECT_EQ(loaded.simulation, nullptr);
  EXPECT_THAT(WhatOf<std::invalid_argument>([&] { std::move(loaded).Take(); }), HasSubstr("nowhere.xml"));
}

/// Each call in the wrong order says what to call first, and nothing has changed.
TEST(SimulationTest, CallsInTheWrongOrderAreRefused) {
  const auto simulation = LoadBody();
  Simulation& s = *simulation;
  const auto expect_refused = [&](const char* why) {
    for (const auto& [name, call] : std::initializer_list<std::pair<const char*, std::function<void()>>>{
             {"Step", [&] { s.Step(); }},
             {"Run", [&] { s.Run(); }},
             {"RunUntil", [&] { s.RunUntil(0.5); }},
             {"AdvanceTo", [&] { s.AdvanceTo(0.5); }},
             {"SaveState", [&] { s.SaveState("never.snap"); }},
             {"SaveState", [&] { s.TakeSnapshot(); }},
             {"SaveState", [&] { s.Clone(); }},
             {"Submit", [&] { s.Submit({.command = "set body.mass 3 kg"}); }},
             {"TakeRequests", [&] { s.TakeRequests(); }}}) {
      const std::string text = WhatOf<std::logic_error>(call);
      EXPECT_THAT(text, HasSubstr(std::string("Simulation::") + name + ": ")) << text;
      EXPECT_THAT(text, HasSubstr(why)) << text;
      EXPECT_THAT(text, HasSubstr("call Initialize or LoadState first")) << text;
    }
  };
  expect_refused("no run has begun");
  EXPECT_FALSE(s.is_initialized());
  EXPECT_FALSE(std::filesystem::exists("never.snap"));

  s.Initialize();
  s.Run();
  EXPECT_TRUE(s.is_finished());
  const std::string end = s.TakeSnapshot();
  EXPECT_THAT(WhatOf<std::logic_error>([&] { s.Step(); }),
              HasSubstr("Simulation::Step: the run has reached its StopTime, 1 s; call Initialize"));
  EXPECT_EQ(s.Run(), RunEnd::kReached);
  EXPECT_EQ(s.RunUntil(1), RunEnd::kReached);
  EXPECT_TRUE(s.TakeSnapshot() == end);
}

TEST(SimulationTest, TimesThatCannotBeReachedAreRefused) {
  const auto s = LoadBody();
  s->Initialize();
  s->RunUntil(0.5);
  const std::string before = s->TakeSnapshot();
  EXPECT_THAT(WhatOf<std::invalid_argument>([&] { s->RunUntil(2); }), HasSubstr("up to 1 s"));
  EXPECT_THAT(WhatOf<std::invalid_argument>([&] { s->RunUntil(std::nan("")); }), HasSubstr("up to 1 s"));
  EXPECT_THAT(WhatOf<std::invalid_argument>([&] { s->AdvanceTo(2); }), HasSubstr("up to 1 s"));
  EXPECT_THAT(WhatOf<std::invalid_argument>([&] { s->AdvanceTo(0.25); }),
              HasSubstr("before the time reached, 0.5 s"));
  EXPECT_THAT(WhatOf<std::invalid_argument>([&] { s->AdvanceTo(INFINITY); }), HasSubstr("not a time"));
  EXPECT_TRUE(s->TakeSnapshot() == before);
}

/// A run that cannot continue says where and why, refuses to step, can be read, and can start again.
TEST(SimulationTest, FailedRunIsRefusedUntilItBeginsAnew) {
  // y' = y^2 ends at t = 1.
  const auto s = LoadText(
      "<System name=\"s\"><SimulatorManager TimeStep=\"0.1\" StopTime=\"2\"/><user.Equation name=\"e\">"
      "<State name=\"y\" start=\"1\" der=\"y*y\"/></user.Equation></System>");
  s->Initialize();
  const std::string fault = WhatOf<SimulationFailure>([&] { s->Run(); });
  EXPECT_THAT(fault, HasSubstr("/e: the run diverged at t = "));
  EXPECT_EQ(s->failure(), std::vector<std::string>{fault});
  EXPECT_FALSE(s->is_initialized());
  EXPECT_FALSE(s->is_finished());
  EXPECT_THAT(WhatOf<std::logic_error>([&] { s->Step(); }), HasSubstr("the run has failed (/e: "));
  EXPECT_GT(s->Read("e.y"), 9);  // at the last step point, 0.9 s or later
  s->Initialize();
  EXPECT_THAT(s->failure(), IsEmpty());
  EXPECT_EQ(s->RunUntil(0.5), RunEnd::kReached);
  EXPECT_NEAR(s->Read("e.y"), 2, 1e-4);
}

/// The message Stop ends a run; the next call continues it.
TEST(SimulationTest, StopMessageEndsARun) {
  const auto s = LoadBody({.load = {.at = {}}});
  s->Initialize();
  ASSERT_TRUE(s->Submit({.command = "0.3 message SimulatorManager Stop"}).is_accepted);
  EXPECT_EQ(s->Run(), RunEnd::kMessage);
  EXPECT_NEAR(s->time(), 0.31, 1e-12);  // the step that begins at 0.3 s
  EXPECT_EQ(s->Run(), RunEnd::kReached);
  EXPECT_EQ(s->time(), 1);
}

/// A stop that is requested before a run ends it before its first step, once.
TEST(SimulationTest, StopRequestHoldsUntilARunHasSeenIt) {
  const auto s = LoadBody();
  s->RequestStop();
  s->Initialize();
  EXPECT_EQ(s->Run(), RunEnd::kRequested);
  EXPECT_EQ(s->time(), 0);
  EXPECT_EQ(s->RunUntil(0.5), RunEnd::kReached);
  s->RequestStop();
  EXPECT_EQ(s->AdvanceTo(0.505), RunEnd::kRequested);
  EXPECT_EQ(s->time(), 0.5);
}

/// The log of each simulation goes where its options say.
TEST(SimulationTest, EachHasItsOwnLog) {
  std::vector<std::string> first_lines, second_lines;
  const auto take = [](std::vector<std::string>& lines) {
    return [&lines](RunLog::Severity, std::string_view line) { lines.emplace_back(line); };
  };
  const auto first = LoadBody({.log_level = RunLog::Severity::kInfo, .log = take(first_lines)});
  const auto second = LoadBody({.log_level = RunLog::Severity::kWarning, .log = take(second_lines)});
  for (Simulation* s : {first.get(), second.get()}) {
    s->Initialize();
    s->Submit({.command = "0.5 set body.mass 3 kg"});
    s->Run();
  }
  EXPECT_EQ(first_lines, std::vector<std::string>{
                             "t = 0.5 s: /body: <At time=\"0.5 s\" set=\"body.mass\" value=\"3 kg\"/>"});
  EXPECT_THAT(second_lines, IsEmpty());
}

/// What a plug-in host or a server asks first.
TEST(SimulationTest, TellsTimesStatisticsAndHints) {
  const auto s = LoadBody();
  EXPECT_EQ(s->start_time(), 0);
  EXPECT_EQ(s->stop_time(), 1);
  EXPECT_EQ(s->time_step(), 0.01);
  s->Initialize();
  s->Run();
  EXPECT_EQ(s->statistics().steps, 100U);
  EXPECT_EQ(s->statistics().states, 2U);
  EXPECT_EQ(s->statistics().simulated, 1);
  EXPECT_THAT(s->hints(), IsEmpty());
}

}  // namespace
}  // namespace davit
