#pragma once

#include <array>
#include <cstddef>

namespace davit {

/// Unsteady laminar friction in a round pipe (W. Zielke, J. Basic Engineering 90 (1968) 109-115), beside the
/// drop R q of steady flow:
///   u(s) = R0/2 (sum_i m_i s/(s + n_i nu/r^2)) q(s),  R0 = 8 nu/r^2 I,  I = rho L/A,  r = D/2,
/// where the sum of m_i exp(-n_i tau) approximates Zielke's weighting function over tau = nu t/r^2: ten terms
/// by T. Kagawa, I. Lee, A. Kitagawa, T. Takenaka, Trans. JSME B 49 (1983) 2638-2644, within 1e-3 from tau =
/// 1e-5 on.
inline constexpr std::size_t kUnsteadyFrictionTerms = 10;
inline constexpr std::array<double, kUnsteadyFrictionTerms> kUnsteadyFrictionRates{
    26.3744, 72.8033, 187.424, 536.626, 1570.60, 4618.13, 13601.1, 40082.5, 118153, 348316};
inline constexpr std::array<double, kUnsteadyFrictionTerms> kUnsteadyFrictionWeights{
    1.0, 1.16725, 2.20064, 3.92861, 6.78788, 11.6761, 20.0612, 34.4541, 59.1642, 101.590};
/// Integral of Zielke's weighting function over tau: the sum of 1/j^2 over the zeros j of the Bessel function
/// J2.
inline constexpr double kUnsteadyFrictionIntegral = 1.0 / 12;

/// What the first `terms` terms lack of the integral. It acts as an inertance of 4 I times as much: changes
/// that are slow against the terms left out see no difference.
constexpr double UnsteadyFrictionRest(std::size_t terms) {
  double rest = kUnsteadyFrictionIntegral;
  for (std::size_t i = 0; i < terms; ++i) rest -= kUnsteadyFrictionWeights[i] / kUnsteadyFrictionRates[i];
  return rest;
}

}  // namespace davit
