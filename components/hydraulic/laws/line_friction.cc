#include "components/hydraulic/laws/line_friction.h"

#include "components/hydraulic/laws/circle_area.h"
#include "components/hydraulic/laws/pipe_elements.h"
#include "components/hydraulic/laws/unsteady_friction.h"

namespace davit {

void LineFriction::SetData(const LineFrictionData& data) {
  const double radius = data.diameter / 2;
  model_ = data.model;
  I_ = PipeInertance(data.density, data.length, CircleArea(data.diameter));
  rate_ = data.kinematic_viscosity / (radius * radius);
  steady_ = PipeFriction({.diameter = data.diameter,
                          .length = data.length,
                          .density = data.density,
                          .kinematic_viscosity = data.kinematic_viscosity});
}

void LineFriction::SetStep(double h) {
  const double R0 = steady_.laminar_resistance();
  branch_count_ = 0;
  unsteady_ = 0;
  if (model_ != LineFrictionModel::kFrequencyDependent) return;
  double integral = kUnsteadyFrictionIntegral;  // what is not in the branches
  for (std::size_t i = 0; i < kTerms; ++i) {
    const double half = kUnsteadyFrictionRates[i] * rate_ * h / 2;
    if (half > 1) break;
    Branch& branch = branches_[branch_count_++];
    branch.gain = R0 / 4 * kUnsteadyFrictionWeights[i] / (1 + half);
    branch.decay = (1 - half) / (1 + half);
    unsteady_ += branch.gain;
    integral -= kUnsteadyFrictionWeights[i] / kUnsteadyFrictionRates[i];
  }
  unsteady_ += R0 / 4 * integral / (rate_ * h);
  admittance_ = h / (4 * I_);
  share_ = 1 / (1 + unsteady_ * admittance_);
}

void LineFriction::Start(double q) {
  q_ = q_branches_ = q;
  q_parallel_ = 0;
  u_ = 0;
  for (Branch& branch : branches_) branch.u = 0;
  MakeOffer();
}

void LineFriction::Advance(double q) {
  q_ = q;
  if (unsteady_ > 0) {
    const double u = unsteady_ * share_ * q + offset_;
    q_parallel_ += admittance_ * (u + u_);
    u_ = u;
    const double q_branches = q - q_parallel_;
    const double change = q_branches - q_branches_;
    for (std::size_t i = 0; i < branch_count_; ++i) {
      branches_[i].u = branches_[i].decay * branches_[i].u + branches_[i].gain * change;
    }
    q_branches_ = q_branches;
  }
  MakeOffer();
}

void LineFriction::MakeOffer() {
  if (model_ == LineFrictionModel::kNone) {
    impedance_ = offset_ = 0;
    return;
  }
  impedance_ = steady_.Resistance(q_) / 2;
  if (unsteady_ == 0) return;
  // Branches: u = unsteady_*q1 + memory. Parallel: q2 = admittance_*u + q2_memory. Together q = q1 + q2.
  double memory = -unsteady_ * q_branches_;
  for (std::size_t i = 0; i < branch_count_; ++i) memory += branches_[i].decay * branches_[i].u;
  const double q2_memory = q_parallel_ + admittance_ * u_;
  offset_ = (memory - unsteady_ * q2_memory) * share_;
  impedance_ += unsteady_ * share_;
}

}  // namespace davit
