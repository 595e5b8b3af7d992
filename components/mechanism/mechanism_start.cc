// How a mechanism starts: closed loops, cylinders of a length that they can have, and masses that all motions
// feel.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "components/mechanism/dynamics/assembly.h"
#include "components/mechanism/mechanism.h"
#include "components/mechanism/mechanism_parts.h"

namespace davit {

using multibody::BodyTree;
using multibody::Loop;
using multibody::LoopEquation;

namespace {

constexpr double kShortest = 1e-9;  // [m] of a mount
constexpr double kDegrees = 180 / std::numbers::pi;

}  // namespace

bool Mechanism::Parts::MountPort::LacksShortest() const {
  return cylinder.component != nullptr && !mount.is_shortest_given;
}

bool Mechanism::Parts::MountPort::IsClosedAtStart() const {
  return !std::isnan(port->x_start) && mount.path.size() == 2 && !LacksShortest() &&
         !cylinder.IsReported(*port);
}

std::string Mechanism::Parts::MountPort::WhyOpen(
    double now, const std::optional<multibody::SpannedJoint::Range>& over_a_turn) const {
  const double l0 = mount.shortest;
  const std::string wanted = fmt::format("its cylinder makes it {:.4g} m long, with x = {:.4g} m",
                                         l0 - port->x_start, -port->x_start);
  if (!over_a_turn) {
    return fmt::format(
        "{}, but its ends are {:.4g} m apart, which is x = {:.4g} m; check their places and shortest, or "
        "give fewer start values",
        wanted, now, now - l0);
  }
  double low = over_a_turn->least - l0, high = over_a_turn->greatest - l0;
  if (cylinder.component != nullptr && high >= 0 && low <= cylinder.travel.stroke) {
    low = std::max(low, 0.0);
    high = std::min(high, cylinder.travel.stroke);
  }
  return fmt::format(
      "{}, but its joint lets it be {:.4g} m to {:.4g} m long, which is x = {:.4g} m to {:.4g} m; check the "
      "places of its ends and shortest, or start the cylinder in this range",
      wanted, over_a_turn->least, over_a_turn->greatest, low, high);
}

std::optional<Mechanism::StartFault> Mechanism::Assemble() {
  Parts& p = *parts_;
  multibody::HeldStart held(p.u.size());
  for (std::size_t i = 0; i < p.q.size(); ++i) p.q[i] = DeclarationOf(p.positions[i]).start[0];
  for (std::size_t k = 0; k < p.u.size(); ++k) {
    const StateDeclaration& speed = DeclarationOf(p.speeds[k]);
    p.u[k] = speed.start[0];
    held.speeds[k] = speed.is_start_given;
  }
  for (const Parts::JointPort& port : p.joint_ports) {
    const bool is_given = DeclarationOf(p.positions[port.position]).is_start_given;
    // As at a mount: what the cylinder says, unless the joint says more.
    const bool is_from_cylinder = !is_given && port.slide && !std::isnan((*port.slide)->x_start);
    if (is_from_cylinder) p.q[port.position] = -(*port.slide)->x_start;
    held.positions[port.speed] = is_given || is_from_cylinder;
  }
  std::vector<Loop> loops = p.description.Loops();
  const std::size_t closures = loops.size();
  std::vector<const Parts::MountPort*> closed_mounts;
  for (const Parts::MountPort& mount : p.mount_ports) {
    if (!mount.IsClosedAtStart()) continue;
    const multibody::Path& path = mount.mount.path;
    const double length = mount.mount.shortest - mount.port->x_start;
    loops.push_back(Loop::OfDistance(path[0], path[1], std::max(length, kShortest)));
    closed_mounts.push_back(&mount);
  }
  const multibody::AssemblyResult result = multibody::Assemble(p.dynamics, loops, p.base, held, p.q, p.u);
  using End = multibody::AssemblyResult::End;
  if (result.end != End::kClosed) {
    const bool is_mount = result.worst_loop >= closures;
    const Parts::MountPort* const mount = is_mount ? closed_mounts[result.worst_loop - closures] : nullptr;
    const std::string& name = is_mount ? mount->mount.name : p.description.loops[result.worst_loop].name;
    const SourceLocation& place =
        is_mount ? mount->mount.location : p.description.loops[result.worst_loop].location;
    const char* const unit = result.is_angle ? "deg" : "m";
    if (result.end == End::kMoving) {
      return StartFault{
          place,
          fmt::format("the start speeds do not fit {}: its ends would part by {:.3g} {}/s; give fewer start "
                      "speeds",
                      name, result.is_angle ? result.error * kDegrees : result.error, unit)};
    }
    p.dynamics.MoveTo(p.base, p.q, p.u);
    std::string why;
    if (is_mount) {
      const bool is_free = mount->over && !held.positions[mount->over->speed()];
      why = mount->WhyOpen(multibody::PathValue(p.dynamics, mount->mount.path).length,
                           is_free ? mount->over->Lengths(p.dynamics) : std::nullopt);
    } else if (const Loop& loop = loops[result.worst_loop];
               loop.equations().front().form == LoopEquation::Form::kDistance) {
      why = fmt::format(
          "its ends are {:.4g} m apart, but its distance is {:.4g} m; check their places and give fewer "
          "start values",
          multibody::PathValue(p.dynamics, multibody::Path{loop.a(), loop.b()}).length,
          loop.equations().front().length);
    } else {
      why = fmt::format("its ends are {:.3g} {} apart; check their places and give fewer start values",
                        result.is_angle ? std::asin(std::min(result.error, 1.0)) * kDegrees : result.error,
                        unit);
    }
    return StartFault{place, fmt::format("{} does not close at the start: {}", name, why)};
  }
  for (const Parts::MountPort& mount : p.mount_ports) {
    if (ShortestPiece(p.dynamics, mount.mount.path) > kShortest) continue;
    return StartFault{
        mount.mount.location,
        fmt::format("two points of {} meet at the start, so its force has no direction; change their places",
                    mount.mount.name)};
  }
  return std::nullopt;
}

void Mechanism::FindCylinders() {
  Parts& p = *parts_;
  if (p.system == nullptr) return;
  std::unordered_map<const PortBase*, Parts::ConnectedCylinder*> places;
  for (Parts::MountPort& mount : p.mount_ports) places.emplace(&mount.port, &mount.cylinder);
  for (Parts::JointPort& port : p.joint_ports) {
    if (port.slide) places.emplace(port.slide.get(), &port.cylinder);
  }
  for (const Connection& connection : p.system->connections()) {
    const auto place = places.find(connection.q.port->port);
    if (place == places.end()) continue;
    const auto* const cylinder = dynamic_cast<const CylinderTravel*>(connection.c.owner);
    if (cylinder != nullptr) *place->second = {connection.c.owner, cylinder->travel()};
  }
}

void Mechanism::CheckCylinders(Diagnostics& diagnostics) const {
  const Parts& p = *parts_;
  for (const Parts::MountPort& mount : p.mount_ports) {
    const auto& [cylinder, travel] = mount.cylinder;
    if (cylinder == nullptr || mount.cylinder.IsReported(*mount.port)) continue;
    const std::string& name = mount.mount.name;
    const double length = multibody::PathValue(p.dynamics, mount.mount.path).length;
    if (mount.LacksShortest()) {
      const double x = std::isnan(mount.port->x_start) ? 0 : -mount.port->x_start;
      diagnostics.Error(
          mount.mount.location, DisplayPath(),
          fmt::format("{} has the cylinder {} but not the attribute shortest, its length with the rod "
                      "retracted; the ends are {:.6g} m apart at the start, so for x = {:.6g} m write "
                      "shortest=\"{:.6g} m\"",
                      name, cylinder->DisplayPath(), length, x, length - x));
      continue;
    }
    const double l0 = mount.mount.shortest;
    if (travel.Contains(l0 - length)) continue;
    diagnostics.Error(
        mount.mount.location, DisplayPath(),
        fmt::format("{} is {:.4g} m long at the start, but the cylinder {} can be {:.4g} m to {:.4g} m long; "
                    "start the joints elsewhere, or change shortest or the stroke",
                    name, length, cylinder->DisplayPath(), l0, l0 + travel.stroke));
  }
  for (const Parts::JointPort& port : p.joint_ports) {
    if (!port.slide || port.cylinder.IsReported(**port.slide)) continue;
    const auto& [cylinder, travel] = port.cylinder;
    const double x = p.q[port.position];
    if (cylinder == nullptr || travel.Contains(-x)) continue;
    diagnostics.Error(
        location(), DisplayPath(),
        fmt::format("{} starts at {:.4g} m, but the cylinder {} at it moves from 0 m to {:.4g} m; change the "
                    "start or the stroke",
                    DeclarationOf(p.positions[port.position]).label.name, x, cylinder->DisplayPath(),
                    travel.stroke));
  }
}

void Mechanism::CheckConnections(Diagnostics& diagnostics) {
  Parts& p = *parts_;
  if (!refused_items().empty()) return;  // it lacks something, which was reported
  FindCylinders();
  if (const std::optional<StartFault> fault = Assemble()) {
    diagnostics.Error(fault->location, DisplayPath(), fault->text);
  } else {
    CheckCylinders(diagnostics);
  }
  p.dynamics.MoveTo(p.base, p.q, p.u);
  CollectJointForces();
  const std::optional<std::size_t> loose = p.dynamics.FactorInertia(p.rotor_inertia);
  if (!loose) return ShowFeltMasses();
  const auto body = std::ranges::find_if(p.description.bodies, [&, i = std::size_t{0}](const auto&) mutable {
    const BodyTree::Link& link = p.tree[i++];
    return *loose >= link.speed_begin && *loose < link.speed_begin + link.joint.speeds();
  });
  diagnostics.Error(
      location(), DisplayPath(),
      fmt::format("nothing resists the motion of body '{}'; give it, or what it carries, a mass and "
                  "an inertia",
                  body->name));
}

void Mechanism::ShowFeltMasses() {
  Parts& p = *parts_;
  std::vector<double> row(p.u.size()), response(p.u.size());
  const auto felt = [&] {
    p.dynamics.SolveMass(row, response);
    double inverse = 0;
    for (std::size_t k = 0; k < row.size(); ++k) inverse += row[k] * response[k];
    return inverse > 0 ? 1 / inverse : 0.0;
  };
  // An open port is not asked, and there may be thousands.
  for (Parts::JointPort& port : p.joint_ports) {
    if (!(port.turn ? port.turn->is_connected() : port.slide->is_connected())) continue;
    row.assign(row.size(), 0);
    row[port.speed] = 1;
    (port.turn ? (*port.turn)->inertia : (*port.slide)->mass) = felt();
  }
  for (Parts::MountPort& mount : p.mount_ports) {
    row.assign(row.size(), 0);
    AddPathRow(p.dynamics, mount.mount.path, row);
    mount.port->mass = felt();
  }
}

}  // namespace davit
