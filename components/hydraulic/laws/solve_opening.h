#pragma once

#include <boost/math/tools/toms748_solve.hpp>
#include <cstdint>
#include <utility>

namespace davit {

/// The opening r, 0 .. 1, at which a valve whose flow moves it comes to rest: law(r) = r.
///
/// `law` gives the opening, 0 .. 1, that the pressures ask for where the opening is r, and is continuous. If
/// it falls with r, there is one solution. Alefeld, Potra, Shi (algorithm 748): a bracket that shrinks to
/// the rounding of r.
template <class Law>
double SolveOpening(Law&& law) {
  const auto excess = [&](double r) { return law(r) - r; };
  const double at_shut = excess(0);
  if (at_shut <= 0) return 0;
  const double at_full = excess(1);
  if (at_full >= 0) return 1;
  std::uintmax_t iterations = 100;
  const auto [low, high] = boost::math::tools::toms748_solve(
      excess, 0.0, 1.0, at_shut, at_full, boost::math::tools::eps_tolerance<double>(50), iterations);
  return (low + high) / 2;
}

}  // namespace davit
