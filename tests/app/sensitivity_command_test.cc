#include "analysis/studies/sensitivity_study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "app/exit_code.h"
#include "app/studies/study_run.h"
#include "components/register.h"
#include "framework/xml/schedule_reader.h"
#include "results/csv_text.h"
#include "tests/support/read_all.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class SensitivityCommandTest : public testing::Test {
 protected:
  SensitivityCommandTest()
      : folder_(fs::path(testing::TempDir()) / ("davit_sensitivity_test_" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~SensitivityCommandTest() override { fs::remove_all(folder_); }

  SensitivityOptions Of(const std::vector<std::string>& of, const std::vector<std::string>& to) const {
    SensitivityOptions options;
    options.system = fs::path(DAVIT_SOURCE_DIR) / "systems" / "mass_spring.xml";
    options.workers = 1;
    for (const std::string& text : of) options.of.push_back({text, OptionPlace("--of", text)});
    for (const std::string& text : to) options.vary.push_back({text, OptionPlace("--to", text)});
    options.output = folder_ / "table.csv";
    return options;
  }
  /// A system of one user.Equation with these elements inside.
  fs::path Equation(const std::string& elements, const std::string& manager = "") const {
    const fs::path file = folder_ / "equation.xml";
    std::ofstream(file) << "<System name=\"s\"><SimulatorManager TimeStep=\"10 ms\" StopTime=\"2 s\">"
                        << manager << "</SimulatorManager><user.Equation name=\"f\">" << elements
                        << "</user.Equation></System>\n";
    return file;
  }
  int Run(const SensitivityOptions& options) {
    out_.str("");
    err_.str("");
    SensitivityStudy study(options);
    return RunStudy(study, false, registry_, out_, err_);
  }
  /// Cells of the table by measure and parameter, from the third column on.
  std::map<std::string, std::vector<double>> Table() const {
    std::map<std::string, std::vector<double>> table;
    std::ifstream file(folder_ / "table.csv");
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
      const std::vector<std::string> cells = SplitCsvLine(line);
      std::vector<double>& numbers = table[cells[0] + " " + cells[1]];
      for (std::size_t i = 2; i < cells.size(); ++i)
        numbers.push_back(std::strtod(cells[i].c_str(), nullptr));
    }
    return table;
  }
  double Slope(const std::string& measure, const std::string& parameter) const {
    return Table().at(measure + " " + parameter).at(2);
  }

  fs::path folder_;
  Registry registry_ = AllModels();
  std::ostringstream out_, err_;
};

/// x = x0 exp(-d t) (cos w t + d/w sin w t), d = c/(2 m), w^2 = k/m - d^2: its derivatives by differences.
double FreeMotion(double m, double k, double c, double x0, double t) {
  const double d = c / (2 * m), w = std::sqrt(k / m - d * d);
  return x0 * std::exp(-d * t) * (std::cos(w * t) + d / w * std::sin(w * t));
}

TEST_F(SensitivityCommandTest, AnOscillatorHasTheAnalyticSlopes) {
  for (const SensitivityMethod method : {SensitivityMethod::kVariational, SensitivityMethod::kDifferences}) {
    SensitivityOptions options =
        Of({"x=final(load.x)"}, {"load.mass", "spring.stiffness", "damper.coefficient", "load.x"});
    options.stop = "3 s";
    options.method = method;
    ASSERT_EQ(Run(options), kDone) << err_.str();
    const double m = 10, k = 394.784, c = 6, x0 = 0.1, e = 1e-4;
    const double exact[] = {
        (FreeMotion(m * (1 + e), k, c, x0, 3) - FreeMotion(m * (1 - e), k, c, x0, 3)) / (2 * e),
        (FreeMotion(m, k * (1 + e), c, x0, 3) - FreeMotion(m, k * (1 - e), c, x0, 3)) / (2 * e),
        (FreeMotion(m, k, c * (1 + e), x0, 3) - FreeMotion(m, k, c * (1 - e), x0, 3)) / (2 * e),
        FreeMotion(m, k, c, x0, 3)};
    const char* const names[] = {"load.mass", "spring.stiffness", "damper.coefficient", "load.x"};
    const double sizes[] = {m, k, c, x0};
    // The run has a relative tolerance of 1e-6 over three periods of an amplitude of 0.1 m.
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(Slope("x", names[i]) * sizes[i], exact[i], 1e-5) << names[i];
  }
}

TEST_F(SensitivityCommandTest, MeasuresHaveTheSlopesOfTheirCurves) {
  // x' = -a x + b: x = b/a + (x0 - b/a) exp(-a t).
  SensitivityOptions options =
      Of({"final(f.x)", "integral(f.x)", "crossing(f.x, 0.5)", "at(f.x, 1 s) / final(f.x)"}, {"f.a", "f.b"});
  options.system = Equation(
      "<Parameter name=\"a\" value=\"2\"/><Parameter name=\"b\" value=\"0.5\"/>"
      "<State name=\"x\" start=\"1\" der=\"b - a*x\"/>",
      "<Integration solver=\"ODE\" method=\"rodas5p\" rtol=\"1e-9\" atol=\"1e-11\"/>");
  options.method = SensitivityMethod::kVariational;
  ASSERT_EQ(Run(options), kDone) << err_.str();
  const double a = 2, b = 0.5, T = 2;
  const auto by_a = [&](double t) {
    return -b / (a * a) + b / (a * a) * std::exp(-a * t) - (1 - b / a) * t * std::exp(-a * t);
  };
  const auto by_b = [&](double t) { return (1 - std::exp(-a * t)) / a; };
  EXPECT_NEAR(Slope("final(f.x)", "f.a"), by_a(T), 1e-7);
  EXPECT_NEAR(Slope("final(f.x)", "f.b"), by_b(T), 1e-7);
  // The trapezoidal rule over steps of 10 ms: error below T h^2/12 max|s''|, s'' < 8.
  EXPECT_NEAR(Slope("integral(f.x)", "f.b"), T / a - (1 - std::exp(-a * T)) / (a * a), 2e-4 / 12 * 8);
  // x(tc) = 0.5: dtc/dp = -s(tc)/x'(tc); the slope of a straight line over a step of 10 ms is within
  // h/2 x''/x' = a h/2 of it, and another such share comes from s.
  const double tc = std::log((1 - b / a) / (0.5 - b / a)) / a;
  EXPECT_NEAR(Slope("crossing(f.x, 0.5)", "f.a"), -by_a(tc) / (b - a * 0.5), 2 * a * 0.01 / 2 * 0.45);
  const double x1 = b / a + (1 - b / a) * std::exp(-a), x2 = b / a + (1 - b / a) * std::exp(-a * T);
  EXPECT_NEAR(Slope("at(f.x, 1 s) / final(f.x)", "f.a"), (by_a(1) * x2 - x1 * by_a(T)) / (x2 * x2), 1e-6);
}

TEST_F(SensitivityCommandTest, AlgebraicEquationsHaveTheSlopesOfDifferences) {
  SensitivityOptions options = Of({"v=rms(amplifier.y8)", "w=at(amplifier.y4, 40 ms)"},
                                  {"amplifier.resistance", "amplifier.capacitance", "amplifier.u1"});
  options.system = fs::path(DAVIT_SOURCE_DIR) / "systems" / "transistor_amplifier.xml";
  options.stop = "50 ms";
  options.method = SensitivityMethod::kVariational;
  ASSERT_EQ(Run(options), kDone) << err_.str();
  const auto variational = Table();
  options.method = SensitivityMethod::kDifferences;
  ASSERT_EQ(Run(options), kDone) << err_.str();
  for (const auto& [name, row] : Table()) {
    const double error = row[4] + variational.at(name)[4];
    EXPECT_NEAR(variational.at(name)[2], row[2], error + 1e-4 * std::abs(row[2])) << name;
  }
}

TEST_F(SensitivityCommandTest, ABreakThatMovesWithAParameterMakesTheSlopeJump) {
  // x' = y, y = A sin(w (t - t0) + phase) from t0 on: dx/dt0 = -y(t).
  const fs::path file = folder_ / "source.xml";
  std::ofstream(file) << R"(<System name="s"><SimulatorManager TimeStep="10 ms" StopTime="2 s">
<Integration solver="ODE" method="rodas5p" rtol="1e-9" atol="1e-11"/></SimulatorManager>
<signal.Step name="step" after="3" start_time="0.5034 s"/>
<user.Equation name="f"><Input name="u"/><State name="x" start="0" der="u - x"/></user.Equation>
<Route from="step.y" to="f.u"/></System>)";
  SensitivityOptions options = Of({"x=final(f.x)"}, {"step.start_time", "step.after"});
  options.system = file;
  options.method = SensitivityMethod::kVariational;
  ASSERT_EQ(Run(options), kDone) << err_.str();
  // x = 3 (1 - exp(t0 - t)).
  const double decay = std::exp(0.5034 - 2);
  EXPECT_NEAR(Slope("x", "step.start_time"), -3 * decay, 1e-6);
  EXPECT_NEAR(Slope("x", "step.after"), 1 - decay, 1e-6);
}

TEST_F(SensitivityCommandTest, EventsAndStructuralParametersNeedDifferencesOfRuns) {
  SensitivityOptions options = Of({"final(ball.x)"}, {"ball.mass"});
  options.system = fs::path(DAVIT_SOURCE_DIR) / "systems" / "lifting_cylinder.xml";
  options.stop = "1 s";
  options.of = {{"max(cylinder.p_a)", {}}};
  options.vary = {{"cylinder.bore", {}}};
  ASSERT_EQ(Run(options), kDone) << err_.str();
  EXPECT_THAT(out_.str(), HasSubstr("differences of runs"));
  EXPECT_THAT(out_.str(), HasSubstr("cylinder.bore is fixed once the system is loaded"));
  options.method = SensitivityMethod::kVariational;
  EXPECT_EQ(Run(options), kRunFailed);
  EXPECT_THAT(err_.str(), HasSubstr("leave out method variational"));
}

TEST_F(SensitivityCommandTest, IndicesOfIshigamisFunctionAreTheAnalyticOnes) {
  SensitivityOptions options = Of({"y=final(f.y)"}, {});
  options.system = Equation(
      "<Parameter name=\"a\" value=\"0\"/><Parameter name=\"b\" value=\"0\"/><Parameter name=\"c\" "
      "value=\"0\"/>"
      "<Output name=\"y\" expr=\"sin(a) + 7*pow(sin(b), 2) + 0.1*pow(c, 4)*sin(a)\"/>");
  options.stop = "10 ms";
  for (const char* name : {"f.a", "f.b", "f.c"}) {
    const std::string text = std::string(name) + "=uniform(-3.141592653589793, 3.141592653589793)";
    options.vary.push_back({text, OptionPlace("--to", text)});
  }
  options.sobol = 2048;
  ASSERT_EQ(Run(options), kDone) << err_.str();
  // As in sobol_indices_test, with an error of 1/sqrt(2048).
  const std::map<std::string, std::pair<double, double>> exact{
      {"y f.a", {0.3139, 0.5576}}, {"y f.b", {0.4424, 0.4424}}, {"y f.c", {0, 0.2437}}};
  for (const auto& [name, shares] : exact) {
    EXPECT_NEAR(Table().at(name)[0], shares.first, 0.022) << name;
    EXPECT_NEAR(Table().at(name)[2], shares.second, 0.022) << name;
  }
}

TEST_F(SensitivityCommandTest, CurvesEndAtTheSlopesOfTheTable) {
  SensitivityOptions options = Of({"final(load.x)"}, {"load.mass"});
  options.curves = folder_ / "curves.csv";
  options.plot = folder_ / "tornado.svg";
  for (const SensitivityMethod method : {SensitivityMethod::kVariational, SensitivityMethod::kDifferences}) {
    options.method = method;
    ASSERT_EQ(Run(options), kDone) << err_.str();
    std::ifstream file(*options.curves);
    std::string line, last;
    std::getline(file, line);
    EXPECT_EQ(line, "time,load.x,load.x by load.mass");
    while (std::getline(file, line)) last = line;
    const std::vector<std::string> cells = SplitCsvLine(last);
    EXPECT_EQ(std::stod(cells[0]), 10);
    EXPECT_NEAR(std::stod(cells[2]), Slope("final(load.x)", "load.mass"),
                1e-8 * std::abs(Slope("final(load.x)", "load.mass")));
    EXPECT_THAT(ReadAll(*options.plot), testing::HasSubstr("Normalised sensitivity [%/%]"));
  }
}

TEST_F(SensitivityCommandTest, AParameterThatIsZeroHasItsSlope) {
  // x' = (a + b - x)/T, T = 1 s: dx/da = dx/db = 1 - exp(-t/T), whatever a is.
  SensitivityOptions options = Of({"x=final(f.x)"}, {"f.a", "f.b"});
  options.system = Equation(
      "<Parameter name=\"a\" unit=\"Pa\" value=\"0\"/><Parameter name=\"b\" unit=\"Pa\" value=\"2\"/>"
      "<State name=\"x\" unit=\"Pa\" start=\"0 Pa\" der=\"(a + b - x)/1 s\"/>",
      "<Integration solver=\"ODE\" method=\"rodas5p\" rtol=\"1e-9\" atol=\"1e-11\"/>");
  for (const SensitivityMethod method : {SensitivityMethod::kVariational, SensitivityMethod::kDifferences}) {
    options.method = method;
    ASSERT_EQ(Run(options), kDone) << err_.str();
    EXPECT_THAT(out_.str(), HasSubstr("f.a is 0; its steps are shares of 100000 Pa"));
    EXPECT_NEAR(Slope("x", "f.a"), 1 - std::exp(-2.0), 1e-6);
    EXPECT_NEAR(Slope("x", "f.b"), 1 - std::exp(-2.0), 1e-6);
  }
}

TEST_F(SensitivityCommandTest, AtAnEndOfItsRangeAParameterHasItsSlopeToTheInside) {
  // load.weight and the damper's coefficient, which must not be negative, are 0: x'' = (F - c x' - k x)/m.
  SensitivityOptions options = Of({"x=final(load.x)"}, {"damper.coefficient"});
  options.stop = "3 s";
  options.simulation.load.set = {"damper.coefficient=0 N.s/m"};
  const double m = 10, k = 394.784, x0 = 0.1, e = 1e-4;
  const double exact = (FreeMotion(m, k, e, x0, 3) - FreeMotion(m, k, -e, x0, 3)) / (2 * e);
  for (const SensitivityMethod method : {SensitivityMethod::kVariational, SensitivityMethod::kDifferences}) {
    options.method = method;
    ASSERT_EQ(Run(options), kDone) << err_.str();
    const double error = Table().at("x damper.coefficient").at(4);
    EXPECT_NEAR(Slope("x", "damper.coefficient"), exact, 1e-3 * std::abs(exact) + error);
    // x goes with exp(-c t/(2 m)), so one with a step dc is wrong by a share dc t/(4 m); dc
    // is 1 % of the default of 100 N.s/m.
    EXPECT_LT(error, 1.0 * 3 / (4 * m) * std::abs(exact));
  }
}

TEST_F(SensitivityCommandTest, ScreeningOfALinearFunctionGivesItsCoefficients) {
  SensitivityOptions options = Of({"y=final(f.y)"}, {});
  options.system = Equation(
      "<Parameter name=\"a\" value=\"0\"/><Parameter name=\"b\" value=\"0\"/>"
      "<Output name=\"y\" expr=\"3*a - 5*b\"/>");
  options.stop = "10 ms";
  for (const char* text : {"f.a=uniform(0, 1)", "f.b=uniform(0, 2)"})
    options.vary.push_back({text, OptionPlace("--to", text)});
  options.morris = 6;
  ASSERT_EQ(Run(options), kDone) << err_.str();
  EXPECT_THAT(out_.str(), HasSubstr("cases             18"));
  const std::map<std::string, double> coefficients{{"y f.a", 3}, {"y f.b", -10}};
  for (const auto& [name, c] : coefficients) {
    EXPECT_NEAR(Table().at(name)[0], std::abs(c), 1e-12);  // mu_star
    EXPECT_NEAR(Table().at(name)[2], c, 1e-12);            // mu
    EXPECT_NEAR(Table().at(name)[3], 0, 1e-12);            // sigma
  }
  options.vary.push_back({"SimulatorManager.StopTime=normal(1 s, 10 ms)", {}});
  EXPECT_EQ(Run(options), kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr("has no bounds"));
}

TEST_F(SensitivityCommandTest, WrongInputIsNamed) {
  const auto fault_of = [&](const SensitivityOptions& options) {
    EXPECT_EQ(Run(options), kWrongInput);
    return err_.str();
  };
  EXPECT_THAT(fault_of(Of({}, {"load.mass"})), HasSubstr("nothing is measured"));
  EXPECT_THAT(fault_of(Of({"max(load.x)"}, {})), HasSubstr("no parameter is given"));
  EXPECT_THAT(fault_of(Of({"max(load.x)"}, {"load.mas"})), HasSubstr("--to load.mas: error: /load"));
  EXPECT_THAT(fault_of(Of({"max(load.y)"}, {"load.mass"})), HasSubstr("--of max(load.y)"));
  EXPECT_THAT(fault_of(Of({"max(load.x)"}, {"load.mass=uniform(1, 2)"})), HasSubstr("give sobol N"));
  EXPECT_THAT(fault_of(Of({"max(load.x)"}, {"load.mass", "load.mass"})), HasSubstr("given twice"));
  SensitivityOptions indices = Of({"max(load.x)"}, {"load.mass"});
  indices.sobol = 8;
  EXPECT_THAT(fault_of(indices), HasSubstr("--to load.mass"));
}

}  // namespace
}  // namespace davit
