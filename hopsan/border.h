#pragma once

#include "framework/domains/hydraulic.h"
#include "framework/parameter.h"
#include "hopsan/nodes.h"
#include "simulator/tlm_component.h"

namespace davit::hopsan {

class Scheduler;

/// Where a hydraulic node of Hopsan (absolute pressures) meets a connection of davit (gauge pressures):
/// c_gauge = c - atmospheric_pressure, Zc and q are the same. It adds no delay: the network steps it in the
/// phase of its gauge port.
class HydraulicBorder : public TlmComponent {
 protected:
  HydraulicBorder(Role absolute_role, Role gauge_role)
      : absolute(this, "absolute", absolute_role, "Port of a hopsan.* component"),
        gauge(this, "gauge", gauge_role, "Port of a component of davit") {}

  Port<HydraulicNode> absolute;
  HydraulicPort gauge;
  Parameter atmospheric_pressure{
      this, "atmospheric_pressure", "Pa", "Absolute pressure at gauge pressure 0",
      Number{.value = 1e5, .range = kNonNegative, .tunability = Tunability::kStructural}};
};

/// Offers the wave of a C component of Hopsan to a Q component of davit.
class HydraulicBorderC final : public HydraulicBorder {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicBorderC",
                                   .text = "Joins a C port of a hopsan.* component and a Q port of davit",
                                   .equations = R"(
c_gauge = c_absolute - atmospheric_pressure, Zc the same, p_gauge >= -atmospheric_pressure
q_absolute = q_gauge, p_absolute = p_gauge + atmospheric_pressure, after the Q component has run
No delay is added: the flow reaches the C component in the next step, as that of any Q component.
)"};

  HydraulicBorderC() : HydraulicBorder(Role::kQ, Role::kC) {}
  void InitializeWaves() override;
  void SimulateOneTimestep(double t) override;
  void PostIntegrate() override;
};

/// Offers the wave of a C component of davit to a Q component of Hopsan.
class HydraulicBorderQ final : public HydraulicBorder {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicBorderQ",
                                   .text = "Joins a Q port of a hopsan.* component and a C port of davit",
                                   .equations = R"(
c_absolute = c_gauge + atmospheric_pressure, Zc the same;  q_gauge = q_absolute
No delay is added: Hopsan's Q components run after davit's C components. The port of davit must
have an impedance, as that of hydraulic.VolumeC, or a constant pressure.
)"};

  HydraulicBorderQ() : HydraulicBorder(Role::kC, Role::kQ) {}
  /// Takes the wave of davit into the node; at the start also its pressure.
  void BringWave();
  void BringStart();
  void set_scheduler(Scheduler& scheduler) { scheduler_ = &scheduler; }
  void CheckConnections(Diagnostics& diagnostics) override;
  void SimulateOneTimestep(double t) override;

 private:
  Scheduler* scheduler_ = nullptr;
};

}  // namespace davit::hopsan
