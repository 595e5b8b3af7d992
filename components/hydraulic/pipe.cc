#include "components/hydraulic/pipe.h"

#include "components/hydraulic/laws/circle_area.h"
#include "components/hydraulic/laws/pipe_elements.h"
#include "components/hydraulic/laws/wall_compliance.h"

namespace davit {

Pipe::Pipe() {
  EffortsRead({inlet});
  Reads(flows, {{.of = node_pressures, .from = -1},
                {.of = node_quantities, .from = -1},
                {.of = inlet, .by = Elements::kFirst}});
  for (const Readable nodes : {Readable(node_pressures), Readable(node_quantities)}) {
    Reads(nodes, {{.of = flows, .to = 1}, {.of = outlet, .by = Elements::kLast}});
  }
  Reads(flow, {{.of = node.pressure()}, {.of = node.quantity()}, {.of = inlet}});
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
}

void Pipe::Configure(Diagnostics& /*diagnostics*/) {
  is_quantity_ = formulation == Formulation::kQuantity;
  nodes_ = static_cast<std::size_t>(static_cast<int>(lumps));
  const auto count = static_cast<std::uint32_t>(nodes_);
  node.Choose(*this, formulation);
  flows.SetSize(count);
  node_pressures.SetSize(is_quantity_ ? 0 : count);
  node_quantities.SetSize(is_quantity_ ? count : 0);
}

double Pipe::BulkModulus(Compressibility option) const {
  if (option == Compressibility::kConstant) return bulk_modulus;
  return WithWall(bulk_modulus,
                  PipeWallCompliance(anchoring_factor, inner_diameter, wall_thickness, wall_modulus));
}

void Pipe::ParametersChanged() {
  const double n = cells == Cells::kSeveral ? static_cast<double>(nodes_) : 1;
  area_ = CircleArea(inner_diameter);
  beta_ = BulkModulus(compressibility);
  cell_volume_ = area_ * length / n;
  cell_inertance_ = PipeInertance(density, length, area_) / n;
  cell_minor_loss_ = minor_loss / n;
  cell_friction_ =
      PipeFriction({.diameter = inner_diameter,
                    .length = length / n,
                    .density = density,
                    .kinematic_viscosity = kinematic_viscosity,
                    .wall = friction == Friction::kRough ? PipeWall::kSwameeJain : PipeWall::kSmooth,
                    .roughness = roughness});
}

void Pipe::SetNode(std::size_t k, double p) {
  if (is_quantity_) {
    node_quantities[k].OverrideStateValue(QuantityAt(beta_, p, cell_volume_));
  } else {
    node_pressures[k].OverrideStateValue(p);
  }
}

void Pipe::Reset() {
  DynamicSimComponent::Reset();
  node.Set(p_start, beta_, area_ * length);
  for (std::size_t k = 0; k < nodes_; ++k) {
    const double V = area_ * length / static_cast<double>(nodes_);
    if (is_quantity_) {
      node_quantities[k].OverrideStateValue(QuantityAt(beta_, p_start, V));
    } else {
      node_pressures[k].OverrideStateValue(p_start);
    }
  }
}

double Pipe::FlowRate(double q_k, double p_before, double p_behind) const {
  const double minor = cell_minor_loss_ > 0 ? MinorLoss(cell_minor_loss_, density, area_, q_k) : 0;
  return (p_before - p_behind - cell_friction_.Drop(q_k) - minor) / cell_inertance_;
}

void Pipe::EvaluateCells() {
  // Into the C component at the inlet; the flow is a state, so its wave is known.
  const double q_in = NodeFlow(0);
  inlet->q = -q_in;
  const double p_inlet = inlet->p();
  q = -outlet->q;
  if (cells == Cells::kOne) {
    flow.ddt = FlowRate(flow, p_inlet, node.p(beta_, cell_volume_));
    node.SetRate(beta_, cell_volume_, flow + outlet->q, 0);
    return;
  }
  double p_before = p_inlet;
  for (std::size_t k = 0; k < nodes_; ++k) {
    const double p = NodePressure(k);
    const double q_k = flows[k];
    const double q_behind = k + 1 < nodes_ ? static_cast<double>(flows[k + 1]) : -outlet->q;
    flows[k].ddt = FlowRate(q_k, p_before, p);
    if (is_quantity_) {
      node_quantities[k].ddt = q_k - q_behind;
    } else {
      node_pressures[k].ddt = PressureRate(beta_, cell_volume_, q_k - q_behind, 0);
    }
    p_before = p;
  }
}

void Pipe::ShowIdle() const {
  const double p = outlet->c;
  node.Show(p, beta_, cell_volume_);
  flow.ShowValue(q);
  for (std::size_t k = 0; k < nodes_; ++k) {
    flows[k].ShowValue(q);
    if (is_quantity_) {
      node_quantities[k].ShowValue(QuantityAt(beta_, p, cell_volume_));
    } else {
      node_pressures[k].ShowValue(p);
    }
  }
}

void Pipe::AspectsChanged(AspectSwitch& change) {
  const Cells cells_before = change.Before(cells);
  // What there was, by the constants it was computed with.
  const double V = area_ * length;
  const double p_out = outlet->p();
  const double q_out = -outlet->q;
  const double p_in = inlet->p();
  double oil = 0;
  double energy = 0;
  const double beta_before = BulkModulus(change.Before(compressibility));
  const double inertance = PipeInertance(density, length, area_);
  const auto count = [&](double p, double beta, double volume, double q_k, double inertance_k, double sign) {
    oil += sign * CompressedOil(p, beta, volume);
    energy += sign * (CompressionEnergy(p, beta, volume) + inertance_k * q_k * q_k / 2);
  };
  const double n = static_cast<double>(nodes_);
  const double q_one = flow;
  if (cells_before == Cells::kOne) count(p_out, beta_before, V, q_one, inertance, 1);
  if (cells_before == Cells::kSeveral) {
    for (std::size_t k = 0; k < nodes_; ++k) {
      const double p = is_quantity_ ? QuantityPressure(beta_before, node_quantities[k], V / n)
                                    : static_cast<double>(node_pressures[k]);
      count(p, beta_before, V / n, flows[k], inertance / n, 1);
      if (cells == Cells::kSeveral) SetNode(k, p);
    }
  }
  const double q_begin = cells_before == Cells::kOne ? q_one : q_out;
  if (cells == Cells::kOne) {
    node.Set(p_out, beta_, V);
    if (cells_before != Cells::kOne) flow.OverrideStateValue(q_out);
    count(p_out, beta_, V, flow, inertance, -1);
  }
  if (cells == Cells::kSeveral && cells_before != Cells::kSeveral) {
    const double p_begin = cells_before == Cells::kNone ? p_out : p_in;
    for (std::size_t k = 0; k < nodes_; ++k) {
      const double share = (static_cast<double>(k) + 1) / n;
      SetNode(k, k + 1 == nodes_ ? p_out : p_begin + share * (p_out - p_begin));
      flows[k].OverrideStateValue(q_begin);
    }
  }
  if (cells == Cells::kSeveral) {
    for (std::size_t k = 0; k < nodes_; ++k)
      count(NodePressure(k), beta_, V / n, flows[k], inertance / n, -1);
  }
  change.ReleaseOil(oil);
  change.ReleaseEnergy(energy);
}

}  // namespace davit
