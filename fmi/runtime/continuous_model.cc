#include "fmi/runtime/continuous_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "simulator/islands/island.h"
#include "simulator/run/outside_solver.h"

namespace davit {

ContinuousModel::ContinuousModel(Simulation& simulation)
    : simulation_(simulation), manager_(simulation.manager()) {
  if (const std::string fault = manager_.outside().Fault(); !fault.empty())
    throw std::runtime_error(fault + "; take co-simulation");
  manager_.outside().TakeOver();
}

void ContinuousModel::Begin() {
  std::size_t count = 0;
  parts_.clear();
  for (const auto& island : manager_.islands()) {
    parts_.push_back({&island->problem(), count});
    count += island->states().size();
  }
  states_.resize(count);
  derivatives_.resize(count);
  before_.assign(count, std::numeric_limits<double>::quiet_NaN());
  time_ = completed_time_ = simulation_.time();
  same_ = SimulatorManager::kSameStep * manager_.time_step();
  same_point_ = kSamePoint * manager_.time_step();
  wanted_step_point_ = std::numeric_limits<double>::infinity();
  has_looks_ = manager_.outside().has_looks();
  TakeStates();
  ForgetLooks();
  SetEarliest();
  next_event_ = NextEvent();
}

ContinuousModel::Memory ContinuousModel::Save() {
  ShowRun();
  return {time_, states_, has_changed_states_, is_terminated_, wanted_step_point_};
}

void ContinuousModel::Load(const Memory& memory) {
  Begin();
  if (memory.states.size() != states_.size())
    throw std::invalid_argument("the state has another number of continuous states; save it again");
  time_ = memory.time;
  states_ = memory.states;
  has_changed_states_ = memory.has_changed_states;
  is_terminated_ = memory.is_terminated;
  wanted_step_point_ = memory.wanted_step_point;
  next_event_ = NextEvent();
}

void ContinuousModel::TakeStates() {
  double* place = states_.data();
  for (const auto& island : manager_.islands()) place = std::ranges::copy(island->states().y, place).out;
  Invalidate();
}

std::size_t ContinuousModel::indicator_count() const {
  std::size_t count = 0;
  for (const auto& island : manager_.islands()) count += island->locator().size();
  return count;
}

std::vector<std::string> ContinuousModel::StateNames() const {
  std::vector<std::string> names;
  for (const auto& island : manager_.islands()) {
    for (std::size_t i = 0; i < island->states().size(); ++i) names.push_back(island->states().Name(i));
  }
  return names;
}

std::vector<std::string> ContinuousModel::GuardNames() const {
  std::vector<std::string> names;
  for (const auto& island : manager_.islands()) {
    const EventLocator& locator = island->locator();
    for (std::size_t i = 0; i < locator.size(); ++i)
      names.push_back(fmt::format("{}.{}", locator.guard(i).owner().path(), locator.guard(i).name()));
  }
  return names;
}

void ContinuousModel::Evaluate() {
  for (const Part& part : parts_)
    part.problem->evaluate(part.problem->context, states_.data() + part.first,
                           derivatives_.data() + part.first, time_);
  is_refreshed_ = true;
}

void ContinuousModel::Indicators(std::span<double> values) {
  Refresh();
  std::size_t next = 0;
  for (const auto& island : manager_.islands()) {
    for (std::size_t i = 0; i < island->locator().size(); ++i)
      values[next++] = island->locator().Indicator(i);
  }
}

double ContinuousModel::Indicator(std::size_t number) {
  std::vector<double> values(indicator_count());
  Indicators(values);
  return values.at(number);
}

double ContinuousModel::Nominal(std::size_t state) const {
  for (const auto& island : manager_.islands()) {
    const StateVectors& states = island->states();
    if (state < states.size()) return states.Declaration(state).nominal;
    state -= states.size();
  }
  return 1;
}

void ContinuousModel::Linearize() {
  Invalidate();  // should an evaluation fail
  std::size_t count = 0;
  for (const auto& island : manager_.islands()) count += island->jacobian_pattern().nonzeros();
  jacobian_.assign(count, 0.0);
  std::span<double> entries = jacobian_;
  const double* y = states_.data();
  for (const auto& island : manager_.islands()) {
    const std::size_t nonzeros = island->jacobian_pattern().nonzeros();
    if (nonzeros > 0) island->EvaluateJacobian(time_, y, entries.first(nonzeros));
    entries = entries.subspan(nonzeros);
    y += island->states().size();
  }
  Evaluate();  // nothing that is shown is from beside the point
  has_jacobian_ = true;
}

std::vector<double> ContinuousModel::DirectionalDerivative(std::span<const double> seed) {
  if (!has_jacobian_) Linearize();
  std::vector<double> product(states_.size(), 0.0);
  std::size_t first = 0;
  const double* entries = jacobian_.data();
  for (const auto& island : manager_.islands()) {
    const JacobianPattern& pattern = island->jacobian_pattern();
    for (std::size_t column = 0; column < pattern.size(); ++column) {
      const double change = seed[first + column];
      const double* entry = entries + pattern.Begin(column);
      if (change == 0) continue;
      for (const std::uint32_t row : pattern.Rows(column)) product[first + row] += *entry++ * change;
    }
    entries += pattern.nonzeros();
    first += island->states().size();
  }
  return product;
}

double ContinuousModel::NextEvent() const {
  double next = std::numeric_limits<double>::infinity();
  if (manager_.is_finished()) return next;
  for (const auto& island : manager_.islands()) next = std::min(next, island->next_break());
  return std::min({next, manager_.outside().next_step_event(), wanted_step_point_, NextWaveMark()});
}

double ContinuousModel::NextWaveMark() const {
  constexpr double kMostMarks = 10'000;  // in a TimeStep
  double longest = std::numeric_limits<double>::infinity();
  for (const auto& island : manager_.islands()) {
    for (const DynamicSimComponent* member : island->members()) {
      if (member->entry().has_break_times) longest = std::min(longest, member->LongestStep(manager_.time()));
    }
  }
  if (std::isinf(longest)) return longest;
  longest = std::max(longest, manager_.time_step() / kMostMarks);
  return (std::floor((manager_.time() + same_) / longest) + 1) * longest;
}

bool ContinuousModel::IsTimeEvent() const { return next_event_ <= time_ + same_; }

void ContinuousModel::MarkWritten() {
  Invalidate();
  wanted_step_point_ = manager_.next_step_point();
}

void ContinuousModel::ShowRun() {
  for (const auto& island : manager_.islands()) island->EvaluateAt(manager_.time());
  Invalidate();
}

double ContinuousModel::StepPointNear(double t) const {
  const double h = manager_.time_step();
  const double point = manager_.start_time() + std::round((t - manager_.start_time()) / h) * h;
  return std::abs(t - point) <= same_ ? point : t;
}

bool ContinuousModel::HaveChanged(const std::vector<double>& before) {
  std::size_t first = 0;
  for (const auto& island : manager_.islands()) {
    // What components show in states that are not in use is no news to a solver.
    for (const std::uint32_t i : island->states().idle()) states_[first + i] = before[first + i];
    first += island->states().size();
  }
  return states_ != before;
}

void ContinuousModel::GiveStates(double t) {
  std::size_t first = 0;
  for (const auto& island : manager_.islands()) {
    const std::size_t size = island->states().size();
    island->GiveStates(t, std::span(states_).subspan(first, size));
    first += size;
  }
}

void ContinuousModel::Advance() {
  ShowRun();
  if (time_ > manager_.time() && !manager_.HasReached(time_)) {
    const double t = StepPointNear(time_);
    GiveStates(t);
    given_ = states_;
    const RunEnd end = simulation_.AdvanceTo(t);
    is_terminated_ = end == RunEnd::kMessage || !manager_.HasReached(t);
    next_event_ = NextEvent();
    SetEarliest();
    TakeStates();
    has_changed_states_ = HaveChanged(given_) || has_changed_states_;
    return;
  }
  // The states at the time reached are set anew.
  std::size_t first = 0;
  for (const auto& island : manager_.islands()) {
    StateVectors& own = island->states();
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (own.y[i] == states_[first + i]) continue;
      own.y[i] = states_[first + i];
      own.memory.is_overridden = true;
    }
    first += own.size();
  }
  ShowRun();
}

bool ContinuousModel::IsQuiet() {
  const double until = has_looks_ ? manager_.next_step_point() : manager_.stop_time();
  const bool is_known = std::ranges::all_of(manager_.islands(), [](const auto& island) {
    return island->locator().IsQuiet() && !island->modes().SeesChange();
  });
  return !IsNearEvent() && is_known && time_ < until - same_;
}

bool ContinuousModel::IsNearEvent() {
  constexpr double kNear = 10 * EventLocator::kSimultaneous;
  const double share = kNear / (time_ - looked_time_);
  bool is_near = false;
  std::size_t next = 0;
  for (const auto& island : manager_.islands()) {
    for (std::size_t i = 0; i < island->locator().size(); ++i) {
      const double value = island->locator().Indicator(i);
      const double before = std::exchange(looked_[next++], value);
      // Not known, or so close that it may be zero before the next look.
      is_near = is_near || !(value > share * (before - value)) || std::isnan(before);
    }
  }
  looked_time_ = time_;
  return is_near && share < std::numeric_limits<double>::infinity();
}

bool ContinuousModel::CompleteStep() {
  completed_time_ = time_;
  SetEarliest();
  if (IsTimeEvent()) return false;  // the master knows of it and enters event mode
  Refresh();
  if (IsQuiet()) return false;
  accepted_ = states_;
  if (LeanToEvent()) {
    states_ = accepted_;
    Invalidate();
    return true;
  }
  Advance();
  const bool has_event = has_changed_states_ || is_terminated_;
  states_ = accepted_;  // until event mode
  Invalidate();
  return has_event;
}

bool ContinuousModel::IsBreak() const {
  return std::ranges::any_of(manager_.islands(),
                             [&](const auto& island) { return island->next_break() <= time_ + same_; });
}

bool ContinuousModel::HasWaves() const {
  for (const auto& island : manager_.islands()) {
    for (const DynamicSimComponent* member : island->members()) {
      if (member->entry().has_break_times && std::isfinite(member->LongestStep(time_))) return true;
    }
  }
  return false;
}

bool ContinuousModel::LeanToEvent() {
  const auto is_due = [this] {
    Refresh();
    return std::ranges::any_of(manager_.islands(),
                               [](const auto& island) { return island->locator().IsDue(); });
  };
  if (is_due()) return true;
  if (indicator_count() == 0) return false;
  base_ = states_;
  base_slopes_ = derivatives_;
  const auto is_due_after = [&](double ahead) {
    for (std::size_t i = 0; i < states_.size(); ++i) states_[i] = base_[i] + ahead * base_slopes_[i];
    Invalidate();
    return is_due();
  };
  if (!is_due_after(EventLocator::kSimultaneous)) {
    states_ = base_;
    Invalidate();
    return false;
  }
  for (const double ahead : {1e-12, 1e-11, 1e-10}) {
    if (is_due_after(ahead)) return true;
  }
  return is_due_after(EventLocator::kSimultaneous);
}

bool ContinuousModel::HasJumped() {
  constexpr double kRounding = 1e-9;  // the time of the master is that of the run but for its last digits
  Refresh();
  for (std::size_t i = 0; i < derivatives_.size(); ++i) {
    const double size = std::max(std::abs(derivatives_[i]), std::abs(before_[i]));
    if (std::abs(derivatives_[i] - before_[i]) > kRounding * size) return true;
  }
  return false;
}

void ContinuousModel::ForgetLooks() {
  looked_.assign(indicator_count(), std::numeric_limits<double>::quiet_NaN());
  looked_time_ = time_;
}

void ContinuousModel::EnterEvent() {
  ForgetLooks();
  Refresh();
  before_ = derivatives_;
  has_new_equations_ = IsBreak() || HasWaves();
  if (!has_changed_states_ && !IsTimeEvent()) LeanToEvent();
  if (has_changed_states_) {  // an event was found when the step was completed
    ShowRun();
    TakeStates();
  } else {
    Advance();
  }
}

FmuEventInfo ContinuousModel::Update() {
  given_ = states_;
  if (!is_terminated_) manager_.Settle();
  TakeStates();
  FmuEventInfo info;
  // Some solvers have run ahead with the old equations, and begin anew only where states are said to be new.
  const bool has_moved = HaveChanged(given_);
  const bool has_new_states = std::exchange(has_changed_states_, false) || has_moved;
  const bool has_new_equations = std::exchange(has_new_equations_, false) || HasJumped();
  before_ = derivatives_;
  info.has_changed_states = has_new_states || has_new_equations;
  info.is_terminated = is_terminated_;
  if (manager_.HasReached(wanted_step_point_)) wanted_step_point_ = std::numeric_limits<double>::infinity();
  info.next_event = next_event_ = NextEvent();
  return info;
}

}  // namespace davit
