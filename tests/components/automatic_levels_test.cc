// Whole systems whose charts choose the levels: threads and snapshots change no bit, and switches keep the
// dwell time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "components/register.h"
#include "framework/xml/system_loader.h"
#include "simulator/recorder.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

/// A system of `systems/` with all levels automatic and a row of all its signals at each communication point.
class Automatic {
 public:
  Automatic(const std::string& name, const std::string& stop_time, unsigned threads = 1)
      : registry_(AllModels()) {
    Diagnostics diagnostics;
    const LoadOptions options{.set = {"SimulatorManager.StopTime=" + stop_time},
                              .level = {"*=automatic"},
                              .signals = {"*", "*.indicator.*"},
                              .interval = "1 us"};
    const std::string file = std::string(DAVIT_SOURCE_DIR "/systems/") + name + ".xml";
    system_ = LoadSystem(std::filesystem::path(file), registry_, options, diagnostics);
    manager().Build(*system_, diagnostics);
    for (const Diagnostic& one : diagnostics.all()) {
      EXPECT_NE(one.severity, Severity::kError) << ToText(one);
      EXPECT_THAT(one.message(), testing::Not(testing::HasSubstr("has no effect")));
    }
    recorder_ = std::make_unique<Recorder>(system_->record_plan());
    recorder_->AddSink([this](double t, std::span<const double> values) {
      rows_.push_back({t});
      rows_.back().insert(rows_.back().end(), values.begin(), values.end());
    });
    manager().AddObserver(recorder_.get());
    manager().set_threads(threads, ThreadUse::kAlways);
  }

  SimulatorManager& manager() { return SimulatorManager::Of(*system_); }
  System& system() { return *system_; }
  const std::vector<std::vector<double>>& rows() const { return rows_; }
  void Run() {
    manager().Initialize();
    manager().RunUntil(manager().stop_time());
  }

 private:
  Registry registry_;
  std::unique_ptr<System> system_;
  std::unique_ptr<Recorder> recorder_;
  std::vector<std::vector<double>> rows_;
};

class AutomaticLevelsTest : public testing::TestWithParam<const char*> {};

/// Bit by bit: NaN is equal to itself.
bool IsSame(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

TEST_P(AutomaticLevelsTest, ThreadsChangeNoBit) {
  Automatic one(GetParam(), "6 s");
  one.Run();
  EXPECT_GT(one.manager().statistics().level_switches, 0U);
  for (const unsigned threads : {2U, 8U}) {
    Automatic several(GetParam(), "6 s", threads);
    several.Run();
    ASSERT_EQ(several.rows().size(), one.rows().size());
    for (std::size_t i = 0; i < one.rows().size(); ++i)
      ASSERT_TRUE(IsSame(several.rows()[i], one.rows()[i])) << one.rows()[i][0] << " s";
  }
}

TEST_P(AutomaticLevelsTest, ASnapshotContinuesBitForBit) {
  Automatic whole(GetParam(), "6 s");
  std::stringstream snapshot;
  whole.manager().Initialize();
  whole.manager().RunUntil(3);
  whole.manager().SaveState(snapshot);
  const std::size_t saved = whole.rows().size();
  whole.manager().RunUntil(6);
  Automatic rest(GetParam(), "6 s");
  Diagnostics diagnostics;
  rest.manager().LoadState(snapshot, {}, diagnostics);
  ASSERT_FALSE(diagnostics.has_errors());
  rest.manager().RunUntil(6);
  ASSERT_EQ(rest.rows().size(), whole.rows().size() - saved);
  for (std::size_t i = 0; i < rest.rows().size(); ++i)
    ASSERT_TRUE(IsSame(rest.rows()[i], whole.rows()[saved + i])) << rest.rows()[i][0] << " s";
}

TEST_P(AutomaticLevelsTest, SwitchesOfAComponentAreTheDwellTimeApart) {
  Automatic run(GetParam(), "10 s");
  std::map<const Component*, double> level, changed;
  std::uint64_t switches = 0;
  run.manager().Initialize();
  for (Component* component : run.system().components()) {
    if (component->chooses_its_level()) level[component] = *component->level_value();
  }
  while (!run.manager().is_finished()) {
    run.manager().Step();
    for (auto& [component, before] : level) {
      if (*component->level_value() == before) continue;
      before = *component->level_value();
      ++switches;
      const auto last = changed.find(component);
      if (last != changed.end()) {
        EXPECT_GE(run.manager().time() - last->second, 0.1 - 1e-9) << component->path();
      }
      changed[component] = run.manager().time();
    }
  }
  EXPECT_GT(switches, 0U);
  EXPECT_EQ(run.manager().statistics().level_switches, switches);
}

// Law: a component leaves a level upwards when that neglects more than the tolerance, for one that does not
// or the highest; and enters a lower one that has neglected less than half of it for the dwell time. What it
// neglects is what the indicators said at the communication point before. Three components of the crane are
// left out, whose levels its chart `detail` sets, too.
TEST_P(AutomaticLevelsTest, ComponentsSwitchByWhatTheirLevelsNeglect) {
  constexpr double kTolerance = 0.02;  // the default
  const std::set<std::string, std::less<>> of_detail{"slew_motor", "boom_cylinder", "knuckle_cylinder"};
  Automatic run(GetParam(), "10 s");
  const auto neglects = [&](const Component& component, Level level) {
    Fault fault;
    const std::string path = component.path() + ".indicator." + std::string(ToText(level));
    return run.system().FindVariable(run.system().root(), path, &fault)->Read();
  };
  struct Past {
    std::vector<double> levels;
    std::map<Level, std::vector<double>> neglected;
  };
  std::map<const Component*, Past> pasts;
  run.manager().Initialize();
  std::vector<double> times;
  while (true) {
    times.push_back(run.manager().time());
    for (const Component* component : run.system().components()) {
      if (!component->chooses_its_level() || of_detail.contains(component->path())) continue;
      Past& past = pasts[component];
      past.levels.push_back(*component->level_value());
      for (const Level level : {Level::kIdeal, Level::kStandard}) {
        if (component->model().levels.Contains(level) && level < component->HighestLevel())
          past.neglected[level].push_back(neglects(*component, level));
      }
    }
    if (run.manager().is_finished()) break;
    run.manager().Step();
  }
  std::size_t raised = 0, lowered = 0;
  for (const auto& [component, past] : pasts) {
    for (std::size_t i = 1; i < past.levels.size(); ++i) {
      const auto before = static_cast<Level>(past.levels[i - 1]), now = static_cast<Level>(past.levels[i]);
      if (now > before) {
        EXPECT_GT(past.neglected.at(before)[i - 1], kTolerance) << component->path() << ' ' << times[i];
        if (now < component->HighestLevel()) {
          EXPECT_LE(past.neglected.at(now)[i - 1], kTolerance) << component->path() << ' ' << times[i];
        }
        ++raised;
      } else if (now < before) {
        EXPECT_GE(times[i - 1], 0.1 - 1e-9) << component->path();
        for (std::size_t k = i; k-- > 0 && times[i - 1] - times[k] < 0.1 - 1e-9;)
          EXPECT_LT(past.neglected.at(now)[k], 0.5 * kTolerance) << component->path() << ' ' << times[i];
        ++lowered;
      }
    }
  }
  EXPECT_GT(raised + lowered, 0U);
}

INSTANTIATE_TEST_SUITE_P(All, AutomaticLevelsTest,
                         testing::Values("lifting_cylinder", "load_holding", "hydrostatic_transmission",
                                         "accumulators", "knuckle_boom_crane"));

}  // namespace
}  // namespace davit
