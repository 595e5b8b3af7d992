#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include "components/hydraulic/laws/chamber_law.h"
#include "components/hydraulic/laws/oil_compression.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Which form of the equation of a volume of oil is integrated; see chamber_law.h.
enum class Formulation : std::uint8_t { kPressure, kQuantity };
inline constexpr std::array<std::string_view, 2> kFormulationNames{"pressure", "quantity"};

/// Where a volume of oil is: what one number, its state, says of it. Both formulations have the void of oil
/// that bears no tension, and none loses oil. V is the volume, pv the vapour pressure, k = beta_e(pv) the
/// stiffness there, all SI and gauge pressures.
///
///   pressure  s' = beta_e (q - V')/V, p = s, down to pv. Below s counts the void (pv - s) V/k, p = pv:
///             s' = k (q - V' (1 + (s - pv)/k))/V, which is (void)' = V' - q. s' does not jump at pv, where
///             an implicit solver would come to rest: gas makes beta_e a million times smaller there.
///   quantity  s' = q - V', the oil beyond the filling at p = 0, p = p(s/V). Oil without gas keeps to p = 0
///             where s < 0, and the void is -s (chamber_law.h); with gas p falls to pv.
class OilContent {
 public:
  void Choose(Formulation formulation) { is_quantity_ = formulation == Formulation::kQuantity; }
  bool is_quantity() const { return is_quantity_; }
  /// What p, Quantity and the others go by from now on.
  void SetOil(const OilCompression& oil) {
    oil_ = oil;
    // The literal form without gas cavitates at p = 0.
    least_ = is_quantity_ && !oil.has_gas() ? 0 : oil.vapour_pressure();
    least_compression_ = is_quantity_ ? oil.Compression(least_) : 0;
    least_stiffness_ = is_quantity_ ? oil.stiffness() : oil.BulkModulus(least_);
  }
  const OilCompression& oil() const { return oil_; }
  /// The pressure in a void [Pa].
  double least() const { return least_; }

  double p(double s, double V) const {
    if (!is_quantity_) return s > least_ ? s : least_;
    if (oil_.has_gas()) return oil_.Pressure(s / V);
    return std::max(least_, oil_.stiffness() * s / V);
  }
  /// p and s' in a volume that does not move, of oil without gas: `stiffness` is k/V [Pa/m3].
  double LinearPressure(double s, double stiffness) const {
    return std::max(least_, is_quantity_ ? stiffness * s : s);
  }
  double LinearRate(double q, double stiffness) const { return is_quantity_ ? q : stiffness * q; }
  double VoidVolume(double s, double V) const {
    if (is_quantity_) return std::max(0.0, least_compression_ * V - s);
    return s < least_ ? (least_ - s) * V / least_stiffness_ : 0;
  }
  /// The oil beyond the filling at p = 0 [m3]; a void counts negative.
  double Quantity(double s, double V) const {
    return is_quantity_ ? s : V * oil_.Compression(p(s, V)) - VoidVolume(s, V);
  }
  double Energy(double s, double V) const { return V * oil_.Energy(p(s, V)); }
  /// The same with the work done on a void, -pv*(its volume): what the flows into the volume and its motion
  /// have put into it, but for CarriedEnergy.
  double StoredEnergy(double s, double V) const { return Energy(s, V) - least_ * VoidVolume(s, V); }
  /// Energy [J/m3] that a volume which grows gets besides (q - V') p. In formulation pressure flows are
  /// volumes at the present pressure: the oil that fills the new space brings its own compression along. In
  /// formulation quantity they are volumes at p = 0, and the new space takes p C of the oil.
  double CarriedEnergy(double s, double V) const {
    const double pressure = p(s, V);
    return oil_.Energy(pressure) - (is_quantity_ ? pressure * oil_.Compression(pressure) : 0);
  }
  /// s' where q flows in while V grows at the rate dV.
  double Rate(double s, double V, double q, double dV) const {
    if (is_quantity_) return q - dV;
    if (s < least_) [[unlikely]] {
      const double k = least_stiffness_;
      return PressureRate(k, V, q, dV * (1 + (s - least_) / k));
    }
    return PressureRate(oil_.BulkModulus(s), V, q, dV);
  }
  /// Derivatives of p, s' and the void, over what they depend on.
  struct Slopes {
    double p_s = 0, p_V = 0;                                 ///< of p
    double rate_q = 0, rate_dV = 0, rate_s = 0, rate_V = 0;  ///< of s'
    double void_s = 0, void_V = 0;
  };
  Slopes SlopesAt(double s, double V, double q, double dV) const {
    if (is_quantity_) {
      const bool is_full = s > least_compression_ * V;
      const bool has_void = s < least_compression_ * V;
      const double beta = is_full ? oil_.BulkModulus(p(s, V)) : 0;
      return {.p_s = beta / V,
              .p_V = -beta * s / (V * V),
              .rate_q = 1,
              .rate_dV = -1,
              .void_s = has_void ? -1.0 : 0.0,
              .void_V = has_void ? least_compression_ : 0};
    }
    if (s < least_) {
      const double k = least_stiffness_;
      const double share = 1 + (s - least_) / k;
      return {.rate_q = k / V,
              .rate_dV = -k / V * share,
              .rate_s = -dV / V,
              .rate_V = -PressureRate(k, V, q, dV * share) / V,
              .void_s = -V / k,
              .void_V = (least_ - s) / k};
    }
    const double beta = oil_.BulkModulus(s);
    return {.p_s = s > least_ ? 1.0 : 0.0,
            .rate_q = beta / V,
            .rate_dV = -beta / V,
            .rate_s = PressureRate(oil_.BulkModulusSlope(s), V, q, dV),
            .rate_V = -PressureRate(beta, V, q, dV) / V};
  }
  /// s at the pressure p, or at the least with a void.
  double State(double p, double V, double void_volume = 0) const {
    if (is_quantity_) return (p > least_ ? V * oil_.Compression(p) : V * least_compression_) - void_volume;
    return void_volume > 0 ? least_ - void_volume * least_stiffness_ / V : std::max(p, least_);
  }

 private:
  OilCompression oil_;
  bool is_quantity_ = false;
  double least_ = -std::numeric_limits<double>::infinity();
  double least_compression_ = 0;
  double least_stiffness_ = 1;  ///< k of the pressure form [Pa]
};

/// Names of the two states of an OilState.
struct OilStateNames {
  Text pressure;
  Text quantity;
  Text text;  ///< where the oil is: `chamber A`
};

/// A volume of compressible oil as a state of its owner: its pressure, or its quantity beyond the filling at
/// p = 0; see OilContent. All SI, gauge pressures.
///
/// Call sequence: Choose in the Configure of the owner, SetOil in its ParametersChanged; then Set or Reset
/// give start values, and the evaluations read p and write the rate.
class OilState {
 public:
  OilState(DynamicSimComponent* owner, const OilStateNames& names, OptionCondition condition = {})
      : pressure_(owner, names.pressure, "Pa", names.text, 1e5, 1e5, condition),
        // A litre at 100 bar holds 6e-6 m3 beyond its filling.
        quantity_(owner, names.quantity, "m3", names.text, 0, 1e-5, condition) {}

  void Choose(DynamicSimComponent& owner, Formulation formulation) {
    content_.Choose(formulation);
    owner.SetStateActive(pressure_, !is_quantity());
    owner.SetStateActive(quantity_, is_quantity());
  }
  bool is_quantity() const { return content_.is_quantity(); }
  /// To declare what reads them; the structure of the owner has one of the two.
  const StateVariable& pressure() const { return pressure_; }
  const StateVariable& quantity() const { return quantity_; }

  /// The oil is another one from now on, or the volume V, until now V_before: the pressure stays, and so does
  /// a void, which does not depend on the stiffness of the oil. The first call only sets.
  void SetOil(const OilCompression& oil, double V_before, double V) {
    const bool is_first = !has_oil_;
    has_oil_ = true;
    if (!is_first && V_before == V && oil.data() == content_.oil().data()) return;
    const double p_before = p(V_before), void_before = VoidVolume(V_before);
    content_.SetOil(oil);
    if (!is_first && (is_quantity() || void_before > 0)) SetState(content_.State(p_before, V, void_before));
  }
  const OilCompression& oil() const { return content_.oil(); }
  /// The one in the structure of the owner.
  const StateVariable& state_in_use() const { return is_quantity() ? quantity_ : pressure_; }

  /// In the volume V.
  double p(double V) const { return content_.p(state(), V); }
  /// The same as p and SetRate in a volume that does not move: OilContent.
  double LinearPressure(double stiffness) const { return content_.LinearPressure(state(), stiffness); }
  void SetLinearRate(double q, double stiffness) { WriteRate(content_.LinearRate(q, stiffness)); }
  /// Where q flows in while V grows at the rate dV.
  OilContent::Slopes SlopesAt(double V, double q, double dV) const {
    return content_.SlopesAt(state(), V, q, dV);
  }
  /// The cavity [m3].
  double VoidVolume(double V) const { return content_.VoidVolume(state(), V); }
  /// The oil beyond the filling at p = 0 [m3]; below zero in a void.
  double Quantity(double V) const { return content_.Quantity(state(), V); }
  /// Energy in the oil [J].
  double Energy(double V) const { return content_.Energy(state(), V); }
  /// See OilContent: [J] and [J/m3].
  double StoredEnergy(double V) const { return content_.StoredEnergy(state(), V); }
  double CarriedEnergy(double V) const { return content_.CarriedEnergy(state(), V); }
  /// q flows in while V grows at the rate dV.
  void SetRate(double V, double q, double dV) { WriteRate(content_.Rate(state(), V, q, dV)); }
  /// Lets the pressure be p from now on.
  void Set(double p, double V) { SetState(content_.State(p, V)); }
  /// While it is not in use: the pressure that the simpler model implies.
  void Show(double p, double V) const {
    if (is_quantity()) {
      quantity_.ShowValue(content_.State(p, V));
    } else {
      pressure_.ShowValue(p);
    }
  }

 private:
  double state() const { return is_quantity() ? quantity_ : static_cast<double>(pressure_); }
  void WriteRate(double rate) {
    if (is_quantity()) {
      quantity_.ddt = rate;
    } else {
      pressure_.ddt = rate;
    }
  }
  void SetState(double s) {
    if (is_quantity()) {
      quantity_.OverrideStateValue(s);
    } else {
      pressure_.OverrideStateValue(s);
    }
  }

  StateVariable pressure_;
  StateVariable quantity_;
  OilContent content_;
  bool has_oil_ = false;
};

}  // namespace davit
