#include "components/marine/floating_body.h"

#include <Eigen/Geometry>
#include <limits>
#include <utility>

namespace davit {

FloatingBody::Shift::Shift(DynamicSimComponent* owner, Text name, Text rate_name, Text acceleration_name,
                           bool is_turn)
    : value(owner, name, is_turn ? Text("rad") : Text("m"), "How far the vessel yields", 0,
            is_turn ? 0.1 : 1),
      rate(owner, rate_name, is_turn ? Text("rad/s") : Text("m/s"), "Its rate", 0, is_turn ? 0.1 : 1),
      acceleration(owner, acceleration_name, is_turn ? Text("rad/s2") : Text("m/s2"), "Its acceleration", 0,
                   is_turn ? 0.1 : 1) {}

FloatingBody::FloatingBody()
    : shifts_{Shift(this, "surge_shift", "surge_shift_rate", "surge_shift_acceleration", false),
              Shift(this, "sway_shift", "sway_shift_rate", "sway_shift_acceleration", false),
              Shift(this, "heave_shift", "heave_shift_rate", "heave_shift_acceleration", false),
              Shift(this, "roll_shift", "roll_shift_rate", "roll_shift_acceleration", true),
              Shift(this, "pitch_shift", "pitch_shift_rate", "pitch_shift_acceleration", true),
              Shift(this, "yaw_shift", "yaw_shift_rate", "yaw_shift_acceleration", true)} {
  EffortsRead({});
}

void FloatingBody::TakeItems(std::vector<ItemElement> items, const UnitSystem& units,
                             const Registry& /*registry*/, Diagnostics& diagnostics) {
  items_ = std::move(items);
  hull_ = ReadHull(items_, *this, units, diagnostics);
}

void FloatingBody::Configure(Diagnostics& diagnostics) {
  if (items_.empty())
    diagnostics.Error(location(), DisplayPath(),
                      "there is no hull; write for example <Mass degree=\"heave\" heave=\"4000 t\"/> and "
                      "<Stiffness degree=\"heave\" heave=\"1e7 N/m\"/> inside");
  Eigen::Index states = 0;
  for (const Hull::Radiation& of : hull_.radiation) states += of.B.size();
  radiation.SetSize(static_cast<std::uint32_t>(states));
}

void FloatingBody::Link(System& /*system*/, Diagnostics& /*diagnostics*/) {
  source_ = MotionSource::FindAny(*this);
}

void FloatingBody::ParametersChanged() {
  if (source_ != nullptr && !waves_) waves_ = source_->MakeMotion();
}

void FloatingBody::EvaluateEfforts(double t) {
  *total_ = waves_ ? waves_(t) : MotionSource::Motion{};
  for (std::size_t i = 0; i < shifts_.size(); ++i) {
    MotionSource::Degree& degree = (*total_)[i];
    degree.value += shifts_[i].value;
    degree.rate += shifts_[i].rate;
    degree.acceleration += shifts_[i].acceleration;
    motion_.Set(i, degree.value, degree.rate, degree.acceleration);
  }
}

Hull::Vector FloatingBody::LoadOnCoordinates() const {
  using Eigen::AngleAxisd;
  using Eigen::Vector3d;
  const Eigen::Matrix3d Rz = AngleAxisd((*total_)[5].value, Vector3d::UnitZ()).toRotationMatrix();
  const Eigen::Matrix3d Rzy = Rz * AngleAxisd((*total_)[4].value, Vector3d::UnitY()).toRotationMatrix();
  const Eigen::Matrix3d R = Rzy * AngleAxisd((*total_)[3].value, Vector3d::UnitX()).toRotationMatrix();
  const Vector3d force(fx, fy, fz), moment(mx, my, mz), place(x, y, z);
  const Vector3d F = -(R * force), T = -(R * (moment + place.cross(force)));
  Hull::Vector load;
  // The axes of roll, pitch and yaw in the world: roll is turned by pitch and yaw.
  load << F, Rzy.col(0).dot(T), Rz.col(1).dot(T), T.z();
  return load;
}

Hull::Vector FloatingBody::Values() const {
  Hull::Vector s;
  for (std::size_t i = 0; i < shifts_.size(); ++i) s[static_cast<Eigen::Index>(i)] = shifts_[i].value;
  return s;
}

Hull::Vector FloatingBody::Rates() const {
  Hull::Vector v;
  for (std::size_t i = 0; i < shifts_.size(); ++i) v[static_cast<Eigen::Index>(i)] = shifts_[i].rate;
  return v;
}

void FloatingBody::EvaluateAlgebraicEquations(double /*t*/) {
  const Hull::Vector s = Values(), v = Rates();
  Hull::Vector a;
  for (std::size_t i = 0; i < shifts_.size(); ++i) a[static_cast<Eigen::Index>(i)] = shifts_[i].acceleration;
  const Hull::Matrix inertia = hull_.mass + hull_.added_mass;
  Hull::Vector excess = inertia * a + hull_.damping * v + hull_.stiffness * s - LoadOnCoordinates();
  std::size_t k = 0;
  for (const Hull::Radiation& of : hull_.radiation) {
    const std::size_t first = k;
    const auto force = static_cast<Eigen::Index>(of.force), motion = static_cast<Eigen::Index>(of.motion);
    for (Eigen::Index i = 0; i < of.B.size(); ++i, ++k) {
      double rate = of.B[i] * v[motion];
      for (Eigen::Index j = 0; j < of.B.size(); ++j)
        rate += of.A(i, j) * radiation[first + static_cast<std::size_t>(j)];
      radiation[k].residual = radiation[k].ddt - rate;
      excess[force] += of.C[i] * radiation[k];
    }
  }
  for (std::size_t i = 0; i < shifts_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    Shift& shift = shifts_[i];
    shift.value.residual = shift.value.ddt - shift.rate;
    shift.rate.residual = shift.rate.ddt - shift.acceleration;
    shift.acceleration.residual = hull_.is_free[i] ? excess[row] / inertia(row, row) : a[row];
  }
  kinetic_energy = v.dot(inertia * v) / 2;
  potential_energy = s.dot(hull_.stiffness * s) / 2;
}

double FloatingBody::NextBreakTime(double t) const {
  return source_ == nullptr ? std::numeric_limits<double>::infinity() : source_->NextKink(t);
}

void FloatingBody::AccountEnergy(EnergyTerms& terms) const {
  const Hull::Vector s = Values(), v = Rates();
  terms.Stored("kinetic", v.dot((hull_.mass + hull_.added_mass) * v) / 2);
  terms.Stored("potential", s.dot(hull_.stiffness * s) / 2);
  terms.Lost("damping", v.dot(hull_.damping * v));
  double radiated = 0;
  std::size_t k = 0;
  for (const Hull::Radiation& of : hull_.radiation) {
    for (Eigen::Index i = 0; i < of.B.size(); ++i, ++k)
      radiated += of.C[i] * radiation[k] * v[static_cast<Eigen::Index>(of.force)];
  }
  if (!hull_.radiation.empty()) terms.Lost("radiated waves", radiated);
  terms.In("load", LoadOnCoordinates().dot(v));
}

}  // namespace davit
