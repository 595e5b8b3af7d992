#include "simulator/solvers/ida_integrator.h"

#include <fmt/format.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

#include "framework/symptom.h"
#include "simulator/evaluation_failure.h"
#include "simulator/solvers/algebraic_steps.h"
#include "simulator/solvers/consistent_start.h"
#include "simulator/solvers/difference_quotients.h"
#include "simulator/solvers/integration_error.h"
#include "simulator/solvers/solver_profile.h"

namespace davit {
namespace {

/// From so many unknowns on, matrices are sparse.
constexpr std::size_t kSparseFrom = 100;

/// Objects of SUNDIALS are given back when they go out of scope.
struct FreeContext {
  void operator()(SUNContext context) const { SUNContext_Free(&context); }
};
struct FreeVector {
  void operator()(N_Vector vector) const { N_VDestroy(vector); }
};
struct FreeMatrix {
  void operator()(SUNMatrix matrix) const { SUNMatDestroy(matrix); }
};
struct FreeLinearSolver {
  void operator()(SUNLinearSolver solver) const { SUNLinSolFree(solver); }
};
struct FreeIda {
  void operator()(void* memory) const { IDAFree(&memory); }
};
using Context = std::unique_ptr<std::remove_pointer_t<SUNContext>, FreeContext>;
using Vector = std::unique_ptr<std::remove_pointer_t<N_Vector>, FreeVector>;
using Matrix = std::unique_ptr<std::remove_pointer_t<SUNMatrix>, FreeMatrix>;
using LinearSolver = std::unique_ptr<std::remove_pointer_t<SUNLinearSolver>, FreeLinearSolver>;
using Ida = std::unique_ptr<void, FreeIda>;

/// Calls that fail only for want of memory or by a mistake of ours.
void Check(int flag, const char* call) {
  if (flag < 0) throw std::runtime_error(fmt::format("{} failed with {}", call, flag));
}
template <class Pointer>
Pointer Check(Pointer made, const char* call) {
  if (made == nullptr) throw std::runtime_error(fmt::format("{} failed", call));
  return made;
}

double* Data(const Vector& vector) { return N_VGetArrayPointer(vector.get()); }

/// Factorises with the pivots of the matrix before. Where one of them has become zero, as behind a valve that
/// has shut, they are chosen anew: else no step, however small, could be solved for.
int SetUpKlu(SUNLinearSolver solver, SUNMatrix matrix) {
  const int flag = SUNLinSolSetup_KLU(solver, matrix);
  if (flag != SUNLS_PACKAGE_FAIL_REC) return flag;
  SUNLinSol_KLUReInit(solver, matrix, 0, SUNKLU_REINIT_PARTIAL);
  return SUNLinSolSetup_KLU(solver, matrix);
}

class SundialsIda final : public Integrator, public AlgebraicSteps {
 public:
  SundialsIda(const SolverProblem& problem, const IntegratorOptions& options)
      : problem_(problem),
        ode_(problem.residual == nullptr ? &problem : nullptr),
        rtol_(options.relative_tolerance),
        min_step_(options.min_step),
        max_order_(options.max_order),
        context_(MakeContext()),
        y_(MakeVector()),
        ddt_(MakeVector()),
        weights_(MakeVector()),
        shifted_ddt_(problem_.size),
        increments_(problem_.size),
        quotients_(problem_.size) {
    if (problem_.nominal.empty()) problem_.nominal.assign(problem_.size, 1.0);
    if (problem_.pattern.size() != problem_.size) problem_.pattern = JacobianPattern::Full(problem_.size);
    entries_.resize(problem_.pattern.nonzeros());
    if (ode_ != nullptr) {
      problem_.context = this;
      problem_.residual = [](void* context, double t, const double* y, const double* ddt, double* residual) {
        static_cast<SundialsIda*>(context)->EvaluateOde(t, y, ddt, residual);
      };
      if (ode_->linearize != nullptr) {
        problem_.linearize = [](void* context, const LinearizationPoint& point, double* entries) {
          return static_cast<SundialsIda*>(context)->LinearizeOde(point, entries);
        };
      }
    }
    MakeSolver(options);
  }
  SundialsIda(const SundialsIda&) = delete;
  SundialsIda& operator=(const SundialsIda&) = delete;

  void Restart(double t, std::span<const double> y, RestartKind kind) override {
    std::copy(y.begin(), y.end(), Data(y_));
    // Where only an input of an ODE moved a little, the history still predicts well and the error test sees
    // the rest. An algebraic unknown may jump, which no step size helps against.
    const bool goes_on = kind == RestartKind::kSameScale && ode_ != nullptr && is_ready_ && t == t_new_;
    t_old_ = t_new_ = t;
    is_ready_ = goes_on;
    if (!goes_on) {
      has_low_order_ = false;
      low_steps_ = recent_rejected_ = 0;
    }
  }

  /// Before it has begun: where the search for consistent values starts.
  void GiveSlope(std::span<const double> ddt) override {
    if (!is_ready_) std::copy(ddt.begin(), ddt.end(), Data(ddt_));
  }

  bool MakeConsistent(double t_next, std::span<double> y, std::span<double> ddt) override {
    if (ode_ != nullptr) return false;
    Prepare(t_next);
    std::copy_n(Data(y_), problem_.size, y.begin());
    std::copy_n(Data(ddt_), problem_.size, ddt.begin());
    return true;
  }

  void AdvanceTo(double t_end, double t_stop, std::span<double> y) override {
    while (t_new_ < t_end) StepTowards(leaves_out_ ? t_end : t_stop);
    ValueAt(t_end, y);
  }

  double StepTowards(double t_stop) override {
    if (!is_ready_ || changes_order_) Prepare(t_stop);
    t_old_ = t_new_;
    // Shorter than IDA can resolve: nothing changes.
    if (t_stop - t_old_ <= 4 * kEpsilon * std::max(std::abs(t_old_), std::abs(t_stop))) {
      t_new_ = t_stop;
      is_ready_ = false;
      return t_new_;
    }
    Check(IDASetStopTime(ida_.get(), t_stop), "IDASetStopTime");
    double reached = t_old_;
    const int flag = Solve(t_stop, &reached);
    const std::uint64_t rejected = counters_.rejected;
    CountSteps();
    if (flag < 0) Fail(flag);
    t_new_ = flag == IDA_TSTOP_RETURN ? t_stop : reached;
    if (profile_ != nullptr) {
      const std::size_t worst = FindWorst();
      for (std::uint64_t i = rejected; i < counters_.rejected; ++i) profile_->Reject(worst);
      profile_->Limit(worst);
    }
    if (progress_ != nullptr) {
      if (counters_.rejected > rejected) progress_->Reject(counters_.rejected - rejected, FindWorst());
      progress_->Accept(t_new_, {Data(y_), problem_.size});
    }
    double step = 0;
    IDAGetLastStep(ida_.get(), &step);
    if (flag != IDA_TSTOP_RETURN && t_new_ - t_old_ <= 4 * kEpsilon * std::abs(t_old_)) {
      Fail(IDA_ERR_FAIL);
    }
    return t_new_;
  }

  void ValueAt(double t, std::span<double> y) override {
    if (!is_ready_ || t_new_ == t_begin_) {  // nothing was integrated
      std::copy_n(Data(y_), problem_.size, y.begin());
      return;
    }
    t_shown_ = t;
    Check(IDAGetDky(ida_.get(), t, 0, shown_.get()), "IDAGetDky");
    std::copy_n(Data(shown_), problem_.size, y.begin());
  }

  bool has_values_inside() const override { return true; }
  bool ends_steps_at_values() const override { return leaves_out_; }

  /// Where all is algebraic no error control watches over the values between two steps. If the search fails
  /// the interpolated ones are all there is.
  void SolveInside(double t, std::span<double> y) override {
    if (!is_all_algebraic_ || !(t_old_ < t && t < t_new_)) return;
    const std::uint64_t evaluations = counters_.evaluations;  // the run has its own
    std::vector<double> solved(y.begin(), y.end()), ddt(problem_.size, 0.0);
    const ConsistentStart search(problem_);
    const auto evaluate = [this](auto... arguments) { return EvaluateSafely(arguments...) == 0; };
    if (search.Find(t, solved, ddt, evaluate).is_found) std::copy(solved.begin(), solved.end(), y.begin());
    Forget();
    counters_.evaluations = evaluations;
  }

  void CopySlope(std::span<double> ddt) const override {
    if (ode_ != nullptr) return;
    if (is_ready_ && t_new_ > t_begin_) {
      Check(IDAGetDky(ida_.get(), t_shown_, 1, shown_.get()), "IDAGetDky");
      std::copy_n(Data(shown_), problem_.size, ddt.begin());
    } else {
      std::copy_n(Data(ddt_), problem_.size, ddt.begin());
    }
  }

 private:
  Context MakeContext() {
    SUNContext made = nullptr;
    Check(SUNContext_Create(nullptr, &made), "SUNContext_Create");
    return Context(made);
  }
  Vector MakeVector() const {
    Vector vector(
        Check(N_VNew_Serial(static_cast<sunindextype>(problem_.size), context_.get()), "N_VNew_Serial"));
    N_VConst(0, vector.get());
    return vector;
  }

  void MakeSolver(const IntegratorOptions& options) {
    shown_ = MakeVector();
    ida_.reset(Check(IDACreate(context_.get()), "IDACreate"));
    void* ida = ida_.get();
    const auto ignore = [](int, const char*, const char*, char*, void*) {};  // flags report the same
    Check(IDASetErrHandlerFn(ida, ignore, nullptr), "IDASetErrHandlerFn");
    Check(IDAInit(ida, &Residual, 0, y_.get(), ddt_.get()), "IDAInit");
    Check(IDASetUserData(ida, this), "IDASetUserData");
    // A constraint hands the errors of many unknowns on to one: the norm of IDA, a mean, is made as strict as
    // a maximum, and a half more.
    strictness_ = ode_ != nullptr ? 1 : 1.5 * std::sqrt(static_cast<double>(problem_.size));
    for (const double nominal : problem_.nominal) absolute_.push_back(options.absolute_tolerance * nominal);
    Check(IDAWFtolerances(ida, &Weights), "IDAWFtolerances");
    for (std::size_t i = 0; i < problem_.size; ++i) {
      Data(shown_)[i] = i < problem_.is_algebraic.size() && problem_.is_algebraic[i] ? 0.0 : 1.0;
    }
    Check(IDASetId(ida, shown_.get()), "IDASetId");
    Check(IDASetMaxNumSteps(ida, -1), "IDASetMaxNumSteps");
    if (std::isfinite(options.max_step)) Check(IDASetMaxStep(ida, options.max_step), "IDASetMaxStep");
    if (min_step_ > 0) Check(IDASetMinStep(ida, min_step_), "IDASetMinStep");
    const auto n = static_cast<sunindextype>(problem_.size);
    if (problem_.size < kSparseFrom) {
      matrix_.reset(Check(SUNDenseMatrix(n, n, context_.get()), "SUNDenseMatrix"));
      linear_.reset(Check(SUNLinSol_Dense(y_.get(), matrix_.get(), context_.get()), "SUNLinSol_Dense"));
    } else {
      const auto entries = static_cast<sunindextype>(problem_.pattern.nonzeros());
      matrix_.reset(Check(SUNSparseMatrix(n, n, entries, CSC_MAT, context_.get()), "SUNSparseMatrix"));
      linear_.reset(Check(SUNLinSol_KLU(y_.get(), matrix_.get(), context_.get()), "SUNLinSol_KLU"));
      linear_->ops->setup = &SetUpKlu;
    }
    Check(IDASetLinearSolver(ida, linear_.get(), matrix_.get()), "IDASetLinearSolver");
    Check(IDASetJacFn(ida, &Jacobian), "IDASetJacFn");
    // A Jacobian of another step size, which IDA makes do with, is wrong by a constant factor for algebraic
    // unknowns, and nearly so for what is much faster than the step. Small ones are cheaply rebuilt.
    if (problem_.size < kSparseFrom) {
      Check(IDASetDeltaCjLSetup(ida, ode_ == nullptr ? 1e-3 : 1e-2), "IDASetDeltaCjLSetup");
    }
    // IDA leaves an error of a third of the tolerances. Where a flow law is bent within less, as that of a
    // wide port without flow is, the flow is noise then, which the error test takes for an error of the step.
    if (ode_ != nullptr) {
      Check(IDASetNonlinConvCoef(ida, 1e-3), "IDASetNonlinConvCoef");
      Check(IDASetMaxConvFails(ida, 40), "IDASetMaxConvFails");  // each takes a quarter of the step
    }
    Check(IDASetMaxErrTestFails(ida, 40), "IDASetMaxErrTestFails");  // y' of algebraic unknowns starts as 0
    const auto& kinds = problem_.is_algebraic;
    const bool has_algebraic = std::find(kinds.begin(), kinds.end(), true) != kinds.end();
    const bool has_differential =
        kinds.empty() || std::find(kinds.begin(), kinds.end(), false) != kinds.end();
    can_leave_out_ = has_algebraic && has_differential;
    // Where all is algebraic there is nothing to integrate: each step point is solved for.
    is_all_algebraic_ = leaves_out_ = has_algebraic && !has_differential;
    if (leaves_out_) Check(IDASetSuppressAlg(ida, SUNTRUE), "IDASetSuppressAlg");
  }

  /// IDA's own weights 1/(rtol |y| + atol), which it does not let change once a run has begun.
  static int Weights(N_Vector y, N_Vector weights, void* user_data) {
    const auto& self = *static_cast<SundialsIda*>(user_data);
    const double* values = N_VGetArrayPointer(y);
    double* to = N_VGetArrayPointer(weights);
    for (std::size_t i = 0; i < self.problem_.size; ++i) {
      to[i] = self.strictness_ / (self.rtol_ * std::abs(values[i]) + self.absolute_[i]);
    }
    return 0;
  }

  /// The rest that the iteration leaves in algebraic unknowns does not shrink with the step; the predictor
  /// amplifies it, and the error test may then hold the step small for ever. Where it fails again and again,
  /// algebraic unknowns are left out of it: they are exact at the end of each step, up to the iteration. The
  /// other unknowns are then held to smaller tolerances, and steps end where values are wanted, since nothing
  /// watches over algebraic unknowns between.
  void WatchErrorTest(long failures) {
    constexpr double kMemory = 0.98;  // about 50 steps
    constexpr double kMostFailures = 8;
    constexpr double kStrictness = 30;
    recent_failures_ = kMemory * recent_failures_ + static_cast<double>(failures);
    if (!can_leave_out_ || leaves_out_ || recent_failures_ < kMostFailures) return;
    leaves_out_ = true;
    Check(IDASetSuppressAlg(ida_.get(), SUNTRUE), "IDASetSuppressAlg");
    strictness_ = std::max(strictness_, kStrictness);
  }

  /// BDF of the orders 3 to 5 are not stable for oscillations with little damping, such as waves in a pipe:
  /// their errors grow until steps are rejected, again and again. Up to order 2 they are (G. Dahlquist,
  /// 1963). So then no higher one is used for a while.
  void WatchOrder(double steps, double rejected) {
    constexpr double kMemory = 0.98;  // about 50 steps
    constexpr double kMostRejected = 20;
    constexpr double kStepsAtLowOrder = 1000;
    if (ode_ == nullptr || max_order_ <= kStableOrder) return;
    recent_rejected_ = kMemory * recent_rejected_ + rejected;
    if (has_low_order_ ? (low_steps_ += steps) < kStepsAtLowOrder : recent_rejected_ < kMostRejected) return;
    has_low_order_ = !has_low_order_;
    changes_order_ = true;
    low_steps_ = recent_rejected_ = 0;
  }

  /// 0: done; 1: not there, try a smaller step. Exceptions must not pass through C.
  static int Residual(double t, N_Vector y, N_Vector ddt, N_Vector residual, void* user_data) {
    auto& self = *static_cast<SundialsIda*>(user_data);
    return self.EvaluateSafely(t, N_VGetArrayPointer(y), N_VGetArrayPointer(ddt),
                               N_VGetArrayPointer(residual));
  }

  /// Calls code of components; keeps what it throws.
  template <class Call>
  int CallSafely(Call&& call) {
    try {
      call();
      return 0;
    } catch (const EvaluationFailure&) {
      failure_ = std::current_exception();
      return 1;
    } catch (...) {
      failure_ = std::current_exception();
      return -1;
    }
  }

  int EvaluateSafely(double t, const double* y, const double* ddt, double* residual) {
    ++counters_.evaluations;
    const int flag = CallSafely([&] { problem_.residual(problem_.context, t, y, ddt, residual); });
    if (flag != 0) return flag;
    for (std::size_t i = 0; i < problem_.size; ++i) {
      if (std::isfinite(residual[i])) continue;
      not_finite_ = i;
      return 1;
    }
    return 0;
  }

  void EvaluateOde(double t, const double* y, const double* ddt, double* residual) {
    ode_->evaluate(ode_->context, y, residual, t);
    for (std::size_t i = 0; i < problem_.size; ++i) residual[i] = ddt[i] - residual[i];
  }

  double LinearizeOde(const LinearizationPoint& point, double* entries) {
    const double cost = ode_->linearize(ode_->context, point, entries);
    std::size_t entry = 0;
    for (std::size_t j = 0; j < problem_.size; ++j) {
      for (const std::uint32_t i : problem_.pattern.Rows(j)) {
        entries[entry] = (i == j ? point.cj : 0.0) - entries[entry];
        ++entry;
      }
    }
    return cost;
  }

  /// dF/dy + cj dF/dy'.
  static int Jacobian(double t, double cj, N_Vector y, N_Vector ddt, N_Vector residual, SUNMatrix matrix,
                      void* user_data, N_Vector /*tmp1*/, N_Vector /*tmp2*/, N_Vector /*tmp3*/) {
    auto& self = *static_cast<SundialsIda*>(user_data);
    LinearizationPoint point{.t = t, .y = N_VGetArrayPointer(y), .ddt = N_VGetArrayPointer(ddt), .cj = cj};
    return self.FillJacobian(point, N_VGetArrayPointer(residual), matrix);
  }

  int FillJacobian(LinearizationPoint& point, const double* residual, SUNMatrix matrix) {
    double step = 0;
    IDAGetCurrentStep(ida_.get(), &step);
    for (std::size_t j = 0; j < problem_.size; ++j) {
      increments_[j] =
          Increment(std::max(std::abs(point.y[j]), std::abs(step * point.ddt[j])), problem_.nominal[j]);
    }
    point.increments = increments_.data();
    const TimedPart part(profile_, SolverProfile::Part::kJacobian);
    const int flag = problem_.linearize == nullptr ? FindQuotients(point, residual) : Linearize(point);
    if (flag != 0) return flag;
    const JacobianPattern& pattern = problem_.pattern;
    if (SUNMatGetID(matrix) != SUNMATRIX_DENSE) {
      std::copy(entries_.begin(), entries_.end(), SUNSparseMatrix_Data(matrix));
      FillStructure(matrix);
      return 0;
    }
    for (std::size_t j = 0; j < problem_.size; ++j) {
      double* column = SUNDenseMatrix_Column(matrix, static_cast<sunindextype>(j));
      std::size_t entry = pattern.Begin(j);
      for (const std::uint32_t i : pattern.Rows(j)) column[i] = entries_[entry++];
    }
    return 0;
  }

  int FindQuotients(const LinearizationPoint& point, const double* residual) {
    int flag = 0;
    const auto equations = [&](const std::vector<double>& y, std::vector<double>& values) {
      for (std::size_t j = 0; j < problem_.size; ++j) {
        shifted_ddt_[j] = point.ddt[j] + point.cj * (y[j] - point.y[j]);
      }
      const int this_flag = EvaluateSafely(point.t, y.data(), shifted_ddt_.data(), values.data());
      if (this_flag == 0) return;
      if (this_flag < 0) flag = this_flag;
      std::fill(values.begin(), values.end(), std::numeric_limits<double>::quiet_NaN());
    };
    quotients_.Fill(problem_.pattern, {point.y, problem_.size}, {residual, problem_.size}, increments_,
                    entries_, equations);
    return flag != 0 ? flag : LookAtEntries();
  }

  int Linearize(const LinearizationPoint& point) {
    const int flag =
        CallSafely([&] { CountEvaluations(problem_.linearize(problem_.context, point, entries_.data())); });
    return flag != 0 ? flag : LookAtEntries();
  }

  /// 0 if all are finite; else 1: try a smaller step.
  int LookAtEntries() {
    for (std::size_t j = 0; j < problem_.size; ++j) {
      std::size_t entry = problem_.pattern.Begin(j);
      for (const std::uint32_t i : problem_.pattern.Rows(j)) {
        if (std::isfinite(entries_[entry++])) continue;
        not_finite_ = i;
        return 1;
      }
    }
    return 0;
  }

  void FillStructure(SUNMatrix matrix) const {
    const JacobianPattern& pattern = problem_.pattern;
    sunindextype* begins = SUNSparseMatrix_IndexPointers(matrix);
    sunindextype* rows = SUNSparseMatrix_IndexValues(matrix);
    for (std::size_t j = 0; j < problem_.size; ++j) {
      begins[j] = static_cast<sunindextype>(pattern.Begin(j));
      for (const std::uint32_t i : pattern.Rows(j)) *rows++ = static_cast<sunindextype>(i);
    }
    begins[problem_.size] = static_cast<sunindextype>(pattern.nonzeros());
  }

  /// Makes y' (and algebraic unknowns) belong to y, and lets IDA begin there.
  void Prepare(double t_next) {
    Forget();
    if (ode_ != nullptr) {
      ++counters_.evaluations;
      ode_->evaluate(ode_->context, Data(y_), Data(ddt_), t_new_);
      for (std::size_t i = 0; i < problem_.size; ++i) {
        if (!std::isfinite(Data(ddt_)[i])) {
          throw IntegrationError("the derivative is not finite", t_new_, i);
        }
      }
    }
    Begin();
    if (ode_ == nullptr) FindConsistentValues(t_next);
    ChooseFirstStep(std::max(t_next - t_new_, 256 * kEpsilon * std::abs(t_new_)));
    t_begin_ = t_shown_ = t_new_;
    counted_steps_ = counted_rejected_ = counted_failures_ = 0;
    is_ready_ = true;
  }

  void Begin() {
    const int most = has_low_order_ ? std::min(kStableOrder, max_order_) : max_order_;
    Check(IDASetMaxOrd(ida_.get(), most), "IDASetMaxOrd");
    Check(IDAReInit(ida_.get(), t_new_, y_.get(), ddt_.get()), "IDAReInit");
    changes_order_ = false;
  }

  /// IDA's own choice, but not below what the time can resolve.
  void ChooseFirstStep(double span) {
    double sum = 0;
    for (std::size_t i = 0; i < problem_.size; ++i) {
      const double ratio = Data(ddt_)[i] / (rtol_ * std::abs(Data(y_)[i]) + absolute_[i]);
      sum += ratio * ratio;
    }
    const double speed = strictness_ * std::sqrt(sum / static_cast<double>(problem_.size));
    const double step = std::min(1e-3 * span, speed > 0 ? 0.5 / speed : span);
    const double finest = 64 * kEpsilon * std::abs(t_new_);
    Check(IDASetInitStep(ida_.get(), std::min(std::max(step, finest), span)), "IDASetInitStep");
  }

  void FindConsistentValues(double t_next) {
    const std::vector<double> y_before(Data(y_), Data(y_) + problem_.size);
    const std::vector<double> ddt_before(Data(ddt_), Data(ddt_) + problem_.size);
    const double span = std::max(t_next - t_new_, 1e3 * kEpsilon * std::max(std::abs(t_new_), 1e-12));
    const int flag = IDACalcIC(ida_.get(), IDA_YA_YDP_INIT, t_new_ + span);
    if (flag >= 0) {
      Check(IDAGetConsistentIC(ida_.get(), y_.get(), ddt_.get()), "IDAGetConsistentIC");
      return;
    }
    // IDA's search needs equations that determine the derivatives one by one. Where some appear only
    // together, or the start is far away, Newton's method with steps of least norm takes over.
    std::copy(y_before.begin(), y_before.end(), Data(y_));
    std::copy(ddt_before.begin(), ddt_before.end(), Data(ddt_));
    const std::span<double> y(Data(y_), problem_.size);
    const std::span<double> ddt(Data(ddt_), problem_.size);
    const ConsistentStart search(problem_);
    const auto [is_found, worst, residual] =
        search.Find(t_new_, y, ddt, [this](auto... arguments) { return EvaluateSafely(arguments...) == 0; });
    if (!is_found) {
      if (failure_ != nullptr && not_finite_ == kNone)
        std::rethrow_exception(std::exchange(failure_, nullptr));
      if (not_finite_ != kNone) {
        throw IntegrationError("its equation gives no finite value at the start values", t_new_, not_finite_,
                               "look for a division by zero or a root of a negative number",
                               Symptom::kInconsistentStart);
      }
      throw IntegrationError(
          fmt::format("consistent initialisation failed: the residual of its equation is {:.3g}", residual),
          t_new_, worst, "give start values nearer to the solution, or look for contradictory equations",
          Symptom::kInconsistentStart);
    }
    Begin();
  }

  static constexpr int kStableOrder = 2;
  static constexpr std::size_t kNone = ~std::size_t{0};
  static constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

  void Forget() {
    failure_ = nullptr;
    not_finite_ = kNone;
  }

  int Solve(double t_stop, double* reached) {
    Forget();
    return IDASolve(ida_.get(), t_stop, reached, y_.get(), ddt_.get(), IDA_ONE_STEP);
  }

  void CountSteps() {
    long steps = 0;
    long error_failures = 0;
    long newton_failures = 0;
    IDAGetNumSteps(ida_.get(), &steps);
    IDAGetNumErrTestFails(ida_.get(), &error_failures);
    IDAGetNumNonlinSolvConvFails(ida_.get(), &newton_failures);
    const long rejected = error_failures + newton_failures;
    WatchErrorTest(error_failures - std::exchange(counted_failures_, error_failures));
    const long new_steps = steps - std::exchange(counted_steps_, steps);
    const long new_rejected = rejected - std::exchange(counted_rejected_, rejected);
    WatchOrder(static_cast<double>(new_steps), static_cast<double>(new_rejected));
    counters_.steps += static_cast<std::uint64_t>(new_steps);
    counters_.rejected += static_cast<std::uint64_t>(new_rejected);
  }

  /// The unknown with the largest estimated error.
  std::size_t FindWorst() {
    std::size_t worst = 0;
    double largest = 0;
    if (IDAGetErrWeights(ida_.get(), weights_.get()) != IDA_SUCCESS) return worst;
    if (IDAGetEstLocalErrors(ida_.get(), shown_.get()) != IDA_SUCCESS) return worst;
    for (std::size_t i = 0; i < problem_.size; ++i) {
      const double error = std::abs(Data(shown_)[i]) * Data(weights_)[i];
      if (error > largest || std::isnan(error)) {
        largest = error;
        worst = i;
      }
    }
    return worst;
  }

  /// What may get on where IDA does not; nothing else solves algebraic equations.
  std::string other_methods() const { return ode_ == nullptr ? "" : "; or take the method rodas5p or auto"; }

  [[noreturn]] void Fail(int flag) {
    is_ready_ = false;
    double step = 0;
    IDAGetCurrentStep(ida_.get(), &step);
    if (not_finite_ != kNone) {
      throw IntegrationError(
          fmt::format("{} at steps down to {:.3g} s",
                      ode_ != nullptr ? "the derivative is not finite" : "its equation gives no finite value",
                      step),
          t_old_, not_finite_, "look for a division by zero or a root of a negative number");
    }
    if (failure_ != nullptr) std::rethrow_exception(std::exchange(failure_, nullptr));
    const std::size_t worst = FindWorst();
    if (min_step_ > 0 && step <= 2 * min_step_) {
      throw IntegrationError(
          fmt::format("a step below {:.3g} s is needed, min_step is {:.3g} s", step, min_step_), t_old_,
          worst, {}, Symptom::kStepSize);
    }
    switch (flag) {
      case IDA_CONV_FAIL:
        throw IntegrationError(
            fmt::format("the nonlinear (Newton) iteration does not converge, even with a step of {:.3g} s",
                        step),
            t_old_, worst,
            "look for a discontinuity in the equations, or equations that become singular here" +
                other_methods(),
            Symptom::kStepSize);
      case IDA_LSETUP_FAIL:
      case IDA_LSOLVE_FAIL:
        throw IntegrationError(
            fmt::format("the iteration matrix (Jacobian) is singular at a step of {:.3g} s", step), t_old_,
            worst, "look for an equation in which no unknown is left here", Symptom::kStepSize);
      case IDA_ERR_FAIL:
        throw IntegrationError(
            fmt::format("the local error test failed repeatedly, the last time with a step of {:.3g} s",
                        step),
            t_old_, worst,
            "look for a discontinuity in the equations, or take a larger rtol or atol" + other_methods(),
            Symptom::kStepSize);
      default:
        throw IntegrationError(fmt::format("IDA gave up with flag {} (step {:.3g} s)", flag, step), t_old_,
                               worst, {}, Symptom::kStepSize);
    }
  }

  SolverProblem problem_;
  const SolverProblem* ode_;
  double rtol_;
  double strictness_ = 1;  ///< tolerances are divided by
  double min_step_;
  int max_order_;
  Context context_;  // first made, last freed
  Vector y_, ddt_, weights_;
  Vector shown_;  ///< interpolated, and work space
  Matrix matrix_;
  LinearSolver linear_;
  Ida ida_;
  std::vector<double> absolute_;  ///< tolerances
  std::vector<double> shifted_ddt_, increments_;
  std::vector<double> entries_;  ///< of the Jacobian, column by column of the pattern
  DifferenceQuotients quotients_;

  double t_old_ = 0;
  double t_new_ = 0;
  double t_begin_ = 0;  ///< of the history
  double t_shown_ = 0;
  bool can_leave_out_ = false;  ///< there are unknowns of both kinds
  bool is_all_algebraic_ = false;
  bool leaves_out_ = false;     ///< algebraic unknowns out of the error test
  double recent_failures_ = 0;  ///< of the error test, older ones forgotten bit by bit
  double recent_rejected_ = 0;  ///< steps, older ones forgotten bit by bit
  double low_steps_ = 0;        ///< since the order was lowered
  bool has_low_order_ = false;
  bool changes_order_ = false;  ///< with the next step
  bool is_ready_ = false;       ///< IDA has begun from the present values
  long counted_steps_ = 0;
  long counted_rejected_ = 0;
  long counted_failures_ = 0;
  std::exception_ptr failure_;
  std::size_t not_finite_ = kNone;  ///< equation of the last evaluation that was not finite
};

}  // namespace

std::unique_ptr<Integrator> MakeIdaIntegrator(const SolverProblem& problem,
                                              const IntegratorOptions& options) {
  return std::make_unique<SundialsIda>(problem, options);
}

}  // namespace davit
