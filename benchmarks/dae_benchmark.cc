// What davit adds to SUNDIALS IDA.
//
// Robertson's reactions as a DAE to t = 4e10: davit against a program that calls IDA directly, with the same
// equations, tolerances and difference Jacobian. 21 pairs of runs, davit and IDA in turn; `ratio` is the
// median of the ratio of their processor times. Both print their steps.
//
// A chain of DAE components: time and evaluations for each step of the solver at 100 to 1,000 unknowns,
// sparse.

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "session/simulation.h"
#include "simulator/islands/island.h"
#include "tests/support/dae_models.h"
#include "tests/support/solver_problems.h"

namespace davit {
namespace {

constexpr double kStop = 4e10;
constexpr double kRtol = 1e-8;
constexpr double kAtol = 1e-8;  // of nominal values 1, 1e-6, 1
constexpr int kRuns = 21;

double ProcessorTime() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Model {
  Registry registry;
  std::unique_ptr<Simulation> simulation;

  explicit Model(const std::string& text) {
    RegisterSimulator(registry);
    registry.Add<TestRobertsonDae, TestChainLink>();
    simulation = Simulation::LoadText(text, "benchmark.xml", registry).Take();
  }
  SimulatorManager& manager() { return simulation->manager(); }
};

/// Seconds and steps of the run alone; start and end are not counted in either program.
struct Run {
  double seconds = 0;
  double steps = 0;
  double y1 = 0;
};

Run RunDavit(Model& model) {
  SimulatorManager& manager = model.manager();
  manager.Initialize();
  const double begin = ProcessorTime();
  while (!manager.is_finished()) manager.Step();
  Run run;
  run.seconds = ProcessorTime() - begin;
  run.steps = static_cast<double>(manager.statistics().solver_steps);
  run.y1 = manager.islands()[0]->states().y[0];
  return run;
}

int Residual(double /*t*/, N_Vector y_vector, N_Vector ddt_vector, N_Vector residual, void* /*data*/) {
  const double* y = N_VGetArrayPointer(y_vector);
  const double* ddt = N_VGetArrayPointer(ddt_vector);
  double* r = N_VGetArrayPointer(residual);
  const double r1 = 0.04 * y[0];
  const double r2 = 1e4 * y[1] * y[2];
  r[0] = ddt[0] - (-r1 + r2);
  r[1] = ddt[1] - (r1 - r2 - 3e7 * y[1] * y[1]);
  r[2] = y[0] + y[1] + y[2] - 1;
  return 0;
}

Run RunPlainIda() {
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  N_Vector y = N_VNew_Serial(3, context);
  N_Vector ddt = N_VNew_Serial(3, context);
  N_Vector tolerance = N_VNew_Serial(3, context);
  const double start[3] = {1, 0, 0};
  const double slope[3] = {-0.04, 0.04, 0};
  const double absolute[3] = {kAtol, kAtol * 1e-6, kAtol};
  std::copy_n(start, 3, N_VGetArrayPointer(y));
  std::copy_n(slope, 3, N_VGetArrayPointer(ddt));
  std::copy_n(absolute, 3, N_VGetArrayPointer(tolerance));
  void* ida = IDACreate(context);
  IDAInit(ida, &Residual, 0, y, ddt);
  IDASVtolerances(ida, kRtol, tolerance);
  IDASetMaxNumSteps(ida, -1);
  SUNMatrix matrix = SUNDenseMatrix(3, 3, context);
  SUNLinearSolver linear = SUNLinSol_Dense(y, matrix, context);
  IDASetLinearSolver(ida, linear, matrix);
  Run run;
  const double begin = ProcessorTime();
  IDASetStopTime(ida, kStop);
  for (int i = 1; i <= 10; ++i) {
    double t = 0;
    IDASolve(ida, kStop * i / 10, &t, y, ddt, IDA_NORMAL);
  }
  run.seconds = ProcessorTime() - begin;
  long steps = 0;
  IDAGetNumSteps(ida, &steps);
  run.steps = static_cast<double>(steps);
  run.y1 = N_VGetArrayPointer(y)[0];
  IDAFree(&ida);
  SUNLinSolFree(linear);
  SUNMatDestroy(matrix);
  for (N_Vector vector : {y, ddt, tolerance}) N_VDestroy(vector);
  SUNContext_Free(&context);
  return run;
}

/// Several runs, since one is shorter than the grain of the processor's clock.
template <class Function>
Run Repeat(Function function) {
  Run sum;
  for (int i = 0; i < 20; ++i) {
    const Run run = function();
    sum.seconds += run.seconds;
    sum.steps = run.steps;
    sum.y1 = run.y1;
  }
  return sum;
}

void RobertsonAgainstPlainIda(benchmark::State& state) {
  Model model(
      fmt::format("<System name=\"b\"><SimulatorManager TimeStep=\"{}\" StopTime=\"{}\"><Integration "
                  "solver=\"DAE\" rtol=\"{}\" atol=\"{}\"/></SimulatorManager><test.RobertsonDae "
                  "name=\"r\"/></System>",
                  kStop / 10, kStop, kRtol, kAtol));
  for (auto _ : state) {
    std::vector<double> ratios;
    Run davit;
    Run plain;
    for (int i = 0; i < kRuns; ++i) {
      davit = Repeat([&] { return RunDavit(model); });
      plain = Repeat(RunPlainIda);
      ratios.push_back(davit.seconds / plain.seconds);
    }
    std::nth_element(ratios.begin(), ratios.begin() + kRuns / 2, ratios.end());
    state.counters["ratio"] = ratios[kRuns / 2];
    state.counters["steps_davit"] = davit.steps;
    state.counters["steps_plain"] = plain.steps;
    state.counters["y1_davit"] = davit.y1;
    state.counters["y1_plain"] = plain.y1;
  }
}
BENCHMARK(RobertsonAgainstPlainIda)->Iterations(1)->Unit(benchmark::kMillisecond);

void Chain(benchmark::State& state) {
  const auto links = state.range(0) / 2;
  std::string text =
      "<System name=\"b\"><SimulatorManager TimeStep=\"1\" StopTime=\"100\"><Integration solver=\"DAE\" "
      "rtol=\"1e-6\" atol=\"1e-6\"/></SimulatorManager>";
  for (std::int64_t i = 0; i < links; ++i) {
    text += fmt::format("<test.ChainLink name=\"c{}\"/>", i);
    if (i == 0) continue;
    text += fmt::format("<Route from=\"c{0}.z\" to=\"c{1}.left\"/><Route from=\"c{1}.y\" to=\"c{0}.right\"/>",
                        i - 1, i);
  }
  Model model(text + "</System>");
  Run run;
  double evaluations = 0;
  for (auto _ : state) {
    run = RunDavit(model);
    evaluations = static_cast<double>(model.manager().statistics().evaluations);
    state.SetIterationTime(run.seconds / run.steps);
  }
  state.counters["steps"] = run.steps;
  state.counters["evaluations_per_step"] = evaluations / run.steps;
  state.counters["ns_per_step_and_unknown"] = 1e9 * run.seconds / run.steps / static_cast<double>(2 * links);
}
BENCHMARK(Chain)->Arg(100)->Arg(200)->Arg(500)->Arg(1000)->UseManualTime()->Iterations(3)->Unit(
    benchmark::kMicrosecond);

}  // namespace
}  // namespace davit
