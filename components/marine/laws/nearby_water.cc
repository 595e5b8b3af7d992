#include "components/marine/laws/nearby_water.h"

#include <algorithm>
#include <cmath>

namespace davit {

NearbyWater::NearbyWater(const WaveField& field) : depth_(field.depth()) {
  const auto count = static_cast<Eigen::Index>(field.waves().size());
  for (Values* values :
       {&amplitude_, &frequency_, &number_, &cosine_, &sine_, &phase_, &speed_, &middle_c_, &middle_s_,
        &middle_down_, &middle_mirrored_, &c_, &s_, &across_, &upright_, &angle_, &square_})
    values->setZero(count);
  double fastest = 0, shortest = 0;  // frequency and wave number
  for (Eigen::Index i = 0; i < count; ++i) {
    const Wave& wave = field.waves()[static_cast<std::size_t>(i)];
    amplitude_[i] = wave.amplitude;
    frequency_[i] = wave.frequency;
    number_[i] = wave.number;
    cosine_[i] = std::cos(wave.direction);
    sine_[i] = std::sin(wave.direction);
    phase_[i] = wave.phase;
    speed_[i] = wave.amplitude * wave.frequency / (1 - std::exp(-2 * wave.number * depth_));
    fastest = std::max(fastest, wave.frequency);
    shortest = std::max(shortest, wave.number);
  }
  if (fastest > 0) t_.step = 0.25 / fastest;
  if (shortest > 0) x_.step = y_.step = z_.step = 0.25 / shortest;
}

bool NearbyWater::Axis::Enter(double to) {
  value = to;
  const double before = cell;
  cell = std::floor(to / step);
  return cell != before;
}

void NearbyWater::TurnTo(double t, double x, double y) {
  if (t == t_.value && x == x_.value && y == y_.value) return;
  const bool is_new_t = t_.Enter(t), is_new_x = x_.Enter(x), is_new_y = y_.Enter(y);
  if (is_new_t || is_new_x || is_new_y) {
    angle_ = frequency_ * t_.middle() - number_ * (x_.middle() * cosine_ + y_.middle() * sine_) + phase_;
    middle_c_ = angle_.cos();
    middle_s_ = angle_.sin();
  }
  angle_ = frequency_ * t_.offset() - number_ * (x_.offset() * cosine_ + y_.offset() * sine_);
  square_ = angle_.square();
  // 1 - a^2/2! + .. + a^12/12! and a - a^3/3! + .. + a^13/13!
  c_ = 1 - square_ * (1.0 / 2) *
               (1 - square_ * (1.0 / 12) *
                        (1 - square_ * (1.0 / 30) *
                                 (1 - square_ * (1.0 / 56) *
                                          (1 - square_ * (1.0 / 90) * (1 - square_ * (1.0 / 132))))));
  s_ = angle_ *
       (1 - square_ * (1.0 / 6) *
                (1 - square_ * (1.0 / 20) *
                         (1 - square_ * (1.0 / 42) *
                                  (1 - square_ * (1.0 / 72) *
                                           (1 - square_ * (1.0 / 110) * (1 - square_ * (1.0 / 156)))))));
  square_ = middle_c_ * c_ - middle_s_ * s_;
  s_ = middle_s_ * c_ + middle_c_ * s_;
  c_ = square_;
}

void NearbyWater::SinkTo(double z) {
  if (z == z_.value) return;
  if (z_.Enter(z)) {
    middle_down_ = speed_ * (number_ * z_.middle()).exp();
    middle_mirrored_ = speed_ * (-number_ * (z_.middle() + 2 * depth_)).exp();
  }
  angle_ = number_ * z_.offset();
  square_ = angle_.square();
  // cosh to the tenth power, sinh to the ninth
  across_ =
      1 + square_ * (1.0 / 2) *
              (1 + square_ * (1.0 / 12) *
                       (1 + square_ * (1.0 / 30) * (1 + square_ * (1.0 / 56) * (1 + square_ * (1.0 / 90)))));
  upright_ =
      angle_ * (1 + square_ * (1.0 / 6) *
                        (1 + square_ * (1.0 / 20) * (1 + square_ * (1.0 / 42) * (1 + square_ * (1.0 / 72)))));
  angle_ = middle_down_ * (across_ + upright_);
  square_ = middle_mirrored_ * (across_ - upright_);
  across_ = angle_ + square_;
  upright_ = angle_ - square_;
}

double NearbyWater::Elevation(double t, double x, double y) {
  TurnTo(t, x, y);
  return (amplitude_ * c_).sum();
}

WaterMotion NearbyWater::At(double t, const Eigen::Vector3d& place) {
  WaterMotion motion;
  motion.elevation = Elevation(t, place.x(), place.y());
  SinkTo(std::clamp(place.z(), -depth_, 0.0));
  angle_ = across_ * c_;
  motion.velocity = {(angle_ * cosine_).sum(), (angle_ * sine_).sum(), -(upright_ * s_).sum()};
  angle_ = -frequency_ * across_ * s_;
  motion.acceleration = {(angle_ * cosine_).sum(), (angle_ * sine_).sum(),
                         -(frequency_ * upright_ * c_).sum()};
  return motion;
}

}  // namespace davit
