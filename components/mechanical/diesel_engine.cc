#include "components/mechanical/diesel_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "components/signal/limit.h"
#include "components/signal/number_list.h"

namespace davit {
namespace {

/// The share of the stall speed at which an engine has no torque left.
constexpr double kDead = 0.8;

}  // namespace

DieselEngine::DieselEngine() { EffortsRead({shaft}); }

void DieselEngine::Configure(Diagnostics& diagnostics) {
  const auto report = [&](const std::string& fault) { diagnostics.Error(location(), DisplayPath(), fault); };
  speeds_ = ReadNumberList(speeds, "rad/s", *this, diagnostics);
  torques_ = ReadNumberList(torques, "N.m", *this, diagnostics);
  if (speeds_.empty() || torques_.empty()) return;
  if (speeds_.size() != torques_.size())
    report(fmt::format("the number of speeds is {}, that of torques {}; give one torque per speed",
                       speeds_.size(), torques_.size()));
  if (std::ranges::adjacent_find(speeds_, std::greater_equal<>()) != speeds_.end())
    report("speeds: they do not increase; sort the points of the full load curve by their speed");
  if (std::ranges::min(torques_) < 0)
    report("torques: one is negative; drag_torque is the torque that the engine takes up");
}

double DieselEngine::FullTorque(double omega) const {
  if (torques_.size() != speeds_.size() || torques_.empty()) return 0;  // after a fault in Configure
  const auto next = std::ranges::upper_bound(speeds_, omega);
  const auto n = static_cast<std::size_t>(next - speeds_.begin());
  if (n == 0) return torques_.front();
  if (n == speeds_.size()) return torques_.back();
  return std::lerp(torques_[n - 1], torques_[n], (omega - speeds_[n - 1]) / (speeds_[n] - speeds_[n - 1]));
}

double DieselEngine::Demand(double omega) const {
  return set_speed > 0 ? Limit((set_speed - omega) / (droop * set_speed), 0, 1) : 0.0;
}

double DieselEngine::Combustion(double omega) const {
  return Limit((omega / stall_speed - kDead) / (1 - kDead), 0, 1);
}

DieselEngine::Operation DieselEngine::OperationNow() const {
  if (speed < stall_speed) return Operation::kStalled;
  return Demand(speed) < 1 ? Operation::kGoverned : Operation::kFullLoad;
}

void DieselEngine::EvaluateEfforts(double /*t*/) { shaft->c = T_i + drag_torque * std::tanh(shaft->w); }

void DieselEngine::EvaluateDiffEquations(double /*t*/) {
  const double omega = -shaft->w;
  const double available = FullTorque(omega);
  T_i.ddt = (Demand(omega) * full * Combustion(omega) * available - T_i) / response_time;
  torque = shaft->T();
  speed = omega;
  power = torque * omega;
  load = available > 0 ? T_i / available : 0.0;
  fuel = consumption * std::max(T_i * omega, 0.0);
}

}  // namespace davit
