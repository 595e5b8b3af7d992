#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "components/hydraulic/laws/seat_geometry.h"
#include "components/hydraulic/laws/spool_type.h"

namespace davit {

/// How far the edges of a valve open with its spool.
enum class SpoolOpeningLaw : std::uint8_t {
  kSwitching,  ///< full for any u
  kLinear,     ///< s = (|u| - db)/(1 - db), 0 .. 1
  kNonlinear,  ///< s (k1 + (1 - k1) s): finer for small s
  kRound,      ///< overlap of two round holes of one size: 2/pi (acos h - h sqrt(1 - h^2)), h = 1 - s
  kSeat,       ///< A_f(s)/A_f(1) of a seat (seat_geometry.h) at the share s of its full lift
};
inline constexpr std::array<std::string_view, 5> kSpoolOpeningLawNames{"Switching", "Linear", "Nonlinear",
                                                                       "Round", "Seat"};

/// How the edges that are open in neutral shut when the spool leaves it.
enum class SpoolNeutralLaw : std::uint8_t {
  kJump,    ///< at once at |u| = db
  kSmooth,  ///< fading over the width `fade` of |u| above db
};
inline constexpr std::array<std::string_view, 2> kSpoolNeutralLawNames{"Jump", "Smooth"};

/// The opening of each edge, as a share of the full one, over the spool position u. u > 0 joins P to A and B
/// to T (extends a cylinder), u < 0 joins P to B and A to T. u is limited to -1 .. 1.
struct SpoolOpening {
  SpoolOpeningLaw law = SpoolOpeningLaw::kLinear;
  SpoolNeutralLaw neutral_law = SpoolNeutralLaw::kJump;
  double deadband = 0.05;    ///< db, 0 .. below 1; kSwitching has none
  double first_slope = 0.3;  ///< k1 of kNonlinear, 0 .. 1
  double fade = 0.05;        ///< positive
  ValveEdges neutral = {};   ///< shares in neutral: C_edge times the neutral opening
  Seat seat = {};            ///< of kSeat; its size cancels

  /// |u| up to which the spool is in neutral.
  double NeutralEnd() const { return law == SpoolOpeningLaw::kSwitching ? 0 : deadband; }
  /// Share of the edges on the side of u: 0 in neutral.
  double Share(double u) const;
  /// d(Share)/d|u|; at a kink that of one side.
  double ShareSlope(double u) const;
  /// Shares of all edges.
  ValveEdges At(double u) const;
};

}  // namespace davit
