#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "hopsan/component.h"
#include "hopsan/laws/filters.h"
#include "hopsan/laws/implicit_step.h"

namespace davit::hopsan {

/// A speed from a signal; the position is its integral, or a signal of its own.
template <class Side>
class SpeedSource final : public QComponent {
 public:
  static constexpr ModelInfo kInfo = Side::kInfo;
  void Initialize() override {
    place_.Start(side_.speed, side_.place);
    side_.Show(side_.place);
  }
  void SimulateOneTimestep(double /*t*/) override {
    const double moved = place_.Step(side_.speed, T());
    side_.Show(IsConnected(side_.place) ? side_.place : moved);
  }
  void ArchiveMemory(Archive& archive) override { archive(place_); }

 private:
  Side side_{this};
  Integrator place_;
};
struct VelocitySide {
  static constexpr ModelInfo kInfo{.name = "hopsan.MechanicVelocityTransformer",
                                   .text = "Velocity from a signal"};
  explicit VelocitySide(QComponent* owner)
      : Pm1(owner, "Pm1"),
        m_e(owner, "m_e", 10, "kg"),
        speed(owner, "v", 0, "m/s"),
        place(owner, "x", 0, "m") {}
  void Show(double x) {
    Pm1->v = speed;
    Pm1->x = x;
    Pm1->F = Pm1->c + Pm1->Zc * speed;
    Pm1->me = m_e;
  }
  Mechanic Pm1;
  Const m_e;
  In speed, place;
};
struct TurnSide {
  static constexpr ModelInfo kInfo{
      .name = "hopsan.MechanicThetaSource",
      .text = "Angular velocity from a signal; the angle is its integral, or a signal"};
  explicit TurnSide(QComponent* owner)
      : Pmr1(owner, "Pmr1"), place(owner, "thetain", 0, "rad"), speed(owner, "omega", 0, "rad/s") {}
  void Show(double angle) {
    Pmr1->a = angle;
    Pmr1->w = speed;
    Pmr1->T = Pmr1->c + Pmr1->Zc * speed;
  }
  Rotational Pmr1;
  In place, speed;
};
using MechanicVelocityTransformer = SpeedSource<VelocitySide>;
using MechanicThetaSource = SpeedSource<TurnSide>;

class MechanicAngularVelocityTransformer final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.MechanicAngularVelocityTransformer",
                                   .text = "Angular velocity from a signal"};
  void Initialize() override { angle_.Start(omega, out->a); }
  void SimulateOneTimestep(double /*t*/) override {
    out->a = angle_.Step(omega, T());
    out->w = omega;
    out->T = out->c + out->Zc * omega;
  }
  void ArchiveMemory(Archive& archive) override { archive(angle_); }

 private:
  Rotational out{this, "out"};
  In omega{this, "omega", 0, "rad/s"};
  Integrator angle_;
};

class MechanicFixedPosition final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.MechanicFixedPosition", .text = "Wall"};
  void Initialize() override {
    Pm1->v = 0;
    Pm1->me = m_e;
  }
  void SimulateOneTimestep(double /*t*/) override { Pm1->F = Pm1->c; }

 private:
  Mechanic Pm1{this, "Pm1"};
  Const m_e{this, "m_e", 1, "kg"};
};

/// Stays behind what is in front of it by its friction alone; at stop_pos it is a wall.
class MechanicFreeLengthWall final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.MechanicFreeLengthWall",
                                   .text = "Wall that can be left, with friction outside"};
  void Initialize() override {
    position_.Start(-Pm1->c, Pm1->x);
    speed_.Start(-Pm1->c, Pm1->v);
    Pm1->me = m_e;
  }
  void SimulateOneTimestep(double /*t*/) override {
    const double D = B + Pm1->Zc;
    double x = position_.Step(-Pm1->c, T(), {.n0 = 1, .n1 = 0, .d0 = 0, .d1 = D});
    double v = speed_.Step(-Pm1->c, T(), {.n0 = 1, .n1 = 0, .d0 = D, .d1 = 0});
    const bool is_at_wall = x <= stop_pos;
    if (is_at_wall) {
      x = stop_pos;
      v = 0;
      position_.Set(-Pm1->c, x);
      speed_.Set(-Pm1->c, v);
    }
    Pm1->x = x;
    Pm1->v = v;
    Pm1->F = is_at_wall ? Pm1->c : 0;
    Pm1->me = m_e;
  }
  void ArchiveMemory(Archive& archive) override { archive(position_, speed_); }

 private:
  Mechanic Pm1{this, "Pm1"};
  Const m_e{this, "m_e", 1, "kg"}, stop_pos{this, "stop_pos", 0, "m"};
  In B{this, "B", 0.001, "N.s/m"};
  FirstOrderFilter position_, speed_;
};

/// Mc vc' = (T1 + T2)/r - fd - fr, drag and rolling friction with the speed of the step before.
class MechanicVehicle1D final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.MechanicVehicle1D",
                                   .text = "Vehicle on two axles with rolling friction and drag"};
  void Initialize() override {
    Resist();
    force_ = (Pmr1->T + Pmr2->T) / rwheel - fd - fr;
  }
  void SimulateOneTimestep(double /*t*/) override {
    Resist();
    // (T1 + T2)/r = (c1 + c2)/r - vc (Z1 + Z2)/r^2 solved along.
    const double driving = (Pmr1->c + Pmr2->c) / rwheel - fd - fr, h = T(), v_before = vc;
    const double damping = (Pmr1->Zc + Pmr2->Zc) / (rwheel * rwheel);
    vc = (2 * Mc * v_before + h * (driving + force_)) / (2 * Mc + h * damping);
    force_ = driving - damping * vc;
    const double way = h / 2 * (vc + v_before);
    xc = xc + way;
    for (RotationalNode* wheel : {&*Pmr1, &*Pmr2}) {
      wheel->w = -vc / rwheel;
      wheel->a += way / rwheel;
      wheel->T = wheel->c + wheel->Zc * wheel->w;
      wheel->Je = Mc * rwheel * rwheel;
    }
  }
  void ArchiveMemory(Archive& archive) override { archive(force_); }

 private:
  void Resist() {
    fd = CdA * rho * vc * std::abs(vc) / 2;
    const double most = 9.82 * cfr * Mc;
    fr = std::clamp(Mc * vc / T(), -most, most);
  }

  Rotational Pmr1{this, "Pmr1"}, Pmr2{this, "Pmr2"};
  In Mc{this, "Mc", 1000, "kg"}, cfr{this, "cfr", 0.02}, CdA{this, "CdA", 0.5, "m2"};
  In rwheel{this, "rwheel", 1, "m"}, rho{this, "rho", 1.25, "kg/m3"};
  Out vc{this, "vc", 0, "m/s"}, xc{this, "xc", 0, "m"}, fd{this, "fd", 0, "N"}, fr{this, "fr", 0, "N"};
  double force_ = 0;  ///< that accelerates, in the step before [N]
};

/// JL w' = link F1 cos th - T2 - BL w; v1 = -link w cos th, x1 = x0 - link sin th.
class MechanicJLink final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.MechanicJLink",
                                   .text = "Link with inertia: a slider turns a shaft"};
  void Initialize() override {
    w_ = Pmr2->w;
    a_ = {Pmr2->a, Pmr2->a - T() * w_};
    torque_.fill(link * Pm1->F * std::cos(a_[0]) - Pmr2->T - BL * w_);
    Pm1->x = x0 - link * std::sin(a_[0]);
    Pm1->me = EquivalentMass();
    Pmr2->Je = JL;
  }
  void SimulateOneTimestep(double /*t*/) override {
    const double h = T();
    std::array<double, 2> y{a_[0], w_};
    SolveImplicitStep(y, [&](const auto& u) {
      const auto& [a, w] = u;
      const auto torque = Torque(a, w);
      const auto free = 2 * a_[0] - a_[1] + h * h / (4 * JL) * (torque + 2 * torque_[0] + torque_[1]);
      return std::array{
          a - Limited(free, thetamin, thetamax),
          w - (w_ + h / (2 * JL) * (torque + torque_[0])) * FreeFactor(free.value, thetamin, thetamax)};
    });
    a_ = {y[0], a_[0]};
    w_ = y[1];
    Pmr2->a = a_[0];
    Pmr2->w = w_;
    Pmr2->T = Pmr2->c + Pmr2->Zc * w_;
    Pm1->v = -link * w_ * std::cos(a_[0]);
    Pm1->x = x0 - link * std::sin(a_[0]);
    Pm1->F = Pm1->c + Pm1->Zc * Pm1->v;
    Pm1->me = EquivalentMass();
    Pmr2->Je = JL;
    torque_ = {Torque(a_[0], w_), torque_[0]};
  }
  void ArchiveMemory(Archive& archive) override { archive(a_, w_, torque_); }

 private:
  template <class Number>
  Number Torque(const Number& a, const Number& w) const {
    using std::cos;
    const Number lever = link * cos(a);
    return lever * (Pm1->c - Pm1->Zc * (lever * w)) - (Pmr2->c + Pmr2->Zc * w) - BL * w;
  }
  double EquivalentMass() const {
    const double lever = link * std::cos(a_[0]);
    return JL / (lever * lever);
  }

  Mechanic Pm1{this, "Pm1"};
  Rotational Pmr2{this, "Pmr2"};
  In JL{this, "JL", 1, "kg.m2"}, BL{this, "BL", 1, "N.m.s/rad"}, link{this, "link", 0.1, "m"};
  In x0{this, "x0", -0.1, "m"}, theta0{this, "theta0", 0.1, "rad"};
  In thetamin{this, "thetamin", -1.05, "rad"}, thetamax{this, "thetamax", 1.05, "rad"};
  std::array<double, 2> a_{}, torque_{};  ///< one and two steps ago
  double w_ = 0;
};

}  // namespace davit::hopsan
