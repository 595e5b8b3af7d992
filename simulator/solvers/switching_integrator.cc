#include "simulator/solvers/switching_integrator.h"

#include <algorithm>
#include <utility>

#include "simulator/solvers/integration_error.h"
#include "simulator/solvers/iteration_matrix.h"

namespace davit {
namespace {

/// A method that factorises seldom where factors fill up; else one that needs the fewest steps.
std::string_view ChooseImplicitMethod(const SolverProblem& problem) {
  // Operations for each state: a step of ida costs a quarter of one of rodas5p, without the factors.
  constexpr double kMuchFill = 1250;
  constexpr std::size_t kLarge = 100;
  const bool is_resized = problem.largest > 0;
  if (is_resized || problem.size < kLarge || problem.pattern.size() != problem.size) return "rodas5p";
  IterationMatrix matrix(problem.size, problem.size);
  matrix.Resize(problem.pattern);
  return matrix.Operations(0) > kMuchFill * static_cast<double>(problem.size) ? "ida" : "rodas5p";
}

std::unique_ptr<Integrator> Make(const SolverProblem& problem, IntegratorOptions options,
                                 std::string_view method) {
  options.method = method;
  return MakeIntegrator(problem, options);
}

}  // namespace

SwitchingIntegrator::SwitchingIntegrator(const SolverProblem& problem, const IntegratorOptions& options)
    : problem_(problem) {
  names_[kExplicit] = kExplicitMethod;
  methods_[kExplicit] = Make(problem, options, kExplicitMethod);
  if (problem.linearize != nullptr || problem.size <= kMostDense) {
    names_[kImplicit] = ChooseImplicitMethod(problem);
    methods_[kImplicit] = Make(problem, options, names_[kImplicit]);
  }
  TakeSize(problem);
}

void SwitchingIntegrator::TakeSize(const SolverProblem& problem) {
  nominal_ = problem.nominal;
  nominal_.resize(problem.size, 1.0);
  y_.resize(problem.size);
  slope_.resize(problem.size);
  fastest_.Resize(problem.size);
}

void SwitchingIntegrator::Resize(const SolverProblem& problem) {
  TakeSize(problem);
  for (const auto& method : methods_) {
    if (method != nullptr) method->Resize(problem);
  }
}

void SwitchingIntegrator::Restart(double t, std::span<const double> y, RestartKind kind) {
  active().Restart(t, y, kind);
  t_ = t;
  // The pace before a jump is no measure of that behind it.
  if (kind == RestartKind::kNewProblem) is_trial_ = false;
  window_begin_ = std::min(window_begin_, t);
}

void SwitchingIntegrator::AdvanceTo(double t_end, double t_stop, std::span<double> y) {
  while (t_ < t_end) StepTowards(t_stop);
  active().ValueAt(t_end, y);
}

double SwitchingIntegrator::StepTowards(double t_stop) {
  const bool is_due = steps_in_use_ == kFirstLook || (steps_in_use_ > 0 && steps_in_use_ % kLookEvery == 0);
  if (is_due && methods_[kImplicit] != nullptr) Look();
  const double begin = t_;
  try {
    t_ = active().StepTowards(t_stop);
  } catch (const IntegrationError&) {
    TakeCounters();
    if (active_ == kImplicit || methods_[kImplicit] == nullptr) throw;
    is_trial_ = false;
    LosePatience(kExplicit);
    SwitchTo(kImplicit);
    return StepTowards(t_stop);
  }
  step_ = t_ - begin;
  ++steps_in_use_;
  TakeCounters();
  return t_;
}

void SwitchingIntegrator::Look() {
  if (!(t_ > window_begin_)) return;  // this look has been taken: what followed failed
  pace_ = Pace();
  BeginWindow();
  if (is_trial_) {
    const bool is_clear = pace_ < kClearlyBetter * pace_before_;
    if (steps_in_use_ < kTrial && !is_clear) return;
    is_trial_ = false;
    if (pace_ < pace_before_) {
      patience_[other()] = kLeastPatience;
    } else {
      LosePatience(active_);
      SwitchTo(other());
    }
    return;
  }
  if (!SeesReason()) return;
  if (steps_in_use_ < patience_[other()]) return;
  is_trial_ = true;
  pace_before_ = pace_;
  SwitchTo(other());
}

bool SwitchingIntegrator::SeesReason() {
  active().ValueAt(t_, y_);
  const auto evaluate = [this](const std::vector<double>& y, std::vector<double>& slope, double t) {
    ++own_evaluations_;
    problem_.evaluate(problem_.context, y.data(), slope.data(), t);
  };
  evaluate(y_, slope_, t_);
  const double rate = fastest_.Estimate(evaluate, y_, slope_, t_, nominal_);
  if (active_ == kExplicit) {
    const bool is_near_limit = step_ * rate > kNearLimit;
    const bool is_limited = std::exchange(was_near_limit_, is_near_limit) && is_near_limit;
    return is_limited || steps_in_use_ >= kUnseenLimit;
  }
  return kExplicitCost * rate / (0.8 * kStabilityLimit) < kWorthTrying * pace_;
}

void SwitchingIntegrator::SwitchTo(int method) {
  active().ValueAt(t_, y_);
  active_ = method;
  active().Restart(t_, y_, RestartKind::kNewProblem);
  if (method == kImplicit) active().ProposeStep(step_);
  if (progress_ != nullptr) progress_->BeginAgain();
  steps_in_use_ = 0;
  was_near_limit_ = false;
  BeginWindow();
  ++switches_;
}

void SwitchingIntegrator::LosePatience(int method) {
  patience_[method] = std::min(4 * std::max(patience_[method], kLeastPatience), kMostPatience);
}

void SwitchingIntegrator::TakeCounters() {
  counters_ = methods_[kExplicit]->counters();
  if (methods_[kImplicit] != nullptr) {
    counters_ = counters_ + methods_[kImplicit]->counters();
    counters_.implicit_steps = methods_[kImplicit]->counters().steps;
  }
  counters_.evaluations += own_evaluations_;
  counters_.method_switches = switches_;
}

void SwitchingIntegrator::BeginWindow() {
  window_begin_ = t_;
  window_evaluations_ = active().counters().evaluations;
  window_attempts_ = Attempts();
}

std::uint64_t SwitchingIntegrator::Attempts() const {
  const IntegratorCounters& counters = methods_[active_]->counters();
  return counters.steps + counters.rejected;
}

double SwitchingIntegrator::Pace() const {
  if (!(t_ > window_begin_)) return 0;
  const auto evaluations =
      static_cast<double>(methods_[active_]->counters().evaluations - window_evaluations_);
  const auto attempts = static_cast<double>(Attempts() - window_attempts_);
  return (evaluations + methods_[active_]->overhead() * attempts) / (t_ - window_begin_);
}

void SwitchingIntegrator::set_progress_watch(ProgressWatch* watch) {
  Integrator::set_progress_watch(watch);
  for (const auto& method : methods_) {
    if (method != nullptr) method->set_progress_watch(watch);
  }
}

void SwitchingIntegrator::set_profile(SolverProfile* profile) {
  for (const auto& method : methods_) {
    if (method != nullptr) method->set_profile(profile);
  }
}

void SwitchingIntegrator::ArchiveMemory(Archive& archive) {
  archive(active_, t_, step_, steps_in_use_, patience_[kExplicit], patience_[kImplicit], is_trial_,
          pace_before_, was_near_limit_, pace_, fastest_);
  for (const auto& method : methods_) {
    if (method != nullptr && method->can_be_archived()) method->ArchiveMemory(archive);
  }
  // Counters begin with each run; the window goes on.
  std::uint64_t evaluations = active().counters().evaluations - window_evaluations_;
  std::uint64_t attempts = Attempts() - window_attempts_;
  archive(window_begin_, evaluations, attempts);
  if (!archive.is_loading()) return;
  window_evaluations_ = active().counters().evaluations - evaluations;
  window_attempts_ = Attempts() - attempts;
}

}  // namespace davit
