#include "simulator/islands/island_solver.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "simulator/islands/island_equations.h"
#include "simulator/islands/island_plan.h"
#include "simulator/solvers/fastest_mode.h"
#include "simulator/solvers/integration_error.h"
#include "simulator/solvers/solver_profile.h"
#include "simulator/solvers/switching_integrator.h"

namespace davit {
namespace {

/// Time constants below this share of a TimeStep are named as the reason why a solver does not get on.
constexpr double kFarFaster = 1e8;

}  // namespace

IslandSolver::IslandSolver(IslandEquations& equations, IslandPlan& plan)
    : equations_(equations), jacobian_(equations, plan), options_(std::move(plan.options)) {
  problem_.context = this;
  problem_.evaluate = [](void* context, const double* y, double* ddt, double time) {
    static_cast<IslandSolver*>(context)->equations_.Evaluate(y, ddt, time);
  };
  if (!equations_.is_implicit()) return;
  problem_.residual = [](void* context, double t, const double* y, const double* ddt, double* residual) {
    static_cast<IslandSolver*>(context)->equations_.EvaluateResidual(t, y, ddt, residual);
  };
  const StateVectors& states = equations_.states();
  for (std::size_t i = 0; i < states.size(); ++i)
    problem_.is_algebraic.push_back(states.Declaration(i).is_algebraic);
}

std::string_view IslandSolver::method_in_use() const {
  const std::string_view method = integrator_ == nullptr ? "" : integrator_->method_in_use();
  return method.empty() ? std::string_view(options_.method) : method;
}

void IslandSolver::MakeJacobian() {
  if (!is_outside_) {
    if (!FindOdeMethod(options_.method)->needs_jacobian) return;
    if (options_.method == SwitchingIntegrator::kMethod && jacobian_.HasLargeBlock()) return;
  }
  jacobian_.Make();
}

void IslandSolver::FillProblem() {
  const StateVectors& states = equations_.states();
  problem_.size = states.size();
  problem_.nominal.clear();
  for (std::size_t i = 0; i < states.size(); ++i) problem_.nominal.push_back(states.Declaration(i).nominal);
  if (!jacobian_.is_made()) return;
  if (is_packed()) {
    problem_.pattern.Restrict(jacobian_.pattern(), states.offsets(), StateVectors::kAbsent);
  } else {
    problem_.pattern = jacobian_.pattern();
  }
}

void IslandSolver::Make() {
  const StateVectors& states = equations_.states();
  problem_.smallest = problem_.largest = 0;
  problem_.size = states.capacity();
  problem_.nominal.assign(problem_.size, 1.0);
  if (jacobian_.is_made()) {
    problem_.pattern = jacobian_.pattern();
    problem_.linearize = [](void* context, const LinearizationPoint& point, double* entries) {
      auto& self = *static_cast<IslandSolver*>(context);
      return self.jacobian_.Linearize(point, self.problem_.pattern, entries);
    };
  }
  if (is_packed() && states.smallest() < states.capacity()) {
    problem_.smallest = states.smallest();
    problem_.largest = states.capacity();
  }
  if (problem_.largest == 0) FillProblem();
  if (is_outside_) {
    auto outside = std::make_unique<OutsideIntegrator>(problem_, options_);
    outside_ = outside.get();
    integrator_ = std::move(outside);
  } else {
    integrator_ = MakeIntegrator(problem_, options_);
  }
  if (problem_.largest != 0) {
    FillProblem();
    integrator_->Resize(problem_);
  }
  progress_.Reserve(states.capacity());
  progress_.Resize(problem_.nominal);
  integrator_->set_progress_watch(&progress_);
  Show();
}

void IslandSolver::set_profile(SolverProfile* profile) {
  profile_ = profile;
  if (integrator_ != nullptr) Show();
}

void IslandSolver::Show() {
  integrator_->set_profile(profile_);
  if (profile_ == nullptr) return;
  const StateVectors& states = equations_.states();
  std::vector<std::string> names;
  names.reserve(states.size());
  for (std::size_t i = 0; i < states.size(); ++i) names.push_back(states.Name(i));
  profile_->SetStates(std::move(names));
}

void IslandSolver::Start() {
  past_ = {};
  jacobian_.Begin();
  MakeJacobian();
  Make();
}

void IslandSolver::Replace() {
  past_ = counters();
  MakeJacobian();
  Make();
}

bool IslandSolver::ReplaceUnarchived() {
  if (integrator_->can_be_archived()) return false;
  past_ = counters();
  Make();
  integrator_->GiveSlope(equations_.states().ddt);
  return true;
}

void IslandSolver::DropJacobian() {
  jacobian_.Drop();
  problem_.pattern = {};
  problem_.linearize = nullptr;
  past_ = counters();
  Make();
}

void IslandSolver::StatesArranged() {
  jacobian_.Arrange();
  if (!is_packed()) return;
  FillProblem();
  integrator_->Resize(problem_);
  progress_.Resize(problem_.nominal);
  if (profile_ != nullptr) Show();
}

void IslandSolver::FindConsistent(Integrator& with, double t, double t_next, bool starts_from_slope) {
  StateVectors& states = equations_.states();
  with.Restart(t, states.y, Integrator::RestartKind::kNewProblem);
  if (starts_from_slope) with.GiveSlope(states.ddt);
  with.MakeConsistent(t_next, states.y, states.ddt);
}

void IslandSolver::FindConsistentAside(double t, double t_next) {
  SolverProblem problem = problem_;
  problem.linearize = nullptr;  // the Jacobian of the run counts how often it is made
  FindConsistent(*MakeIntegrator(problem, options_), t, t_next, true);
}

void IslandSolver::BlameFastestMode(IntegrationError& error, double h, std::vector<double>& y) {
  if (equations_.is_implicit()) return;
  integrator_->ValueAt(error.time(), y);
  const FastestMode mode = FindFastestMode(problem_, error.time(), y);
  if (!(mode.rate * h > kFarFaster)) return;
  error.Blame(
      mode.state,
      fmt::format("it answers within {:.2g} s (time constant): look for a parameter of it, or of a component "
                  "connected to it, that is out of proportion",
                  1 / mode.rate));
}

void IslandSolver::ArchiveMemory(Archive& archive) {
  if (integrator_->can_be_archived()) {
    integrator_->ArchiveMemory(archive);
  } else if (archive.is_loading()) {
    integrator_->GiveSlope(equations_.states().ddt);
  }
}

}  // namespace davit
