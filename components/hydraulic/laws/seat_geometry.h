#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace davit {

/// What closes a seat.
enum class SeatType : std::uint8_t { kDisc, kBall, kNeedle, kPoppet };
inline constexpr std::array<std::string_view, 4> kSeatTypeNames{"disc", "ball", "needle", "poppet"};

/// A seat valve: entry of the diameter D, A_p = pi D^2/4, closed by a body with the lift x.
///
///   disc    A_x = pi D x,                     K = 1.3 + 0.2 (A_p/A_x)^2    (Lyon, 1982)
///   ball    A_x = 0.75 pi D x,                K = 0.5 + 0.15 (A_p/A_x)^2   (the same)
///   needle  A_x = pi (D t - t^2), t = x tan(angle/2), K as for the ball, A_x from a tenth of A_p on
///   poppet  no A_x is given,                  K = 2.65 - 0.8 D/x + 0.14 (D/x)^2, 0.1 < x/D < 0.25
///           (Chaimowitsch, 1961; printed with x/D in the source at hand, which would make K nearly
///           constant; not verified)
///
/// Flow q = A_f sqrt(2 dp/rho). With K for the velocity in A_x, A_f = A_x/sqrt(K); with that of the poppet,
/// which is for the velocity in A_p, A_f = A_p/sqrt(K). A_f is 0 at x = 0 and does not grow beyond the lift
/// at which A_x = A_p (poppet: x = D/4).
struct Seat {
  SeatType type = SeatType::kDisc;
  double diameter = 0.025;   ///< D > 0 [m]
  double cone_angle = 1.05;  ///< of a needle, 0 .. pi, without the ends [rad]

  double EntryArea() const;
  /// Lift of the fully open valve [m].
  double FullLift() const;
  /// A_x [m2] at the lift x [m]; for the poppet that of its curtain, pi D x.
  double OpeningArea(double x) const;
  /// Wetted length [m]: 4 pi r, needle 2 pi (2 r - t).
  double WettedLength(double x) const;
  /// A_f [m2].
  double FlowArea(double x) const;
};

}  // namespace davit
