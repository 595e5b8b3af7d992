// One system over several parts: threads that have nothing in common but messages.

#include "session/part_run.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "components/register.h"
#include "session/simulation.h"
#include "simulator/parts/thread_channels.h"
#include "tests/session/sessions.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Every bit of the rows of a run, and of its snapshot at the end.
struct Outcome {
  std::vector<std::uint64_t> rows;
  std::string snapshot;
  std::vector<std::string> refusals;
  std::string failure;
  std::uint64_t solver_steps = 0;
  std::vector<PartStatistics> parts;
};

RowTaker Into(std::vector<std::uint64_t>& rows) {
  return [&rows](double t, std::span<const double> values) {
    rows.push_back(std::bit_cast<std::uint64_t>(t));
    for (const double value : values) rows.push_back(std::bit_cast<std::uint64_t>(value));
  };
}

std::unique_ptr<Simulation> Load(const std::string& text, const Registry& registry) {
  return Simulation::LoadText(text, DAVIT_SOURCE_DIR "/systems/parted.xml", registry, {}).Take();
}

Outcome RunWhole(const std::string& text, double stop, const std::string& snapshot = {}) {
  const Registry registry = AllModels();
  const auto simulation = Load(text, registry);
  Outcome outcome;
  simulation->StartRecording({.on_row = Into(outcome.rows)});
  try {
    if (snapshot.empty()) {
      simulation->Initialize();
    } else {
      simulation->LoadSnapshot(snapshot);
    }
    simulation->RunUntil(stop);
    outcome.snapshot = simulation->TakeSnapshot();
  } catch (const SimulationFailure& failure) {
    outcome.failure = failure.what();
  }
  outcome.solver_steps = simulation->statistics().solver_steps;
  return outcome;
}

/// What rank 0 has in the end. `snapshot`: of another run, to begin with; empty: from the start.
Outcome RunInParts(const std::string& text, double stop, int size, const std::string& snapshot = {}) {
  ThreadChannels channels(size);
  std::vector<Outcome> outcomes(static_cast<std::size_t>(size));
  const auto run = [&](int rank) {
    const Registry registry = AllModels();
    const auto simulation = Load(text, registry);
    Outcome& outcome = outcomes[static_cast<std::size_t>(rank)];
    PartRun part(channels.of(rank));
    ASSERT_THAT(part.Agree(*simulation), IsEmpty());
    if (rank == 0) part.set_sinks({}, Into(outcome.rows));
    const RecordingId id = simulation->StartRecording(
        {.on_row = [&](double t, std::span<const double> values) { part.TakeRow(t, values); }});
    try {
      if (snapshot.empty()) {
        simulation->Initialize();
      } else {
        ASSERT_FALSE(simulation->LoadSnapshot(snapshot).has_errors());
      }
      outcome.refusals = part.Begin(*simulation, simulation->ColumnsOf(id));
      if (!outcome.refusals.empty()) return;
      simulation->RunUntil(stop);
      outcome.snapshot = simulation->TakeSnapshot();
    } catch (const SimulationFailure& failure) {
      if (part.failure() == nullptr) part.Fail(failure.what(), failure.time());
    }
    part.End();
    if (rank != 0) return;
    if (part.failure() != nullptr) outcome.failure = part.failure()->what();
    RunStatistics statistics = simulation->statistics();
    part.AddTo(statistics);
    outcome.solver_steps = statistics.solver_steps;
    outcome.parts = part.parts();
  };
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < size; ++rank) threads.emplace_back(run, rank);
  threads.clear();
  return outcomes.front();
}

std::string SystemText(const std::string& name) {
  std::ifstream file(DAVIT_SOURCE_DIR "/systems/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Pumps in a ring of lines of 3 to 40 TimeSteps; each reads the pressure of the one before, sampled, in its
/// control, and moves a mass (an island) by a signal of it.
std::string Ring(int count, const std::string& more = {}) {
  std::string text = R"(<System name="ring" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="0.1 ms" StopTime="0.2 s"/>
  <signal.Sine name="demand" amplitude="1e-4" frequency="250 rad/s"/>
)";
  for (int i = 0; i < count; ++i) {
    const int next = (i + 1) % count;
    text += fmt::format(R"(
  <hydraulic.FlowSource name="source{0}"/>
  <hydraulic.VolumeC name="volume{0}" volume="{1} l" bulk_modulus="1.6e9 Pa"><Start p="{2} bar"/></hydraulic.VolumeC>
  <hydraulic.Orifice name="out{0}" area="20 mm2"/>
  <hydraulic.Orifice name="in{0}" area="30 mm2"/>
  <hydraulic.Line name="line{0}" inner_diameter="20 mm" length="{3} m" friction="{4}" external_leak="{3} l/min"/>
  <signal.Gain name="control{0}" gain="1e-12"/>
  <signal.Sum name="sum{0}" signs="++"/>
  <signal.Gain name="drive{0}" gain="1e-5"/>
  <mechanical.Mass name="mass{0}" mass="{5} kg" solver="Differential"/>
  <mechanical.Spring name="spring{0}" stiffness="2 kN/m"/>
  <mechanical.Fixed name="wall{0}"/>
  <mechanical.Force name="push{0}"/>
  <Connect from="source{0}.port" to="volume{0}.port"/>
  <Connect from="volume{0}.port" to="out{0}.a"/>
  <Connect from="out{0}.b" to="line{0}.a"/>
  <Connect from="line{0}.b" to="in{6}.a"/>
  <Connect from="in{6}.b" to="volume{6}.port"/>
  <Connect from="mass{0}.a" to="spring{0}.a"/>
  <Connect from="spring{0}.b" to="wall{0}.port"/>
  <Connect from="mass{0}.b" to="push{0}.port"/>
  <Route from="volume{0}.p" to="control{6}.u"/>
  <Route from="demand.y" to="sum{0}.u"/>
  <Route from="control{0}.y" to="sum{0}.u"/>
  <Route from="sum{0}.y" to="source{0}.flow"/>
  <Route from="volume{6}.p" to="drive{0}.u"/>
  <Route from="drive{0}.y" to="push{0}.force"/>
)",
                        i, 0.3 + 0.1 * i, 10 + i, 0.5 + 1.7 * i, i % 2 == 0 ? "steady" : "none", 3 + i, next);
  }
  return text + more +
         "  <Record signals=\"volume*.p mass*.x out*.q sum*.y demand.y\" interval=\"1 ms\"/>\n</System>\n";
}

class PartRunTest : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Sizes, PartRunTest, testing::Values(2, 3, 5));

TEST_P(PartRunTest, RowsAndSnapshotHaveTheBitsOfOneProcess) {
  const std::string text = Ring(4);
  const Outcome whole = RunWhole(text, 0.2);
  const Outcome parts = RunInParts(text, 0.2, GetParam());
  ASSERT_THAT(parts.refusals, IsEmpty());
  ASSERT_EQ(whole.failure, "");
  EXPECT_EQ(parts.rows, whole.rows);
  EXPECT_EQ(DifferenceOf(parts.snapshot, whole.snapshot), "");
  EXPECT_EQ(parts.solver_steps, whole.solver_steps);
  ASSERT_EQ(parts.parts.size(), static_cast<std::size_t>(GetParam()));
  std::uint64_t components = 0;
  for (const PartStatistics& part : parts.parts) components += part.components;
  EXPECT_GT(components, parts.parts.front().components) << "rank 0 has all of it";
}

TEST_P(PartRunTest, ASnapshotContinuesInParts) {
  const std::string text = Ring(4);
  const Outcome first = RunInParts(text, 0.0873, GetParam());
  const Outcome whole = RunWhole(text, 0.2);
  const Outcome rest = RunInParts(text, 0.2, GetParam(), first.snapshot);
  EXPECT_EQ(DifferenceOf(rest.snapshot, RunWhole(text, 0.2, first.snapshot).snapshot), "");
  std::vector<std::uint64_t> rows = first.rows;
  rows.insert(rows.end(), rest.rows.begin(), rest.rows.end());
  EXPECT_EQ(rows, whole.rows);
}

/// Every shipped system that can be dealt out; each of the others says why it cannot.
TEST_P(PartRunTest, SystemsOfTheRepository) {
  constexpr double kMostSteps = 500;
  int divided = 0;
  for (const auto& entry : std::filesystem::directory_iterator(DAVIT_SOURCE_DIR "/systems")) {
    if (entry.path().extension() != ".xml") continue;
    const std::string name = entry.path().filename();
    SCOPED_TRACE(name);
    const std::string text = SystemText(name);
    const Registry registry = AllModels();
    const auto simulation = Load(text, registry);
    const double stop =
        std::min(simulation->stop_time(), simulation->start_time() + kMostSteps * simulation->time_step());
    const Outcome parts = RunInParts(text, stop, GetParam());
    if (!parts.refusals.empty()) {
      for (const std::string& refusal : parts.refusals) EXPECT_THAT(refusal, HasSubstr(";")) << "the remedy";
      continue;
    }
    const Outcome whole = RunWhole(text, stop);
    EXPECT_EQ(parts.failure, whole.failure);
    EXPECT_TRUE(parts.rows == whole.rows);
    EXPECT_EQ(DifferenceOf(parts.snapshot, whole.snapshot), "");
    divided += parts.parts.size() > 1 && parts.parts[1].components > 0 ? 1 : 0;
  }
  EXPECT_GE(divided, 5) << "of so many, rank 1 has a part";
}

/// Masses without a connection, each pushed by what one source says: every island has its own copy of it.
std::string Fan(const std::string& source, const std::string& more = {}) {
  return R"(<System name="fan" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" StopTime="1 s"/>
)" + source +
         R"(
  <For name="i" from="1" to="5">
    <mechanical.Force name="push{i}"/><mechanical.Mass name="mass{i}" mass="{i} kg"/>
    <Connect from="push{i}.port" to="mass{i}.a"/><Route from="force.y" to="push{i}.force"/>
  </For>
)" + more +
         R"(
  <Record signals="mass*.x push*.force force.y" interval="10 ms"/>
</System>
)";
}

TEST_P(PartRunTest, EveryPartEvaluatesTheSourcesThatItReads) {
  const std::string table = R"(<signal.Table name="force" times="0 0.5 1 s" values="0 100 20 N"/>)";
  const std::string sine = R"(<signal.Sine name="force" amplitude="10 N" frequency="20 rad/s"/>)";
  const std::string constant = R"(<signal.Constant name="force" value="10 N"/>)";
  const std::string at = R"(<At time="0.3 s" set="force.value" value="-30 N"/>)";
  // What is computed from sources alone is a source, too.
  const std::string chain = R"(<signal.Table name="raw" times="0 1 s" values="0 1 N"/>
  <signal.Gain name="force" gain="40"/><Route from="raw.y" to="force.u"/>)";
  for (const std::string& text : {Fan(table), Fan(sine), Fan(constant), Fan(constant, at), Fan(chain)}) {
    const Outcome whole = RunWhole(text, 1);
    const Outcome parts = RunInParts(text, 1, GetParam());
    ASSERT_THAT(parts.refusals, IsEmpty());
    EXPECT_TRUE(parts.rows == whole.rows) << text;
    EXPECT_EQ(DifferenceOf(parts.snapshot, whole.snapshot), "") << text;
    for (const PartStatistics& part : parts.parts) EXPECT_GT(part.components, 0U);
  }
}

TEST_P(PartRunTest, CommandsOfTheFileActInAllParts) {
  const std::string text = Ring(4, R"(
  <At time="50 ms" set="demand.amplitude" value="3e-4"/> <At time="70.05 ms" set="mass2.mass" value="9 kg"/>
)");
  const Outcome whole = RunWhole(text, 0.2);
  EXPECT_NE(whole.rows, RunWhole(Ring(4), 0.2).rows);
  EXPECT_EQ(RunInParts(text, 0.2, GetParam()).rows, whole.rows);
}

/// A part that fails ends all, with its reason, and rows are those of one process.
TEST_P(PartRunTest, AFailureEndsAll) {
  const std::string trap = Ring(4, R"(
  <At time="50 ms" set="mass3.mass" value="1e-300 kg"/>
)");
  const Outcome whole = RunWhole(trap, 0.2);
  ASSERT_NE(whole.failure, "");
  const Outcome parts = RunInParts(trap, 0.2, GetParam());
  EXPECT_EQ(parts.failure, whole.failure);
  EXPECT_EQ(parts.rows, whole.rows);
}

TEST(PartGraphTest, WhatCannotBeDealtOutIsRefusedWithTheRemedy) {
  const std::string at = R"(<At time="50 ms" set="mass1.x" value="1"/>)";
  EXPECT_THAT(RunInParts(Ring(3, at), 0.1, 2).refusals,
              ElementsAre(HasSubstr("only parameters and inputs of components may be written")));
  EXPECT_THAT(RunInParts(SystemText("bouncing_ball.xml"), 0.1, 2).refusals,
              ElementsAre(HasSubstr("events lie inside a step")));
  EXPECT_THAT(RunInParts(SystemText("operated_lift.xml"), 0.1, 2).refusals, testing::Not(IsEmpty()));
}

TEST(PartGraphTest, LinesAndSampledSignalsDivideASystem) {
  const Registry registry = AllModels();
  const auto simulation = Load(Ring(4), registry);
  simulation->Initialize();
  const PartGraph graph = MakePartGraph(simulation->system(), simulation->manager().network());
  EXPECT_THAT(graph.faults, IsEmpty());
  EXPECT_EQ(graph.lines.size(), 4U);
  EXPECT_EQ(graph.weights.size(), 8U) << "four of fixed steps and four islands";
  EXPECT_EQ(graph.samples.size(), 8U);
  // a = sqrt(1.6e9 Pa/861.8 kg/m3) = 1362.6 m/s: 0.5 m are 3.67 TimeSteps.
  EXPECT_EQ(graph.lines.front().line->steps_ahead(), 2U);
  // A line whose items are recorded stays whole.
  std::string text = Ring(4);
  text.replace(text.find("demand.y\" interval"), 0, "line1.void_volume ");
  const auto recorded = Load(text, registry);
  recorded->Initialize();
  EXPECT_EQ(MakePartGraph(recorded->system(), recorded->manager().network()).lines.size(), 3U);
}

}  // namespace
}  // namespace davit
