#include "components/hydraulic/laws/oil_compression.h"

#include <algorithm>
#include <cmath>

namespace davit {
namespace {

OilWithAir MixtureOf(const OilCompressionData& data) {
  return {.bulk_modulus = data.bulk_modulus,
          .free_air = data.gas_share,
          .polytropic_exponent = data.polytropic_exponent,
          .p_atm = data.p_atm};
}

}  // namespace

OilCompression::OilCompression(const OilCompressionData& data)
    : data_(data),
      stiffness_(data.wall_compliance > 0 ? WithWall(data.bulk_modulus, data.wall_compliance)
                                          : data.bulk_modulus),
      vapour_(data.p_vapour - data.p_atm) {
  if (!(data.gas_share > 0)) data_.gas = OilGas::kNone;
  if (!has_gas()) return;
  // The laws of gas have a pole at P = 0.
  constexpr double kLeastPressure = 1;  // [Pa]
  P_least_ = std::max(data.p_vapour, kLeastPressure);
  vapour_ = P_least_ - data.p_atm;
  vapour_compression_ = CompressionWithGas(vapour_);
}

double OilCompression::BulkModulusWithGasAt(double p) const {
  const double P = Absolute(p), n = data_.polytropic_exponent;
  double beta = data_.bulk_modulus;
  switch (data_.gas) {
    case OilGas::kMixture: beta = MixtureOf(data_).BulkModulus(P); break;
    case OilGas::kFreeAir:
      beta = BulkModulusWithGas(beta, GasShare(data_.gas_share, P, n, data_.p_atm), n, P);
      break;
    case OilGas::kConstant:
      beta = BulkModulusOfConstants(1 / beta, data_.p_atm / beta + data_.gas_share, P - data_.p_atm,
                                    data_.p_atm);
      break;
    case OilGas::kNone: break;
  }
  return WithWall(beta, data_.wall_compliance);
}

double OilCompression::BulkModulusSlopeWithGas(double p) const {
  const double h = 1e-6 * Absolute(p);
  return (BulkModulusWithGasAt(p + h) - BulkModulusWithGasAt(p - h)) / (2 * h);
}

double OilCompression::CompressionWithGas(double p) const {
  const double P = Absolute(p), share = data_.gas_share;
  const double gauge = P - data_.p_atm;
  double C = gauge * data_.wall_compliance;
  switch (data_.gas) {
    case OilGas::kMixture: C -= std::log(MixtureOf(data_).RelativeVolume(P)); break;
    case OilGas::kFreeAir:
      C += gauge / data_.bulk_modulus + share - GasShare(share, P, data_.polytropic_exponent, data_.p_atm);
      break;
    case OilGas::kConstant: C += gauge / data_.bulk_modulus + share * std::log1p(gauge / data_.p_atm); break;
    case OilGas::kNone: C += gauge / data_.bulk_modulus; break;
  }
  return C;
}

double OilCompression::PressureWithGas(double compression) const {
  if (compression <= vapour_compression_) return vapour_;
  if (data_.gas == OilGas::kConstant) return PressureWithConstantGas(compression);
  // C grows with y = ln P. Newton's method between bounds that are known to enclose the solution.
  double low = std::log(P_least_);
  double high = std::log(data_.p_atm + std::max(compression, 0.0) * stiffness_);
  while (CompressionWithGas(std::exp(high) - data_.p_atm) < compression) high += 1;
  // Of compressed oil most is that of the oil, of expanded oil all is that of the gas.
  double y = compression > data_.gas_share
                 ? std::log(data_.p_atm + (compression - data_.gas_share) * stiffness_)
                 : std::log(data_.p_atm);
  y = std::clamp(y, low, high);
  for (int i = 0; i < 60; ++i) {
    const double p = std::exp(y) - data_.p_atm;
    const double excess = CompressionWithGas(p) - compression;
    (excess > 0 ? high : low) = y;
    const double slope = (p + data_.p_atm) / BulkModulusWithGasAt(p);
    double next = y - excess / slope;
    const bool is_last = std::abs(next - y) <= 1e-13 * std::abs(y);  // rounding may lead it past a bound
    if (!is_last && !(next > low && next < high)) next = low + (high - low) / 2;
    y = next;
    if (is_last) break;
  }
  return std::exp(y) - data_.p_atm;
}

double OilCompression::PressureWithConstantGas(double compression) const {
  // C = a u + g log(1 + u) with u = p/p_atm is concave and grows: Newton's method from below stays below.
  const double a = data_.p_atm / stiffness_, g = data_.gas_share;
  double u = compression > 0
                 ? std::max(compression / (a + g), (compression - g * std::log1p(compression / a)) / a)
                 : std::max(std::expm1(compression / g), P_least_ / data_.p_atm - 1);
  for (int i = 0; i < 60; ++i) {
    const double step = (compression - a * u - g * std::log1p(u)) / (a + g / (1 + u));
    u += step;
    if (std::abs(step) <= 1e-8 * std::abs(u)) break;  // the next one would be its square
  }
  return data_.p_atm * u;
}

double OilCompression::Energy(double p) const {
  if (!has_gas()) return p * p / (2 * stiffness_);
  // p C - integral of C dp, in ln P, in which C is smooth; Gauss' rule of three points on 16 parts.
  const double y0 = std::log(data_.p_atm), y1 = std::log(Absolute(p));
  constexpr int kParts = 16;
  const double half = (y1 - y0) / (2 * kParts);
  double integral = 0;
  for (int i = 0; i < kParts; ++i) {
    const double middle = y0 + (2 * i + 1) * half;
    const auto at = [&](double s) {
      const double P = std::exp(middle + s * half);
      return P * CompressionWithGas(P - data_.p_atm);
    };
    const double root = std::sqrt(0.6);
    integral += half * (5 * at(-root) + 8 * at(0) + 5 * at(root)) / 9;
  }
  return p * CompressionWithGas(p) - integral;
}

}  // namespace davit
