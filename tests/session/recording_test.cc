// Recordings: files and functions, before and during a run.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/heap/allocation_counter.h"
#include "results/load_result.h"
#include "session/result_recording.h"
#include "tests/session/sessions.h"
#include "tests/support/read_all.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

fs::path TempFile(const std::string& name) {
  return fs::path(testing::TempDir()) / ("recording_test_" + name);
}

ResultTable Load(const fs::path& file) {
  Diagnostics diagnostics;
  std::optional<ResultTable> table = LoadResult(file, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << file;
  return table ? *std::move(table) : ResultTable{};
}

/// Without options a recording is what the system wants; files of all kinds and the function have the same
/// rows.
TEST(RecordingTest, FilesAndFunctionHaveTheSameRows) {
  const auto s = LoadBody();
  const std::vector<fs::path> files{TempFile("all.csv"), TempFile("all.mat"), TempFile("all.h5")};
  const Rows rows = RowsOf(*s, {.files = files});
  s->Initialize();
  s->Run();
  s->StopRecordings();
  const std::vector<double> all = rows.Take();
  ASSERT_EQ(all.size(), 21U * 4);  // each 50 ms; time and three signals
  for (const fs::path& file : files) {
    const ResultTable table = Load(file);
    EXPECT_THAT(table.names, ElementsAre("body.x", "body.v", "double.y")) << file;
    ASSERT_EQ(table.time.size(), 21U) << file;
    for (std::size_t i = 0; i < table.time.size(); ++i) {
      EXPECT_EQ(table.time[i], all[4 * i]);
      for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(table.columns[k][i], all[4 * i + 1 + k]) << file;
    }
  }
}

/// The rows of a result as a crash at this moment would leave them.
std::size_t RowsOnDisk(const fs::path& file) {
  fs::path copy = file;
  copy.replace_filename("crash_of_" + file.filename().string());
  fs::copy_file(file, copy, fs::copy_options::overwrite_existing);
  return Load(copy).time.size();
}

TEST(RecordingTest, FilesHaveTheFirstRowAtOnceAndAllAfterAFlush) {
  const auto s = LoadBody();
  const std::vector<fs::path> files{TempFile("flush.csv"), TempFile("flush.mat"), TempFile("flush.h5")};
  s->StartRecording({.files = files});
  for (const fs::path& file : files) EXPECT_EQ(RowsOnDisk(file), 0U) << file;
  s->Initialize();
  for (const fs::path& file : files) EXPECT_EQ(RowsOnDisk(file), 1U) << file;
  s->RunUntil(0.5);
  s->FlushRecordings();
  for (const fs::path& file : files) EXPECT_EQ(RowsOnDisk(file), 11U) << file;
}

TEST(RecordingTest, ColumnsHaveUnitsAndTexts) {
  const auto s = LoadBody();
  const RecordingId id = s->StartRecording({.signals = {"body.x double.gain"}});
  const std::vector<ResultColumn>& columns = s->ColumnsOf(id);
  ASSERT_EQ(columns.size(), 2U);
  EXPECT_EQ(columns[0].path, "body.x");
  EXPECT_EQ(columns[0].unit, "m");
  EXPECT_NE(columns[0].text, "");
  EXPECT_NE(columns[1].text, "");
}

/// A subscription that joins a run has a row at once, then those of the grid that begins at StartTime, until
/// it is stopped; others do not notice.
TEST(RecordingTest, SubscriptionsComeAndGo) {
  const auto s = LoadBody();
  const Rows first = RowsOf(*s);
  s->Initialize();
  s->RunUntil(0.23);
  std::vector<double> times;
  const RecordingId id = s->StartRecording(
      {.signals = {"body.*"}, .interval = 0.1, .on_row = [&times](double t, std::span<const double>) {
         times.push_back(t);
       }});
  s->RunUntil(0.55);
  s->StopRecording(id);
  s->Run();
  ASSERT_EQ(times.size(), 4U);
  for (const auto& [i, t] : {std::pair(0, 0.23), {1, 0.3}, {2, 0.4}, {3, 0.5}})
    EXPECT_NEAR(times[static_cast<std::size_t>(i)], t, 1e-12);
  EXPECT_THAT(WhatOf<std::invalid_argument>([&] { s->StopRecording(id); }), HasSubstr("no such recording"));

  const auto alone = LoadBody();
  const Rows wanted = RowsOf(*alone);
  alone->Initialize();
  alone->Run();
  EXPECT_TRUE(HaveSameBits(first.Take(), wanted.Take()));
}

/// A recording that joins sees events as those do that were there from the start.
TEST(RecordingTest, LateRecordingsHaveTheRowsOfEvents) {
  const auto s = LoadExample("bouncing_ball", "2 s");
  const Rows early = RowsOf(*s);
  s->Initialize();
  s->RunUntil(0.2);
  early.Take();
  const Rows late = RowsOf(*s, {.has_row_now = false});
  s->Run();
  EXPECT_GT(s->statistics().events, 2U);
  EXPECT_TRUE(HaveSameBits(early.Take(), late.Take()));
}

TEST(RecordingTest, WrongOptionsRecordNothing) {
  const auto s = LoadBody();
  const fs::path file = TempFile("never.csv");
  fs::remove(file);
  EXPECT_THAT(WhatOf<std::invalid_argument>([&] {
                s->StartRecording({.signals = {"body.y", "nobody.*"}, .files = {file}});
              }),
              testing::AllOf(HasSubstr("error: /body: "), HasSubstr("nobody")));
  EXPECT_THAT(WhatOf<std::invalid_argument>([&] { s->StartRecording({.interval = -1, .files = {file}}); }),
              HasSubstr("interval: -1 s is out of range"));
  EXPECT_THAT(WhatOf<std::invalid_argument>([&] {
                s->StartRecording({.files = {file, "x.txt"}});
              }),
              HasSubstr("x.txt: error: unknown kind of result file; name a .csv, .mat or .h5 file"));
  EXPECT_FALSE(fs::exists(file));
  EXPECT_THAT(WhatOf<std::runtime_error>([&] { s->StartRecording({.files = {"/nowhere/x.csv"}}); }),
              HasSubstr("/nowhere/x.csv"));
  s->Initialize();
  s->Run();
}

/// What a function throws leaves the call that steps, when the step is complete; the run continues without
/// it.
TEST(RecordingTest, ThrowingFunctionEndsItsRecordingOnly) {
  const auto s = LoadBody();
  const Rows rows = RowsOf(*s, {.interval = 0});
  int calls = 0;
  s->StartRecording({.interval = 0, .on_row = [&calls](double t, std::span<const double>) {
                       ++calls;
                       if (t > 0.495) throw std::runtime_error("the client has left");
                     }});
  s->Initialize();
  EXPECT_EQ(WhatOf<std::runtime_error>([&] { s->Run(); }), "the client has left");
  EXPECT_NEAR(s->time(), 0.5, 1e-12);
  EXPECT_TRUE(s->is_initialized());
  const int calls_before = calls;
  EXPECT_EQ(s->Run(), RunEnd::kReached);
  EXPECT_EQ(calls, calls_before);
  const auto untouched = LoadBody();
  const Rows wanted = RowsOf(*untouched, {.interval = 0});
  untouched->Initialize();
  untouched->Run();
  EXPECT_TRUE(HaveSameBits(rows.Take(), wanted.Take()));
}

/// A disk that is full at once is reported at once; a run without the file is as ever.
TEST(RecordingTest, FullDiskIsTold) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const fs::path file = TempFile("full.csv");
  fs::remove(file);
  fs::create_symlink("/dev/full", file);
  const auto s = LoadBody();
  s->Initialize();
  EXPECT_THAT(WhatOf<std::runtime_error>([&] { s->StartRecording({.files = {file}}); }),
              HasSubstr(file.string()));
  EXPECT_EQ(s->Run(), RunEnd::kReached);
  fs::remove(file);
}

/// A file holds one run: the next Initialize closes it.
TEST(RecordingTest, FilesAreClosedByTheNextRun) {
  const auto s = LoadBody();
  const fs::path file = TempFile("first.csv");
  const Rows rows = RowsOf(*s, {.files = {file}});
  s->Initialize();
  s->Run();
  s->Initialize();
  EXPECT_EQ(Load(file).time.size(), 21U);
  s->Run();
  EXPECT_EQ(Load(file).time.size(), 21U);
  EXPECT_EQ(rows.Take().size(), 2U * 21 * 4) << "the function stays subscribed";
}

/// Rows of a run that is loaded follow those of the one that saved.
TEST(RecordingTest, RowsOfASnapshotContinueThoseBefore) {
  const auto whole = LoadBody();
  const Rows whole_rows = RowsOf(*whole);
  whole->Initialize();
  whole->Run();
  const auto saving = LoadBody();
  const Rows first = RowsOf(*saving);
  saving->Initialize();
  saving->RunUntil(0.5);
  const auto loading = LoadBody();
  const Rows second = RowsOf(*loading);
  loading->LoadSnapshot(saving->TakeSnapshot());
  loading->Run();
  std::vector<double> both = first.Take();
  for (const double value : second.Take()) both.push_back(value);
  EXPECT_TRUE(HaveSameBits(both, whole_rows.Take()));
}

TEST(RecordingTest, RowsAllocateNothing) {
  const auto s = LoadBody();
  double sum = 0;
  s->StartRecording({.interval = 0,
                     .files = {TempFile("flat.csv")},
                     .on_row = [&sum](double, std::span<const double> values) { sum += values[0]; }});
  s->Initialize();
  s->Step();
  const AllocationCounter allocations;
  while (!s->is_finished()) s->Step();
  EXPECT_EQ(AllocationCounter::is_counting() ? allocations.count() : 0U, 0U);
}

}  // namespace
}  // namespace davit
