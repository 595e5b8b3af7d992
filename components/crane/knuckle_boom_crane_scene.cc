#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "components/crane/knuckle_boom_crane.h"

namespace davit {
namespace {

using View = SceneItem::View;
using Kind = SceneItem::Kind;

constexpr double kBarrelShare = 0.9;   // of the shortest length of a cylinder
constexpr double kLoadDensity = 1500;  // [kg/m3], for the size in which a payload is shown
constexpr double kDeckLength = 1.4;    // of the reach of the crane
constexpr double kDeckBreadth = 0.5;   // the same
constexpr int kPointsOfEdge = 16;      // of the reach, for each end of a joint's travel
constexpr int kPointsOfCircle = 72;

/// A range of an angle; where a cylinder does not limit it, all that a knuckle boom crane uses.
struct AngleRange {
  double low, high;
};

}  // namespace

void KnuckleBoomCrane::ShowMechanism() {
  const multibody::Pose &vessel = dynamics_->bodies.PoseOf(multibody::BodyTree::kBase),
                        &king = dynamics_->bodies.PoseOf(kKing), &boom_at = dynamics_->bodies.PoseOf(kBoom),
                        &knuckle_at = dynamics_->bodies.PoseOf(kKnuckle);
  at_foot.Set(king.p);
  at_king.Set(king * Vector3(0, 0, pivot_height));
  at_pivot.Set(boom_at.p);
  at_knee.Set(knuckle_at.p);
  const auto show_cylinder = [](ShownPoint& foot, ShownPoint& barrel, ShownPoint& head, const Vector3& from,
                                const Vector3& to, double share) {
    foot.Set(from);
    barrel.Set(from + share * (to - from));
    head.Set(to);
  };
  show_cylinder(at_boom_foot, at_boom_barrel, at_boom_head,
                king * Vector3(pivot_radius + boom_foot_x, 0, pivot_height + boom_foot_z),
                boom_at * Vector3(boom_head_x, 0, boom_head_z), kBarrelShare * boom_shortest / length_1);
  show_cylinder(at_knuckle_foot, at_knuckle_barrel, at_knuckle_head,
                boom_at * Vector3(knuckle_foot_x, 0, knuckle_foot_z),
                knuckle_at * Vector3(knuckle_head_x, 0, knuckle_head_z),
                kBarrelShare * knuckle_shortest / length_2);

  const double reach = pivot_radius + boom_length + knuckle_length;
  const double forward = kDeckLength / 2 * reach, port = kDeckBreadth / 2 * reach;
  at_bow_port.Set(vessel * Vector3(forward, port, foot_z));
  at_bow_starboard.Set(vessel * Vector3(forward, -port, foot_z));
  at_stern_starboard.Set(vessel * Vector3(-forward, -port, foot_z));
  at_stern_port.Set(vessel * Vector3(-forward, port, foot_z));
}

void KnuckleBoomCrane::DescribeScene(SceneBuilder& scene) const {
  const double thick = (boom_length + knuckle_length) / 40;
  const ScenePoint tip{tip_x, tip_y, tip_z}, load{load_x, load_y, load_z};
  const auto add = [&](const char* name, Kind kind, const char* text, std::vector<ScenePoint> points,
                       double width) {
    scene.Add({.name = name, .kind = kind, .text = text, .points = std::move(points), .width = width});
  };
  add("vessel", Kind::kBody, "Deck of the vessel, at the foot of the pedestal",
      {at_bow_port.scene(), at_bow_starboard.scene(), at_stern_starboard.scene(), at_stern_port.scene()}, 0);
  add("king", Kind::kSegment, "Pedestal and king", {at_foot.scene(), at_king.scene()}, 2.5 * thick);
  scene.Add({.name = "king_head",
             .kind = Kind::kBody,
             .text = "King, with the joints of boom and cylinder",
             .points = {at_king.scene(), at_pivot.scene(), at_boom_foot.scene()},
             .depth = 1.8 * thick});
  add("boom_cylinder", Kind::kSegment, "Barrel of the boom cylinder",
      {at_boom_foot.scene(), at_boom_barrel.scene()}, 0.75 * thick);
  add("boom_rod", Kind::kSegment, "Rod of the boom cylinder", {at_boom_foot.scene(), at_boom_head.scene()},
      0.4 * thick);
  add("knuckle_cylinder", Kind::kSegment, "Barrel of the knuckle cylinder",
      {at_knuckle_foot.scene(), at_knuckle_barrel.scene()}, 0.65 * thick);
  add("knuckle_rod", Kind::kSegment, "Rod of the knuckle cylinder",
      {at_knuckle_foot.scene(), at_knuckle_head.scene()}, 0.35 * thick);
  add("boom", Kind::kSegment, "Boom", {at_pivot.scene(), at_knee.scene()}, 1.3 * thick);
  add("jib", Kind::kSegment, "Knuckle boom (jib)", {at_knee.scene(), tip}, thick);
  add("wire", Kind::kPolyline, "Wire", {tip, load}, 0);
  scene.Add({.name = "load",
             .kind = Kind::kCircle,
             .text = "Payload, as large as one of 1500 kg/m3",
             .points = {load},
             .radius = std::cbrt(3 * std::max<double>(payload, hook_mass) /
                                 (4 * std::numbers::pi * kLoadDensity))});
  scene.Add({.name = "tip_path", .kind = Kind::kTrace, .text = "Path of the tip", .points = {tip}});
  scene.Add({.name = "load_path", .kind = Kind::kTrace, .text = "Path of the payload", .points = {load}});
  scene.Place(boom, at_boom_head.scene());
  scene.Place(knuckle, at_knuckle_head.scene());
  scene.Place(slew, at_king.scene());
  DescribeReach(scene);
}

/// The tip over all angles that the cylinders allow, on the vessel at rest: from above two circles about the
/// slew axis; from the side the edge of the plane of the booms, on both sides of that axis.
void KnuckleBoomCrane::DescribeReach(SceneBuilder& scene) const {
  const auto range = [](const JointTravel& travel, const AngleRange& otherwise) {
    return AngleRange{std::isfinite(travel.low) ? travel.low : otherwise.low,
                      std::isfinite(travel.high) ? travel.high : otherwise.high};
  };
  const AngleRange q1_at = range(boom_travel_, {0, std::numbers::pi / 2});
  const AngleRange q2_at = range(knuckle_travel_, {-std::numbers::pi, 0});
  struct Tip {
    double radius, height;
  };
  const auto tip = [&](double boom_angle, double knuckle_angle) {
    return Tip{pivot_radius + boom_length * std::cos(boom_angle) +
                   knuckle_length * std::cos(boom_angle + knuckle_angle),
               pivot_height + boom_length * std::sin(boom_angle) +
                   knuckle_length * std::sin(boom_angle + knuckle_angle)};
  };
  std::vector<Tip> edge;
  const auto walk = [&](double q1_from, double q2_from, double q1_to, double q2_to) {
    for (int i = 0; i < kPointsOfEdge; ++i) {
      const double share = static_cast<double>(i) / kPointsOfEdge;
      edge.push_back(tip(q1_from + share * (q1_to - q1_from), q2_from + share * (q2_to - q2_from)));
    }
  };
  walk(q1_at.low, q2_at.low, q1_at.low, q2_at.high);
  walk(q1_at.low, q2_at.high, q1_at.high, q2_at.high);
  walk(q1_at.high, q2_at.high, q1_at.high, q2_at.low);
  walk(q1_at.high, q2_at.low, q1_at.low, q2_at.low);
  edge.push_back(edge.front());

  double least = edge.front().radius, most = edge.front().radius;
  for (const Tip& at : edge) {
    least = std::min(least, at.radius);
    most = std::max(most, at.radius);
  }
  for (const double side : {1.0, -1.0}) {
    std::vector<ScenePoint> points;
    points.reserve(edge.size());
    for (const Tip& at : edge) points.push_back({foot_x + side * at.radius, foot_y, foot_z + at.height});
    scene.Add({.name = side > 0 ? "reach_forward" : "reach_aft",
               .kind = Kind::kLimit,
               .text = "Reach of the tip",
               .points = std::move(points),
               .view = View::kSide});
  }
  for (const double radius : {least, most}) {
    if (radius <= 0) continue;  // it reaches over the slew axis
    std::vector<ScenePoint> points;
    for (int i = 0; i <= kPointsOfCircle; ++i) {
      const double angle = 2 * std::numbers::pi * i / kPointsOfCircle;
      points.push_back({foot_x + radius * std::cos(angle), foot_y + radius * std::sin(angle), foot_z});
    }
    scene.Add({.name = radius == most ? "most_radius" : "least_radius",
               .kind = Kind::kLimit,
               .text = radius == most ? "Largest radius of the tip" : "Smallest radius of the tip",
               .points = std::move(points),
               .view = View::kTop});
  }
}

}  // namespace davit
