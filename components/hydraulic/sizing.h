#pragma once

#include <optional>
#include <string_view>

#include "components/hydraulic/laws/displacement_machines.h"
#include "components/hydraulic/laws/pipe_tables.h"

namespace davit {

/// Choices of standard sizes, by the rules of Yu Li's MSc thesis (NTNU 2016). All quantities SI and positive.

/// Hoses of one size, side by side.
struct HoseChoice {
  std::string_view size;  ///< as hydraulic.Hose names it
  HoseData data;
  int count = 1;        ///< in parallel
  double bore = 0;      ///< that one hose would need, sqrt(4 q/(pi v)) [m] (section 3.8.2)
  double velocity = 0;  ///< in the hoses chosen [m/s]
};
/// The fewest hoses of table 3-5, and of those the smallest, that carry the flow q [m3/s] at the velocity v
/// [m/s] or less and may be operated at the pressure p [Pa]. Nothing where no hose bears p.
std::optional<HoseChoice> ChooseHose(double q, double v, double p);
/// The largest operating pressure of table 3-5 [Pa].
double LargestHosePressure();

struct PumpChoice {
  std::string_view model;  ///< as hydraulic.AxialPistonPump names it
  PumpData data;
  double displacement = 0;  ///< that a pump without leakage would need, q/omega [m3/rad] (section 3.6.1)
  MachinePoint at;          ///< at omega and p
};
/// The smallest pump of table 3-3 that gives the flow q [m3/s] at the speed omega [rad/s] and the pressure p
/// [Pa], leakage deducted; of those made for closed circuits, or of the others. Nothing where none gives q.
std::optional<PumpChoice> ChoosePump(double q, double omega, double p, bool is_closed_circuit);

struct CylinderChoice {
  double needed_bore = 0;            ///< sqrt(4 F/(pi p (1 - friction_ratio))) [m]
  double bore = 0;                   ///< of the series [m]
  double rod = 0;                    ///< the thickest with at most the area ratio [m]
  double pressure = 0;               ///< that F takes with this bore [Pa]
  double area_ratio = 0;             ///< piston area over ring area
  double flow_out = 0, flow_in = 0;  ///< into A in extension, into B in retraction, at the speed [m3/s]
};
/// A cylinder that pushes with the force F [N] at the pressure p [Pa]; friction_ratio is the share of its
/// nominal force that the seals take (0.05 in section 5.1). Bores and rods are of the metric series of ISO
/// 3320. Nothing where the largest bore is too small, or no rod of the series has the area ratio or less
/// (above 1).
std::optional<CylinderChoice> ChooseCylinder(double F, double p, double friction_ratio, double largest_ratio,
                                             double speed);

}  // namespace davit
