#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/archive.h"
#include "simulator/solvers/jacobian_pattern.h"
#include "simulator/solvers/progress_watch.h"

namespace davit {

class SolverProfile;

/// Where, and with which shifts of each unknown, a Jacobian is wanted.
struct LinearizationPoint {
  double t = 0;
  const double* y = nullptr;
  const double* ddt = nullptr;         ///< y'
  const double* increments = nullptr;  ///< by unknown, see Increment
  double cj = 0;                       ///< of equations F(t, y, y'): wanted is dF/dy + cj dF/dy'
  bool is_evaluated = false;           ///< the last evaluation was here
};

/// The equations of an island, as a solver sees them: y' = f(t, y), or 0 = F(t, y, y') where there is a
/// `residual`.
struct SolverProblem {
  std::size_t size = 0;
  void* context = nullptr;
  void (*evaluate)(void* context, const double* y, double* ddt, double t) = nullptr;
  std::vector<double> nominal;   ///< typical sizes; empty for ones
  JacobianPattern pattern = {};  ///< of df/dy, or of dF/dy and dF/dy' together; empty for a full one
  std::size_t smallest = 0;      ///< the size may change during a run, down to this
  std::size_t largest = 0;       ///< and up to this; 0: the size does not change
  /// Writes the entries of df/dy, or dF/dy + cj dF/dy', column by column of the pattern, and returns what
  /// that has cost in evaluations; null: it is made by difference quotients.
  double (*linearize)(void* context, const LinearizationPoint& point, double* entries) = nullptr;
  /// F(t, y, y'); null for y' = f(t, y).
  void (*residual)(void* context, double t, const double* y, const double* ddt, double* residual) = nullptr;
  std::vector<bool> is_algebraic = {};  ///< of F: unknowns whose derivative does not appear
};

/// How an island is integrated.
struct IntegratorOptions {
  std::string method = "auto";
  double relative_tolerance = 1e-6;
  double absolute_tolerance = 1e-8;  ///< multiplied by the nominal value of each state
  double min_step = 0;               ///< [s]; a smaller step is a failure
  double max_step = std::numeric_limits<double>::infinity();  ///< [s]
  double fixed_step = 0;    ///< largest step of a method without error control [s]
  int max_order = 5;        ///< of ida
  bool is_default = false;  ///< chosen for the system, not by an `<Integration>` of the island

  friend bool operator==(const IntegratorOptions&, const IntegratorOptions&) = default;
};

/// What a solver has done so far.
struct IntegratorCounters {
  std::uint64_t steps = 0;        ///< accepted
  std::uint64_t rejected = 0;     ///< tried again with a smaller size
  std::uint64_t evaluations = 0;  ///< of the right-hand side; a part of it counts by its share
  std::uint64_t looked_at =
      0;                       ///< steps of an explicit method that were compared with its limit of stability
  std::uint64_t at_limit = 0;  ///< of these, steps whose size that limit and not the tolerance set
  std::uint64_t implicit_steps = 0;   ///< of `steps`, of a method that chooses
  std::uint64_t method_switches = 0;  ///< of such a one

  friend IntegratorCounters operator+(const IntegratorCounters& a, const IntegratorCounters& b) {
    return {a.steps + b.steps,
            a.rejected + b.rejected,
            a.evaluations + b.evaluations,
            a.looked_at + b.looked_at,
            a.at_limit + b.at_limit,
            a.implicit_steps + b.implicit_steps,
            a.method_switches + b.method_switches};
  }
};

/// Solves one island from step point to step point.
///
/// Call sequence: Restart, then AdvanceTo with growing times; Restart again whenever the right-hand side or
/// the state changed other than by integration. After an IntegrationError or StepInterrupted only Restart is
/// allowed; after one for want of progress ValueAt its time, too. Nothing is allocated after the first
/// AdvanceTo (but see bulirsch_stoer).
class Integrator {
 public:
  enum class RestartKind : std::uint8_t {
    kNewProblem,  ///< states or right-hand side jumped: the step size is estimated again
    kSameScale,   ///< an input moved a little: the step size is kept
  };

  virtual ~Integrator() = default;
  /// Takes over a new size, nominal values and pattern of its problem; Restart follows. Allocates nothing.
  virtual void Resize(const SolverProblem& /*problem*/) {}
  /// Forgets all history and starts from y(t).
  virtual void Restart(double t, std::span<const double> y, RestartKind kind) = 0;
  /// After Restart: the size of the first step, where it can be guessed [s].
  virtual void ProposeStep(double /*h*/) {}
  /// Hands over y' at the time and state reached, where it is known and nothing has changed since: saves an
  /// evaluation.
  virtual void GiveSlope(std::span<const double> /*ddt*/) {}
  /// After Restart: finds the algebraic unknowns and the derivatives that belong to the differential unknowns
  /// at hand, and writes all of them. `t_next` is the next time of interest. Returns false where there is
  /// nothing to find: y' = f(t, y). Throws IntegrationError if there are none near by.
  virtual bool MakeConsistent(double /*t_next*/, std::span<double> /*y*/, std::span<double> /*ddt*/) {
    return false;
  }
  /// Writes y' at the time of the last AdvanceTo or ValueAt where it does not follow from y.
  virtual void CopySlope(std::span<double> /*ddt*/) const {}
  /// Writes y(t_end). Internally the solver may go further, but never beyond t_stop >= t_end.
  virtual void AdvanceTo(double t_end, double t_stop, std::span<double> y) = 0;
  /// One step of the solver's own towards t_stop, which it does not pass; returns the time reached. Together
  /// with ValueAt the same as AdvanceTo, for those who look at each step. Pre: has_values_inside.
  virtual double StepTowards(double /*t_stop*/) { return std::numeric_limits<double>::quiet_NaN(); }
  /// Writes y(t) inside the last step of StepTowards, or at its end.
  virtual void ValueAt(double /*t*/, std::span<double> /*y*/) {}
  virtual bool has_values_inside() const { return false; }
  /// Whether all that it remembers, but for its counters, is in its archive, so that another one continues
  /// from there as this one would. Of a solver with a long history nothing is: it must restart where a
  /// snapshot is taken.
  virtual bool can_be_archived() const { return false; }
  /// Pre: can_be_archived.
  virtual void ArchiveMemory(Archive& /*archive*/) {}
  const IntegratorCounters& counters() const { return counters_; }
  /// What an attempt at a step costs beside its evaluations (linear algebra), in evaluations.
  virtual double overhead() const { return 0; }
  /// The method in use now, of one that chooses; else empty.
  virtual std::string_view method_in_use() const { return {}; }
  /// What sees each attempt at a step, and may end it with an exception; null: nothing. It must outlive the
  /// integrator.
  virtual void set_progress_watch(ProgressWatch* watch) { progress_ = watch; }
  /// Who keeps account of times and of the states that set the steps; null: nobody. It must outlive the
  /// integrator.
  virtual void set_profile(SolverProfile* profile) { profile_ = profile; }

 protected:
  /// Counts a part of an evaluation, or several of them.
  void CountEvaluations(double share) {
    // In binary fractions that add up exactly, so that the order of counting does not matter.
    constexpr double kParts = 1 << 20;
    parts_ += std::round(share * kParts) / kParts;
    const double whole = std::floor(parts_);
    counters_.evaluations += static_cast<std::uint64_t>(whole);
    parts_ -= whole;
  }

  ProgressWatch* progress_ = nullptr;
  SolverProfile* profile_ = nullptr;
  IntegratorCounters counters_;
  double parts_ = 0;  ///< of an evaluation that are not counted yet
};

/// One ODE method that a system file can name.
struct OdeMethod {
  std::string_view name;
  int order;               ///< of the method; the global error goes with its power of the step size
  bool is_adaptive;        ///< obeys rtol and atol; otherwise obeys substeps
  bool has_values_inside;  ///< has y inside a step (dense output): events can be located
  bool can_resize;         ///< the number of states may change during a run
  bool needs_jacobian;
  std::string_view text;
};

/// All methods, fixed-step ones first.
std::span<const OdeMethod> OdeMethods();
const OdeMethod* FindOdeMethod(std::string_view name);

/// Pre: `options.method` is one of OdeMethods, `ida` where the problem has a residual. `problem` must outlive
/// the integrator.
std::unique_ptr<Integrator> MakeIntegrator(const SolverProblem& problem, const IntegratorOptions& options);

}  // namespace davit
