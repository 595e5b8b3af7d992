#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "components/mechanism/mechanism.h"
#include "components/mechanism/mechanism_parts.h"

namespace davit {

using multibody::BodyTree;
using multibody::JointKind;
using multibody::LoopEquation;
using multibody::RigidBody;
using multibody::Vector3;

namespace {

constexpr double kWidthShare = 1.0 / 25;  // of the longest body
constexpr double kLoadDensity = 1500;     // [kg/m3], for the size in which a load is shown
constexpr double kBarrelShare = 0.9;      // of the shortest length of a mount

/// Whether the joint is always at the same place of the body that carries it.
bool StaysInPlace(JointKind kind) {
  return kind == JointKind::kFixed || kind == JointKind::kRevolute || kind == JointKind::kUniversal ||
         kind == JointKind::kSpherical;
}

/// The shortest edge of the box of the same mass and inertia [m].
double DepthOf(const RigidBody& body) {
  if (!(body.mass > 0)) return 0;
  // m L^2 / 12 is the integral of the squared distance from the middle plane that an edge L is normal to.
  const multibody::Matrix3 second = body.inertia.trace() / 2 * multibody::Matrix3::Identity() - body.inertia;
  const double least = Eigen::SelfAdjointEigenSolver<multibody::Matrix3>(second).eigenvalues()[0];
  return std::sqrt(12 * std::max(least, 0.0) / body.mass);
}

/// What of the mechanism is fixed to one body.
struct Outline {
  void Add(const Vector3& in_body, const ScenePoint& in_world) {
    const auto is_near = [&](const Vector3& other) { return (other - in_body).norm() < 1e-6; };
    if (std::ranges::any_of(places, is_near)) return;
    places.push_back(in_body);
    points.push_back(in_world);
  }
  double Length() const {
    double length = 0;
    for (const Vector3& a : places) {
      for (const Vector3& b : places) length = std::max(length, (b - a).norm());
    }
    return length;
  }

  std::vector<Vector3> places;
  std::vector<ScenePoint> points;
};

}  // namespace

void Mechanism::DescribeScene(SceneBuilder& scene) const {
  const Parts& p = *parts_;
  if (!p.base_point) return;
  Outline base;
  base.Add(Vector3::Zero(), p.base_point->scene());
  std::vector<Outline> bodies(p.tree.size());
  const auto add = [&](const multibody::Anchor& anchor, const ScenePoint& point) {
    (anchor.body == BodyTree::kBase ? base : bodies[anchor.body]).Add(anchor.at.p, point);
  };
  for (std::size_t i = 0; i < p.tree.size(); ++i) {
    const MechanismDescription::Body& body = p.description.bodies[i];
    bodies[i].Add(Vector3::Zero(), p.points[i].joint.scene());
    if (StaysInPlace(body.joint.kind())) add({body.carrier, body.at}, p.points[i].joint.scene());
  }
  for (const Parts::MountPort& mount : p.mount_ports) {
    for (std::size_t k = 0; k < mount.points.size(); ++k) add(mount.mount.path[k], mount.points[k].scene());
  }
  for (std::size_t i = 0; i < p.loop_ends.size(); ++i) {
    add(p.description.loops[i].loop.a(), p.loop_ends[i].at_a.scene());
    add(p.description.loops[i].loop.b(), p.loop_ends[i].at_b.scene());
  }
  for (std::size_t i = 0; i < p.frames.size(); ++i) add(p.description.frames[i].at, p.frames[i].scene());
  for (const HangingLoad& load : p.loads) add(load.description().at, load.tip_scene());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].points.size() == 1) bodies[i].Add(p.tree[i].body.centre, p.points[i].centre.scene());
  }

  double longest = base.Length();
  for (const Outline& outline : bodies) longest = std::max(longest, outline.Length());
  const double width = kWidthShare * (longest > 0 ? longest : 1);
  const auto hull = [&](const std::string& name, const std::string& text, const Outline& outline,
                        double depth) {
    scene.Add({.name = name,
               .kind = SceneItem::Kind::kHull,
               .text = text,
               .points = outline.points,
               .width = width,
               .depth = depth});
  };
  const auto segment = [&](const std::string& name, const std::string& text, const ScenePoint& from,
                           const ScenePoint& to, double share) {
    return SceneItem{.name = name,
                     .kind = SceneItem::Kind::kSegment,
                     .text = text,
                     .points = {from, to},
                     .width = share * width};
  };
  if (base.points.size() > 1) hull("base", "Base", base, 0);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const MechanismDescription::Body& body = p.description.bodies[i];
    hull(body.name, body.text, bodies[i], DepthOf(p.tree[i].body));
    const JointKind kind = body.joint.kind();
    if (kind != JointKind::kPrismatic && kind != JointKind::kCylindrical) continue;
    const ScenePoint from =
        body.carrier == BodyTree::kBase ? p.base_point->scene() : p.points[body.carrier].joint.scene();
    scene.Add(segment(body.name + "_guide", "Guide of " + body.name, from, p.points[i].joint.scene(), 0.3));
  }
  for (std::size_t i = 0; i < p.loop_ends.size(); ++i) {
    const MechanismDescription::Closure& closure = p.description.loops[i];
    const auto equations = closure.loop.equations();
    if (equations.size() != 1 || equations[0].form != LoopEquation::Form::kDistance) continue;
    scene.Add(segment(closure.name, "Rod " + closure.name, p.loop_ends[i].at_a.scene(),
                      p.loop_ends[i].at_b.scene(), 0.4));
  }
  for (const Parts::MountPort& mount : p.mount_ports) {
    const bool is_wire = mount.points.size() > 2;
    for (std::size_t k = 0; k + 1 < mount.points.size(); ++k) {
      SceneItem item =
          segment(k == 0 ? mount.mount.name : fmt::format("{}_{}", mount.mount.name, k), mount.mount.text,
                  mount.points[k].scene(), mount.points[k + 1].scene(), is_wire ? 0.15 : 0.6);
      if (!is_wire) item.barrel = kBarrelShare * mount.mount.shortest;
      item.force = mount.force;
      scene.Add(std::move(item));
    }
    scene.Place(mount.port, mount.points.back().scene());
  }
  for (const HangingLoad& load : p.loads) {
    const MechanismDescription::Load& of = load.description();
    scene.Add({.name = of.name + "_wire",
               .kind = SceneItem::Kind::kPolyline,
               .text = "Wire of " + of.text,
               .points = {load.tip_scene(), load.scene()}});
    scene.Add({.name = of.name,
               .kind = SceneItem::Kind::kCircle,
               .text = of.text + ", as large as one of 1500 kg/m3",
               .points = {load.scene()},
               .radius = std::cbrt(3 * std::max(load.mass(), 1.0) / (4 * std::numbers::pi * kLoadDensity))});
    scene.Add({.name = of.name + "_path",
               .kind = SceneItem::Kind::kTrace,
               .text = "Path of " + of.text,
               .points = {load.scene()}});
  }
  for (std::size_t i = 0; i < p.frames.size(); ++i) {
    if (!p.description.frames[i].has_path) continue;
    const std::string& name = p.description.frames[i].name;
    scene.Add({.name = name + "_path",
               .kind = SceneItem::Kind::kTrace,
               .text = "Path of " + name,
               .points = {p.frames[i].scene()}});
  }
}

}  // namespace davit
