// Snapshots and clones of a simulation.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <tuple>

#include "simulator/islands/island.h"
#include "tests/session/sessions.h"
#include "tests/support/read_all.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

fs::path SnapshotFile(const std::string& name) {
  const fs::path file = fs::path(testing::TempDir()) / ("session_snapshot_test_" + name);
  fs::remove(file);
  return file;
}

using ContinueCase = std::tuple<std::string, std::string, double>;

class ContinueTest : public testing::TestWithParam<ContinueCase> {};

/// With one-step methods whoever restarts from a snapshot, whatever its way, has the bits of the run that
/// never stopped: rows and all that is remembered.
TEST_P(ContinueTest, FileStreamMemoryAndCloneGoOnBitForBit) {
  const auto& [name, stop, t] = GetParam();
  const auto whole = LoadExample(name, stop);
  const Rows whole_rows = RowsOf(*whole);
  whole->Initialize();
  whole->RunUntil(t);
  whole_rows.Take();
  whole->Run();
  const std::vector<double> wanted_rows = whole_rows.Take();
  const std::string wanted = whole->TakeSnapshot();

  const auto saving = LoadExample(name, stop);
  saving->Initialize();
  saving->RunUntil(t);
  const fs::path file = SnapshotFile(name + ".snap");
  saving->SaveState(file);
  std::stringstream stream;
  saving->SaveState(stream);
  std::vector<std::unique_ptr<Simulation>> all;
  for (int i = 0; i < 3; ++i) all.push_back(LoadExample(name, stop));
  EXPECT_FALSE(all[0]->LoadState(file).has_errors());
  EXPECT_FALSE(all[1]->LoadState(stream, "stream").has_errors());
  EXPECT_FALSE(all[2]->LoadSnapshot(saving->TakeSnapshot()).has_errors());
  all.push_back(saving->Clone());
  for (const auto& s : all) {
    EXPECT_EQ(s->time(), saving->time());
    EXPECT_EQ(s->begin_time(), saving->time());
    const Rows rows = RowsOf(*s, {.has_row_now = false});
    EXPECT_EQ(s->Run(), RunEnd::kReached);
    EXPECT_TRUE(HaveSameBits(rows.Take(), wanted_rows));
    EXPECT_TRUE(s->TakeSnapshot() == wanted);
  }
  saving->Run();
  EXPECT_TRUE(saving->TakeSnapshot() == wanted);
  fs::remove(file);
}

INSTANTIATE_TEST_SUITE_P(Systems, ContinueTest,
                         testing::Values(ContinueCase{"lifting_cylinder", "7 s", 5.5},
                                         ContinueCase{"bouncing_ball", "2 s", 1.1},
                                         ContinueCase{"operated_lift", "3 s", 2.2},
                                         ContinueCase{"water_hammer", "0.2 s", 0.1},
                                         ContinueCase{"level_switching", "2 s", 1.0}),
                         [](const auto& one) { return std::get<0>(one.param); });

/// Whatever a solver counts, looks at now and then, or has learnt goes on with the run.
TEST(ContinueEverySystemTest, ItsLastSnapshotIsThatOfTheRunThatNeverStopped) {
  constexpr double kSteps = 400;
  int count = 0;
  for (const auto& entry : fs::directory_iterator(DAVIT_SOURCE_DIR "/systems")) {
    if (entry.path().extension() != ".xml") continue;
    ++count;
    SCOPED_TRACE(entry.path().stem());
    const auto load = [&] { return Simulation::Load(entry.path(), SessionModels()).Take(); };
    const auto whole = load();
    whole->Initialize();
    const double stop = std::min(whole->stop_time(), whole->start_time() + kSteps * whole->time_step());
    std::vector<std::string> snapshots;
    for (const double share : {0.11, 0.37, 0.68}) {
      whole->RunUntil(whole->start_time() + share * (stop - whole->start_time()));
      snapshots.push_back(whole->TakeSnapshot());
    }
    whole->RunUntil(stop);
    const std::string last = whole->TakeSnapshot();
    // A solver with a long history begins anew where it is saved: it continues as that of the last snapshot.
    const bool has_history = std::ranges::any_of(whole->manager().islands(), [](const auto& island) {
      return island->is_implicit() || island->method_in_use() == "ida";
    });
    if (has_history) snapshots.erase(snapshots.begin(), snapshots.end() - 1);
    for (const std::string& snapshot : snapshots) {
      const auto rest = load();
      ASSERT_FALSE(rest->LoadSnapshot(snapshot).has_errors());
      EXPECT_EQ(DifferenceOf(rest->TakeSnapshot(), snapshot), "");
      rest->RunUntil(stop);
      EXPECT_EQ(DifferenceOf(rest->TakeSnapshot(), last), "");
    }
  }
  EXPECT_GT(count, 20);
}

/// A clone is another simulation: what one does, the other does not see.
TEST(CloneTest, ClonesAreIndependent) {
  const auto s = LoadBody();
  s->Initialize();
  s->RunUntil(0.3);
  s->Write("body.mass", 3);
  const auto clone = s->Clone();
  EXPECT_EQ(clone->Read("body.mass"), 3);
  clone->Write("body.mass", 4);
  EXPECT_EQ(s->Read("body.mass"), 3);
  clone->Run();
  EXPECT_NEAR(s->time(), 0.3, 1e-12);
  const auto second = s->Clone();
  s->Run();
  second->Run();
  EXPECT_EQ(s->Read("body.x"), second->Read("body.x"));
  EXPECT_EQ(s->Read("body.v"), second->Read("body.v"));
}

/// Snapshots that are due are written when their time comes, at once if that is now.
TEST(SaveStateAtTest, WritesWhenTheTimeComes) {
  const auto s = LoadBody();
  const fs::path early = SnapshotFile("early.snap");
  const fs::path middle = SnapshotFile("middle.snap");
  const fs::path late = SnapshotFile("late.snap");
  s->SaveStateAt(0.8, late);
  s->SaveStateAt(0, early);
  EXPECT_FALSE(fs::exists(early));
  s->Initialize();
  EXPECT_TRUE(fs::exists(early));
  s->RunUntil(0.4);
  const std::string snapshot = s->TakeSnapshot();
  s->SaveStateAt(0.4, middle);
  EXPECT_EQ(ReadAll(middle), snapshot);
  EXPECT_EQ(s->due_snapshots().size(), 1U);
  EXPECT_THAT(WhatOf<std::invalid_argument>([&] { s->SaveStateAt(0.1, early); }),
              HasSubstr("the run goes from 0.4 s to 1 s; write a time between"));
  s->RunUntil(0.7);
  EXPECT_FALSE(fs::exists(late));
  s->Run();
  EXPECT_TRUE(fs::exists(late));
  EXPECT_TRUE(s->due_snapshots().empty());
  EXPECT_FALSE(fs::exists(late.string() + ".part"));
  for (const fs::path& file : {early, middle, late}) fs::remove(file);
}

/// A snapshot that cannot be written does not spoil the run, and none of it is left.
TEST(SaveStateAtTest, FailureToWriteIsNoFailureOfTheRun) {
  const auto s = LoadBody();
  s->Initialize();
  s->SaveStateAt(0.5, "/nowhere/x.snap");
  EXPECT_THAT(WhatOf<std::runtime_error>([&] { s->Run(); }),
              HasSubstr("/nowhere/x.snap: cannot write the snapshot"));
  EXPECT_NEAR(s->time(), 0.5, 1e-12);
  EXPECT_EQ(s->Run(), RunEnd::kReached);
}

TEST(LoadStateTest, WrongSnapshotsChangeNothing) {
  const auto s = LoadBody();
  s->Initialize();
  s->RunUntil(0.3);
  const std::string before = s->TakeSnapshot();
  const auto other = LoadExample("two_tanks", "1 s");
  other->Initialize();
  std::string cut = before;
  cut.resize(cut.size() / 2);
  std::string changed = before;
  changed[changed.size() / 2] ^= 1;
  for (const std::string& wrong :
       {other->TakeSnapshot(), cut, changed, std::string(), std::string("no snapshot")}) {
    EXPECT_TRUE(s->LoadSnapshot(wrong).has_errors());
    EXPECT_TRUE(s->is_initialized());
    EXPECT_TRUE(s->TakeSnapshot() == before);
  }
  const Diagnostics missing = s->LoadState("nowhere.snap");
  ASSERT_TRUE(missing.has_errors());
  EXPECT_THAT(ToText(missing.all().front()), HasSubstr("nowhere.snap: error: cannot be read"));
}

/// A failed run can restart from an earlier snapshot.
TEST(LoadStateTest, GoesOnAfterAFailure) {
  const auto s = LoadText(
      "<System name=\"s\"><SimulatorManager TimeStep=\"0.1\" StopTime=\"2\"/><user.Equation name=\"e\">"
      "<Parameter name=\"growth\" value=\"1\"/><State name=\"y\" start=\"1\" "
      "der=\"growth*y*y\"/></user.Equation></System>");
  s->Initialize();
  s->RunUntil(0.5);
  const std::string snapshot = s->TakeSnapshot();
  EXPECT_THROW(s->Run(), SimulationFailure);
  EXPECT_FALSE(s->LoadSnapshot(snapshot).has_errors());
  s->Write("e.growth", -1);
  EXPECT_EQ(s->Run(), RunEnd::kReached);
  EXPECT_NEAR(s->Read("e.y"), 2 / (1 + 2 * 1.5), 1e-4);  // y' = -y^2 from 2 at 0.5 s
}

}  // namespace
}  // namespace davit
