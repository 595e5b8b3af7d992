#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "components/hydraulic/laws/chamber_law.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Which form of the equation of a volume of oil is integrated; see chamber_law.h.
enum class Formulation : std::uint8_t { kPressure, kQuantity };
inline constexpr std::array<std::string_view, 2> kFormulationNames{"pressure", "quantity"};

/// Names of the two states of an OilState.
struct OilStateNames {
  Text pressure;
  Text quantity;
  Text text;  ///< where the oil is: `chamber A`
};

/// A volume of compressible oil as a state of its owner: its pressure, or its quantity beyond the filling at
/// p = 0. All SI, gauge pressures.
///
/// Call sequence: Choose in the Configure of the owner; then Set or Reset give start values, and the
/// evaluations read p and write the rate.
class OilState {
 public:
  OilState(DynamicSimComponent* owner, const OilStateNames& names, OptionCondition condition = {})
      : pressure_(owner, names.pressure, "Pa", names.text, 1e5, 1e5, condition),
        // A litre at 100 bar holds 6e-6 m3 beyond its filling.
        quantity_(owner, names.quantity, "m3", names.text, 0, 1e-5, condition) {}

  void Choose(DynamicSimComponent& owner, Formulation formulation) {
    is_quantity_ = formulation == Formulation::kQuantity;
    owner.SetStateActive(pressure_, !is_quantity_);
    owner.SetStateActive(quantity_, is_quantity_);
  }
  bool is_quantity() const { return is_quantity_; }
  /// To declare what reads them; the structure of the owner has one of the two.
  const StateVariable& pressure() const { return pressure_; }
  const StateVariable& quantity() const { return quantity_; }

  /// In the volume V of oil with the bulk modulus beta.
  double p(double beta, double V) const {
    return is_quantity_ ? QuantityPressure(beta, quantity_, V) : static_cast<double>(pressure_);
  }
  /// The oil beyond the filling at p = 0 [m3]; below zero in a cavity.
  double Quantity(double beta, double V) const {
    return is_quantity_ ? static_cast<double>(quantity_) : QuantityAt(beta, pressure_, V);
  }
  /// q flows in while V grows at the rate dV.
  void SetRate(double beta, double V, double q, double dV) {
    if (is_quantity_) {
      quantity_.ddt = q - dV;
    } else {
      pressure_.ddt = PressureRate(beta, V, q, dV);
    }
  }
  /// Lets the pressure be p from now on.
  void Set(double p, double beta, double V) {
    if (is_quantity_) {
      quantity_.OverrideStateValue(QuantityAt(beta, p, V));
    } else {
      pressure_.OverrideStateValue(p);
    }
  }
  /// While it is not in use: the pressure that the simpler model implies.
  void Show(double p, double beta, double V) const {
    if (is_quantity_) {
      quantity_.ShowValue(QuantityAt(beta, p, V));
    } else {
      pressure_.ShowValue(p);
    }
  }

 private:
  StateVariable pressure_;
  StateVariable quantity_;
  bool is_quantity_ = false;
};

/// Oil at reference density beyond the volume V itself [m3], and the energy in it [J], at the pressure p.
constexpr double CompressedOil(double p, double beta, double V) { return V * p / beta; }
constexpr double CompressionEnergy(double p, double beta, double V) { return V * p * p / (2 * beta); }

}  // namespace davit
