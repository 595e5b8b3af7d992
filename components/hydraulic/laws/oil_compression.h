#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include "components/hydraulic/laws/bulk_modulus.h"
#include "components/hydraulic/laws/wall_compliance.h"

namespace davit {

/// What is in the oil besides oil; the laws are those of bulk_modulus.h.
// As wide as a double, so that no unused bytes follow it in OilCompressionData, which snapshots compare.
enum class OilGas : std::uint64_t {
  kNone,
  kMixture,   ///< free air, exact mixture: OilWithAir
  kFreeAir,   ///< free air, simple law: BulkModulusWithGas
  kConstant,  ///< a volume of gas that does not depend on the pressure: BulkModulusOfConstants
};

/// What an OilCompression depends on, all SI.
struct OilCompressionData {
  double bulk_modulus = 1.6e9;  ///< beta of the oil itself [Pa]
  double wall_compliance = 0;   ///< of the walls round it [1/Pa], see wall_compliance.h
  OilGas gas = OilGas::kNone;
  double gas_share = 0;              ///< of the volume at p_atm; of kConstant at all pressures
  double polytropic_exponent = 1.4;  ///< n of free air
  double p_atm = 1e5;                ///< absolute pressure at gauge pressure 0 [Pa]
  double p_vapour = 100;             ///< absolute [Pa]

  bool operator==(const OilCompressionData&) const = default;
};

/// How oil, the gas in it and the walls round it give way together. Pressures are gauge pressures [Pa].
///
///   C(p) = integral of dp/beta_e from 0 to p
///
/// is the oil beyond the filling at p = 0, per volume. Oil bears no tension: p is not below that of vapour,
/// pv = p_vapour - p_atm. Where there is less oil than at pv, the rest of the volume is a cavity.
class OilCompression {
 public:
  OilCompression() = default;
  explicit OilCompression(const OilCompressionData& data);

  /// Of oil and walls without the gas [Pa], the largest beta_e.
  double stiffness() const { return stiffness_; }
  /// pv [Pa].
  double vapour_pressure() const { return vapour_; }
  bool has_gas() const { return data_.gas != OilGas::kNone; }
  const OilCompressionData& data() const { return data_; }

  /// beta_e [Pa] at p >= pv.
  double BulkModulus(double p) const { return has_gas() ? BulkModulusWithGasAt(p) : stiffness_; }
  /// dbeta_e/dp at p >= pv; of gas by a difference quotient.
  double BulkModulusSlope(double p) const { return has_gas() ? BulkModulusSlopeWithGas(p) : 0; }
  /// C at p >= pv.
  double Compression(double p) const { return has_gas() ? CompressionWithGas(p) : p / stiffness_; }
  /// p at which C(p) = compression; pv where there is less oil.
  double Pressure(double compression) const {
    if (has_gas()) return PressureWithGas(compression);
    return stiffness_ * compression > vapour_ ? stiffness_ * compression : vapour_;
  }
  /// Integral of p dC from 0 to p: the energy in the oil per volume [J/m3].
  double Energy(double p) const;

 private:
  double Absolute(double p) const { return AbsolutePressure(p, data_.p_atm, P_least_); }
  double BulkModulusWithGasAt(double p) const;
  double BulkModulusSlopeWithGas(double p) const;
  double CompressionWithGas(double p) const;
  double PressureWithGas(double compression) const;
  double PressureWithConstantGas(double compression) const;

  OilCompressionData data_;
  double stiffness_ = 1.6e9;
  double vapour_ = -std::numeric_limits<double>::infinity();
  double P_least_ = 0;             ///< absolute, above 0 where there is gas [Pa]
  double vapour_compression_ = 0;  ///< C(pv), with gas only
};

}  // namespace davit
