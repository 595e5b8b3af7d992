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
    depth += PartLength(k, free) *
             (1 + std::max(0.0, start_load / drive_.fall_count() + weight) / axial_stiffness);
    x[k].OverrideStateValue(depth);
  }
}

double Wire::PartLength(std::size_t k, double free) const {
  const double l = free / static_cast<double>(x.size());
  return k == 0 || k == x.size() ? l / 2 : l;
}

Wire::Part Wire::PartAt(std::size_t k, double free) const {
  const std::size_t n = x.size();
  const double above = k == 0 ? top->x : x[k - 1], above_rate = k == 0 ? top->v : v[k - 1];
  const double below = k == n ? distance - load->x : x[k], below_rate = k == n ? -load->v : v[k];
  const double l = PartLength(k, free);
  return {l, std::max(l, LeastLength()), below - above - l, below_rate - above_rate};
}

double Wire::Tension(const Part& part) const {
  if (!(part.stretch > 0)) return 0;
  const double damping = axial_damping * std::min(1.0, part.stretch / (kFullyDamped * part.elastic));
  return std::max(0.0, (axial_stiffness * part.stretch + damping * part.rate) / part.elastic);
}

void Wire::EvaluateEfforts(double /*t*/) {
  const double free = FreeLength();
  free_length = free;
  tension_top = Tension(PartAt(0, free));
  tension_load = Tension(PartAt(x.size(), free));
  const double falls = drive_.fall_count(), tension_drum = DrumTension();
  top->c = -falls * tension_top;
  load->c = -falls * tension_load;
  drum->c = -drive_.RadiusAt(drum->angle) * tension_drum;
  sheave->c = sheave_parts * tension_drum;
}

void Wire::PostIntegrate() {
  const double path = distance - load->x - top->x, free = FreeLength();
  overstretched_.Look(path > (1 + kOverstretched) * std::max(free, LeastLength()),
                      [&] { return fmt::format("{:.4g} m for a path of {:.4g} m", free, path); });
}

void Wire::EvaluateDiffEquations(double /*t*/) {
  const double free = FreeLength();
  const std::size_t n = x.size();
  const double l = std::max(free / static_cast<double>(n), LeastLength());
  double above = tension_top;
  for (std::size_t k = 0; k < n; ++k) {
    const double below = k + 1 == n ? static_cast<double>(tension_load) : Tension(PartAt(k + 1, free));
    x[k].ddt = v[k];
    v[k].ddt = (below - above + WeightOfMetre() * l) / (mass_per_length * l);
    above = below;
  }
}

void Wire::AccountEnergy(EnergyTerms& terms) const {
  const std::size_t n = x.size();
  const double free = free_length, whole = free / static_cast<double>(n);
  double kinetic = 0, potential = 0, elastic = 0, damping = 0;
  // What the wire gains per metre paid out: the tension at the drum is that of a wire that is paid out under
  // it at the top, but all parts become longer, without load, at rest in their motion and where they are.
  double per_metre = tension_top;
  for (std::size_t k = 0; k <= n; ++k) {
    const Part part = PartAt(k, free);
    const double share = PartLength(k, 1);
    const double stretch = std::max(0.0, part.stretch), force = axial_stiffness * stretch / part.elastic;
    elastic += force * stretch / 2;
    damping += (Tension(part) - force) * part.rate;
    per_metre -= share * force;
    if (part.elastic == part.length) per_metre -= share * force * stretch / (2 * part.elastic);
  }
  const bool is_clamped = whole < LeastLength();
  const double l = is_clamped ? LeastLength() : whole;
  for (std::size_t k = 0; k < n; ++k) {
    const double of_metre = mass_per_length * v[k] * v[k] / 2, lifted = WeightOfMetre() * x[k];
    kinetic += l * of_metre;
    potential -= l * lifted;
    if (!is_clamped) per_metre += (of_metre - lifted) / static_cast<double>(n);
  }
  const double falls = drive_.fall_count();
  terms.Stored("kinetic", falls * kinetic);
  terms.Stored("potential", falls * potential);
  terms.Stored("strain", falls * elastic);
  terms.Lost("damping", falls * damping);
  terms.In("wire paid out", per_metre * PaidOutRate());
  if (drive_.has_friction()) terms.Lost("sheaves", (tension_top - DrumTension()) * PaidOutRate());
}

}  // namespace davit
