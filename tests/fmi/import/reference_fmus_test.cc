// The Reference FMUs of the Modelica Association, where the environment variable DAVIT_REFERENCE_FMUS names a
// folder with them (built, *.fmu, in folders of any names).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "fmi/fmu_check.h"
#include "fmi/zip_reader.h"
#include "tests/fmi/exported_fmu.h"
#include "tests/fmi/import/cvode_run.h"
#include "tests/fmi/import/test_fmus.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

class ReferenceFmusTest : public testing::Test {
 protected:
  void SetUp() override {
    const char* const folder = std::getenv("DAVIT_REFERENCE_FMUS");
    if (folder == nullptr) GTEST_SKIP() << "set DAVIT_REFERENCE_FMUS to a folder of the Reference FMUs";
    ModelsWithFmus();
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() == ".fmu") files_.push_back(entry.path());
    }
    std::ranges::sort(files_);
    ASSERT_FALSE(files_.empty());
  }

  /// The FMU as the only component.
  static std::unique_ptr<Simulation> Load(const fs::path& fmu, const std::string& kind, double h, double stop,
                                          const std::string& attributes = {}) {
    fs::copy_file(fmu, FreshFolder() / "x.fmu", fs::copy_options::overwrite_existing);
    const std::string text = "<System><SimulatorManager TimeStep=\"" + std::to_string(h) + "\" StopTime=\"" +
                             std::to_string(stop) + "\"><Integration rtol=\"1e-10\" atol=\"1e-12\"/>" +
                             "</SimulatorManager><fmi.Fmu name=\"x\" file=\"x.fmu\" kind=\"" + kind + "\" " +
                             attributes + "/></System>";
    auto loaded = Simulation::LoadText(text, FreshFolder() / "test.xml", ModelsWithFmus());
    EXPECT_NE(loaded.simulation, nullptr) << loaded.ToText();
    return std::move(loaded.simulation);
  }
  /// The same, run to its stop time.
  static std::unique_ptr<Simulation> Run(const fs::path& fmu, const std::string& kind, double h, double stop,
                                         const std::string& attributes = {}) {
    auto run = Load(fmu, kind, h, stop, attributes);
    if (run == nullptr) return nullptr;
    run->Initialize();
    run->Run();
    return run;
  }

  std::vector<fs::path> files_;
};

// Their CSVs were made by the FMUs themselves, with forward Euler: co-simulation gives them. That of Roberts
// is a copy of another model's.
TEST_F(ReferenceFmusTest, CoSimulationGivesTheirResults) {
  std::size_t count = 0;
  for (const fs::path& file : files_) {
    if (file.stem() == "Clocks" || file.stem() == "Roberts") continue;
    Diagnostics diagnostics;
    const FmuCheck check =
        CheckFmu(file, ComparisonTolerances{.relative = 1e-9, .absolute = 1e-9}, diagnostics);
    for (const Diagnostic& fault : diagnostics.all()) ADD_FAILURE() << ToText(fault);
    EXPECT_TRUE(check.has_reference) << file;
    for (const SignalComparison& signal : check.comparison.signals) {
      if (signal.is_same || !signal.has_worst) continue;  // the CSV of Feedthrough serves both versions
      ADD_FAILURE() << file << " " << signal.name << " at " << signal.time << ": " << signal.a << ", "
                    << signal.b;
    }
    ++count;
  }
  EXPECT_EQ(count, files_.size() - 2);
}

// Law: x' = -k x with k = 1 is exp(-t).
TEST_F(ReferenceFmusTest, DahlquistIsTheExponential) {
  for (const fs::path& file : files_) {
    if (file.stem() != "Dahlquist") continue;
    EXPECT_NEAR(Run(file, "ModelExchange", 0.1, 2)->Read("x.x"), std::exp(-2.0), 1e-9) << file;
  }
}

// Law: h'' = -9.81, e = 0.7; the ball meets the ground at t1 = sqrt(2/9.81), then each 2 v/9.81.
TEST_F(ReferenceFmusTest, BouncingBallFliesInParabolas) {
  const double first = std::sqrt(2 / 9.81);
  const double speed = 0.7 * std::sqrt(2 * 9.81);
  const double second = first + 2 * speed / 9.81;
  const double s = 1.5 - second;
  for (const fs::path& file : files_) {
    if (file.stem() != "BouncingBall") continue;
    const auto run = Run(file, "ModelExchange", 0.01, 1.5);
    EXPECT_NEAR(run->Read("x.h"), 0.7 * speed * s - 9.81 / 2 * s * s, 1e-8) << file;
  }
}

// Law: the equations are those of user.Equation, so both solutions agree within the tolerance.
TEST_F(ReferenceFmusTest, VanDerPolIsThatOfItsEquations) {
  const std::string text =
      R"(<System><SimulatorManager TimeStep="10 ms" StopTime="5 s"><Integration rtol="1e-10" atol="1e-12"/></SimulatorManager>
<user.Equation name="e"><State name="x" start="2" der="v"/><State name="v" start="0" der="(1 - x*x)*v - x"/></user.Equation></System>)";
  const auto own = Simulation::LoadText(text, FreshFolder() / "own.xml", ModelsWithFmus()).Take();
  own->Initialize();
  own->Run();
  for (const fs::path& file : files_) {
    if (file.stem() != "VanDerPol") continue;
    const auto run = Run(file, "ModelExchange", 0.01, 5);
    EXPECT_NEAR(run->Read("x.x0"), own->Read("e.x"), 1e-7) << file;
    EXPECT_NEAR(run->Read("x.x1"), own->Read("e.v"), 1e-7) << file;
  }
}

// Law: both solvers solve the same equations, each with an error per step of 1e-10. Until 2 s there are some
// 300 steps and few bounces, and none of the models makes errors grow by more than ten times.
TEST_F(ReferenceFmusTest, ModelExchangeGivesWhatCvodeGives) {
  constexpr double kTolerance = 1e-10;
  constexpr double kWorst = 300 * 10 * kTolerance;
  std::vector<double> times;
  for (int i = 0; i <= 20; ++i) times.push_back(0.1 * i);
  std::size_t compared = 0;
  for (const fs::path& file : files_) {
    const std::string name = file.stem().string();
    if (name != "BouncingBall" && name != "Dahlquist" && name != "VanDerPol") continue;
    const fs::path folder = FreshFolder() / "cvode";
    fs::remove_all(folder);
    UnpackZip(file, folder);
    const StateTable table = RunWithCvode(folder, times, kTolerance);
    ASSERT_FALSE(table.names.empty()) << file;
    const auto run = Load(file, "ModelExchange", 0.1, 2);
    run->Initialize();
    for (std::size_t i = 0; i < times.size(); ++i) {
      run->AdvanceTo(times[i]);
      for (std::size_t k = 0; k < table.names.size(); ++k) {
        EXPECT_NEAR(run->Read("x." + table.names[k]), table.rows[i][k], kWorst)
            << file << " " << table.names[k] << " at " << times[i];
        ++compared;
      }
    }
  }
  EXPECT_EQ(compared, 2 * (2 + 1 + 2) * times.size());
}

// Law: the counter of Stair grows by one each second.
TEST_F(ReferenceFmusTest, StairCountsItsTimeEvents) {
  for (const fs::path& file : files_) {
    if (file.stem() != "Stair") continue;
    EXPECT_EQ(Run(file, "ModelExchange", 0.2, 5.5)->Read("x.counter"), 6) << file;
  }
}

// Law: with A_11 = -1, the rest of the unit matrices and u_1 = 1, x_1 = 1 - exp(-t) and y_1 = x_1 + u_1. (The
// FMU has other sizes, too, but refuses to take any.)
TEST_F(ReferenceFmusTest, StateSpaceHasArrays) {
  for (const fs::path& file : files_) {
    if (file.stem() != "StateSpace") continue;
    const auto run = Run(file, "ModelExchange", 0.1, 1, R"(A.1.1="-1" u.1="1")");
    EXPECT_NEAR(run->Read("x.y.1"), 2 - std::exp(-1.0), 1e-8);
  }
}

TEST_F(ReferenceFmusTest, AllOthersRun) {
  for (const fs::path& file : files_) {
    const std::string name = file.stem().string();
    if (name == "Clocks" || name == "Roberts") continue;
    for (const char* kind : {"CoSimulation", "ModelExchange"})
      EXPECT_NE(Run(file, kind, 0.1, 1), nullptr) << file;
  }
}

}  // namespace
}  // namespace davit
