#pragma once

#include "components/hydraulic/line_friction.h"
#include "components/hydraulic/vapour_cavity.h"
#include "framework/property.h"
#include "simulator/building_blocks/delay.h"
#include "simulator/tlm_component.h"

namespace davit {

/// What lines of all kinds share: waves that run with delay between two ends.
class TransmissionLine : public TlmComponent {
 public:
  void ParametersChanged() final;
  void CheckTimeStep(double h, Diagnostics& diagnostics) const final;
  void Reset() final;
  void InitializeWaves() final;
  bool SettleWaves() final;

  void SimulateOneTimestep(double /*t*/) final {
    const double q_a = cavity_a_.Take(*a, h());
    const double q_b = cavity_b_.Take(*b, h());
    from_a_.Push(inner_a_ + 2 * Zc_ * q_a);
    from_b_.Push(inner_b_ + 2 * Zc_ * q_b);
    inner_a_ = from_b_.Read();
    inner_b_ = from_a_.Read();
    friction_a_.Advance(q_a);
    friction_b_.Advance(q_b);
    Offer();
  }

  /// Time a wave needs from end to end [s].
  double delay() const { return delay_; }
  /// Zc of the lossless line [Pa s/m3].
  double characteristic_impedance() const { return Zc_; }

 protected:
  TransmissionLine() = default;

  /// 1/beta that the wall adds to that of the oil [1/Pa].
  virtual double WallCompliance() const = 0;

  HydraulicPort a{this, "a", Role::kC, "One end"};
  HydraulicPort b{this, "b", Role::kC, "Other end"};
  Parameter inner_diameter{this,      "inner_diameter",       "m", "Inner diameter", 0.049,
                           kPositive, Tunability::kStructural};
  Parameter length{this, "length", "m", "Length", 15.0, kPositive, Tunability::kStructural};
  Parameter bulk_modulus{this,      "bulk_modulus",         "Pa", "Bulk modulus of the oil", 1.6e9,
                         kPositive, Tunability::kStructural};
  Parameter density{
      this, "density", "kg/m3", "Density of the oil", 861.8, kPositive, Tunability::kStructural};
  Parameter kinematic_viscosity{
      this,      "kinematic_viscosity",  "m2/s", "Kinematic viscosity of the oil", 32e-6,
      kPositive, Tunability::kStructural};
  Parameter vapour_pressure{this, "vapour_pressure", "Pa", "Gauge pressure at which the oil tears",
                            kVapourPressure};
  Property<LineFrictionModel> friction{this, "friction", "What loss of pressure counts",
                                       LineFrictionModel::kSteady, kLineFrictionModelNames};
  StartValue p_start{this, "p", "Pa", "Start pressure (gauge) in the middle", 1e5};
  StartValue q_start{this, "q", "m3/s", "Start flow from a to b", 0.0};
  Output void_volume{this, "void_volume", "m3", "Vapour at both ends"};

 private:
  /// All of the line as the waves that have arrived and the flows at its ends say.
  void Fill(double inner_a, double inner_b, double q_a, double q_b);
  void Offer() {
    OfferAt(cavity_a_, inner_a_, friction_a_, *a);
    OfferAt(cavity_b_, inner_b_, friction_b_, *b);
    void_volume = cavity_a_.volume() + cavity_b_.volume();
  }
  void OfferAt(const VapourCavity& cavity, double inner, const LineFriction& loss, HydraulicBond& port) {
    cavity.Offer({inner + loss.offset(), Zc_ + loss.impedance()}, vapour_pressure, h(), port);
  }

  double delay_ = 0;
  double Zc_ = 0;
  double inner_a_ = 0;  ///< wave that has arrived at a, inside of the friction there
  double inner_b_ = 0;
  building_blocks::Delay from_a_, from_b_;
  LineFriction friction_a_, friction_b_;
  VapourCavity cavity_a_, cavity_b_;
};

}  // namespace davit
