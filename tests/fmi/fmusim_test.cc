// What fmusim, the simulator of the Reference FMUs of the Modelica Association, computes with exported FMUs.
// DAVIT_FMUSIM names the program, built with CVODE.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>

#include "results/load_result.h"
#include "tests/fmi/exported_fmu.h"
#include "tests/fmi/outside_program.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

ResultTable ReadTable(const fs::path& file) {
  Diagnostics diagnostics;
  std::optional<ResultTable> table = LoadResult(file, diagnostics);
  for (const Diagnostic& fault : diagnostics.all()) ADD_FAILURE() << ToText(fault);
  return table ? std::move(*table) : ResultTable{};
}

ResultTable SimulateByFmusim(const char* fmusim, const fs::path& fmu, std::vector<std::string> options) {
  const fs::path file = FreshFolder() / "fmusim.csv";
  options.insert(options.end(), {"--output-file", file.string(), fmu.string()});
  const auto run = RunProgram(fmusim, options, "");
  EXPECT_TRUE(run && run->exit_code == 0)
      << fmusim << ": " << (run ? run->output + run->messages : "cannot be started");
  return ReadTable(file);
}

/// Those of what a mechanism records that an FMU has as outputs and that a solver does not choose: inputs
/// without a route are inputs there, and `loop_error` is what the solver leaves.
const char* MechanismSignals(const std::string& system) {
  if (system == "excavator") return "arm.*_angle arm.*_length arm.teeth_* *.cylinder.x *.cylinder.p_?";
  if (system == "wheel_loader")
    return "loader.*_angle loader.*_length loader.edge_* *.cylinder.x *.cylinder.p_?";
  return nullptr;
}

ResultTable SimulateNatively(const fs::path& system, const std::vector<std::string>& options) {
  const fs::path file = FreshFolder() / "native.csv";
  std::vector<std::string> arguments{"run", system.string(), "-o", file.string()};
  if (const char* signals = MechanismSignals(system.stem().string()))
    arguments.insert(arguments.end(), {"--signals", signals});
  arguments.insert(arguments.end(), options.begin(), options.end());
  const ProgramResult run = RunDavit(arguments);
  EXPECT_EQ(run.exit_code, 0) << run.messages;
  return ReadTable(file);
}

/// The rows of a time: two at an event.
std::pair<std::size_t, std::size_t> RowsAt(const ResultTable& table, double t) {
  constexpr double kSameTime = 1e-9;  // times are sums in one, products in the other
  const auto first = std::ranges::lower_bound(table.time, t - kSameTime);
  const auto end = std::ranges::upper_bound(table.time, t + kSameTime);
  return {first - table.time.begin(), end - table.time.begin()};
}

/// The least difference of the rows of both at a time: of the two sides of an event, a master may show one.
double DifferenceAt(double t, const ResultTable& a, const std::vector<double>& of_a, const ResultTable& b,
                    const std::vector<double>& of_b) {
  const auto [first, end] = RowsAt(a, t);
  const auto [other_first, other_end] = RowsAt(b, t);
  double least = std::numeric_limits<double>::infinity();  // also where one has no such row
  for (std::size_t i = first; i < end; ++i) {
    for (std::size_t k = other_first; k < other_end; ++k)
      least = std::min(least, std::abs(of_a[i] - of_b[k]));
  }
  return least;
}

/// The interval of `<Record>` [s].
double IntervalOf(const fs::path& system) {
  const auto simulation = Simulation::Load(system, FmuModels()).Take();
  double interval = simulation->time_step();
  for (const double given : simulation->system().record_plan().intervals)
    interval = std::max(interval, given);
  return interval;
}

/// The times at which both have rows: those of the native run that are outputs of the master. Both have
/// others at events.
std::vector<double> CommonTimes(const ResultTable& native, double interval) {
  std::vector<double> times;
  for (const double t : native.time) {
    const double intervals = (t - native.time.front()) / interval;
    if (std::abs(intervals - std::round(intervals)) < 1e-6) times.push_back(t);
  }
  return times;
}

/// For each signal of the native run, at the outputs of the master: the difference is no more than this share
/// of the largest value of the signal.
void ExpectTheSame(const ResultTable& native, const ResultTable& master, double interval, double share) {
  const std::vector<double> times = CommonTimes(native, interval);
  ASSERT_GE(times.size(), 50U);
  ASSERT_NEAR(times.back(), native.time.back(), interval);
  ASSERT_FALSE(native.names.empty());
  for (std::size_t column = 0; column < native.names.size(); ++column) {
    std::string name = native.names[column];
    constexpr std::string_view kDerivative = ".ddt";
    if (name.ends_with(kDerivative)) name = "der(" + name.substr(0, name.size() - kDerivative.size()) + ")";
    const auto found = std::ranges::find(master.names, name);
    if (found == master.names.end()) {
      ADD_FAILURE() << "the FMU has no output " << name;
      continue;
    }
    const std::vector<double>& values = native.columns[column];
    const std::vector<double>& others =
        master.columns[static_cast<std::size_t>(found - master.names.begin())];
    double largest = 0;
    for (const double value : values) largest = std::max(largest, std::abs(value));
    double worst = 0, worst_time = 0;
    for (const double t : times) {
      const double difference = DifferenceAt(t, native, values, master, others);
      if (difference > worst) worst_time = t;
      worst = std::max(worst, difference);
    }
    EXPECT_LE(worst, share * largest) << name << " at " << worst_time << " s; largest value " << largest;
  }
}

// ---- co-simulation ---------------------------------------------------------------------------------------

class FmusimTest : public testing::TestWithParam<std::tuple<const char*, FmiVersion>> {};

// Law: between communication points that are step points the FMU takes the steps of the native run.
TEST_P(FmusimTest, CoSimulationIsTheNativeRun) {
  const char* const fmusim = std::getenv("DAVIT_FMUSIM");
  if (fmusim == nullptr) GTEST_SKIP() << "DAVIT_FMUSIM is not set: the program fmusim of the Reference FMUs";
  const auto [name, version] = GetParam();
  const fs::path system = SystemNamed(name);
  const fs::path fmu = ExportToFile({.system = system, .version = version});
  const double interval = IntervalOf(system);
  ExpectTheSame(SimulateNatively(system, {}),
                SimulateByFmusim(fmusim, fmu,
                                 {"--interface-type", "cs", "--output-interval", std::to_string(interval)}),
                interval, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(
    Systems, FmusimTest,
    testing::Combine(testing::Values("lifting_cylinder", "knuckle_boom_crane", "position_servo",
                                     "level_switching", "bouncing_ball", "transistor_amplifier",
                                     "van_der_pol", "blinker", "scripted", "excavator", "wheel_loader"),
                     testing::Values(FmiVersion::k2, FmiVersion::k3)),
    [](const auto& parameter) {
      return std::get<0>(parameter.param) + NameOf(std::get<1>(parameter.param));
    });

// ---- model exchange --------------------------------------------------------------------------------------

/// How fine fmusim integrates a system. CVODE takes 500 steps there at most from output to output, so the
/// interval is a part of that of the comparison where the system is stiff. fmusim takes times for the same
/// that differ by 1e-5, or 1e-5 of the time: events that close to an output happen there, so that a shorter
/// interval is not a better one.
struct FmusimCase {
  std::string system;
  std::string tolerance = "1e-10";
  int divisions = 1;  ///< of the interval of `<Record>`
  std::string native_tolerance = "1e-10";
};

void PrintTo(const FmusimCase& example, std::ostream* stream) { *stream << example.system; }

class FmusimModelExchangeTest : public testing::TestWithParam<std::tuple<FmusimCase, FmiVersion>> {};

// Law: where both are fine, the master and the native run compute the same trajectory. Natively it is
// rodas5p; what the file asks for may be coarser: knuckle_boom_crane itself is 8e-3 from this.
TEST_P(FmusimModelExchangeTest, ConvergesToTheNativeRun) {
  const char* const fmusim = std::getenv("DAVIT_FMUSIM");
  if (fmusim == nullptr) GTEST_SKIP() << "DAVIT_FMUSIM is not set: the program fmusim of the Reference FMUs";
  const auto& [example, version] = GetParam();
  const fs::path system = SystemNamed(example.system);
  std::vector<std::string> fine;
  std::ifstream stream(system);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (text.find("<Integration") != std::string::npos) {
    const std::string integration = "SimulatorManager.Integration.";
    fine = {"--set", integration + "method=rodas5p", integration + "rtol=" + example.native_tolerance,
            integration + "atol=" + example.native_tolerance};
  }
  const fs::path fmu = ExportToFile(
      {.system = system, .version = version, .has_co_simulation = false, .has_model_exchange = true});
  const double interval = IntervalOf(system) / example.divisions;
  ExpectTheSame(SimulateNatively(system, fine),
                SimulateByFmusim(fmusim, fmu,
                                 {"--interface-type", "me", "--solver", "cvode", "--tolerance",
                                  example.tolerance, "--output-interval", std::to_string(interval)}),
                interval, 1e-4);
}

// All of systems/ that can be solved from outside, a plug-in, a system of nothing but a chart, and a script.
INSTANTIATE_TEST_SUITE_P(
    Systems, FmusimModelExchangeTest,
    testing::Combine(
        testing::Values(FmusimCase{"accumulators"}, FmusimCase{"bouncing_ball"},
                        FmusimCase{"cylinder_test", "1e-10", 10}, FmusimCase{"electric_winch", "1e-9", 10},
                        FmusimCase{"excavator", "1e-9", 10, "1e-9"},
                        FmusimCase{"knuckle_boom_crane", "1e-9", 10, "1e-9"},
                        FmusimCase{"laboratory_crane", "1e-10", 10},
                        FmusimCase{"level_switching", "1e-9", 10}, FmusimCase{"lifting_cylinder", "1e-9", 10},
                        FmusimCase{"load_holding", "1e-10", 10}, FmusimCase{"mass_spring"},
                        FmusimCase{"mass_spring_blocks"}, FmusimCase{"mass_spring_equations"},
                        FmusimCase{"oil_cooling", "1e-8"}, FmusimCase{"operated_lift", "1e-10", 10},
                        FmusimCase{"paired_cylinders", "1e-10", 10}, FmusimCase{"pump_characteristics"},
                        FmusimCase{"signal_operators"}, FmusimCase{"spool_types", "1e-10", 10},
                        FmusimCase{"stick_slip", "1e-12", 1, "1e-12"}, FmusimCase{"two_pumps", "1e-10", 10},
                        FmusimCase{"two_tanks"}, FmusimCase{"van_der_pol"}, FmusimCase{"blinker"},
                        FmusimCase{"scripted"}),
        testing::Values(FmiVersion::k2, FmiVersion::k3)),
    [](const auto& parameter) {
      return std::get<0>(parameter.param).system + NameOf(std::get<1>(parameter.param));
    });

// ---- what both can be ------------------------------------------------------------------------------------

class FmusimKindTest : public testing::TestWithParam<std::tuple<const char*, FmiVersion>> {
 protected:
  bool is_me() const { return std::string(std::get<0>(GetParam())) == "me"; }
  FmiVersion version() const { return std::get<1>(GetParam()); }
  fs::path Export(const fs::path& system, FmuSelection selection = {}) const {
    return ExportToFile({.system = system,
                         .version = version(),
                         .has_co_simulation = !is_me(),
                         .has_model_exchange = is_me(),
                         .selection = std::move(selection)});
  }
  /// Finer for model exchange; `share` of ExpectTheSame.
  double Divided(double interval) const { return is_me() ? interval / 10 : interval; }
  double share() const { return is_me() ? 1e-4 : 1e-9; }
  std::vector<std::string> Options(double interval, const std::vector<std::string>& further) const {
    std::vector<std::string> options{"--interface-type", std::get<0>(GetParam()), "--output-interval",
                                     std::to_string(Divided(interval))};
    if (is_me()) options.insert(options.end(), {"--solver", "cvode", "--tolerance", "1e-9"});
    options.insert(options.end(), further.begin(), further.end());
    return options;
  }
};

// Law: levels and a parameter that the master sets during the run act as the `<At>` of a native run.
TEST_P(FmusimKindTest, LevelsThatTheMasterSetsSwitch) {
  const char* const fmusim = std::getenv("DAVIT_FMUSIM");
  if (fmusim == nullptr) GTEST_SKIP() << "DAVIT_FMUSIM is not set: the program fmusim of the Reference FMUs";
  const fs::path folder = FreshFolder();
  std::ifstream stream(ExampleSystem("lifting_cylinder"));
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  text.insert(text.rfind("</System>"), R"(<At time="6 s" set="pump.level" value="Standard"/>
<At time="6 s" set="pipe.level" value="Standard"/><At time="9 s" set="pipe.level" value="Advanced"/>
<At time="10 s" set="load.mass" value="3 t"/><At time="12 s" set="pipe.level" value="Ideal"/>)");
  std::ofstream(folder / "switched.xml") << text;
  std::ofstream(folder / "inputs.csv") << R"(time,pump.level,pipe.level,load.mass
0,0,0,10000
6,0,0,10000
6,1,1,10000
9,1,1,10000
9,1,2,10000
10,1,2,10000
10,1,2,3000
12,1,2,3000
12,1,0,3000
20,1,0,3000
)";
  const fs::path fmu =
      Export(ExampleSystem("lifting_cylinder"), {.inputs = {"pump.level pipe.level load.mass"}});
  constexpr double kInterval = 0.05;
  const std::string fine = is_me() ? "1e-9" : "1e-6";
  ExpectTheSame(SimulateNatively(folder / "switched.xml",
                                 {"--stop", "15 s", "--set", "SimulatorManager.Integration.rtol=" + fine}),
                SimulateByFmusim(fmusim, fmu,
                                 Options(kInterval, {"--stop-time", "15", "--set-stop-time", "--input-file",
                                                     (folder / "inputs.csv").string()})),
                Divided(kInterval), share());
}

// Law: a run that is saved in one process continues in another one as the native run does. In model exchange
// fmusim does not ask a restored FMU for its next time event, so that system has none.
TEST_P(FmusimKindTest, ContinuesInAnotherProcess) {
  const char* const fmusim = std::getenv("DAVIT_FMUSIM");
  if (fmusim == nullptr) GTEST_SKIP() << "DAVIT_FMUSIM is not set: the program fmusim of the Reference FMUs";
  const fs::path system = ExampleSystem(is_me() ? "bouncing_ball" : "level_switching");
  const double middle = is_me() ? 2.5 : 20;
  const double stop = is_me() ? 5 : 30;
  const fs::path fmu = Export(system);
  const std::string state = (FreshFolder() / "state").string();
  const double interval = IntervalOf(system);
  SimulateByFmusim(
      fmusim, fmu,
      Options(interval, {"--stop-time", std::to_string(middle), "--final-fmu-state-file", state}));
  const ResultTable second =
      SimulateByFmusim(fmusim, fmu,
                       Options(interval, {"--start-time", std::to_string(middle), "--stop-time",
                                          std::to_string(stop), "--initial-fmu-state-file", state}));
  ResultTable native = SimulateNatively(system, {});
  const auto begin = std::ranges::lower_bound(native.time, middle - 1e-6) - native.time.begin();
  const auto end = std::ranges::upper_bound(native.time, stop + 1e-6) - native.time.begin();
  native.time = {native.time.begin() + begin, native.time.begin() + end};
  for (std::vector<double>& column : native.columns) column = {column.begin() + begin, column.begin() + end};
  ExpectTheSame(native, second, Divided(interval), share());
}

INSTANTIATE_TEST_SUITE_P(Kinds, FmusimKindTest,
                         testing::Combine(testing::Values("cs", "me"),
                                          testing::Values(FmiVersion::k2, FmiVersion::k3)),
                         [](const auto& parameter) {
                           return std::get<0>(parameter.param) + NameOf(std::get<1>(parameter.param));
                         });

// Law: what a master of FMI 3.0 may ask for between its communication points changes nothing at these.
TEST(FmusimStepTest, EventModeAndEarlyReturnChangeNothing) {
  const char* const fmusim = std::getenv("DAVIT_FMUSIM");
  if (fmusim == nullptr) GTEST_SKIP() << "DAVIT_FMUSIM is not set: the program fmusim of the Reference FMUs";
  const fs::path system = ExampleSystem("level_switching");
  const fs::path fmu = ExportToFile({.system = system, .version = FmiVersion::k3});
  const ResultTable native = SimulateNatively(system, {});
  const double interval = IntervalOf(system);
  for (const std::vector<std::string>& asked : {std::vector<std::string>{"--event-mode-used"},
                                                {"--event-mode-used", "--early-return-allowed"},
                                                {"--early-return-allowed", "--record-intermediate-values"}}) {
    std::vector<std::string> options{"--interface-type", "cs", "--output-interval", std::to_string(interval)};
    options.insert(options.end(), asked.begin(), asked.end());
    ExpectTheSame(native, SimulateByFmusim(fmusim, fmu, options), interval, 1e-9);
  }
}

}  // namespace
}  // namespace davit
