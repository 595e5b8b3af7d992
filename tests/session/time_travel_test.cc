// Recordings of a run, and the way back in its time.

#include "session/time_travel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "session/run_condition.h"
#include "tests/session/sessions.h"
#include "tests/support/read_all.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Snapshots as often as the limit of bytes permits.
TravelOptions Dense(std::size_t most_bytes = 100'000'000) {
  return {.most_bytes = most_bytes, .spacing = std::chrono::milliseconds(0), .share = 1e9};
}

/// What is done to a run from outside at step points: a mass that is commanded, one that is written, one that
/// waits for its time, an event.
void Disturb(Simulation& s, int step) {
  if (step == 12) s.Submit({.sender = "test", .command = "set load.mass 8 t"});
  if (step == 20) s.Write("load.mass", 12e3);
  if (step == 25) s.Submit({.sender = "test", .command = "0.6 s set load.mass 9 t"});
  if (step == 33) s.Submit({.sender = "test", .command = "event storm"});
}

/// The state at each step point of a run that nobody records; of one that is disturbed before the input
/// there.
std::vector<std::string> StatesOf(const std::string& name, const std::string& stop, bool is_disturbed) {
  const auto s = LoadExample(name, stop);
  s->Initialize();
  std::vector<std::string> states{s->TakeSnapshot()};
  for (int step = 0; !s->is_finished(); ++step) {
    if (is_disturbed) Disturb(*s, step);
    s->Step();
    states.push_back(s->TakeSnapshot());
  }
  return states;
}

struct TravelCase {
  std::string system;
  std::string stop;
  bool is_disturbed = false;
  std::size_t most_bytes = 100'000'000;
};

class TravelTest : public testing::TestWithParam<TravelCase> {};

/// Any moment that GoTo reaches has the bytes that it had on the way, and between two step points it is the
/// later one; at the end the run is what it was when it left.
TEST_P(TravelTest, EachMomentHasTheBytesThatItHad) {
  const TravelCase& one = GetParam();
  const std::vector<std::string> wanted = StatesOf(one.system, one.stop, one.is_disturbed);
  const auto s = LoadExample(one.system, one.stop);
  s->KeepCauses();
  s->RecordRun(Dense(one.most_bytes));
  s->Initialize();
  std::vector<double> times{s->time()};
  for (int step = 0; !s->is_finished(); ++step) {
    if (one.is_disturbed) Disturb(*s, step);
    s->Step();
    times.push_back(s->time());
  }
  ASSERT_EQ(times.size(), wanted.size());
  std::mt19937 random(1);
  std::uniform_int_distribution<std::size_t> any(1, times.size() - 1);
  for (int i = 0; i < 40; ++i) {
    const std::size_t at = any(random);
    const double t = i % 2 == 0 ? times[at] : 0.5 * (times[at] + times[at - 1]);
    s->Travel([&](TimeTravel& travel) { travel.GoTo(t); });
    EXPECT_EQ(s->time(), times[at]);
    EXPECT_EQ(DifferenceOf(s->TakeSnapshot(), wanted[at]), "") << "at " << t;
  }
  s->Travel([&](TimeTravel& travel) { travel.GoTo(times.back()); });
  EXPECT_TRUE(s->time_travel()->is_at_end());
  EXPECT_EQ(DifferenceOf(s->TakeSnapshot(), wanted.back()), "");
}

INSTANTIATE_TEST_SUITE_P(Systems, TravelTest,
                         testing::Values(TravelCase{"lifting_cylinder", "0.8 s", true},
                                         TravelCase{"lifting_cylinder", "0.8 s", true, 200'000},
                                         TravelCase{"operated_lift", "2 s"},
                                         TravelCase{"bouncing_ball", "2 s"},
                                         TravelCase{"water_hammer", "0.1 s"},
                                         TravelCase{"level_switching", "4 s", false, 1'000'000},
                                         TravelCase{"knuckle_boom_crane", "3 s"}),
                         [](const auto& one) { return one.param.system + std::to_string(one.index); });

/// A solver with a long history begins anew where a snapshot is taken: on the way back as on the way there,
/// with many snapshots and with hardly any, and not where one is taken in the past.
TEST(TimeTravelTest, SolversWithAHistoryBeginAnewWhereTheyDid) {
  for (const TravelOptions& options : {Dense(400'000), TravelOptions{.spacing = std::chrono::hours(1)}}) {
    const auto s = LoadExample("slider_crank", "0.5 s");
    s->RecordRun(options);
    s->Initialize();
    std::vector<std::pair<double, std::string>> known;
    for (int step = 0; !s->is_finished(); ++step) {
      s->Step();
      if (step % 3 == 1) known.emplace_back(s->time(), s->TakeSnapshot());
    }
    ASSERT_GT(known.size(), 5U);
    for (std::size_t i = known.size() - 1; i-- > 0;) {
      s->Travel([&](TimeTravel& travel) { travel.GoTo(known[i].first); });
      EXPECT_EQ(DifferenceOf(s->TakeSnapshot(), known[i].second), "") << known[i].first;
      s->Step();
      s->TakeSnapshot();
      s->RunUntil(known[i + 1].first);
      EXPECT_EQ(DifferenceOf(s->TakeSnapshot(), known[i + 1].second), "") << known[i + 1].first;
    }
  }
}

/// Back and forward again is the identity, and rows come once: those of a run that stays in its time.
TEST(TimeTravelTest, ResultsAreThoseOfARunThatStaysInItsTime) {
  const auto still = LoadBody();
  const Rows wanted = RowsOf(*still);
  still->Initialize();
  still->Run();
  const std::string end = still->TakeSnapshot();

  const auto s = LoadBody();
  const Rows rows = RowsOf(*s);
  s->RecordRun(Dense());
  s->Initialize();
  s->RunUntil(0.503);
  s->Travel([](TimeTravel& travel) { travel.GoTo(0.2); });
  s->RunUntil(0.3);
  s->Travel([](TimeTravel& travel) {
    travel.Back();
    travel.GoTo(0.1);
  });
  EXPECT_FALSE(s->time_travel()->is_at_end());
  s->Run();
  EXPECT_TRUE(HaveSameBits(rows.Take(), wanted.Take()));
  EXPECT_EQ(DifferenceOf(s->TakeSnapshot(), end), "");
}

TEST(TimeTravelTest, BackIsOneStep) {
  const auto s = LoadBody();
  s->RecordRun(Dense());
  s->Initialize();
  s->RunUntil(0.1);
  const std::string here = s->TakeSnapshot();
  s->Step();
  s->Travel([](TimeTravel& travel) { travel.Back(); });
  EXPECT_EQ(DifferenceOf(s->TakeSnapshot(), here), "");
  s->Travel([](TimeTravel& travel) { travel.GoTo(0); });
  EXPECT_THAT(WhatOf<std::invalid_argument>([&] { s->Travel([](TimeTravel& travel) { travel.Back(); }); }),
              HasSubstr("the recording begins here"));
  EXPECT_THAT(WhatOf<std::invalid_argument>([&] { s->Travel([](TimeTravel& travel) { travel.GoTo(0.5); }); }),
              HasSubstr("give a time from 0 s to 0.11 s"));
}

/// Whoever runs until a condition, on, and back until it, is where he was.
class BackUntilTest : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Spacings, BackUntilTest, testing::Values(0, 3'600'000));
TEST_P(BackUntilTest, ConditionsAreMetAtTheSameMomentInBothDirections) {
  const auto s = LoadBody();
  s->RecordRun({.spacing = std::chrono::milliseconds(GetParam()), .share = 1e9});
  s->Initialize();
  RunCondition condition(*s, "abs(body.x) lt 30 mm");
  std::vector<std::pair<double, std::string>> met;
  while (!s->is_finished()) {
    s->Step();
    if (condition.HasBecomeTrue()) met.emplace_back(s->time(), s->TakeSnapshot());
  }
  ASSERT_GE(met.size(), 2U);
  for (auto one = met.rbegin(); one != met.rend(); ++one) {
    bool is_found = false;
    s->Travel([&](TimeTravel& travel) { is_found = travel.BackUntil([&] { return condition.IsTrue(); }); });
    EXPECT_TRUE(is_found);
    EXPECT_EQ(s->time(), one->first);
    EXPECT_EQ(DifferenceOf(s->TakeSnapshot(), one->second), "");
  }
  const std::string here = s->TakeSnapshot();
  bool is_found = true;
  s->Travel([&](TimeTravel& travel) { is_found = travel.BackUntil([&] { return condition.IsTrue(); }); });
  EXPECT_FALSE(is_found);
  EXPECT_EQ(DifferenceOf(s->TakeSnapshot(), here), "");
  EXPECT_THAT(WhatOf<std::invalid_argument>([&] { RunCondition wrong(*s, "body.y lt 0"); }),
              HasSubstr("body.y"));
}

/// All that a tape has, in one text.
std::string ContentOf(const RunTape& tape) {
  std::string content = tape.name() + std::to_string(tape.end());
  for (const RunTape::Entry& entry : tape.entries()) content += RunTape::Seal(entry);
  for (const RunTape::Snapshot& snapshot : tape.snapshots()) content += snapshot.bytes;
  return content;
}

/// Something else in the past begins a branch. The tape of the trunk and its results stay as they are, and
/// the way back to it is open; the results of the branch begin where it does.
TEST(TimeTravelTest, ABranchLeavesTheTrunkAlone) {
  const fs::path folder = fs::path(testing::TempDir()) / "time_travel_branch";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const auto s = LoadBody();
  s->StartRecording({.files = {folder / "x.csv"}});
  s->RecordRun(Dense());
  s->Initialize();
  s->RunUntil(0.8);
  const std::string end = s->TakeSnapshot();
  s->Travel([](TimeTravel& travel) { travel.GoTo(0.4); });
  const std::string trunk = ContentOf(*s->time_travel()->tapes().front());
  s->Write("body.mass", 5);
  EXPECT_EQ(s->time_travel()->tape()->name(), "branch-1");
  s->RunUntil(0.7);
  const std::string branch_end = s->TakeSnapshot();
  EXPECT_NE(branch_end, end);
  s->Travel([](TimeTravel& travel) { travel.GoTo(0.2); });  // before the branch: on the trunk
  EXPECT_EQ(s->time_travel()->tape()->name(), "trunk");
  s->Travel([](TimeTravel& travel) { travel.SwitchTo("branch-1"); });
  s->Travel([](TimeTravel& travel) { travel.GoTo(0.7); });
  EXPECT_EQ(DifferenceOf(s->TakeSnapshot(), branch_end), "");
  s->Travel([](TimeTravel& travel) { travel.SwitchTo("trunk"); });
  s->Travel([](TimeTravel& travel) { travel.GoTo(0.8); });
  EXPECT_TRUE(ContentOf(*s->time_travel()->tapes().front()) == trunk);
  EXPECT_EQ(DifferenceOf(s->TakeSnapshot(), end), "");
  s->Run();
  s->StopRecordings();
  EXPECT_THAT(WhatOf<std::invalid_argument>(
                  [&] { s->Travel([](TimeTravel& travel) { travel.SwitchTo("branch-2"); }); }),
              HasSubstr("did you mean 'branch-1'"));

  const auto still = LoadBody();
  still->StartRecording({.files = {folder / "still.csv"}});
  still->Initialize();
  still->Run();
  still->StopRecordings();
  EXPECT_EQ(ReadAll(folder / "x.csv"), ReadAll(folder / "still.csv"));
  EXPECT_THAT(ReadAll(folder / "x.branch-1.csv"), HasSubstr("\n0.4"));
  fs::remove_all(folder);
}

/// A branch that begins without a change is a run that was given nothing from there on; a change at its
/// beginning belongs to it.
TEST(TimeTravelTest, ABranchCanBeginBeforeAnythingIsChanged) {
  constexpr int kFork = 12;  // where the trunk is given its first mass
  const auto still = LoadExample("lifting_cylinder", "0.8 s");
  still->Initialize();
  still->Run();
  const std::string untouched = still->TakeSnapshot();

  const auto s = LoadExample("lifting_cylinder", "0.8 s");
  s->RecordRun(Dense());
  s->Initialize();
  double fork = 0;
  for (int step = 0; !s->is_finished(); ++step) {
    if (step == kFork) fork = s->time();
    Disturb(*s, step);
    s->Step();
  }
  const std::string end = s->TakeSnapshot();
  ASSERT_NE(DifferenceOf(end, untouched), "");
  const auto branch_here = [&] { s->Travel([](TimeTravel& travel) { travel.BranchHere(); }); };
  EXPECT_THAT(WhatOf<std::invalid_argument>(branch_here), HasSubstr("go back in time first"));
  EXPECT_EQ(s->time_travel()->tapes().size(), 1U);
  const std::string trunk = ContentOf(*s->time_travel()->tapes().front());

  s->Travel([&](TimeTravel& travel) { travel.GoTo(fork); });
  branch_here();
  EXPECT_EQ(s->time_travel()->tape()->name(), "branch-1");
  EXPECT_EQ(s->time_travel()->tape()->fork_time(), fork);
  EXPECT_TRUE(s->time_travel()->is_at_end());
  EXPECT_EQ(s->time(), fork);
  s->Run();
  EXPECT_EQ(DifferenceOf(s->TakeSnapshot(), untouched), "");

  s->Travel([&](TimeTravel& travel) {
    travel.SwitchTo("trunk");
    travel.GoTo(fork);
    travel.BranchHere();
  });
  Disturb(*s, kFork);
  EXPECT_EQ(s->time_travel()->tape()->name(), "branch-2");
  for (int step = kFork; !s->is_finished(); ++step) {
    if (step != kFork) Disturb(*s, step);
    s->Step();
  }
  EXPECT_EQ(s->time_travel()->tapes().size(), 3U);
  EXPECT_EQ(DifferenceOf(s->TakeSnapshot(), end), "");
  EXPECT_TRUE(ContentOf(*s->time_travel()->tapes().front()) == trunk);
}

/// One branch too many is refused, and the run stays where it is; a run that is not recorded has none.
TEST(TimeTravelTest, BranchesThatCannotBeginAreRefused) {
  const auto s = LoadBody();
  s->RecordRun(Dense());
  s->Initialize();
  s->RunUntil(0.4);
  const auto branch_at = [&](double t) {
    s->Travel([&](TimeTravel& travel) {
      travel.SwitchTo("trunk");
      travel.GoTo(t);
      travel.BranchHere();
    });
  };
  for (std::uint64_t i = 1; i <= TimeTravel::kMostBranches; ++i) branch_at(0.02 * static_cast<double>(i));
  EXPECT_THAT(WhatOf<std::invalid_argument>([&] { branch_at(0.3); }), HasSubstr("8 branches already"));
  EXPECT_EQ(s->time_travel()->tape()->name(), "trunk");
  EXPECT_NEAR(s->time(), 0.3, 1e-12);
  s->Travel([](TimeTravel& travel) { travel.GoTo(0.4); });
  EXPECT_TRUE(s->time_travel()->is_at_end());
}

/// However long a run is, and whatever it is given: a recording has never more than its bytes, and reaches
/// its end.
TEST(TimeTravelTest, SizeIsBounded) {
  constexpr std::size_t kMost = 150'000;
  const auto s = LoadExample("lifting_cylinder", "20 s");
  s->RecordRun(Dense(kMost));
  s->Initialize();
  std::string last;
  for (int step = 0; !s->is_finished(); ++step) {
    if (step > 500) s->Write("load.mass", 1e4 + step);
    if (step % 300 == 299) {
      const double here = s->time();
      const std::string state = s->TakeSnapshot();
      s->Travel([&](TimeTravel& travel) { travel.GoTo(travel.begin_time()); });
      s->RunUntil(here);
      ASSERT_EQ(DifferenceOf(s->TakeSnapshot(), state), "") << here;
    }
    s->Step();
    std::size_t bytes = 0;
    for (const auto& tape : s->time_travel()->tapes()) bytes += tape->bytes();
    ASSERT_LE(bytes, kMost) << s->time();
  }
  EXPECT_EQ(s->time_travel()->end_time(), s->time());
}

/// So it has with all its branches together.
TEST(TimeTravelTest, SizeIsBoundedWithBranches) {
  constexpr std::size_t kMost = 1'000'000;
  const auto s = LoadExample("lifting_cylinder", "10 s");
  s->RecordRun(Dense(kMost));
  s->Initialize();
  s->Run();
  std::size_t most = 0;
  for (std::uint64_t i = 0; i < TimeTravel::kMostBranches; ++i) {
    s->Travel([&](TimeTravel& travel) {
      travel.SwitchTo("trunk");
      travel.GoTo(travel.begin_time() + 0.2 * static_cast<double>(i));
      travel.BranchHere();
    });
    for (int step = 0; step < 200 && !s->is_finished(); ++step) {
      s->Step();
      std::size_t bytes = 0;
      for (const auto& tape : s->time_travel()->tapes()) bytes += tape->bytes();
      ASSERT_LE(bytes, kMost);
      most = std::max(most, bytes);
    }
  }
  EXPECT_GT(most, kMost / 2);
}

/// A folder has the recording when the program has ended, and the run goes on from its end.
TEST(TimeTravelTest, AFolderIsContinued) {
  const fs::path folder = fs::path(testing::TempDir()) / "time_travel_folder";
  fs::remove_all(folder);
  TravelOptions options = Dense();
  options.folder = folder;
  std::string end;
  std::string middle;
  {
    const auto s = LoadBody();
    s->RecordRun(options);
    s->Initialize();
    s->RunUntil(0.25);
    middle = s->TakeSnapshot();
    s->Write("body.mass", 3);
    s->RunUntil(0.5);
    end = s->TakeSnapshot();
    s->Travel([](TimeTravel& travel) { travel.Close(); });
  }
  const auto s = LoadBody();
  s->RecordRun(options);
  EXPECT_TRUE(s->is_initialized());
  EXPECT_EQ(DifferenceOf(s->TakeSnapshot(), end), "");
  s->Travel([](TimeTravel& travel) { travel.GoTo(0.25); });
  EXPECT_EQ(DifferenceOf(s->TakeSnapshot(), middle), "");
  s->Run();
  EXPECT_EQ(s->Read("body.mass"), 3);

  const auto other = LoadExample("bouncing_ball", "1 s");
  const std::string journal = ReadAll(folder / "trunk" / "journal");
  const std::string fault = WhatOf<std::invalid_argument>([&] { other->RecordRun(options); });
  EXPECT_THAT(fault, HasSubstr("is a recording of another system"));
  EXPECT_LE(std::ranges::count(fault, '\n'), 4) << fault;  // three differences and how many more
  EXPECT_THAT(fault, testing::Not(HasSubstr("load it with the system"))) << "it is no snapshot of the user";
  // Folders above are not made, as for results.
  TravelOptions deep = Dense();
  deep.folder = folder / "no" / "such";
  EXPECT_THAT(WhatOf<std::runtime_error>([&] { LoadBody()->RecordRun(deep); }),
              HasSubstr("there is no folder for it; make it first"));
  EXPECT_FALSE(fs::exists(folder / "no"));
  EXPECT_EQ(ReadAll(folder / "trunk" / "journal"), journal);
  fs::remove_all(folder);
  fs::create_directories(folder);
  std::ofstream(folder / "letter.txt") << "dear";
  EXPECT_THAT(WhatOf<std::invalid_argument>([&] { LoadBody()->RecordRun(options); }),
              HasSubstr("letter.txt, which does not belong to a recording"));
  fs::remove_all(folder);
}

/// A recording in a folder, of a trunk that is given a mass and a branch.
class RecordedFolder : public testing::Test {
 protected:
  RecordedFolder() {
    fs::remove_all(place_);
    fs::create_directories(place_);
    const auto s = LoadBody();
    s->RecordRun(OptionsFor("whole"));
    s->Initialize();
    const auto keep = [&] { known_.emplace(s->time(), s->TakeSnapshot()); };
    for (keep(); s->time() < 0.5 - 1e-9; keep()) {
      if (known_.size() == 20) {
        s->Write("body.mass", 3);
        keep();
      }
      s->Step();
    }
    s->Travel([](TimeTravel& travel) { travel.GoTo(0.3); });
    s->Write("body.mass", 5);
    s->RunUntil(0.4);
    s->Travel([](TimeTravel& travel) { travel.Close(); });
  }
  ~RecordedFolder() override { fs::remove_all(place_); }

  TravelOptions OptionsFor(const std::string& name) const {
    TravelOptions options = Dense();
    options.folder = place_ / name;
    return options;
  }
  /// A copy that may be damaged.
  fs::path Copy() const {
    fs::remove_all(place_ / "copy");
    fs::copy(place_ / "whole", place_ / "copy", fs::copy_options::recursive);
    return place_ / "copy";
  }
  /// What is told of the copy; empty if a run continues it.
  std::string FaultOfCopy(const std::unique_ptr<Simulation>& s) const {
    return WhatOf<std::invalid_argument>([&] { s->RecordRun(OptionsFor("copy")); });
  }

  const fs::path place_ = fs::path(testing::TempDir()) / ("davit_recorded_" + std::to_string(getpid()));
  std::multimap<double, std::string> known_;  ///< states of the trunk
};

/// Whatever is cut off or damaged: what is left is a state of the run that was recorded, or it is told why
/// nothing is left.
TEST_F(RecordedFolder, IsReadAsFarAsItGoes) {
  std::vector<fs::path> files;
  for (const auto& one : fs::recursive_directory_iterator(place_ / "whole")) {
    if (one.is_regular_file()) files.push_back(fs::relative(one.path(), place_ / "whole"));
  }
  std::ranges::sort(files);
  ASSERT_GT(files.size(), 10U);
  ASSERT_EQ(files.back().string(), "trunk/journal");  // behind the snapshots
  std::mt19937 random(43);
  int continued = 0;
  for (int i = 0; i < 40; ++i) {
    // Every third one is a journal, every third one the last snapshot, from which the run would continue.
    const fs::path name = i % 3 == 0   ? fs::path("trunk/journal")
                          : i % 3 == 1 ? files[files.size() - 2]
                                       : files[random() % files.size()];
    const fs::path file = Copy() / name;
    std::string bytes = ReadAll(file);
    const std::size_t at = random() % bytes.size();
    if (i % 2 == 0) {
      bytes.resize(at);
    } else {
      bytes[at] = static_cast<char>(bytes[at] ^ 0x20);
    }
    std::ofstream(file, std::ios::binary) << bytes;
    SCOPED_TRACE(name.string() + " at " + std::to_string(at));
    std::string warnings;
    auto s = LoadBody({.log_level = RunLog::Severity::kWarning,
                       .log = [&](RunLog::Severity, std::string_view line) { warnings += line; }});
    const std::string fault = FaultOfCopy(s);
    if (!fault.empty()) {
      EXPECT_THAT(fault, testing::AnyOf(HasSubstr("no snapshot that can be read"),
                                        HasSubstr("branches from a recording that is not there")));
      continue;
    }
    ++continued;
    EXPECT_EQ(warnings.find("is damaged or cut off after t = ") != std::string::npos,
              name.filename() == "journal")
        << warnings;
    const auto [first, last] = known_.equal_range(s->time());
    const std::string state = s->TakeSnapshot();
    EXPECT_TRUE(std::any_of(first, last, [&](const auto& one) { return one.second == state; })) << s->time();
    s->Run();
    const std::string end = s->TakeSnapshot();
    s->Travel([](TimeTravel& travel) { travel.Close(); });
    s = LoadBody();
    EXPECT_EQ(FaultOfCopy(s), "");
    EXPECT_EQ(DifferenceOf(s->TakeSnapshot(), end), "");
  }
  EXPECT_GE(continued, 20);
}

TEST_F(RecordedFolder, WhatIsMissingOrDoubledIsNamed) {
  fs::remove_all(Copy() / "trunk");
  EXPECT_THAT(FaultOfCopy(LoadBody()), HasSubstr("branch-1 branches from a recording that is not there"));
  const fs::path twice = Copy();
  fs::copy(twice / "branch-1", twice / "branch-2", fs::copy_options::recursive);
  EXPECT_THAT(FaultOfCopy(LoadBody()), HasSubstr("contains branch-1 twice"));
}

TEST_F(RecordedFolder, AnotherVersionIsNamed) {
  constexpr std::size_t kFormatAt = 16;  // behind the mark
  for (const auto& one : fs::directory_iterator(Copy() / "trunk")) {
    if (one.path().extension() != ".snap") continue;
    std::string bytes = ReadAll(one.path());
    bytes[kFormatAt] = static_cast<char>(bytes[kFormatAt] + 1);
    std::ofstream(one.path(), std::ios::binary) << bytes;
  }
  EXPECT_THAT(FaultOfCopy(LoadBody()), HasSubstr("but this davit reads format"));
}

/// A disk that takes no more is named; the recording and the run go on.
TEST(TimeTravelTest, ADiskThatIsFullIsNamedAndNothingIsLost) {
  const fs::path folder = fs::path(testing::TempDir()) / "time_travel_full";
  fs::remove_all(folder);
  std::vector<std::string> lines;
  const auto s =
      LoadBody({.log_level = RunLog::Severity::kWarning,
                .log = [&](RunLog::Severity, std::string_view line) { lines.emplace_back(line); }});
  TravelOptions options = Dense();
  options.folder = folder;
  s->RecordRun(options);
  s->Initialize();
  s->RunUntil(0.2);
  fs::remove_all(folder);
  std::ofstream(folder) << "in the way";
  s->RunUntil(0.6);
  EXPECT_THAT(lines, testing::Contains(HasSubstr("cannot write the recording")));
  EXPECT_EQ(lines.size(), 1U);
  const std::string end = s->TakeSnapshot();
  s->Travel([](TimeTravel& travel) { travel.GoTo(0.4); });
  s->Travel([](TimeTravel& travel) { travel.GoTo(0.6); });
  EXPECT_EQ(DifferenceOf(s->TakeSnapshot(), end), "");
  fs::remove(folder);
}

/// Each switch of a run, with the last one first, has a chain of causes that ends outside of the charts.
TEST(WhyTest, EachSwitchOfTheLevelBenchmarkHasItsCause) {
  struct Switch {
    double time;
    std::string path;
  };
  std::vector<Switch> switches;
  SimulationOptions options{.log_level = RunLog::Severity::kInfo,
                            .log_entries = [&](const RunLog::Entry& entry) {
                              if (entry.kind == RunLog::Kind::kLevel)
                                switches.push_back({entry.time, std::string(entry.path.substr(1))});
                            }};
  const auto s = LoadExample("level_switching", "50 s", options);
  s->KeepCauses();
  s->Initialize();
  s->Run();
  ASSERT_GT(switches.size(), 15U);
  for (const Switch& one : switches) {
    const std::vector<Reason> reasons = s->Why(one.path + ".level", one.time);
    ASSERT_GE(reasons.size(), 2U) << one.path << " " << one.time;
    EXPECT_EQ(reasons.front().time, one.time);
    EXPECT_EQ(reasons.front().depth, 0);
    EXPECT_EQ(reasons[1].depth, 1);
    const auto is_external = [](const Reason& reason) { return reason.text.starts_with("the system: <At"); };
    EXPECT_TRUE(std::ranges::any_of(reasons, is_external)) << one.path << " " << one.time;
  }
}

/// Of two runs that differ in one command, the one that has it names it.
TEST(WhyTest, NamesTheCommandInWhichTwoRunsDiffer) {
  const auto lines_of = [](bool has_command) {
    const auto s = LoadExample("level_switching", "30 s");
    s->KeepCauses();
    s->Initialize();
    if (has_command) s->Submit({.sender = "panel", .command = "9 s event look.closely"});
    s->Run();
    std::string text;
    for (const Reason& reason : s->Why("dcv.level", 12.0)) text += ToText(reason) + "\n";
    return text;
  };
  EXPECT_THAT(lines_of(true), HasSubstr("by panel: <At time=\"9 s\" event=\"look.closely\"/>"));
  EXPECT_THAT(lines_of(true), HasSubstr("/operator_of_detail: plain -> close: look.closely"));
  EXPECT_THAT(lines_of(false), Not(HasSubstr("panel")));
  EXPECT_THAT(lines_of(false), HasSubstr("the system: <At time=\"3 s\" set=\"dcv.level\""));
}

/// A chart that takes transitions in several regions at once has sent the write in one of them: all are
/// named.
TEST(WhyTest, AllTransitionsAtTheTimeOfAWriteAreNamed) {
  const auto s = LoadExample("knuckle_boom_crane", "100 s");
  s->KeepCauses();
  s->Initialize();
  s->Run();
  std::string text;
  for (const Reason& reason : s->Why("slew_motor.level")) text += ToText(reason) + "\n";
  EXPECT_THAT(text, HasSubstr("/detail: slew_turning -> slew_standing"));
}

/// What `why` says of a chart of two regions in a system with two loads, whose masses are written at 1 s.
class ChartWhyTest : public testing::Test {
 protected:
  ChartWhyTest() { fs::create_directories(folder_); }
  ~ChartWhyTest() override { fs::remove_all(folder_); }

  Simulation& RunTo(double stop, const std::string& left, const std::string& right) {
    std::ofstream(folder_ / "watch.scxml")
        << R"(<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:davit="urn:davit:chart:1" version="1.0"
            initial="both"><parallel id="both"><state id="left" initial="l1">)"
        << left << R"(</state><state id="right" initial="r1">)" << right << "</state></parallel></scxml>";
    simulation_ = LoadText(R"(<System name="two"><SimulatorManager TimeStep="10 ms" StopTime="10 s"/>
      <Statechart name="watch" src=")" +
                           (folder_ / "watch.scxml").string() + R"("/>
      <mechanical.Mass name="one" mass="1 kg"/><mechanical.Mass name="two" mass="1 kg"/></System>)");
    simulation_->KeepCauses();
    simulation_->Initialize();
    simulation_->Submit({.sender = "anna", .command = "1 s set one.mass 5 kg"});
    simulation_->Submit({.sender = "bert", .command = "1 s set two.mass 7 kg"});
    simulation_->RunUntil(stop);
    return *simulation_;
  }
  std::string Why(const std::string& path, std::optional<double> time = {}) const {
    std::string text;
    for (const Reason& reason : simulation_->Why(path, time)) text += ToText(reason) + "\n";
    return text;
  }

  const fs::path folder_ = fs::path(testing::TempDir()) / ("davit_chart_why_" + std::to_string(getpid()));
  std::unique_ptr<Simulation> simulation_;
};

/// Two regions go on in the same step, each for a reason of its own: both are told, each with its own write.
TEST_F(ChartWhyTest, TwoTransitionsOfOneStepHaveTheirOwnCauses) {
  RunTo(2, R"(<state id="l1"><transition cond="one.mass gt 2 kg" target="l2"/></state><state id="l2"/>)",
        R"(<state id="r1"><transition cond="two.mass gt 2 kg" target="r2"/></state><state id="r2"/>)");
  const std::string text = Why("watch");
  const std::size_t left = text.find("l1 -> l2"), right = text.find("r1 -> r2");
  ASSERT_NE(left, std::string::npos) << text;
  ASSERT_NE(right, std::string::npos) << text;
  const std::string of_left = text.substr(left, left < right ? right - left : std::string::npos);
  const std::string of_right = text.substr(right, right < left ? left - right : std::string::npos);
  EXPECT_THAT(of_left, AllOf(HasSubstr("one.mass = 5"), HasSubstr("by anna"), Not(HasSubstr("by bert"))));
  EXPECT_THAT(of_right, AllOf(HasSubstr("two.mass = 7"), HasSubstr("by bert"), Not(HasSubstr("by anna"))));
  // A question about one state has the cause of that alone.
  EXPECT_THAT(Why("watch.state.l2"), AllOf(HasSubstr("by anna"), Not(HasSubstr("bert"))));
  EXPECT_THAT(Why("watch.state.r2"), AllOf(HasSubstr("by bert"), Not(HasSubstr("anna"))));
}

/// A transition raises the event of another one in the same step: it is its cause.
TEST_F(ChartWhyTest, AnEventRaisedInTheSameStepLeadsToItsTransition) {
  RunTo(
      2,
      R"(<state id="l1"><transition cond="one.mass gt 2 kg" target="l2"><raise event="heavy"/></transition></state>
           <state id="l2"/>)",
      R"(<state id="r1"><transition event="heavy" target="r2"/></state><state id="r2"/>)");
  const std::string text = Why("watch.state.r2");
  EXPECT_THAT(text, AllOf(HasSubstr("r1 -> r2: heavy"), HasSubstr("    1.01 s: /watch: l1 -> l2"),
                          HasSubstr("one.mass = 5"), HasSubstr("by anna")));
  EXPECT_THAT(Why("watch"), AllOf(HasSubstr("r1 -> r2: heavy"), HasSubstr("l1 -> l2"), HasSubstr("by anna")));
}

/// A transition after a time has the entry of its own state as its cause, whatever other regions do then.
TEST_F(ChartWhyTest, ATimeLeadsToTheEntryOfItsOwnState) {
  RunTo(1.5,
        R"(<state id="l1"><transition cond="one.mass gt 2 kg" target="l2"/></state>
           <state id="l2"><transition davit:after="1 s" target="l3"/></state><state id="l3"/>)",
        R"(<state id="r1"><transition event="knock" target="r2"/></state><state id="r2"/>)");
  simulation_->Submit({.sender = "carl", .command = "event knock"});
  simulation_->RunUntil(3);
  const std::string text = Why("watch.state.l3");
  EXPECT_THAT(text, AllOf(HasSubstr("l2 -> l3"), HasSubstr("l1 -> l2"), HasSubstr("by anna")));
  EXPECT_THAT(text, Not(HasSubstr("knock")));
}

/// A signal in a guard leads to the write that has moved it, through routes and connections.
TEST(WhyTest, AGuardLeadsToTheWriteThatMovedItsSignal) {
  const auto s = LoadExample("level_switching", "30 s");
  s->KeepCauses();
  s->Initialize();
  s->Submit({.sender = "panel", .command = "10 s set load.mass 40 t"});
  s->Run();
  std::string text;
  for (const Reason& reason : s->Why("cylinder.chart")) text += ToText(reason) + "\n";
  EXPECT_THAT(text, testing::ContainsRegex("cylinder.p_a = [0-9.e+]+ Pa, a step before [0-9.e+]+ Pa"));
  EXPECT_THAT(text, HasSubstr("by panel: <At time=\"10 s\" set=\"load.mass\" value=\"40 t\"/>"));
  EXPECT_THAT(WhatOf<std::invalid_argument>([&] { s->Why("cylinder.levle"); }), HasSubstr("did you mean"));
}

/// An alarm has the writes that can have brought it about; one that was never set has no causes.
TEST(WhyTest, AnAlarmIsExplainedLikeASwitch) {
  const auto s = LoadExample("level_switching", "42 s");
  s->KeepCauses();
  s->Initialize();
  s->Run();
  const std::vector<Reason> reasons = s->Why("line_b.cavitation");
  ASSERT_GE(reasons.size(), 2U);
  EXPECT_THAT(reasons.front().text, HasSubstr("alarm cavitation set"));
  EXPECT_EQ(reasons.front().depth, 0);
  EXPECT_TRUE(std::ranges::any_of(reasons, [](const Reason& reason) {
    return reason.depth == 1 && reason.text.find("set=\"cylinder.level\"") != std::string::npos;
  }));
  EXPECT_TRUE(s->Why("line_b.cavitation", 10.0).empty());
  EXPECT_THAT(WhatOf<std::invalid_argument>([&] { s->Why("line_b.cavitaton"); }), HasSubstr("cavitaton"));
}

/// In its past a run has the causes of its past, however it has come there.
TEST(WhyTest, ThePastHasTheCausesOfThePast) {
  const auto reasons_at = [](Simulation& s, double t) {
    std::string text;
    for (const Reason& reason : s.Why("pipe.level", t)) text += ToText(reason) + "\n";
    return text;
  };
  const auto s = LoadExample("level_switching", "20 s");
  s->KeepCauses();
  s->RecordRun(Dense(5'000'000));
  s->Initialize();
  s->RunUntil(9);
  const std::string wanted = reasons_at(*s, 9);
  ASSERT_THAT(wanted, HasSubstr("8 s"));
  s->Run();
  s->Travel([](TimeTravel& travel) { travel.GoTo(9); });
  EXPECT_EQ(reasons_at(*s, 9), wanted);
  s->Travel([](TimeTravel& travel) { travel.GoTo(20); });
  s->Travel([](TimeTravel& travel) { travel.GoTo(2); });
  EXPECT_EQ(reasons_at(*s, 20), "");
}

}  // namespace
}  // namespace davit
