#include "components/hydraulic/sizing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "components/hydraulic/axial_piston_pump.h"
#include "components/hydraulic/hose.h"
#include "components/hydraulic/laws/circle_area.h"
#include "components/hydraulic/laws/cylinder_geometry.h"
#include "components/hydraulic/laws/pipe_elements.h"

namespace davit {
namespace {

/// ISO 3320, metric series, from 25 mm on.
constexpr std::array<double, 20> kBores{0.025, 0.032, 0.040, 0.050, 0.063, 0.080, 0.100, 0.125, 0.140, 0.160,
                                        0.180, 0.200, 0.220, 0.250, 0.280, 0.320, 0.360, 0.400, 0.450, 0.500};
constexpr std::array<double, 31> kRods{0.010, 0.012, 0.014, 0.016, 0.018, 0.020, 0.022, 0.025,
                                       0.028, 0.032, 0.036, 0.040, 0.045, 0.050, 0.056, 0.063,
                                       0.070, 0.080, 0.090, 0.100, 0.110, 0.125, 0.140, 0.160,
                                       0.180, 0.200, 0.220, 0.250, 0.280, 0.320, 0.360};
/// What a size may lack of what is needed: rounding of the units given.
constexpr double kRounding = 1e-9;

}  // namespace

double LargestHosePressure() {
  return std::ranges::max_element(kHoses, {}, &HoseData::operating_pressure)->operating_pressure;
}

std::optional<HoseChoice> ChooseHose(double q, double v, double p) {
  std::optional<HoseChoice> choice;
  for (std::size_t i = 0; i < kHoses.size(); ++i) {
    const HoseData& hose = kHoses[i];
    if (hose.operating_pressure < p * (1 - kRounding)) continue;
    const double area = CircleArea(hose.inner_diameter);
    const int count = std::max(1, static_cast<int>(std::ceil(q / v / area * (1 - kRounding))));
    if (choice && choice->count <= count) continue;
    choice = {.size = Hose::kSizeNames[i + 1],
              .data = hose,
              .count = count,
              .bore = BoreForFlow(q, v),
              .velocity = q / count / area};
  }
  return choice;
}

std::optional<PumpChoice> ChoosePump(double q, double omega, double p, bool is_closed_circuit) {
  std::optional<PumpChoice> choice;
  for (std::size_t i = 0; i < kAxialPistonPumps.size(); ++i) {
    const PumpData& pump = kAxialPistonPumps[i];
    if (pump.is_closed_circuit != is_closed_circuit) continue;
    const MachinePoint at = PumpAt(pump, omega, p);
    if (at.q < q * (1 - kRounding) || (choice && choice->data.V_rev <= pump.V_rev)) continue;
    choice = {
        .model = AxialPistonPump::kModelNames[i + 1], .data = pump, .displacement = q / omega, .at = at};
  }
  return choice;
}

std::optional<CylinderChoice> ChooseCylinder(double F, double p, double friction_ratio, double largest_ratio,
                                             double speed) {
  const double needed = CircleDiameter(F / p / (1 - friction_ratio));
  const auto bore = std::ranges::find_if(kBores, [&](double d) { return d >= needed * (1 - kRounding); });
  if (bore == kBores.end()) return {};
  std::optional<CylinderChoice> choice;
  for (const double rod : kRods) {
    if (rod >= *bore) break;
    const CylinderGeometry geometry{.bore = *bore, .rod = rod};
    const double ratio = geometry.piston_area() / geometry.ring_area();
    if (ratio > largest_ratio * (1 + kRounding)) break;
    choice = {.needed_bore = needed,
              .bore = *bore,
              .rod = rod,
              .pressure = F / geometry.piston_area() / (1 - friction_ratio),
              .area_ratio = ratio,
              .flow_out = geometry.piston_area() * speed,
              .flow_in = geometry.ring_area() * speed};
  }
  return choice;
}

}  // namespace davit
