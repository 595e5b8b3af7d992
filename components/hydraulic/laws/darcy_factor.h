#pragma once

#include <cstdint>

namespace davit {

/// Darcy friction factors f: dp = f L/D rho v|v|/2 in a round pipe, Re = |v| D/nu.

/// Reynolds numbers up to which a pipe is laminar, and from which it is turbulent. Between both f is linear
/// in Re: a jump at one Reynolds number would be one of 64 % (at 2300).
inline constexpr double kLaminarEnd = 2000;
inline constexpr double kTurbulentBegin = 4000;

/// Laminar (Hagen-Poiseuille): 64/Re. Losses are better computed linear in q, see PipeFriction.
constexpr double LaminarDarcyFactor(double Re) { return 64 / Re; }
/// Smooth wall (Blasius): 0.3164/Re^(1/4), up to Re = 1e5.
double BlasiusDarcyFactor(double Re);
/// Smooth wall (Hermann): 0.0054 + 0.396/Re^0.3, valid for Re = 2e4 .. 2e6.
double HermannDarcyFactor(double Re);
/// Smooth wall: Blasius up to Re = 1e5, Hermann above, 0.7 % higher there.
double SmoothDarcyFactor(double Re);

/// Rough wall, explicit (P. K. Swamee, A. K. Jain, 1976), within 2.9 % of Colebrook for Re >= 5e3 and a
/// relative roughness of 1e-6 to 1e-2:
///   f = 0.25/log10(r/3.7 + 5.74/Re^0.9)^2,  r = roughness/diameter, 0 .. 0.1.
double SwameeJainDarcyFactor(double Re, double relative_roughness);
/// Rough wall, explicit (S. E. Haaland, 1983), within 1.5 % of Colebrook in the same range:
///   1/sqrt(f) = -1.8 log10((r/3.7)^1.11 + 6.9/Re).
double HaalandDarcyFactor(double Re, double relative_roughness);
/// Rough wall (C. F. Colebrook, C. M. White), to rounding:
///   1/sqrt(f) = -2 log10(r/3.7 + 2.51/(Re sqrt(f))),  r = 0 .. 0.1.
double ColebrookDarcyFactor(double Re, double relative_roughness);

/// Law of turbulent flow.
// As wide as a double, so that no unused bytes follow it in PipeFriction, which snapshots compare.
enum class PipeWall : std::uint64_t { kSmooth, kSwameeJain, kHaaland, kColebrook };

/// f at Re >= kLaminarEnd: linear in Re up to kTurbulentBegin, then that of the wall.
double DarcyFactor(double Re, PipeWall wall = PipeWall::kSmooth, double relative_roughness = 0);

}  // namespace davit
