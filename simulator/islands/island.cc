#include "simulator/islands/island.h"

#include <algorithm>
#include <cmath>

#include "simulator/passes/component_traits.h"
#include "simulator/solvers/integration_error.h"

namespace davit {
namespace {

/// Share of its size by which an unknown must move to be worth telling.
constexpr double kMoved = 1e-6;

}  // namespace

void Island::set_watch(CallWatch* watch) {
  equations_.set_watch(watch);
  stepper_.set_watch(watch);
  solver_.set_profile(watch == nullptr ? nullptr : watch->solver_profile());
}

bool Island::CanUse(const OdeMethod& method) const {
  return !is_implicit() && (method.has_values_inside || std::ranges::none_of(members(), [](const auto* one) {
                              return HasActiveGuards(*one);
                            }));
}

void Island::Start(double t) {
  if (is_outdated()) ArrangeStates();
  equations_.Start(t);
  solver_.Start();
  stepper_.Start(t);
}

void Island::ChangeMethod(std::string_view method) {
  solver_.ChooseMethod(method);
  ArrangeStates();
  solver_.Replace();
  stepper_.SolverReplaced();
}

std::vector<Island::Moved> Island::MakeConsistent(double t, double t_next) {
  std::vector<Moved> moved;
  if (!is_implicit()) return moved;
  const StateVectors& states = equations_.states();
  const std::vector<double> before = states.y;
  try {
    solver_.FindConsistent(solver_.integrator(), t, t_next, false);
  } catch (IntegrationError& error) {
    error.set_island(*this);
    EvaluateAt(t);
    throw;
  }
  EvaluateAt(t);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double size = std::max(std::abs(before[i]), states.Declaration(i).nominal);
    if (std::abs(states.y[i] - before[i]) > kMoved * size) moved.push_back({i, before[i], states.y[i]});
  }
  return moved;
}

void Island::ShowPresent(double t, double h, bool is_step_point) {
  if (is_step_point) {
    equations_.UpdateLatches();
    TakeWaves();
  }
  if (is_implicit()) {
    try {
      solver_.FindConsistentAside(t, t + h);
    } catch (IntegrationError& error) {
      error.set_island(*this);
      equations_.ShowStepPoint();
      throw;
    }
  }
  EvaluateAt(t);
}

void Island::Advance(double t0, double t1, double horizon) {
  try {
    stepper_.Advance(t0, t1, horizon);
  } catch (IntegrationError& error) {
    error.set_island(*this);
    throw;
  }
}

void Island::MakeRestartPoint() {
  if (is_outdated()) RearrangeStates();
  if (solver_.jacobian().is_due_to_go()) stepper_.DropJacobian();  // as the next step would
  if (solver_.ReplaceUnarchived()) RestartAtNextStep();
}

void Island::ArchiveMemory(Archive& archive) {
  if (archive.is_loading() && is_outdated()) RearrangeStates();
  archive(solver_.jacobian());
  if (archive.is_loading() && solver_.jacobian().is_due_to_go()) stepper_.DropJacobian();
  ArchiveShown(archive);
  archive(stepper_, solver_);
}

}  // namespace davit
