#include "tests/support/lifting_ida.h"

#include <fmt/format.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <cmath>
#include <stdexcept>

namespace davit::lifting {
namespace {

void Check(int flag, const char* call) {
  if (flag < 0) throw std::runtime_error(fmt::format("{} failed with {}", call, flag));
}

/// All that IDA needs, for one System.
template <class System>
class Solver {
 public:
  explicit Solver(const IdaOptions& options) {
    Check(SUNContext_Create(nullptr, &context_), "SUNContext_Create");
    y_ = N_VNew_Serial(System::kSize, context_);
    ddt_ = N_VNew_Serial(System::kSize, context_);
    const auto start = System::Start();
    for (std::size_t i = 0; i < System::kSize; ++i) y()[i] = start[i];
    FindSlope(0);
    ida_ = IDACreate(context_);
    Check(IDAInit(ida_, &Residual, 0, y_, ddt_), "IDAInit");
    Check(IDASetUserData(ida_, this), "IDASetUserData");
    N_Vector atol = N_VNew_Serial(System::kSize, context_);
    for (std::size_t i = 0; i < System::kSize; ++i) {
      N_VGetArrayPointer(atol)[i] = options.atol * System::kNominal[i];
    }
    Check(IDASVtolerances(ida_, options.rtol, atol), "IDASVtolerances");
    N_VDestroy(atol);
    Check(IDASetMaxNumSteps(ida_, -1), "IDASetMaxNumSteps");
    matrix_ = SUNDenseMatrix(System::kSize, System::kSize, context_);
    linear_ = SUNLinSol_Dense(y_, matrix_, context_);
    Check(IDASetLinearSolver(ida_, linear_, matrix_), "IDASetLinearSolver");
  }
  ~Solver() {
    IDAFree(&ida_);
    SUNLinSolFree(linear_);
    SUNMatDestroy(matrix_);
    N_VDestroy(ddt_);
    N_VDestroy(y_);
    SUNContext_Free(&context_);
  }
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  void Begin(const Interval& interval) {
    CountSteps();
    system_.side = interval.side;
    FindSlope(interval.begin);
    Check(IDAReInit(ida_, interval.begin, y_, ddt_), "IDAReInit");
    Check(IDASetStopTime(ida_, interval.end), "IDASetStopTime");
  }
  Values Read() { return system_.Read(y()); }
  Values AdvanceTo(double t) {
    double reached = 0;
    Check(IDASolve(ida_, t, &reached, y_, ddt_, IDA_NORMAL), "IDASolve");
    return Read();
  }
  IdaCounters Count() {
    CountSteps();
    return counters_;
  }

 private:
  static int Residual(double t, N_Vector y, N_Vector ddt, N_Vector residual, void* user_data) {
    auto& self = *static_cast<Solver*>(user_data);
    ++self.counters_.evaluations;
    double* r = N_VGetArrayPointer(residual);
    const double* slope = N_VGetArrayPointer(ddt);
    self.system_.Evaluate(t, N_VGetArrayPointer(y), r);
    for (std::size_t i = 0; i < System::kSize; ++i) r[i] = slope[i] - r[i];
    return 0;
  }
  void FindSlope(double t) {
    ++counters_.evaluations;
    system_.Evaluate(t, y(), N_VGetArrayPointer(ddt_));
  }
  /// IDAReInit sets IDA's own counters to zero.
  void CountSteps() {
    long steps = 0, rejected = 0;
    IDAGetNumSteps(ida_, &steps);
    IDAGetNumErrTestFails(ida_, &rejected);
    counters_.steps += steps;
    counters_.rejected += rejected;
  }
  double* y() { return N_VGetArrayPointer(y_); }

  System system_;
  SUNContext context_ = nullptr;
  N_Vector y_ = nullptr;
  N_Vector ddt_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  void* ida_ = nullptr;
  IdaCounters counters_;
};

}  // namespace

template <class System>
IdaRun SolveWithIda(const IdaOptions& options) {
  const auto count = static_cast<std::size_t>(std::lround(kStopTime / options.interval));
  IdaRun run;
  run.values.reserve(count + 1);
  Solver<System> solver(options);
  run.values.push_back(solver.Read());
  for (const Interval& interval : Intervals(System::kLargestNeutral)) {
    solver.Begin(interval);
    double t = 0;
    while (run.values.size() <= count) {
      t = static_cast<double>(run.values.size()) * options.interval;
      if (t > interval.end) break;
      run.values.push_back(solver.AdvanceTo(t));
    }
    if (t > interval.end) solver.AdvanceTo(interval.end);
  }
  run.counters = solver.Count();
  return run;
}

template IdaRun SolveWithIda<Ideal>(const IdaOptions&);
template IdaRun SolveWithIda<Standard>(const IdaOptions&);
template IdaRun SolveWithIda<Advanced>(const IdaOptions&);

}  // namespace davit::lifting
