#include "tests/fmi/import/cvode_run.h"

#include <cvode/cvode.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "fmi/import/foreign_fmu.h"

namespace davit {
namespace {

void CheckCvode(int flag, const char* function) {
  if (flag < 0) throw std::runtime_error(fmt::format("{} has failed: {}", function, flag));
}

/// The solver with what it works on.
class Cvode {
 public:
  Cvode(ForeignFmu& fmu, std::size_t states, std::size_t indicators, double tolerance)
      : fmu_(fmu), states_(states), indicators_(indicators) {
    const auto n = static_cast<sunindextype>(states);
    CheckCvode(SUNContext_Create(nullptr, &context_), "SUNContext_Create");
    y_ = N_VNew_Serial(n, context_);
    matrix_ = SUNDenseMatrix(n, n, context_);
    linear_ = SUNLinSol_Dense(y_, matrix_, context_);
    memory_ = CVodeCreate(CV_BDF, context_);
    fmu_.GetStates(values());
    CheckCvode(CVodeInit(memory_, Slopes, 0, y_), "CVodeInit");
    CheckCvode(CVodeSStolerances(memory_, tolerance, tolerance), "CVodeSStolerances");
    CheckCvode(CVodeSetLinearSolver(memory_, linear_, matrix_), "CVodeSetLinearSolver");
    CheckCvode(CVodeSetUserData(memory_, this), "CVodeSetUserData");
    CheckCvode(CVodeSetMaxNumSteps(memory_, 1'000'000), "CVodeSetMaxNumSteps");
    if (indicators > 0)
      CheckCvode(CVodeRootInit(memory_, static_cast<int>(indicators), Roots), "CVodeRootInit");
  }
  ~Cvode() {
    CVodeFree(&memory_);
    SUNLinSolFree(linear_);
    SUNMatDestroy(matrix_);
    N_VDestroy(y_);
    SUNContext_Free(&context_);
  }
  Cvode(const Cvode&) = delete;
  Cvode& operator=(const Cvode&) = delete;

  std::span<double> values() { return {N_VGetArrayPointer(y_), states_}; }
  double time() const { return t_; }

  /// One step, at most to `t_stop`. Returns whether an indicator has passed zero there.
  bool Step(double t_stop) {
    CheckCvode(CVodeSetStopTime(memory_, t_stop), "CVodeSetStopTime");
    const int flag = CVode(memory_, t_stop, y_, &t_, CV_ONE_STEP);
    CheckCvode(flag, "CVode");
    return flag == CV_ROOT_RETURN;
  }
  void Restart() { CheckCvode(CVodeReInit(memory_, t_, y_), "CVodeReInit"); }

 private:
  static int Slopes(double t, N_Vector y, N_Vector slopes, void* self) {
    Cvode& cvode = *static_cast<Cvode*>(self);
    const bool is_good = cvode.fmu_.SetPoint(t, {N_VGetArrayPointer(y), cvode.states_}) &&
                         cvode.fmu_.GetDerivatives({N_VGetArrayPointer(slopes), cvode.states_});
    return is_good ? 0 : 1;
  }
  static int Roots(double t, N_Vector y, double* values, void* self) {
    Cvode& cvode = *static_cast<Cvode*>(self);
    if (!cvode.fmu_.SetPoint(t, {N_VGetArrayPointer(y), cvode.states_})) return 1;
    cvode.fmu_.GetIndicators({values, cvode.indicators_});
    return 0;
  }

  ForeignFmu& fmu_;
  std::size_t states_, indicators_;
  SUNContext context_ = nullptr;
  N_Vector y_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  void* memory_ = nullptr;
  double t_ = 0;
};

/// Event mode until the discrete states rest; returns the time of the next time event.
double UpdateAfterEvent(ForeignFmu& fmu, std::span<double> states) {
  const FmuEvents events = fmu.UpdateDiscreteStates();
  if (events.is_terminated) throw std::runtime_error("the FMU has ended the run");
  if (events.has_new_states) fmu.GetStates(states);
  fmu.EnterContinuousTime();
  return events.next_time;
}

}  // namespace

StateTable RunWithCvode(const std::filesystem::path& folder, std::span<const double> times,
                        double tolerance) {
  Diagnostics diagnostics;
  const FmuDescription description = ReadFmuDescription(folder / "modelDescription.xml", diagnostics);
  if (diagnostics.has_errors()) throw std::runtime_error(ToText(diagnostics.all().front()));
  StateTable table;
  std::size_t size = 0;
  for (const std::size_t state : description.states) {
    table.names.push_back(description.variables[state].name);
    if (!description.variables[state].is_array()) ++size;
  }
  if (size < table.names.size()) throw std::runtime_error("states that are arrays are not read here");
  const std::size_t indicators = description.event_indicators + description.indicator_variables.size();
  const auto fmu =
      MakeForeignFmu(description, {.folder = folder, .kind = FmuKind::kModelExchange, .name = "cvode"});
  fmu->EnterInitialization(times.front(), times.back(), {});
  fmu->ExitInitialization();
  double next_event = fmu->UpdateDiscreteStates().next_time;
  fmu->EnterContinuousTime();
  Cvode cvode(*fmu, size, indicators, tolerance);
  for (const double time : times) {
    while (cvode.time() < time) {
      bool has_event = cvode.Step(std::min(time, next_event));
      fmu->SetPoint(cvode.time(), cvode.values());
      bool is_terminated = false;
      has_event = fmu->CompleteStep(&is_terminated) || has_event || cvode.time() >= next_event;
      if (!has_event) continue;
      fmu->EnterEventMode();
      next_event = UpdateAfterEvent(*fmu, cvode.values());
      cvode.Restart();
    }
    table.rows.emplace_back(cvode.values().begin(), cvode.values().end());
  }
  return table;
}

}  // namespace davit
