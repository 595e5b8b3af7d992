#include "analysis/study/case_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "analysis/study/case_list.h"
#include "analysis/study/case_pool.h"
#include "components/register.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A system of the examples with what is varied and measured.
struct StudyExample {
  std::string system;
  std::string stop;
  std::vector<std::string> vary;
  std::vector<std::string> measures;  ///< expressions
};

void PrintTo(const StudyExample& example, std::ostream* out) { *out << example.system; }

CaseSetup SetupOf(const StudyExample& example) {
  CaseSetup setup{.system = fs::path(DAVIT_SOURCE_DIR) / "systems" / (example.system + ".xml")};
  setup.options.load.set = {"SimulatorManager.StopTime=" + example.stop};
  setup.options.log = [](RunLog::Severity, std::string_view) {};
  for (const std::string& text : example.measures)
    setup.measures.push_back({"m" + std::to_string(setup.measures.size()), text, {}});
  return setup;
}

CaseList CasesOf(const StudyExample& example, const CaseSetup& setup, const Registry& registry) {
  const auto simulation = Simulation::Load(setup.system, registry, setup.options).Take();
  std::vector<VariationText> texts;
  for (const std::string& text : example.vary) texts.push_back({text, {}});
  Diagnostics diagnostics;
  CaseList cases(ReadVariations(simulation->system(), texts, diagnostics));
  for (const Diagnostic& fault : diagnostics.all()) ADD_FAILURE() << ToText(fault);
  return cases;
}

/// The measures of a run whose system was loaded for it alone, with --set.
std::vector<double> RunAlone(const CaseSetup& setup, const CaseList& cases, std::uint64_t i,
                             const Registry& registry) {
  SimulationOptions options = setup.options;
  const std::vector<CaseValue> values = cases.CaseAt(i);
  for (std::size_t k = 0; k < values.size(); ++k)
    options.load.set.push_back(cases.items()[k].path + "=" + ToText(values[k], cases.items()[k]));
  const auto simulation = Simulation::Load(setup.system, registry, options).Take();
  Diagnostics diagnostics;
  MeasureSet measures(*simulation, setup.measures, diagnostics);
  measures.Begin();
  simulation->Initialize();
  simulation->Run();
  return measures.Finish().values;
}

class CaseRunnerExampleTest : public testing::TestWithParam<StudyExample> {};

TEST_P(CaseRunnerExampleTest, EachCaseHasTheBitsOfARunOfItsOwn) {
  const Registry registry = AllModels();
  CaseSetup setup = SetupOf(GetParam());
  const CaseList cases = CasesOf(GetParam(), setup, registry);
  setup.items = cases.items();
  CaseRunner runner(setup, registry);
  ASSERT_GT(cases.size(), 3U);
  // In an order in which each case follows another one.
  for (std::uint64_t k = 0; k < cases.size(); ++k) {
    const std::uint64_t i = (k * 5 + 3) % cases.size();
    const CaseResult result = runner.Run(i + 1, cases.CaseAt(i));
    EXPECT_TRUE(result.is_done) << result.message;
    EXPECT_EQ(result.measures, RunAlone(setup, cases, i, registry)) << "case " << i + 1;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Systems, CaseRunnerExampleTest,
    testing::Values(StudyExample{"lifting_cylinder",
                                 "6 s",
                                 {"load.mass=5 t:5 t:10 t", "pump.set_pressure=200 bar,250 bar,300 bar"},
                                 {"max(load.x)", "max(cylinder.p_a)", "rms(load.v)"}},
                    StudyExample{"lifting_cylinder",
                                 "6 s",
                                 {"cylinder.level=Ideal,Standard,Advanced", "load.mass=5 t,10 t"},
                                 {"max(load.x)", "integral(pump.q_out)"}},
                    // A start value, and a parameter of a fluid's user.
                    StudyExample{"mass_spring",
                                 "2 s",
                                 {"load.x=0.1 m,0.2 m", "spring.stiffness=300 N/m,400 N/m"},
                                 {"max(load.x)", "crossing(load.x, 0 m)"}},
                    StudyExample{"position_servo",
                                 "0.3 s",
                                 {"controller.gain=8,12", "load.mass=900 kg,1000 kg"},
                                 {"max(load.x)", "max(line_a.p)"}},
                    StudyExample{"bouncing_ball",
                                 "5 s",
                                 {"ball.restitution=0.5,0.7", "ball.mass=1 kg,2 kg"},
                                 {"events(ball)", "mean(ball.x)"}}),
    [](const auto& test) { return test.param.system + std::to_string(test.index); });

/// What the system itself writes during a run.
constexpr const char* kCommanded = R"(<System name="s">
  <SimulatorManager TimeStep="10 ms" StopTime="1 s"/>
  <mechanical.Mass name="load" mass="2 kg" weight="10 N"/>
  <At time="0.5 s" set="load.weight" value="0 N"/>
</System>)";

TEST(CaseRunnerTest, ValuesThatTheSystemWritesTooAreThoseOfTheCase) {
  const Registry registry = AllModels();
  const fs::path file = fs::path(testing::TempDir()) / "davit_case_runner_commanded.xml";
  std::ofstream(file) << kCommanded;
  CaseSetup setup{.system = file};
  setup.items = {{.path = "load.weight", .unit = "N", .is_live = true}};
  setup.measures = {{"v", "final(load.v)", {}}};
  CaseRunner runner(setup, registry);
  for (const double weight : {4.0, 8.0, 4.0, 0.0, 12.0}) {
    const std::vector<CaseValue> values{{.number = weight}};
    const CaseResult result = runner.Run(1, values);
    ASSERT_TRUE(result.is_done) << result.message;
    EXPECT_NEAR(result.measures[0], -weight / 2 * 0.5, 1e-9);
  }
}

TEST(CaseRunnerTest, AFailedCaseDoesNotTouchTheNext) {
  const Registry registry = AllModels();
  const StudyExample example{"mass_spring", "1 s", {"load.mass=10 kg,20 kg"}, {"max(load.v)"}};
  CaseSetup setup = SetupOf(example);
  const CaseList cases = CasesOf(example, setup, registry);
  setup.items = cases.items();
  CaseRunner runner(setup, registry);
  const CaseResult before = runner.Run(1, cases.CaseAt(0));
  const std::vector<CaseValue> wrong{{.number = -5}};
  const CaseResult failed = runner.Run(2, wrong);
  EXPECT_FALSE(failed.is_done);
  EXPECT_THAT(failed.message, HasSubstr("load.mass"));
  EXPECT_TRUE(std::isnan(failed.measures[0]));
  EXPECT_EQ(failed.message.find('\n'), std::string::npos);
  EXPECT_EQ(runner.Run(1, cases.CaseAt(0)).measures, before.measures);
}

TEST(CaseRunnerTest, LoadsOnceForLiveValuesAndOnceForEachLevel) {
  const Registry registry = AllModels();
  const auto loads = [&](const StudyExample& example) {
    CaseSetup setup = SetupOf(example);
    const CaseList cases = CasesOf(example, setup, registry);
    setup.items = cases.items();
    CaseRunner runner(setup, registry);
    for (std::uint64_t i = 0; i < cases.size(); ++i) runner.Run(i + 1, cases.CaseAt(i));
    return runner.loads();
  };
  EXPECT_EQ(loads({"lifting_cylinder", "0.1 s", {"load.mass=5 t:1 t:15 t"}, {"max(load.x)"}}), 1U);
  EXPECT_EQ(loads({"lifting_cylinder",
                   "0.1 s",
                   {"load.mass=5 t,6 t,7 t", "cylinder.level=Ideal,Standard"},
                   {"max(load.x)"}}),
            2U);
}

TEST(CasePoolTest, WorkersDoNotChangeResults) {
  const Registry registry = AllModels();
  const StudyExample example{"lifting_cylinder",
                             "1 s",
                             {"load.mass=5 t:1 t:12 t", "cylinder.level=Ideal,Standard"},
                             {"max(load.x)", "final(cylinder.p_a)"}};
  CaseSetup setup = SetupOf(example);
  const CaseList cases = CasesOf(example, setup, registry);
  setup.items = cases.items();
  std::vector<std::vector<CaseValue>> values;
  for (std::uint64_t i = 0; i < cases.size(); ++i) values.push_back(cases.CaseAt(i));
  const std::stop_token stop;
  std::vector<std::vector<double>> of_one;
  for (const unsigned workers : {1U, 2U, 3U}) {
    std::vector<std::vector<double>> measures;
    for (const CaseResult& result : CasePool(setup, registry, workers).Run(values, stop))
      measures.push_back(result.measures);
    if (workers == 1) of_one = measures;
    EXPECT_EQ(measures, of_one) << workers;
  }
}

TEST(CasePoolTest, TakesNoCaseAfterAStop) {
  const Registry registry = AllModels();
  const StudyExample example{"mass_spring", "0.1 s", {"load.mass=1 kg:1 kg:50 kg"}, {"max(load.x)"}};
  CaseSetup setup = SetupOf(example);
  const CaseList cases = CasesOf(example, setup, registry);
  setup.items = cases.items();
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t i = 1; i <= cases.size(); ++i) numbers.push_back(i);
  std::stop_source stop;
  std::uint64_t taken = 0;
  const std::uint64_t runs = CasePool(setup, registry, 2)
                                 .Run(
                                     numbers, [&](std::uint64_t n) { return cases.CaseAt(n - 1); },
                                     [&](std::uint64_t, std::span<const CaseValue>, const CaseResult&) {
                                       if (++taken >= 5) stop.request_stop();
                                     },
                                     stop.get_token());
  EXPECT_EQ(runs, taken);
  EXPECT_GE(runs, 5U);
  EXPECT_LE(runs, 6U);
}

TEST(CasePoolTest, AStopGivesUpACaseThatWouldRunForDays) {
  const Registry registry = AllModels();
  const StudyExample example{
      "mass_spring", "0.1 s", {"SimulatorManager.StopTime=0.1 s,2e9 s"}, {"max(load.x)"}};
  CaseSetup setup = SetupOf(example);
  const CaseList cases = CasesOf(example, setup, registry);
  setup.items = cases.items();
  const std::vector<std::uint64_t> numbers{1, 2};
  std::stop_source stop;
  std::vector<std::uint64_t> taken;
  CasePool(setup, registry, 2)
      .Run(
          numbers, [&](std::uint64_t n) { return cases.CaseAt(n - 1); },
          [&](std::uint64_t number, std::span<const CaseValue>, const CaseResult&) {
            taken.push_back(number);
            stop.request_stop();
          },
          stop.get_token());
  EXPECT_THAT(taken, testing::ElementsAre(1));
}

}  // namespace
}  // namespace davit
