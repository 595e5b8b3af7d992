#pragma once

#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Two-stage transistor amplifier. The capacitors' voltages are states, the potentials of the nodes between
/// are algebraic.
class TransistorAmplifier final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "electrical.TransistorAmplifier",
      .text = "Two-stage amplifier of two transistors",
      .equations = R"(
Potentials y1..y8 of the nodes. C1, C3, C5 couple the stages: u1 = y1-y2, u4 = y4-y5, u7 = y7-y8;
C2, C4 bridge the emitter resistors: y3, y6. With g(u) = beta*(exp(u/U_F) - 1):
C1*u1' = -(y1-Ue)/R0 = y2/R1 + (y2-Ub)/R2 + (1-alpha)*g(y2-y3)
C2*y3' = -y3/R + g(y2-y3)
C3*u4' = -(y4-Ub)/R - alpha*g(y2-y3) = y5/R + (y5-Ub)/R + (1-alpha)*g(y5-y6)
C4*y6' = -y6/R + g(y5-y6)
C5*u7' = -(y7-Ub)/R - alpha*g(y5-y6) = y8/R
Ue = amplitude*sin(2*pi*frequency*t), C_k = k*capacitance. The problem is that of
[Rentrop 1989] and of the IVP Test Set.
# Assumptions and limits
- The base-emitter diode alone determines the currents: the collector current does not depend on the collector
  voltage, so a transistor never saturates.
- The temperature is constant: it is part of thermal_voltage and saturation_current.
- The transistors have neither capacitance nor resistance: all dynamics are those of the five capacitors.
)",
  };

  void EvaluateAlgebraicEquations(double t) override;
  void AccountEnergy(EnergyTerms& terms) const override;

 private:
  /// Emitter current at the voltage u between base and emitter.
  double EmitterCurrent(double u) const;

  Parameter amplitude{this, "amplitude", "V", "Amplitude of the signal", 0.1};
  Parameter frequency{this, "frequency", "Hz", "Frequency of the signal", 100, kNonNegative};
  Parameter Ub{this, "supply", "V", "Supply voltage", 6};
  Parameter R0{this, "source_resistance", "V/A", "Resistance of the source", 1000, kPositive};
  Parameter R{this, "resistance", "V/A", "All other resistances", 9000, kPositive};
  Parameter C{this, "capacitance", "A.s/V", "Unit of the five capacitances C_k = k*C", 1e-6, kPositive};
  Parameter alpha{this, "alpha", "", "Fraction of the emitter current that reaches the collector",
                  Number{.value = 0.99, .range = kUnitInterval}};
  Parameter beta{this, "saturation_current", "A", "Factor of the diode law", 1e-6, kPositive};
  Parameter U_F{this, "thermal_voltage", "V", "Scale of the diode law", 0.026, kPositive};
  StateVariable u1{this, "u1", "V", "Voltage over C1", -3};
  StateVariable y3{this, "y3", "V", "Emitter of the first transistor", 3};
  StateVariable u4{this, "u4", "V", "Voltage over C3", 3};
  StateVariable y6{this, "y6", "V", "Emitter of the second transistor", 3};
  StateVariable u7{this, "u7", "V", "Voltage over C5", 6};
  AlgebraicVariable y2{this, "y2", "V", "Base of the first transistor", 3};
  AlgebraicVariable y5{this, "y5", "V", "Base of the second transistor", 3};
  AlgebraicVariable y8{this, "y8", "V", "Output", 0};
  Output y1{this, "y1", "V", "Node behind the resistance of the source"};
  Output y4{this, "y4", "V", "Collector of the first transistor"};
  Output y7{this, "y7", "V", "Collector of the second transistor"};
  Output Ue{this, "signal", "V", "Signal"};
};

}  // namespace davit
