#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hopsan/component.h"
#include "hopsan/laws/filters.h"

namespace davit::hopsan {

/// Position and speed of (m s2 + D s + k) x = F as Hopsan finds them: by two filters, each on its own.
class BodyFilters {
 public:
  void Start(double F, double x, double v, double k) {
    position_.Start(F, x);
    speed_.Start(F - k * x, v);
  }
  void Step(double F, double T, double m, double D, double k) {
    position_.Step(F, T, {.d0 = k, .d1 = D, .d2 = m});
    speed_.Step(F - k * x(), T, {.d0 = D, .d1 = m});
  }
  /// Puts it to rest where a limit is reached.
  void HoldWithin(double F, double min, double max) {
    if (x() >= min && x() <= max) return;
    const double limit = x() < min ? min : max;
    position_.Set(F, limit);
    speed_.Set(F, 0);
  }
  double x() const { return position_.value(); }
  double v() const { return speed_.value(); }
  void ArchiveMemory(Archive& archive) { archive(position_, speed_); }

 private:
  SecondOrderFilter position_;
  FirstOrderFilter speed_;
};

/// Two ports of a body: what P2 shows of x and v, and P1 through a lever or gear: x1 = length - ratio x2.
struct BodyEnds {
  double length = 0, ratio = 1;

  void Show(MechanicNode& P1, MechanicNode& P2, double x, double v) const {
    Show(P1, P2, x, v, &MechanicNode::x, &MechanicNode::v, &MechanicNode::F);
  }
  void Show(RotationalNode& P1, RotationalNode& P2, double x, double v) const {
    Show(P1, P2, x, v, &RotationalNode::a, &RotationalNode::w, &RotationalNode::T);
  }

 private:
  template <class Node>
  void Show(Node& P1, Node& P2, double x, double v, double Node::*place, double Node::*speed,
            double Node::*effort) const {
    P2.*place = x;
    P2.*speed = v;
    P1.*place = length - ratio * x;
    P1.*speed = -ratio * v;
    P1.*effort = P1.c + P1.Zc * (P1.*speed);
    P2.*effort = P2.c + P2.Zc * v;
  }
};

/// m x2'' = F1 - F2 - B x2' - k x2, x1 = L - x2, v1 = -v2; L of the start.
class MechanicTranslationalMass final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.MechanicTranslationalMass",
                                   .text = "Mass with friction, spring and end stops"};
  void Initialize() override {
    length_ = P1->x + P2->x;
    body_.Start(P1->F - P2->F, P2->x, P2->v, k);
    P1->me = P2->me = m;
  }
  void SimulateOneTimestep(double /*t*/) override {
    const double F = P1->c - P2->c, stiffness = k;
    body_.Step(F, T(), m, B + P1->Zc + P2->Zc, stiffness);
    body_.HoldWithin(F, x_min, x_max);
    BodyEnds{.length = length_}.Show(*P1, *P2, body_.x(), body_.v());
    P1->me = P2->me = m;
  }
  void ArchiveMemory(Archive& archive) override { archive(length_, body_); }

 private:
  Mechanic P1{this, "P1"}, P2{this, "P2"};
  Const m{this, "m", 100, "kg"};
  In B{this, "B", 10, "N.s/m"}, k{this, "k", 0, "N/m"};
  In x_min{this, "x_min", -1e300, "m"}, x_max{this, "x_max", 1e300, "m"};
  double length_ = 0;
  BodyFilters body_;
};

/// J a2'' = T1 - T2 - B a2' - k a2, a1 = -a2.
class MechanicRotationalInertia final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.MechanicRotationalInertia",
                                   .text = "Inertia with friction, spring and end stops"};
  void Initialize() override { body_.Start(P1->T - P2->T, -P1->a, -P1->w, k); }
  void SimulateOneTimestep(double /*t*/) override {
    const double torque = P1->c - P2->c;
    body_.Step(torque, T(), J, B + P1->Zc + P2->Zc, k);
    body_.HoldWithin(torque, a_min, a_max);
    BodyEnds{}.Show(*P1, *P2, body_.x(), body_.v());
  }
  void ArchiveMemory(Archive& archive) override { archive(body_); }

 private:
  Rotational P1{this, "P1"}, P2{this, "P2"};
  Const J{this, "J", 0.1, "kg.m2"};
  In B{this, "B", 10, "N.m.s/rad"}, k{this, "k", 0, "N.m/rad"};
  In a_min{this, "a_min", -1e300, "rad"}, a_max{this, "a_max", 1e300, "rad"};
  BodyFilters body_;
};

/// J a2'' = U T1 - T2 - B a2', w1 = -U w2; U is named omega.
class MechanicRotationalInertiaWithGearRatio final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.MechanicRotationalInertiaWithGearRatio",
                                   .text = "Inertia behind a gear of the ratio omega"};
  void Initialize() override { body_.Start(omega * P1->T - P2->T, P2->a, P2->w, 0); }
  void SimulateOneTimestep(double /*t*/) override {
    body_.Step(omega * P1->c - P2->c, T(), J, B + omega * omega * P1->Zc + P2->Zc, 0);
    BodyEnds{.ratio = omega}.Show(*P1, *P2, body_.x(), body_.v());
  }
  void ArchiveMemory(Archive& archive) override { archive(body_); }

 private:
  Rotational P1{this, "P1"}, P2{this, "P2"};
  Const J{this, "J", 1, "kg.m2"};
  In omega{this, "omega", 1}, B{this, "B", 10, "N.m.s/rad"};
  BodyFilters body_;
};

/// m x2'' = c1/w - c2 - B x2' behind a lever, w = (L_1 + L_2)/L_1: x1 = -x2/w.
class MechanicTranslationalMassWithLever final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.MechanicTranslationalMassWithLever",
                                   .text = "Mass at the end of a lever"};
  void Initialize() override {
    body_.Start((P1->F - P2->F) / m, -P1->v * Lever(), -P1->x * Lever());
    P2->x = body_.y();
    P2->v = body_.v();
    ShowMass();
  }
  void SimulateOneTimestep(double /*t*/) override {
    const double w = Lever();
    body_.Step((P1->c / w - P2->c) / m, (B + P1->Zc / (w * w) + P2->Zc) / m * T(), T());
    BodyEnds{.ratio = 1 / w}.Show(*P1, *P2, body_.y(), body_.v());
    ShowMass();
  }
  void ArchiveMemory(Archive& archive) override { archive(body_); }

 private:
  double Lever() const { return (L_1 + L_2) / L_1; }
  void ShowMass() {
    P1->me = m * Lever();
    P2->me = m;
  }

  Mechanic P1{this, "P1"}, P2{this, "P2"};
  Const L_1{this, "L_1", 1, "m"}, L_2{this, "L_2", 1, "m"};
  In m{this, "m", 1, "kg"}, B{this, "B", 10, "N.s/m"};
  DampedDoubleIntegrator body_;
};

/// x'' = u - (w/T) v - k sign(v); at rest until |u| reaches s, and moves in the step after.
class BodyWithDryFriction {
 public:
  void Start(double u, double v, double x) {
    direction_ = 0;
    body_.Start(u, v, x);
  }
  void Step(double u, double w, double s, double k, double T) {
    const double driving = u - direction_ * k;
    if (direction_ == 0) {
      direction_ = u >= s ? 1 : u <= -s ? -1 : 0;
    } else if (direction_ * (-(2 - w) / T * v() - body_.u()) > direction_ * driving) {
      HoldAt(x(), 0, body_.u());
      direction_ = 0;
    } else {
      body_.Step(driving, w, T);
    }
  }
  void HoldAt(double x, double v, double u) { body_.Start(u, v, x); }
  double x() const { return body_.y(); }
  double v() const { return body_.v(); }
  void ArchiveMemory(Archive& archive) { archive(direction_, body_); }

 private:
  double direction_ = 0;  ///< of the motion: 1, -1; 0 at rest
  DampedDoubleIntegrator body_;
};

/// m v' = F1 - F2 - b v - f_k sign(v).
class MechanicTranslationalMassWithCoulombFriction final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.MechanicTranslationalMassWithCoulombFriction",
                                   .text = "Mass with dry friction and end stops"};
  void Initialize() override {
    length_ = P1->x + P2->x;
    body_.Start((P1->F - P2->F) / m, P2->v, P2->x);
    P1->me = P2->me = m;
  }
  void SimulateOneTimestep(double /*t*/) override {
    body_.Step((P1->c - P2->c) / m, T() * (b + P1->Zc + P2->Zc) / m, f_s / m, f_k / m, T());
    if (body_.x() < x_min) body_.HoldAt(x_min, std::max(body_.v(), 0.0), 0);
    if (body_.x() > x_max) body_.HoldAt(x_max, std::min(body_.v(), 0.0), 0);
    BodyEnds{.length = length_}.Show(*P1, *P2, body_.x(), body_.v());
    P1->me = P2->me = m;
  }
  void ArchiveMemory(Archive& archive) override { archive(length_, body_); }

 private:
  Mechanic P1{this, "P1"}, P2{this, "P2"};
  Const m{this, "m", 100, "kg"};
  In b{this, "b", 10, "N.s/m"}, f_s{this, "f_s", 50, "N"}, f_k{this, "f_k", 45, "N"};
  In x_min{this, "x_min", -1e300, "m"}, x_max{this, "x_max", 1e300, "m"};
  double length_ = 0;
  BodyWithDryFriction body_;
};

/// J w' = T1 - T2 - B w - t_k sign(w); its friction is that of the inertia at the start.
class MechanicRotationalInertiaWithCoulombFriction final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.MechanicRotationalInertiaWithCoulombFriction",
                                   .text = "Inertia with dry friction and end stops"};
  void Initialize() override {
    start_inertia_ = J;
    body_.Start(P1->T - P2->T, P2->w, P2->a);
  }
  void SimulateOneTimestep(double /*t*/) override {
    const double u = (P1->c - P2->c) / J;
    body_.Step(u, (B + P1->Zc + P2->Zc) / J * T(), t_s / start_inertia_, t_k / start_inertia_, T());
    if (body_.x() < a_min) body_.HoldAt(a_min, 0, u);
    if (body_.x() > a_max) body_.HoldAt(a_max, 0, u);
    BodyEnds{}.Show(*P1, *P2, body_.x(), body_.v());
  }
  void ArchiveMemory(Archive& archive) override { archive(start_inertia_, body_); }

 private:
  Rotational P1{this, "P1"}, P2{this, "P2"};
  Const t_s{this, "t_s", 50, "N.m"}, t_k{this, "t_k", 45, "N.m"};
  In J{this, "J", 1, "kg.m2"}, B{this, "B", 10, "N.m.s/rad"};
  In a_min{this, "a_min", -1e300, "rad"}, a_max{this, "a_max", 1e300, "rad"};
  double start_inertia_ = 1;
  BodyWithDryFriction body_;
};

/// Pistons on a swash plate of tan(angle) r: J a2'' = sum of their torques - T2 - B a2'.
class MechanicCylinderBlockWithSwashPlate final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.MechanicCylinderBlockWithSwashPlate",
                                   .text = "Cylinder block of an axial piston machine: pistons to shaft"};
  /// Wipes the nodes of the pistons, as Hopsan does.
  void Initialize() override {
    double torque_in = 0;
    for (std::size_t i = 0; i < P1.size(); ++i) {
      P1[i] = {};
      P1[i].me = 0.02;
    }
    block_.Start(torque_in - P2->T, P2->a, P2->w, 0);
    torque = -P2->T;
    movement = -P2->w;
  }
  void SimulateOneTimestep(double /*t*/) override {
    const double lift = r * std::tan(angle), a_before = P2->a;
    double D = B + P2->Zc, driving = -P2->c;
    for (std::size_t i = 0; i < P1.size(); ++i) {
      const double lever = lift * std::cos(Place(i, a_before));
      D += P1[i].Zc * lever * lever;
      driving += P1[i].c * lever;
    }
    block_.Step(driving, T(), J, D, 0);
    P2->a = block_.x();
    P2->w = block_.v();
    P2->T = P2->c + P2->Zc * P2->w;
    for (std::size_t i = 0; i < P1.size(); ++i) {
      const double u = Place(i, a_before);
      P1[i].v = -lift * std::cos(u) * P2->w;
      P1[i].x = lift * std::sin(u);
      P1[i].F = P1[i].c + P1[i].Zc * P1[i].v;
    }
    torque = -P2->T;
    movement = -P2->w;
  }
  void ArchiveMemory(Archive& archive) override { archive(block_); }

 private:
  double Place(std::size_t i, double a) const {
    return -a - theta_offset - 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(P1.size());
  }

  Mechanics P1{this, "P1"};
  Rotational P2{this, "P2"};
  Const J{this, "J", 0.1, "kg.m2"}, m_p{this, "m_p", 0.001, "kg"}, r_p{this, "r_p", 0.01, "m"};
  In B{this, "B", 10, "N.m.s/rad"}, r{this, "r", 0.05, "m"}, theta_offset{this, "theta_offset", 0, "rad"};
  In angle{this, "angle", 0, "rad"};
  Out torque{this, "torque", 0, "N.m"}, movement{this, "movement", 0, "rad/s"};
  BodyFilters block_;
};

}  // namespace davit::hopsan
