#include "components/marine/wire.h"

#include <fmt/format.h>

#include <algorithm>

namespace davit {

Wire::Wire() {
  EffortsRead({top, load, drum, sheave});
  Reads(x, {{.of = v}});
  Reads(v, {{.of = x, .from = -1, .to = 1},
            {.of = v, .from = -1, .to = 1},
            {.of = drum},
            {.of = sheave},
            {.of = top, .by = Elements::kFirst},
            {.of = load, .by = Elements::kLast}});
}

void Wire::Configure(Diagnostics& /*diagnostics*/) {
  const auto count = static_cast<std::uint32_t>(static_cast<int>(elements));
  x.SetSize(count);
  v.SetSize(count);
}

void Wire::Reset() {
  DynamicSimComponent::Reset();
  overstretched_.Reset();
  const double free = length;
  const auto count = static_cast<double>(x.size());
  double depth = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    // Of all lumps below the part above lump k.
    const double weight = WeightOfMetre() * free * (count - static_cast<double>(k)) / count;
    depth += PartLength(k, free) * (1 + std::max(0.0, start_load + weight) / axial_stiffness);
    x[k].OverrideStateValue(depth);
  }
}

double Wire::PartLength(std::size_t k, double free) const {
  const double l = free / static_cast<double>(x.size());
  return k == 0 || k == x.size() ? l / 2 : l;
}

double Wire::Tension(std::size_t k, double free) const {
  const std::size_t n = x.size();
  const double above = k == 0 ? top->x : x[k - 1], above_rate = k == 0 ? top->v : v[k - 1];
  const double below = k == n ? distance - load->x : x[k], below_rate = k == n ? -load->v : v[k];
  const double l = std::max(PartLength(k, free), 1e-3 * length);
  const double stretch = below - above - PartLength(k, free);
  if (!(stretch > 0)) return 0;
  const double damping = axial_damping * std::min(1.0, stretch / (kFullyDamped * l));
  return std::max(0.0, (axial_stiffness * stretch + damping * (below_rate - above_rate)) / l);
}

void Wire::EvaluateEfforts(double /*t*/) {
  const double free = FreeLength();
  free_length = free;
  tension_top = Tension(0, free);
  tension_load = Tension(x.size(), free);
  top->c = -tension_top;
  load->c = -tension_load;
  drum->c = -radius * tension_top;
  sheave->c = sheave_parts * tension_top;
}

void Wire::PostIntegrate() {
  const double path = distance - load->x - top->x, free = FreeLength();
  overstretched_.Look(path > (1 + kOverstretched) * std::max(free, 1e-3 * length),
                      [&] { return fmt::format("{:.4g} m for a path of {:.4g} m", free, path); });
}

void Wire::EvaluateDiffEquations(double /*t*/) {
  const double free = FreeLength();
  const std::size_t n = x.size();
  const double l = std::max(free / static_cast<double>(n), 1e-3 * length);
  double above = tension_top;
  for (std::size_t k = 0; k < n; ++k) {
    const double below = k + 1 == n ? static_cast<double>(tension_load) : Tension(k + 1, free);
    x[k].ddt = v[k];
    v[k].ddt = (below - above + WeightOfMetre() * l) / (mass_per_length * l);
    above = below;
  }
}

}  // namespace davit
