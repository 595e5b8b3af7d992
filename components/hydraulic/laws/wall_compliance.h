#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace davit {

/// What the widening of a wall adds to 1/beta of the oil inside [1/Pa]. d1 inner and d2 outer diameter [m],
/// E modulus of elasticity [Pa], nu Poisson's ratio of the wall.

/// Of a tube of any thickness (G. Lame): 2/E ((d2^2 + d1^2)/(d2^2 - d1^2) + nu). d2 > d1.
constexpr double ThickWallCompliance(double d1, double d2, double E, double nu) {
  const double inner = d1 * d1, outer = d2 * d2;
  return 2 / E * ((outer + inner) / (outer - inner) + nu);
}

/// Of a thin tube: (d1 + d2)/(E (d2 - d1)), that is d/(E e) with the mean diameter d and the thickness e.
constexpr double ThinWallCompliance(double d1, double d2, double E) { return (d1 + d2) / (E * (d2 - d1)); }

/// Which of the two.
enum class WallLaw : std::uint8_t { kThick, kThin };
inline constexpr std::array<std::string_view, 2> kWallLawNames{"thick", "thin"};

/// Whether a tube is treated as thin: e <= d1/10.
constexpr bool IsThinWall(double d1, double d2) { return (d2 - d1) / 2 <= d1 / 10; }

/// How a pipe is held.
enum class PipeAnchoring : std::uint8_t { kExpansionJoints, kUpstream, kThroughout };
/// c1: 1, 1 - nu/2, 1 - nu^2 (E. B. Wylie, V. L. Streeter, Fluid Transients in Systems, 1993).
constexpr double AnchoringFactor(PipeAnchoring anchoring, double nu) {
  switch (anchoring) {
    case PipeAnchoring::kUpstream: return 1 - nu / 2;
    case PipeAnchoring::kThroughout: return 1 - nu * nu;
    case PipeAnchoring::kExpansionJoints: break;
  }
  return 1;
}
/// Of a pipe with a thin wall that is held: c1 d/(E e), d inner diameter, e thickness [m].
constexpr double PipeWallCompliance(double c1, double d, double e, double E) { return c1 * d / (E * e); }

/// Bulk modulus [Pa] of oil and wall in series: 1/beta_tot = 1/beta + compliance.
constexpr double WithWall(double beta, double compliance) { return 1 / (1 / beta + compliance); }

}  // namespace davit
