#include "components/mechanical/slider_crank.h"

#include <cmath>

namespace davit {

void SliderCrank::EvaluateAlgebraicEquations(double /*t*/) {
  const double sq = std::sin(q);
  const double cq = std::cos(q);
  const double sp = std::sin(p);
  const double cp = std::cos(p);
  const double spq = std::sin(p - q);
  const double l = std::sqrt(x * x - x * (cp + a * cq) + (1 + a * a) / 4 + a * std::cos(p - q) / 2);
  const double l_dot =
      (2 * x * vx - vx * (cp + a * cq) + x * (sp * vp + a * sq * vq) - a * spq * (vp - vq) / 2) / (2 * l);
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
  const double phi1_dot = a * sq * vq + vx + sp * vp;
  const double phi2_dot = -a * cq * vq - cp * vp;
  l1.residual =
      a * sq * aq + ax + sp * ap + a * cq * vq * vq + cp * vp * vp + 2 * w * phi1_dot + w * w * phi1;
  l2.residual = -a * cq * aq - cp * ap + a * sq * vq * vq + sp * vp * vp + 2 * w * phi2_dot + w * w * phi2;
  pin_x = a * cq;
  pin_z = a * sq;
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
