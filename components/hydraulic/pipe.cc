#include "components/hydraulic/pipe.h"

#include "components/hydraulic/laws/circle_area.h"
#include "components/hydraulic/laws/pipe_elements.h"
#include "components/hydraulic/laws/pipe_tables.h"
#include "components/hydraulic/laws/wall_compliance.h"

namespace davit {

namespace {

PipeWall WallOf(Pipe::RoughLaw law) {
  switch (law) {
    case Pipe::RoughLaw::kSwameeJain: return PipeWall::kSwameeJain;
    case Pipe::RoughLaw::kHaaland: return PipeWall::kHaaland;
    case Pipe::RoughLaw::kColebrook: return PipeWall::kColebrook;
  }
  return PipeWall::kSwameeJain;
}

}  // namespace

Pipe::Pipe() {
  EffortsRead({inlet});
  Reads(flows, {{.of = node_pressures, .from = -1},
                {.of = node_quantities, .from = -1},
                {.of = friction_flows.all()},
                {.of = inlet, .by = Elements::kFirst}});
  Reads(friction_flows, {{.of = flow}, {.of = flows.all()}});
  for (const Readable nodes : {Readable(node_pressures), Readable(node_quantities)}) {
    Reads(nodes, {{.of = flows, .to = 1}, {.of = outlet, .by = Elements::kLast}});
  }
  Reads(flow, {{.of = node.pressure()}, {.of = node.quantity()}, {.of = friction_flows}, {.of = inlet}});
  for (const Readable one : {Readable(node.pressure()), Readable(node.quantity())}) {
    Reads(one, {{.of = flow}, {.of = outlet}});
  }
  Reads(inlet, {{.of = flow}, {.of = flows.first()}, {.of = outlet}});
  Reads(outlet, {{.of = node.pressure()},
                 {.of = node.quantity()},
                 {.of = node_pressures.last()},
                 {.of = node_quantities.last()},
                 {.of = inlet}});
  Reads(q, {{.of = outlet}});
  Reads(q_leak, {{.of = node.pressure()},
                 {.of = node.quantity()},
                 {.of = node_pressures.last()},
                 {.of = node_quantities.last()}});
  Reads(void_volume,
        {{.of = node.pressure()}, {.of = node.quantity()}, {.of = node_pressures}, {.of = node_quantities}});
}

void Pipe::Configure(Diagnostics& /*diagnostics*/) {
  const bool is_quantity = formulation == Formulation::kQuantity;
  content_.Choose(formulation);
  nodes_ = static_cast<std::size_t>(static_cast<int>(lumps));
  const auto count = static_cast<std::uint32_t>(nodes_);
  node.Choose(*this, formulation);
  flows.SetSize(count);
  node_pressures.SetSize(is_quantity ? 0 : count);
  node_quantities.SetSize(is_quantity ? count : 0);
  terms_ = friction_dynamics == FrictionDynamics::kFrequencyDependent
               ? static_cast<std::size_t>(static_cast<int>(friction_terms))
               : 0;
  friction_flows.SetSize(count * static_cast<std::uint32_t>(terms_));
}

double Pipe::AnchoringFactorInUse() const {
  switch (anchoring) {
    case Anchoring::kFactor: break;
    case Anchoring::kExpansionJoints:
      return AnchoringFactor(PipeAnchoring::kExpansionJoints, wall_poisson_ratio);
    case Anchoring::kUpstream: return AnchoringFactor(PipeAnchoring::kUpstream, wall_poisson_ratio);
    case Anchoring::kThroughout: return AnchoringFactor(PipeAnchoring::kThroughout, wall_poisson_ratio);
  }
  return anchoring_factor;
}

double Pipe::LossCoefficient() const {
  return minor_loss + flexible_connections * MeanLoss(Fitting::kFlexibleConnection) +
         elbows * MeanLoss(Fitting::kElbow) + tees * MeanLoss(Fitting::kTee) +
         sharp_inlets * MeanLoss(Fitting::kInlet) + outlets * MeanLoss(Fitting::kOutlet);
}

OilCompression Pipe::CompressionOf(Compressibility option) const {
  return oil.CompressionOf(option, WallCompliance());
}

double Pipe::WallCompliance() const {
  return PipeWallCompliance(AnchoringFactorInUse(), inner_diameter, wall_thickness, wall_modulus);
}

PipeFriction Pipe::FrictionOf(Friction option, double part) const {
  return PipeFriction({.diameter = inner_diameter,
                       .length = part,
                       .density = density,
                       .kinematic_viscosity = kinematic_viscosity,
                       .wall = option == Friction::kRough ? WallOf(rough_law) : PipeWall::kSmooth,
                       .roughness = roughness});
}

void Pipe::ParametersChanged() {
  const double n = cells == Cells::kSeveral ? static_cast<double>(nodes_) : 1;
  const double V_before = volume_;
  area_ = CircleArea(inner_diameter);
  volume_ = area_ * length;
  cell_volume_ = volume_ / n;
  SetOil(CompressionOf(compressibility), V_before);
  inertance_share_ = terms_ > 0 ? 1 + 4 * UnsteadyFrictionRest(terms_) : 1;
  friction_rate_ = kinematic_viscosity / (inner_diameter / 2 * (inner_diameter / 2));
  cell_inertance_ = PipeInertance(density, length, area_) / n * inertance_share_;
  cell_minor_loss_ = LossCoefficient() / n;
  cell_friction_ = FrictionOf(friction, length / n);
  rough_friction_ = FrictionOf(Friction::kRough, length);
  smooth_friction_ = FrictionOf(Friction::kSmooth, length);
}

void Pipe::SetOil(const OilCompression& oil_now, double V_before) {
  node.SetOil(oil_now, V_before, volume_);
  const double n = static_cast<double>(nodes_);
  // As OilState::SetOil.
  const OilContent before = content_;
  content_.SetOil(oil_now);
  if (!(V_before > 0) || (V_before == volume_ && before.oil().data() == oil_now.data())) return;
  for (std::size_t k = 0; k < nodes_; ++k) {
    const double s = NodeState(k), V = V_before / n;
    const double void_volume_k = before.VoidVolume(s, V);
    if (content_.is_quantity() || void_volume_k > 0) SetNode(k, before.p(s, V), volume_ / n, void_volume_k);
  }
}

void Pipe::SetNode(std::size_t k, double p, double V, double void_volume_k) {
  const double s = content_.State(p, V, void_volume_k);
  if (content_.is_quantity()) {
    node_quantities[k].OverrideStateValue(s);
  } else {
    node_pressures[k].OverrideStateValue(s);
  }
}

void Pipe::Reset() {
  DynamicSimComponent::Reset();
  alarms.Reset();
  node.Set(p_start, volume_);
  for (std::size_t k = 0; k < nodes_; ++k) SetNode(k, p_start, volume_ / static_cast<double>(nodes_));
  SettleFriction();
}

void Pipe::SettleFriction() {
  for (std::size_t k = 0; k < nodes_ && terms_ > 0; ++k) {
    const double q_k = NodeFlow(cells == Cells::kOne ? 0 : k);
    for (std::size_t i = 0; i < terms_; ++i) friction_flows[k * terms_ + i].OverrideStateValue(q_k);
  }
}

double Pipe::UnsteadyDrop(std::size_t k, double q_k) const {
  double sum = 0;
  for (std::size_t i = 0; i < terms_; ++i) {
    sum += kUnsteadyFrictionWeights[i] * (q_k - friction_flows[k * terms_ + i]);
  }
  return cell_friction_.laminar_resistance() / 2 * sum;
}

void Pipe::EvaluateFriction() {
  if (terms_ == 0) return;
  for (std::size_t k = 0; k < nodes_; ++k) {
    for (std::size_t i = 0; i < terms_; ++i) {
      auto y = friction_flows[k * terms_ + i];
      const bool is_unused = cells == Cells::kOne && k > 0;
      y.ddt = is_unused ? 0 : kUnsteadyFrictionRates[i] * friction_rate_ * (NodeFlow(k) - y);
    }
  }
}

double Pipe::FlowEnergy(std::size_t k, double q_k, double I) const {
  // The memory of each term is the flow in an inertance beside its resistance: R0/2 m_i/(n_i nu/r^2).
  double energy = I * inertance_share_ * q_k * q_k / 2;
  for (std::size_t i = 0; i < terms_; ++i) {
    const double y = friction_flows[k * terms_ + i];
    energy += 4 * I * kUnsteadyFrictionWeights[i] / kUnsteadyFrictionRates[i] * y * y / 2;
  }
  return energy;
}

void Pipe::AccountEnergy(EnergyTerms& terms) const {
  if (cells == Cells::kNone) return;
  const bool is_one = cells == Cells::kOne;
  const double I = cell_inertance_ / inertance_share_;
  double oil_energy = 0, flow_energy = 0, lost = 0;
  for (std::size_t k = 0; k < (is_one ? 1 : nodes_); ++k) {
    const double q_k = NodeFlow(k);
    oil_energy +=
        is_one ? node.StoredEnergy(cell_volume_) : content_.StoredEnergy(NodeState(k), cell_volume_);
    flow_energy += FlowEnergy(k, q_k, I);
    lost += q_k * (cell_friction_.Drop(q_k) + AddedDrop(k, q_k));
    for (std::size_t i = 0; i < terms_; ++i) {
      const double y = friction_flows[k * terms_ + i];
      lost -= 4 * I * kUnsteadyFrictionWeights[i] * friction_rate_ * y * (q_k - y);
    }
  }
  terms.Stored("oil", oil_energy);
  terms.Stored("flow", flow_energy);
  terms.Lost("friction", lost);
  terms.Lost("leakage", outlet->p() * q_leak);
}

double Pipe::AddedDrop(std::size_t k, double q_k) const {
  const double minor = cell_minor_loss_ > 0 ? MinorLoss(cell_minor_loss_, density, area_, q_k) : 0;
  return terms_ > 0 ? minor + UnsteadyDrop(k, q_k) : minor;
}

double Pipe::FlowRate(std::size_t k, double q_k, double p_before, double p_behind) const {
  return (p_before - p_behind - cell_friction_.Drop(q_k) - AddedDrop(k, q_k)) / cell_inertance_;
}

double Pipe::FlowRateSlope(double q_k) const {
  const double v_per_q = 1 / area_;
  const double minor =
      cell_minor_loss_ > 0 ? cell_minor_loss_ * density * std::abs(q_k) * v_per_q * v_per_q : 0;
  return -(cell_friction_.DropSlope(q_k) + minor) / cell_inertance_;
}

bool Pipe::WritePartials(PartialDerivatives& partials) const {
  if (cells == Cells::kNone) {
    partials.Set(&outlet->c, &inlet->c, 1);
    partials.Set(&outlet->Zc, &inlet->Zc, 1);
    partials.Set(&outlet->p_min, &inlet->p_min, 1);
    partials.Set(&inlet->q, &outlet->q, 1);
    partials.Set(q, &outlet->q, -1);
    return true;
  }
  const bool is_one = cells == Cells::kOne;
  if (terms_ > 0 || external_leak.is_present()) return false;
  const std::size_t n = is_one ? 1 : nodes_;
  const auto flow_at = [&](std::size_t k) {
    return is_one ? PartialDerivatives::Variable(flow) : PartialDerivatives::Variable(flows[k]);
  };
  const auto node_at = [&](std::size_t k) {
    return is_one                   ? PartialDerivatives::Variable(node.state_in_use())
           : content_.is_quantity() ? PartialDerivatives::Variable(node_quantities[k])
                                    : PartialDerivatives::Variable(node_pressures[k]);
  };
  const double q_in = NodeFlow(0);
  const double p_inlet = inlet->c - inlet->Zc * q_in;
  const double at_inlet = p_inlet >= inlet->p_min ? 1 / cell_inertance_ : 0;
  partials.Set(&inlet->q, flow_at(0), -1);
  partials.Set(q, &outlet->q, -1);
  partials.Set(flow_at(0), &inlet->c, at_inlet);
  partials.Set(flow_at(0), &inlet->Zc, -q_in * at_inlet);
  partials.Set(flow_at(0), &inlet->p_min, 1 / cell_inertance_ - at_inlet);
  for (std::size_t k = 0; k < n; ++k) {
    const double q_k = NodeFlow(k);
    const double s = is_one ? static_cast<double>(node.state_in_use()) : NodeState(k);
    const double q_net = q_k - (k + 1 < n ? NodeFlow(k + 1) : -outlet->q);
    const OilContent::Slopes slopes =
        is_one ? node.SlopesAt(cell_volume_, q_net, 0) : content_.SlopesAt(s, cell_volume_, q_net, 0);
    partials.Set(flow_at(k), flow_at(k), FlowRateSlope(q_k) - (k == 0 ? inlet->Zc * at_inlet : 0));
    partials.Set(flow_at(k), node_at(k), -slopes.p_s / cell_inertance_);
    partials.Set(node_at(k), flow_at(k), slopes.rate_q);
    partials.Set(node_at(k), node_at(k), slopes.rate_s);
    partials.Set(void_volume, node_at(k), slopes.void_s);
    if (k + 1 < n) {
      partials.Set(flow_at(k + 1), node_at(k), slopes.p_s / cell_inertance_);
      partials.Set(node_at(k), flow_at(k + 1), -slopes.rate_q);
    } else {
      partials.Set(&outlet->c, node_at(k), slopes.p_s);
      partials.Set(node_at(k), &outlet->q, slopes.rate_q);
    }
  }
  return true;
}

void Pipe::EvaluateCells() {
  // Into the C component at the inlet; the flow is a state, so its wave is known.
  const double q_in = NodeFlow(0);
  inlet->q = -q_in;
  const double p_inlet = inlet->p();
  q = -outlet->q;
  q_leak = external_leak.Flow(outlet->c);
  // What comes out of the last cell.
  const double q_out = external_leak.is_present() ? q_leak - outlet->q : -outlet->q;
  EvaluateFriction();
  if (cells == Cells::kOne) {
    flow.ddt = FlowRate(0, flow, p_inlet, node.p(cell_volume_));
    node.SetRate(cell_volume_, flow - q_out, 0);
    void_volume = node.VoidVolume(cell_volume_);
    return;
  }
  double void_sum = 0;
  double p_before = p_inlet;
  for (std::size_t k = 0; k < nodes_; ++k) {
    const double p = NodePressure(k);
    const double q_k = flows[k];
    const double q_behind = k + 1 < nodes_ ? static_cast<double>(flows[k + 1]) : q_out;
    flows[k].ddt = FlowRate(k, q_k, p_before, p);
    const double s = NodeState(k);
    const double rate = content_.Rate(s, cell_volume_, q_k - q_behind, 0);
    if (content_.is_quantity()) {
      node_quantities[k].ddt = rate;
    } else {
      node_pressures[k].ddt = rate;
    }
    void_sum += content_.VoidVolume(s, cell_volume_);
    p_before = p;
  }
  void_volume = void_sum;
}

void Pipe::ShowIdle() const {
  const double p = outlet->c;
  node.Show(p, cell_volume_);
  flow.ShowValue(q);
  for (std::size_t k = 0; k < nodes_; ++k) {
    flows[k].ShowValue(q);
    if (content_.is_quantity()) {
      node_quantities[k].ShowValue(content_.State(p, cell_volume_));
    } else {
      node_pressures[k].ShowValue(p);
    }
    for (std::size_t i = 0; i < terms_; ++i) friction_flows[k * terms_ + i].ShowValue(q);
  }
}

void Pipe::AspectsChanged(AspectSwitch& change) {
  const Cells cells_before = change.Before(cells);
  // What there was, by the constants it was computed with. ParametersChanged has kept pressures and cavities.
  const double p_out = outlet->p();
  const double q_out = -outlet->q;
  const double p_in = inlet->p();
  double oil_ended = 0;
  double energy_ended = 0;
  const OilCompression oil_before = CompressionOf(change.Before(compressibility));
  const double inertance = PipeInertance(density, length, area_);
  const auto count = [&](const OilCompression& law, double p, double void_volume_k, double V, std::size_t k,
                         double q_k, double inertance_k, double sign) {
    oil_ended += sign * (V * law.Compression(p) - void_volume_k);
    energy_ended += sign * (V * law.Energy(p) + FlowEnergy(k, q_k, inertance_k));
  };
  const double n = static_cast<double>(nodes_);
  const double V_k = volume_ / n;
  const auto count_nodes = [&](const OilCompression& law, double sign) {
    for (std::size_t k = 0; k < nodes_; ++k) {
      const double s = NodeState(k);
      count(law, content_.p(s, V_k), content_.VoidVolume(s, V_k), V_k, k, flows[k], inertance / n, sign);
    }
  };
  const double q_one = flow;
  if (cells_before == Cells::kOne)
    count(oil_before, p_out, node.VoidVolume(volume_), volume_, 0, q_one, inertance, 1);
  if (cells_before == Cells::kSeveral) count_nodes(oil_before, 1);
  const double q_begin = cells_before == Cells::kOne ? q_one : q_out;
  if (cells == Cells::kOne) {
    if (cells_before != Cells::kOne) {
      node.Set(p_out, volume_);
      flow.OverrideStateValue(q_out);
      SettleFriction();
    }
    count(node.oil(), p_out, node.VoidVolume(volume_), volume_, 0, flow, inertance, -1);
  }
  if (cells == Cells::kSeveral && cells_before != Cells::kSeveral) {
    const double p_begin = cells_before == Cells::kNone ? p_out : p_in;
    for (std::size_t k = 0; k < nodes_; ++k) {
      const double share = (static_cast<double>(k) + 1) / n;
      SetNode(k, k + 1 == nodes_ ? p_out : p_begin + share * (p_out - p_begin), V_k);
      flows[k].OverrideStateValue(q_begin);
    }
    SettleFriction();
  }
  if (cells == Cells::kSeveral) count_nodes(content_.oil(), -1);
  change.ReleaseOil(oil_ended);
  change.ReleaseEnergy(energy_ended);
}

}  // namespace davit
