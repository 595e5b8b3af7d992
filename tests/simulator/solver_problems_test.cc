/// Published problems (IVP Test Set, Bari; SUNDIALS IDA examples) against their digits. All run at rtol 1e-9
/// with absolute tolerances scaled by the nominal values; accepted is a mixed error
/// |y - reference| / (size + |reference|) of 1e-6.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/solver_problems.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

struct Reference {
  std::string name;
  double value;
  double size = 0;  ///< typical; 0 where the value itself is typical
  double accepted = 1e-6;
};

/// Runs `model` once to `stop` and compares what is there. TimeStep is a tenth, so the solver must run free.
double RunAndCompare(const std::string& model, const std::string& solver, double stop,
                     const std::vector<Reference>& references, const std::string& more = "") {
  const std::string text = "<System name=\"test\"><SimulatorManager TimeStep=\"" + ToXml(stop / 10) +
                           "\" StopTime=\"" + ToXml(stop) + "\"><Integration " + solver +
                           "/></SimulatorManager><" + model + " name=\"p\"" + more + "/></System>";
  TestSystem test(text);
  test.Run();
  double worst = 0;
  for (const Reference& r : references) {
    const double y = test.Read("p." + r.name);
    const double error = std::abs(y - r.value) / (r.size + std::abs(r.value));
    EXPECT_LE(error, r.accepted) << model << ' ' << r.name << " at " << stop << " is " << y;
    worst = std::max(worst, error);
  }
  const RunStatistics s = test.manager().statistics();
  std::printf("%-32s t=%-12g error %.1e  steps %llu  rejected %llu  evaluations %llu\n", model.c_str(), stop,
              worst, static_cast<unsigned long long>(s.solver_steps),
              static_cast<unsigned long long>(s.rejected_steps),
              static_cast<unsigned long long>(s.evaluations));
  return worst;
}

constexpr const char* kIdaOde = "solver=\"ODE\" method=\"ida\" rtol=\"1e-9\" atol=\"1e-9\"";
constexpr const char* kRosenbrock = "solver=\"ODE\" method=\"rosenbrock4\" rtol=\"1e-9\" atol=\"1e-9\"";
constexpr const char* kIdaDae = "solver=\"DAE\" method=\"ida\" rtol=\"1e-9\" atol=\"1e-9\"";

TEST(SolverProblems, Hires) {
  const std::vector<Reference> references = {{"y1", 7.371312573325668e-4}, {"y2", 1.442485726316185e-4},
                                             {"y3", 5.888729740967575e-5}, {"y4", 1.175651343283149e-3},
                                             {"y5", 2.386356198831331e-3}, {"y6", 6.238968252742796e-3},
                                             {"y7", 2.849998395185769e-3}, {"y8", 2.850001604814231e-3}};
  RunAndCompare("test.Hires", kIdaOde, 321.8122, references);
  RunAndCompare("test.Hires", kRosenbrock, 321.8122, references);
}

TEST(SolverProblems, VanDerPol) {
  const std::vector<Reference> references = {{"y1", 1.706167732170469}, {"y2", -8.928097010248125e-4}};
  RunAndCompare("test.VanDerPol", kIdaOde, 2000, references);
  RunAndCompare("test.VanDerPol", kRosenbrock, 2000, references);
}

struct Robertson {
  double t, y1, y2, y3;
};
constexpr Robertson kRobertson[] = {
    {0.4, 9.85172113860988e-1, 3.38639537897492e-5, 1.47940221852198e-2},
    {4, 9.05518678584253e-1, 2.24047568756021e-5, 9.44589166588682e-2},
    {40, 7.15827068719402e-1, 9.18553476455761e-6, 2.84163745745828e-1},
    {400, 4.50518668471094e-1, 3.22290144167456e-6, 5.49478108627460e-1},
    {4e3, 1.83202257776705e-1, 8.94237125277567e-7, 8.16796847986166e-1},
    {4e4, 3.89833770854835e-2, 1.62176831590971e-7, 9.61016460737681e-1},
    {4e5, 4.93827452098199e-3, 1.98499408795524e-8, 9.95061705629075e-1},
    {4e6, 5.16809601493819e-4, 2.06829449122999e-9, 9.99483188330209e-1},
    {4e7, 5.20307184412168e-5, 2.08133573189299e-10, 9.99947969073422e-1},
    {4e8, 5.20770210357020e-6, 2.08309155941419e-11, 9.99994792277061e-1},
    {4e9, 5.20827661143471e-7, 2.08331171660409e-12, 9.99999479170250e-1},
    {4e10, 5.20834517679686e-8, 2.08333817792455e-13, 9.99999947916332e-1},
    {1e11, 2.083340149701255e-8, 8.333360770334713e-14, 0.9999999791665050},
};

TEST(SolverProblems, RobertsonAsOdeAndAsDae) {
  for (const Robertson& r : kRobertson) {
    // y1 and y2 fall by eight decades; the sizes are 1e-3 of their largest values.
    const std::vector<Reference> references = {{"y1", r.y1, 1e-3}, {"y2", r.y2, 3.7e-8}, {"y3", r.y3}};
    RunAndCompare("test.Robertson", kIdaOde, r.t, references);
    RunAndCompare("test.RobertsonDae", kIdaDae, r.t, references);
  }
}

// The end values were computed independently (Radau IIA of order 5, steps of equal ratio, 50 to 200 a decade
// agree in nine digits): y1 is used up, y2 = y3 and y2' = -1.13e9 y2^2. The first step is below 1e-17 of the
// run: the smallest step is a matter of t, not of StopTime.
TEST(SolverProblems, E5LastsTwentyDecadesOfItsFirstStep) {
  const std::vector<Reference> references = {
      {"y1", 0, 1e-22}, {"y2", 8.8612335213e-23}, {"y3", 8.8612335213e-23}};
  for (const char* method : {"rosenbrock4", "rodas5p", "ida"}) {
    for (const char* least : {"", " min_step=\"1e-20 s\""}) {
      RunAndCompare(
          "test.E5",
          std::string("solver=\"ODE\" method=\"") + method + "\" rtol=\"1e-10\" atol=\"1e-10\"" + least, 1e13,
          references);
    }
  }
}

TEST(SolverProblems, RobertsonsEventsAreLocated) {
  RunAndCompare("test.RobertsonRoots", "solver=\"DAE\" rtol=\"1e-10\" atol=\"1e-10\"", 4e7,
                {{"t_1", 0.264019078188}, {"t_2", 2.0795496883e7}});
}

TEST(SolverProblems, TransistorAmplifier) {
  const std::vector<double> y = {-5.562145012262709e-3, 3.006522471903042, 2.849958788608128,
                                 2.926422536206241,     2.704617865010554, 2.761837778393145,
                                 4.770927631616772,     1.236995868091548};
  std::vector<Reference> singular, semi_explicit;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double size = i == 0 ? 1e-1 : 0;  // the signal
    singular.push_back({"y[" + std::to_string(i) + "]", y[i], size});
    semi_explicit.push_back({"y" + std::to_string(i + 1), y[i], size});
  }
  RunAndCompare("test.SingularAmplifier", kIdaDae, 0.2, singular);
  RunAndCompare("electrical.TransistorAmplifier", kIdaDae, 0.2, semi_explicit);
}

TEST(SolverProblems, CarAxis) {
  RunAndCompare("test.CarAxis", kIdaDae, 3,
                {{"xl", .049345578427524},
                 {"yl", .496989460230008},
                 {"xr", 1.041742524885427},
                 {"yr", .373911027265366},
                 {"ul", -.077058368403592},
                 {"vl", .007446866592065, 1e-2},
                 {"ur", .017556815753543},
                 {"vr", .770341043779605},
                 {"lam1", -.004736886590853, 0, 1e-5},
                 {"lam2", -.001104680331260, 0, 1e-5}});
}

TEST(SolverProblems, SliderCrank) {
  struct Row {
    double t, q, x, p, vq, vx, vp;
  };
  const Row rows[] = {{.25, 1.5548000857458, .87406011234056, -.52352491263340, -.12785241591331,
                       .064508289823309, .0011806718569769},
                      {1, 1.3154205708816, 1.0014918072308, -.50497347064202, -.50879297690988,
                       .28166909468702, .073427529014233},
                      {2, .57903881204879, 1.3803352719611, -.27714409573896, -.94218707278508,
                       .36995616178876, .40994323719509},
                      {5, -1.4299969676472, .93903061357827, .51789475648990, .054991610537771,
                       .029422231647779, -.0044409897589533},
                      {7.5, .18041846669401, 1.4878513158241, -.089841441982502, .99415075511971,
                       -.13324752982391, -.49098735841472},
                      {10, 1.2756758486503, 1.0235785589798, -.49881304918248, -.23991499719599,
                       .13377828321577, .039731495991321}};
  for (const Row& r : rows) {
    RunAndCompare("mechanical.SliderCrank", kIdaDae, r.t,
                  {{"q", r.q},
                   {"x", r.x},
                   {"p", r.p},
                   {"q_dot", r.vq, 1e-3},
                   {"x_dot", r.vx, 1e-3},
                   {"p_dot", r.vp, 1e-3}});
  }
}

TEST(SolverProblems, ATenTimesSmallerToleranceReducesTheError) {
  const auto error = [](const char* tolerance) {
    return RunAndCompare("mechanical.SliderCrank",
                         std::string("solver=\"DAE\" rtol=\"") + tolerance + "\" atol=\"" + tolerance + "\"",
                         10, {{"q", 1.2756758486503, 0, 1}, {"x", 1.0235785589798, 0, 1}});
  };
  const double coarse = error("1e-6");
  const double fine = error("1e-7");
  const double finest = error("1e-8");
  EXPECT_LT(fine, coarse);
  EXPECT_LT(finest, fine);
}

}  // namespace
}  // namespace davit
