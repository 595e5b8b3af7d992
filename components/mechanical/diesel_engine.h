#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "framework/fault_mode.h"
#include "framework/mode.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Diesel engine with its governor: follows a set speed up to the torque of its full load curve.
class DieselEngine final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.DieselEngine",
      .text = "Diesel engine with governor, full load curve and consumption",
      .equations = R"(
response_time*T_i' = u*full*T_full(omega) - T_i,  torque = T_i - drag_torque*tanh(omega/(1 rad/s))
u = (set_speed - omega)/(droop*set_speed), limited to 0 .. 1
fuel = consumption*T_i*omega
The governor injects in proportion to how far the speed omega is below set_speed: at no load the engine runs just
below set_speed, at full load droop*set_speed below it. response_time stands for governor, turbo charger and strokes.
T_full goes in straight lines through the points speeds, torques, and is constant beyond them. full is 1, and
decreases to 0 between stall_speed and 0.8*stall_speed: an engine below does not run by itself. It runs again if
something turns it faster.
The shaft is a C port: T drives the component at it, along +w at a of mechanical.Inertia. inertia turns with it.
# Assumptions and limits
- Torque is the mean over the strokes: no vibration by single cylinders.
- The full load curve holds at each moment: smoke limit and charging pressure are only in response_time.
- Consumption per energy is the same at each load and speed, by the indicated torque T_i.
- Engine brake, temperature and starter are not modelled. Give the inertia a speed at the start.
)",
  };

  enum class Operation : std::uint8_t { kGoverned, kFullLoad, kStalled };
  static constexpr std::array<std::string_view, 3> kOperationNames{"Governed", "FullLoad", "Stalled"};

  DieselEngine();

  void Configure(Diagnostics& diagnostics) override;
  void ParametersChanged() override { shaft->added_inertia = inertia; }

  void EvaluateEfforts(double t) override;
  void EvaluateDiffEquations(double t) override;
  void AccountEnergy(EnergyTerms& terms) const override {
    terms.In("combustion", T_i * speed);
    terms.Lost("drag", (T_i - torque) * speed);
  }

 private:
  double FullTorque(double omega) const;
  /// The share of the injection that the governor demands.
  double Demand(double omega) const;
  /// What is left of the full torque at low speed.
  double Combustion(double omega) const;
  Operation OperationNow() const;

  RotationalPort shaft{this, "shaft", Role::kC, "Driven component"};
  Property<std::string> speeds{this, "speeds",
                               "Speeds of the full load curve, increasing, the unit after the last one",
                               "800 1200 1500 1800 2200 rpm"};
  Property<std::string> torques{this, "torques", "Torques of the full load curve, one per speed",
                                "520 680 700 660 560 N.m"};
  Parameter droop{this, "droop",  "", "Decrease of the speed from no load to full load, over the set speed",
                  0.05, kPositive};
  Parameter response_time{this, "response_time", "s", "Time constant of the torque", 0.2, kPositive};
  Parameter drag_torque{this, "drag_torque", "N.m", "Friction and pumps of the engine", 60, kNonNegative};
  Parameter stall_speed{this, "stall_speed", "rad/s", "Speed below which the engine stalls", 63, kPositive};
  Parameter inertia{this, "inertia", "kg.m2", "Inertia of crankshaft and flywheel", 1.2, kNonNegative};
  Parameter consumption{this, "consumption", "kg/J", "Fuel per indicated work; 200 g/kWh is 5.6e-8 kg/J",
                        Number{.value = 5.6e-8, .range = kNonNegative}};
  Parameter full{this, "full", "", "Share of the full load curve that is available",
                 Number{.value = 1, .range = kNonNegative}};
  FaultMode weak{this, "weak", "full", 0.6, "A clogged fuel filter: 60 % of the torque"};
  FaultMode stops{this, "stop", "full", 0, "No fuel"};
  Input set_speed{this, "set_speed", "rad/s", "Speed at no load", 188.5};
  StateVariable T_i{this, "indicated_torque", "N.m", "Torque of the combustion", 0, 100};
  Output torque{this, "torque", "N.m", "Torque on the driven component"};
  Output speed{this, "speed", "rad/s", "Speed"};
  Output power{this, "power", "W", "Power to the driven component"};
  Output load{this, "load", "", "Indicated torque over that of the full load curve"};
  Output fuel{this, "fuel", "kg/s", "Fuel"};
  Mode<Operation> operation{this, "operation", "Whether the governor holds the speed", kOperationNames,
                            [this](Operation) { return OperationNow(); }};

  std::vector<double> speeds_;
  std::vector<double> torques_;  ///< as many as speeds_
};

}  // namespace davit
