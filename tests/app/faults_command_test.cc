#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/studies/faults_study.h"
#include "app/exit_code.h"
#include "app/studies/study_run.h"
#include "components/register.h"
#include "session/simulation.h"
#include "tests/support/read_all.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

/// A load on a locked cylinder that sinks if something leaks; a chart that sees when it has sunk by 10 mm;
/// the pressure alarm of the line.
constexpr const char* kLeakingSystem = R"(<System name="held">
  <SimulatorManager TimeStep="10 ms" StopTime="20 s"><Integration solver="ODE" rtol="1e-6"/></SimulatorManager>
  <Statechart name="watch" src="watch.scxml"/>
  <hydraulic.Tank name="tank"/>
  <hydraulic.DirectionalValve22 name="lock"/>
  <hydraulic.Volume name="line" volume="0.2 l"><Start p="63.66 bar"/></hydraulic.Volume>
  <hydraulic.Cylinder name="cylinder" level="Standard" gas_share="0" bore="100 mm" rod="50 mm" stroke="1 m"
      rod_mass="0 kg" port_a_diameter="50 mm" port_b_diameter="50 mm" viscous_friction="2e4 N.s/m">
    <Start x="0.5 m" p_a="63.66 bar" p_b="0 bar"/></hydraulic.Cylinder>
  <mechanical.Mass name="load" mass="5 t" weight="50 kN"/>
  <Connect from="lock.a" to="line.port"/><Connect from="lock.b" to="tank.port"/>
  <Connect from="cylinder.a" to="line.port"/><Connect from="cylinder.b" to="tank.port"/>
  <Connect from="cylinder.rod" to="load.a"/>
</System>)";
/// At 3 s it reaches `late` in each run.
constexpr const char* kChart = R"(<scxml xmlns="http://www.w3.org/2005/07/scxml"
    xmlns:davit="urn:davit:chart:1" version="1.0" initial="both"><parallel id="both">
  <state id="load" initial="held"><state id="held"><transition cond="cylinder.x lt 0.49" target="sunk"/></state>
    <state id="sunk"/></state>
  <state id="clock" initial="early"><state id="early"><transition davit:after="3s" target="late"/></state>
    <state id="late"/></state></parallel></scxml>)";

class FaultsCommandTest : public testing::Test {
 protected:
  FaultsCommandTest()
      : folder_(fs::path(testing::TempDir()) / ("davit_faults_command_test_" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::ofstream(folder_ / "held.xml") << kLeakingSystem;
    std::ofstream(folder_ / "watch.scxml") << kChart;
  }
  ~FaultsCommandTest() override { fs::remove_all(folder_); }

  FaultsOptions Of(const std::vector<std::string>& faults, const std::string& output = "faults.csv") const {
    FaultsOptions options;
    options.system = folder_ / "held.xml";
    options.workers = 1;
    for (const std::string& fault : faults) options.faults.push_back({fault});
    options.at = VariationText{"2 s"};
    options.window = VariationText{"5 s"};
    options.measures = {{"falls=cylinder.x lt 0.3 m"}, {"lowest=min(cylinder.x)"}, {"peak=cylinder.p_a"}};
    options.output = folder_ / output;
    return options;
  }
  int Run(FaultsOptions options) {
    out_.str("");
    err_.str("");
    study_ = std::make_unique<FaultsStudy>(std::move(options));
    return RunStudy(*study_, false, registry_, out_, err_);
  }
  const FaultRow& Row(const std::string& fault) const {
    const std::vector<FaultRow>& rows = study_->result().rows;
    const auto row = std::ranges::find(rows, fault, &FaultRow::fault);
    if (row == rows.end()) throw std::out_of_range(fault);
    return *row;
  }
  /// Without the last cell, the time that a case took.
  static std::string Rows(const fs::path& table) {
    std::ifstream file(table);
    std::string text;
    for (std::string line; std::getline(file, line);) text += line.substr(0, line.rfind(',')) + '\n';
    return text;
  }
  std::string Table(const std::string& name = "faults.csv") const { return Rows(folder_ / name); }

  const fs::path folder_;
  const Registry registry_ = AllModels();
  std::unique_ptr<FaultsStudy> study_;
  std::ostringstream out_, err_;
};

/// Law: the table has what a run has in which the fault is written by a command at that time.
TEST_F(FaultsCommandTest, ACaseIsTheRunWithTheFault) {
  ASSERT_EQ(Run(Of({"cylinder.internal_leak=2e-10 m3/s/Pa", "line.burst", "cylinder.trapped_air"})), kDone)
      << err_.str();
  EXPECT_THAT(Table(), testing::StartsWith(
                           "case,fault,detected_by,detection_time,falls,lowest,peak,status,message\n"));
  for (const std::string_view command :
       {"cylinder.internal_leak=2e-10", "line.external_leak=0.016666666666666666",
        "cylinder.free_air=0.05"}) {
    SimulationOptions options{.load = {.at = {"2:" + std::string(command)}}};
    options.log = [](RunLog::Severity, std::string_view) {};
    const auto run = Simulation::Load(folder_ / "held.xml", registry_, options).Take();
    run->Initialize();
    run->RunUntil(2);
    double lowest = 1, sunk = NAN;
    while (run->time() < 7) {
      run->Step();
      const double x = run->Read("cylinder.x");
      lowest = std::min(lowest, x);
      if (std::isnan(sunk) && run->Read("watch.state.sunk") > 0.5) sunk = run->time() - 2;
    }
    const FaultRow& row = study_->result().rows.at(command.starts_with("cylinder.i") ? 0
                                                   : command.starts_with("line")     ? 1
                                                                                     : 2);
    EXPECT_NEAR(row.hazards.at(1), lowest, 1e-9) << command;
    EXPECT_EQ(row.hazards.at(0), lowest < 0.3 ? 1 : 0) << command;
    if (std::isnan(sunk)) {
      EXPECT_FALSE(row.is_detected()) << row.detected_by;
    } else {
      ASSERT_TRUE(row.is_detected()) << command;
      EXPECT_LE(row.detection_time, sunk + 1e-9);
    }
  }
}

TEST_F(FaultsCommandTest, TellsWhichChartDetectsAFaultAndWhen) {
  FaultsOptions options = Of({"cylinder.internal_leak=2e-12", "cylinder.internal_leak=2e-11"});
  options.detectors = {{"watch"}};
  ASSERT_EQ(Run(options), kDone) << err_.str();
  // v = G*W/(Ap^2 + G*b): 10 mm take 6.2 s and 0.63 s; the state is entered at the next step point.
  const double Ap = M_PI / 4 * 0.01, v = 2e-11 * 5e4 / (Ap * Ap + 2e-11 * 2e4);
  const FaultRow& fast = Row("cylinder.internal_leak=2e-11");
  EXPECT_EQ(fast.detected_by, "watch.sunk");
  EXPECT_NEAR(fast.detection_time, 0.01 / v, 0.03);
  EXPECT_FALSE(Row("cylinder.internal_leak=2e-12").is_detected()) << "the window ends before";
  EXPECT_THAT(out_.str(), AllOf(HasSubstr("watch.sunk after 0.6"), HasSubstr("not detected")));
}

/// Law: rows do not depend on the number of workers, the order of the cases, shards, or where a campaign was
/// interrupted.
TEST_F(FaultsCommandTest, RowsDoNotDependOnHowTheCasesAreShared) {
  const auto of = [this](const std::string& output) {
    FaultsOptions options = Of({"cylinder.*", "line.leak", "lock.stuck_open"}, output);
    options.has_pairs = true;
    options.window = VariationText{"1 s"};
    return options;
  };
  ASSERT_EQ(Run(of("one.csv")), kDone) << err_.str();
  const std::string all = Table("one.csv");
  const auto cases = static_cast<std::size_t>(std::ranges::count(all, '\n') - 1);
  const std::size_t faults = study_->result().cases;
  EXPECT_EQ(cases, faults);
  EXPECT_GT(cases, 20U);
  FaultsOptions two = of("two.csv");
  two.workers = 2;
  ASSERT_EQ(Run(two), kDone);
  EXPECT_EQ(Table("two.csv"), all);
  for (const char* shard : {"2/2", "1/2"}) {
    FaultsOptions part = of("shards.csv");
    part.shard = shard;
    part.is_resumed = false;
    part.output = folder_ / (std::string("shard") + shard[0] + ".csv");
    ASSERT_EQ(Run(part), kDone) << err_.str();
  }
  const std::string first = Table("shard1.csv"), second = Table("shard2.csv");
  std::istringstream whole(all);
  std::string line;
  std::getline(whole, line);
  for (std::size_t i = 0; std::getline(whole, line); ++i)
    EXPECT_THAT(i % 2 == 0 ? first : second, HasSubstr('\n' + line + '\n'));
  fs::copy_file(folder_ / "shard1.csv", folder_ / "resumed.csv");
  FaultsOptions resumed = of("resumed.csv");
  resumed.is_resumed = true;
  ASSERT_EQ(Run(resumed), kDone) << err_.str();
  EXPECT_EQ(study_->result().resumed, (cases + 1) / 2);
  EXPECT_EQ(Table("resumed.csv"), all);
}

TEST_F(FaultsCommandTest, ContinuesFromASnapshot) {
  ASSERT_EQ(Run(Of({"line.leak"})), kDone);
  const std::string table = Table();
  const auto run = Simulation::Load(folder_ / "held.xml", registry_).Take();
  run->Initialize();
  run->RunUntil(1);
  run->SaveState(folder_ / "held.state");
  FaultsOptions options = Of({"line.leak"});
  options.snapshot = folder_ / "held.state";
  ASSERT_EQ(Run(options), kDone) << err_.str();
  EXPECT_EQ(Table(), table);
}

// What a snapshot replaces would make the table that of another system; a window that the run cuts off would
// make its hazards those of a shorter time.
TEST_F(FaultsCommandTest, RefusesWhatWouldHaveNoEffect) {
  const auto run = Simulation::Load(folder_ / "held.xml", registry_).Take();
  run->Initialize();
  run->RunUntil(1);
  run->SaveState(folder_ / "held.state");
  FaultsOptions options = Of({"line.leak"});
  options.snapshot = folder_ / "held.state";
  options.simulation.load.set = {"load.mass=7 t"};
  options.window = VariationText{"900 s"};
  EXPECT_EQ(Run(options), kWrongInput);
  EXPECT_THAT(
      err_.str(),
      AllOf(HasSubstr("--set load.mass=7 t: error: has no effect: the run continues with load.mass = "),
            HasSubstr("the window ends at 90"), HasSubstr("choose a shorter window, or give stop 902 s")));
}

TEST_F(FaultsCommandTest, WritesASheetThatCountsWhatIsHazardousAndNotDetected) {
  FaultsOptions options = Of({"line.burst", "cylinder.trapped_air"});
  options.fmea = folder_ / "sheet.html";
  options.detectors = {{"cylinder"}};
  ASSERT_EQ(Run(options), kDone) << err_.str();
  std::ostringstream sheet;
  sheet << std::ifstream(folder_ / "sheet.html").rdbuf();
  EXPECT_THAT(sheet.str(),
              AllOf(HasSubstr("<td>line.burst</td>"), HasSubstr("<td>yes</td>"), HasSubstr("<td>none</td>"),
                    HasSubstr("falls<br><code>cylinder.x lt 0.3 m</code>")));
  EXPECT_TRUE(Row("line.burst").is_hazardous(study_->result().hazards));
  EXPECT_FALSE(Row("cylinder.trapped_air").is_hazardous(study_->result().hazards));
}

/// A shipped system with lines of waves: each has its leak and its burst on the sheet, the largest leak is
/// that of the largest pressure at its end, and a burst of the line that drives the motor slows it more than
/// a leak.
TEST_F(FaultsCommandTest, TheLinesOfAShippedSystemLeakAndBurst) {
  FaultsOptions options = Of({"line_*.*"});
  options.system = fs::path(DAVIT_SOURCE_DIR) / "systems/hydrostatic_transmission.xml";
  options.at = VariationText{"3 s"};
  options.window = VariationText{"1 s"};
  options.measures = {{"flow=line_forward.q_leak"}, {"pressure=line_forward.b.p"}, {"slowest=min(load.w)"}};
  options.fmea = folder_ / "lines.html";
  ASSERT_EQ(Run(options), kDone) << err_.str();
  ASSERT_EQ(study_->result().rows.size(), 4U);
  for (const auto& [fault, at_100_bar] :
       {std::pair{"line_forward.leak", 5 / 6e4}, std::pair{"line_forward.burst", 1000 / 6e4}}) {
    const FaultRow& row = Row(fault);
    const double flow = at_100_bar * std::sqrt(row.hazards.at(1) / 100e5);
    EXPECT_GT(row.hazards.at(0), 0.5 * flow) << fault;
    EXPECT_LE(row.hazards.at(0), flow * (1 + 1e-6)) << fault;
  }
  const double w = Row("line_forward.leak").hazards.at(2);
  EXPECT_LT(Row("line_forward.burst").hazards.at(2), 0.75 * w);
  EXPECT_LT(w, Row("line_back.leak").hazards.at(2));
  const std::string sheet = ReadAll(*options.fmea);
  for (const char* fault : {"line_forward", "line_back", "burst", "leak"})
    EXPECT_THAT(sheet, HasSubstr(fault));
}

TEST_F(FaultsCommandTest, ListsTheFaultsOfTheSystem) {
  FaultsOptions options = Of({});
  options.output.reset();
  options.lists = true;
  ASSERT_EQ(Run(options), kDone);
  EXPECT_THAT(out_.str(), AllOf(HasSubstr("line.burst"), HasSubstr("cylinder.internal_leak"),
                                HasSubstr("lock.stuck_open")));
}

TEST_F(FaultsCommandTest, ReportsAllThatIsWrongInOnePass) {
  FaultsOptions options = Of({"cylinder.internal_lea", "line.bursts", "lock.stuck_open=5 bar", "boom.*"});
  options.measures = {{"falls=load.y lt 1"}, {"status=load.x"}, {"two=max(load.x) + load.v"}};
  options.at = VariationText{"50 s"};
  options.detectors = {{"wach"}};
  options.fmea = folder_ / "sheet.txt";
  EXPECT_EQ(Run(options), kWrongInput);
  const std::string errors = err_.str();
  EXPECT_THAT(errors, AllOf(HasSubstr("cylinder has no fault 'internal_lea'; did you mean 'internal_leak'?"),
                            HasSubstr("line has no fault 'bursts'; did you mean 'burst'?"),
                            HasSubstr("lock.stuck_at: "), HasSubstr("no fault 'boom.*'")));
  EXPECT_THAT(errors,
              AllOf(HasSubstr("no variable 'y'"), HasSubstr("another column of the table is named 'status'"),
                    HasSubstr("at 50 s there is no run"), HasSubstr("no chart, state or alarm 'wach'"),
                    HasSubstr("failure modes and effects are an .html file")));
  EXPECT_EQ(std::ranges::count(errors, '\n'), 10) << errors;
}

TEST_F(FaultsCommandTest, RefusesASnapshotOfAnotherSystem) {
  const auto run = Simulation::Load(fs::path(DAVIT_SOURCE_DIR) / "systems/mass_spring.xml", registry_).Take();
  run->Initialize();
  run->SaveState(folder_ / "other.state");
  FaultsOptions options = Of({"line.leak"});
  options.snapshot = folder_ / "other.state";
  EXPECT_EQ(Run(options), kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr("other.state"));
}

}  // namespace
}  // namespace davit
