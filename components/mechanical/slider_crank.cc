#include "components/mechanical/slider_crank.h"

#include <cmath>

namespace davit {

SliderCrank::SpringMotion SliderCrank::Spring() const {
  const double reach = std::cos(p) + a * std::cos(q);
  const double l = std::sqrt(x * x - x * reach + (1 + a * a) / 4 + a * std::cos(p - q) / 2);
  const double l_dot = (2 * x * vx - vx * reach + x * (std::sin(p) * vp + a * std::sin(q) * vq) -
                        a * std::sin(p - q) * (vp - vq) / 2) /
                       (2 * l);
  return {l, l_dot};
}

double SliderCrank::ErrorRate1() const { return a * std::sin(q) * vq + vx + std::sin(p) * vp; }

double SliderCrank::ErrorRate2() const { return -a * std::cos(q) * vq - std::cos(p) * vp; }

void SliderCrank::EvaluateAlgebraicEquations(double /*t*/) {
  const double sq = std::sin(q);
  const double cq = std::cos(q);
  const double sp = std::sin(p);
  const double cp = std::cos(p);
  const double spq = std::sin(p - q);
  const auto [l, l_dot] = Spring();
  const double f = (k * (l - l0) + c * l_dot) / l;
  const double Qq = -f * a * (spq / 2 + x * sq) / 2;
  const double Qx = f * (cp / 2 - x + a * cq / 2) + F;
  const double Qp = -f * (x * sp - a * spq / 2) / 2 - F * sp;

  const double aq = (Qq - (a * sq * l1 - a * cq * l2)) / J1;
  const double ax = (Qx - l1) / m;
  const double ap = (Qp - (sp * l1 - cp * l2)) / J2;
  q.residual = q.ddt - vq;
  x.residual = x.ddt - vx;
  p.residual = p.ddt - vp;
  vq.residual = vq.ddt - aq;
  vx.residual = vx.ddt - ax;
  vp.residual = vp.ddt - ap;

  const double phi1 = x - cp - a * cq;
  const double phi2 = -sp - a * sq;
  l1.residual =
      a * sq * aq + ax + sp * ap + a * cq * vq * vq + cp * vp * vp + 2 * w * ErrorRate1() + w * w * phi1;
  l2.residual =
      -a * cq * aq - cp * ap + a * sq * vq * vq + sp * vp * vp + 2 * w * ErrorRate2() + w * w * phi2;
  pin_x = a * cq;
  pin_z = a * sq;
}

void SliderCrank::AccountEnergy(EnergyTerms& terms) const {
  const auto [length, rate] = Spring();
  terms.Stored("kinetic", (J1 * vq * vq + m * vx * vx + J2 * vp * vp) / 2);
  terms.Stored("spring", k * (length - l0) * (length - l0) / 2);
  terms.Lost("damping", c * rate * rate);
  terms.Lost("stabilization", l1 * ErrorRate1() + l2 * ErrorRate2());
  terms.In("force", F * (vx - std::sin(p) * vp));
}

void SliderCrank::DescribeScene(SceneBuilder& scene) const {
  using Kind = SceneItem::Kind;
  constexpr double kRod = 1;  // [m]
  const double thick = a / 10;
  const ScenePoint axis{0, 0, 0}, pin{pin_x, 0, pin_z}, slider{x, 0, 0};
  const double reach = a + kRod;
  scene.Add({.name = "line",
             .kind = Kind::kLimit,
             .text = "Line of the slider",
             .points = {{-reach, 0, 0}, {reach, 0, 0}}});
  scene.Add(
      {.name = "crank", .kind = Kind::kSegment, .text = "Crank", .points = {axis, pin}, .width = thick});
  scene.Add(
      {.name = "rod", .kind = Kind::kSegment, .text = "Rod", .points = {pin, slider}, .width = 0.7 * thick});
  scene.Add({.name = "axis",
             .kind = Kind::kCircle,
             .text = "Axis of the crank",
             .points = {axis},
             .radius = thick});
  scene.Add(
      {.name = "slider", .kind = Kind::kCircle, .text = "Slider", .points = {slider}, .radius = 1.5 * thick});
}

}  // namespace davit
