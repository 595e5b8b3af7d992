#include <algorithm>

#include "components/mechanism/mechanism.h"
#include "components/mechanism/mechanism_parts.h"

namespace davit {

using multibody::LoopDerivatives;
using multibody::StateDerivatives;
using multibody::TreeDerivatives;
using multibody::Vector3;
using Variable = PartialDerivatives::Variable;

namespace {

Eigen::Index At(std::size_t i) { return static_cast<Eigen::Index>(i); }

}  // namespace

bool Mechanism::KnowsPartials() const {
  const Parts& p = *parts_;
  const auto is_known = [&](const double* value) {
    return std::ranges::any_of(p.mount_ports, [&](const Parts::MountPort& mount) {
      return value == mount.length.id() || value == mount.force.id();
    });
  };
  // The motion of the base may come from functions of the time.
  const auto has_no_states = [](const Component& component) {
    const Declarations& has = component.declarations();
    return has.states.empty() && has.ports.empty() &&
           std::ranges::none_of(has.inputs, &InputDeclaration::is_routed);
  };
  if (!p.partials || p.system == nullptr) return p.partials.has_value();
  return std::ranges::all_of(p.system->routes(), [&](const Route& route) {
    if (route.to_owner == this) return has_no_states(route.from.owner());
    const OutputDeclaration* const output = route.from.output();
    return output == nullptr || &route.from.owner() != this || is_known(output->value);
  });
}

multibody::TreeDerivatives::PointForce Mechanism::ContactSlopes(const GroundContact& contact) const {
  constexpr double kStep = 1e-7;  // [m] and [m/s]
  const auto& [at, v] = parts_->PointOf(contact);
  const auto force = [&](const Vector3& place, const Vector3& velocity) {
    return ContactForce(contact, place, velocity);
  };
  TreeDerivatives::PointForce slopes{.force = force(at, v), .by_place = {}, .by_velocity = {}};
  for (int i = 0; i < 3; ++i) {
    const Vector3 step = kStep * Vector3::Unit(i);
    slopes.by_place.col(i) = (force(at + step, v) - force(at - step, v)) / (2 * kStep);
    slopes.by_velocity.col(i) = (force(at, v + step) - force(at, v - step)) / (2 * kStep);
  }
  return slopes;
}

bool Mechanism::WritePartials(PartialDerivatives& partials) const {
  Parts& p = *parts_;
  if (!p.knows_partials || !p.is_accelerated) return false;
  const bool has_wires = p.HasLoadOnWire();
  if (has_wires && !p.description.loops.empty()) return false;
  LoopDerivatives& known = *p.partials;
  for (std::size_t i = 0; i < p.mount_ports.size(); ++i) {
    const Parts::MountPort& mount = p.mount_ports[i];
    const double mass = mount.on_speed ? mount.port->added_mass : 0;
    p.path_loads[i] = {mount.force - (mass > 0 ? mass * SecondRate(i) : 0), mass};
  }
  known.Evaluate(p.u_closed, p.u_rate, p.path_loads, [&](TreeDerivatives& tree) {
    for (const GroundContact& contact : p.contacts) {
      const TreeDerivatives::PointForce slopes = ContactSlopes(contact);
      if (!slopes.force.isZero(0)) tree.AddPointForce(contact.anchor(), slopes);
    }
    if (!has_wires) return;
    const HangingLoad::Base base = p.BaseNow(gravity_);
    for (std::size_t i = 0; i < p.loads.size(); ++i) {
      using Slopes = HangingLoad::Slopes;
      const multibody::Anchor& at = p.loads[i].description().at;
      const HangingLoad::Tip tip = p.TipOf(p.loads[i]);
      Parts::LoadSlopes& of = p.load_slopes[i];
      of.slopes = p.loads[i].Differentiate(base, tip);
      tree.AddPointForce(at, {.force = p.loads[i].Respond(base, tip, p.loads[i].Read()).pull,
                              .by_place = of.slopes.pull.middleCols<3>(Slopes::kTipPlace),
                              .by_velocity = of.slopes.pull.middleCols<3>(Slopes::kTipVelocity)});
      tree.FillPointRows(at, of.tip);
    }
  });
  p.states->Begin(known, p.q_closed, p.u_closed, loop_decay_);
  AddForcesOfPorts();
  p.states->Finish(p.q);
  WriteStates(partials);
  WriteJoints(partials);
  WriteMounts(partials);
  if (has_wires) WriteLoads(partials);
  return true;
}

// The bonds at the ports have the motion of the states as they are, not of projected ones.
void Mechanism::AddForcesOfPorts() const {
  Parts& p = *parts_;
  const LoopDerivatives& known = *p.partials;
  for (std::size_t i = 0; i < p.joint_ports.size(); ++i) {
    const Parts::JointPort& port = p.joint_ports[i];
    const StopPush stop = StopAt(p.q[port.position], port.lower, port.upper, p.u[port.speed],
                                 port.turn ? angle_stop_stiffness_ : stop_stiffness_);
    const double Zc = port.turn ? (*port.turn)->Zc : (*port.slide)->Zc;
    p.by_place.setZero();
    p.by_speed.setZero();
    p.by_place[At(port.speed)] = -stop.by_x;
    p.by_speed[At(port.speed)] = -Zc - p.frictions[i] - stop.by_v;
    p.states->AddForce(known.by_force().col(At(port.speed)), p.by_place, p.by_speed);
  }
  for (std::size_t i = 0; i < p.mount_ports.size(); ++i) {
    const StopPush slopes = MountSlopes(i);
    p.by_place = -slopes.by_x * known.path_row(i) - slopes.by_v * known.path_rate_by_place(i);
    p.by_speed = -slopes.by_v * known.path_row(i);
    p.states->AddForce(known.by_path_force(i), p.by_place, p.by_speed);
  }
}

Mechanism::StopPush Mechanism::MountSlopes(std::size_t i) const {
  const TranslationalBond& bond = *parts_->mount_ports[i].port;
  StopPush slopes = StopAt(bond.x, bond.x_min, bond.x_max, bond.v, stop_stiffness_);
  slopes.by_v += bond.Zc;
  return slopes;
}

double Mechanism::SecondRate(std::size_t i) const {
  return multibody::PathValue(parts_->dynamics, parts_->mount_ports[i].mount.path).second_rate;
}

void Mechanism::WriteStates(PartialDerivatives& partials) const {
  const Parts& p = *parts_;
  const StateDerivatives& slopes = *p.states;
  const auto write = [&](const auto& rates, const auto& over, const StateDerivatives::Matrix& values) {
    for (std::size_t i = 0; i < rates.size(); ++i) {
      for (std::size_t j = 0; j < over.size(); ++j) partials.Set(rates[i], over[j], values(At(i), At(j)));
    }
  };
  write(p.positions, p.positions, slopes.q_by_q());
  write(p.positions, p.speeds, slopes.q_by_u());
  write(p.speeds, p.positions, slopes.u_by_q());
  write(p.speeds, p.speeds, slopes.u_by_u());
}

void Mechanism::WriteJoints(PartialDerivatives& partials) const {
  const Parts& p = *parts_;
  const auto write = [&](const Parts::JointPort& port, auto& bond, const double* x, const double* v,
                         const double* added, double speed) {
    partials.Set(x, p.positions[port.position], -1);
    partials.Set(v, p.speeds[port.speed], -1);
    const auto response = p.partials->by_force().col(At(port.speed));
    for (std::size_t k = 0; k < p.speeds.size(); ++k) {
      const double share = response[At(k)];
      partials.Set(p.speeds[k], &bond.c, share);
      partials.Set(p.speeds[k], &bond.Zc, -share * speed);
      partials.Set(p.speeds[k], added, -share * p.u_rate[port.speed]);
    }
  };
  for (const Parts::JointPort& port : p.joint_ports) {
    const double speed = p.u[port.speed];
    if (port.turn) {
      RotationalBond& bond = **port.turn;
      write(port, bond, &bond.angle, &bond.w, &bond.added_inertia, speed);
    } else {
      TranslationalBond& bond = **port.slide;
      write(port, bond, &bond.x, &bond.v, &bond.added_mass, speed);
    }
  }
}

void Mechanism::WriteLoads(PartialDerivatives& partials) const {
  using Slopes = HangingLoad::Slopes;
  Parts& p = *parts_;
  for (std::size_t l = 0; l < p.loads.size(); ++l) {
    const HangingLoad& load = p.loads[l];
    const Slopes& slopes = p.load_slopes[l].slopes;
    const TreeDerivatives::PointRows& tip = p.load_slopes[l].tip;
    // u' over a force on the tip, and over what that depends on.
    const auto write_own = [&](const StateVariable& by, int column) {
      const Eigen::Vector3d force = slopes.pull.col(column);
      const auto n = static_cast<Eigen::Index>(p.speeds.size());
      for (Eigen::Index k = 0; k < n; ++k) {
        double sum = 0;
        for (Eigen::Index j = 0; j < n; ++j)
          sum += p.partials->by_force()(k, j) * tip.by_speed.col(j).dot(force);
        partials.Set(p.speeds[static_cast<std::size_t>(k)], by, sum);
      }
      partials.Set(load.length(), by, slopes.length_rate[column]);
      for (int i = 0; i < 3; ++i) partials.Set(load.velocity(i), by, slopes.acceleration(i, column));
    };
    write_own(load.length(), Slopes::kLength);
    for (int i = 0; i < 3; ++i) {
      write_own(load.place(i), Slopes::kPlace + i);
      write_own(load.velocity(i), Slopes::kVelocity + i);
      partials.Set(load.place(i), load.velocity(i), 1);
    }
    const auto write_by_tip = [&](const StateVariable& rate, const auto& row) {
      const auto by_place = row.template middleCols<3>(Slopes::kTipPlace);
      const auto by_velocity = row.template middleCols<3>(Slopes::kTipVelocity);
      p.by_place.noalias() = by_place * tip.by_speed;
      p.by_place.noalias() += by_velocity * tip.velocity_by_place;
      for (std::size_t j = 0; j < p.positions.size(); ++j)
        partials.Set(rate, p.positions[j], p.states->ByPosition(p.by_place, j));
      for (std::size_t k = 0; k < p.speeds.size(); ++k)
        partials.Set(rate, p.speeds[k], by_velocity.dot(tip.by_speed.col(At(k)).transpose()));
    };
    write_by_tip(load.length(), slopes.length_rate);
    for (int i = 0; i < 3; ++i) write_by_tip(load.velocity(i), slopes.acceleration.row(i));
  }
}

void Mechanism::WriteMounts(PartialDerivatives& partials) const {
  Parts& p = *parts_;
  const LoopDerivatives& known = *p.partials;
  for (std::size_t i = 0; i < p.mount_ports.size(); ++i) {
    Parts::MountPort& mount = p.mount_ports[i];
    TranslationalBond& bond = *mount.port;
    const StopPush slopes = MountSlopes(i);
    const auto row = known.path_row(i), rate_row = known.path_rate_by_place(i);
    const auto response = known.by_path_force(i);
    const double second_rate = SecondRate(i);
    for (std::size_t k = 0; k < p.speeds.size(); ++k) {
      const double share = response[At(k)];
      partials.Set(p.speeds[k], &bond.c, share);
      partials.Set(p.speeds[k], &bond.Zc, share * bond.v);
      partials.Set(p.speeds[k], &bond.added_mass, -share * second_rate);
      partials.Set(&bond.v, p.speeds[k], -row[At(k)]);
      partials.Set(mount.force, p.speeds[k], -slopes.by_v * row[At(k)]);
    }
    for (std::size_t j = 0; j < p.positions.size(); ++j) {
      const double by_q = p.states->ByPosition(row, j), rate_by_q = p.states->ByPosition(rate_row, j);
      partials.Set(mount.length, p.positions[j], by_q);
      partials.Set(&bond.x, p.positions[j], -by_q);
      partials.Set(&bond.v, p.positions[j], -rate_by_q);
      partials.Set(mount.force, p.positions[j], -slopes.by_x * by_q - slopes.by_v * rate_by_q);
    }
    partials.Set(mount.force, &bond.c, 1);
    partials.Set(mount.force, &bond.Zc, bond.v);
  }
}

}  // namespace davit
