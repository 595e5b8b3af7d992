#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>

namespace davit::hopsan {

/// A number with its derivatives over N unknowns.
template <std::size_t N>
struct Dual {
  double value = 0;
  std::array<double, N> slope{};

  Dual() = default;
  template <std::convertible_to<double> Constant>
  Dual(const Constant& v) : value(v) {}  // NOLINT(google-explicit-constructor): no derivatives
  /// f(value), whose slope there is df.
  Dual Through(double f, double df) const {
    Dual y(f);
    for (std::size_t i = 0; i < N; ++i) y.slope[i] = df * slope[i];
    return y;
  }
  friend Dual operator+(Dual a, const Dual& b) {
    a.value += b.value;
    for (std::size_t i = 0; i < N; ++i) a.slope[i] += b.slope[i];
    return a;
  }
  friend Dual operator-(const Dual& a) { return a.Through(-a.value, -1); }
  friend Dual operator-(const Dual& a, const Dual& b) { return a + -b; }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return a.Through(a.value * b.value, b.value) + b.Through(0, a.value);
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    return a.Through(a.value / b.value, 1 / b.value) + b.Through(0, -a.value / (b.value * b.value));
  }
};

template <std::size_t N>
Dual<N> sin(const Dual<N>& a) {
  return a.Through(std::sin(a.value), std::cos(a.value));
}
template <std::size_t N>
Dual<N> cos(const Dual<N>& a) {
  return a.Through(std::cos(a.value), -std::sin(a.value));
}
template <std::size_t N>
Dual<N> asin(const Dual<N>& a) {
  return a.Through(std::asin(a.value), 1 / std::sqrt(1 - a.value * a.value));
}
template <std::size_t N>
Dual<N> exp(const Dual<N>& a) {
  return a.Through(std::exp(a.value), std::exp(a.value));
}
template <std::size_t N>
Dual<N> abs(const Dual<N>& a) {
  return a.Through(std::abs(a.value), a.value < 0 ? -1 : 1);
}
template <std::size_t N>
Dual<N> pow(const Dual<N>& a, double k) {
  return a.Through(std::pow(a.value, k), k * std::pow(a.value, k - 1));
}

/// The slope of a limited value where the limit holds, and the factor of a speed whose position is held.
inline constexpr double kHeldSlope = 1e-9;

/// 1 within the limits, else kHeldSlope.
inline double FreeFactor(double x, double min, double max) { return x > min && x < max ? 1 : kHeldSlope; }

template <std::size_t N>
Dual<N> Limited(const Dual<N>& x, double min, double max) {
  return x.Through(std::clamp(x.value, min, std::max(min, max)), FreeFactor(x.value, min, max));
}

/// y (p0^2 + y^2)^(-1/4): the root of y with its sign, smooth at 0.
template <class Number>
Number SmoothRoot(const Number& y, double p0) {
  return y * pow(p0 * p0 + y * y, -0.25);
}

/// One step of a component whose equations are solved together: two Newton steps, of which the second is
/// taken by 0.67 only, from the last values. `residual(y)` gives N residuals of N unknowns.
template <std::size_t N, class Residual>
void SolveImplicitStep(std::array<double, N>& y, const Residual& residual) {
  for (const double weight : {1.0, 0.67}) {
    std::array<Dual<N>, N> unknowns;
    for (std::size_t i = 0; i < N; ++i) {
      unknowns[i].value = y[i];
      unknowns[i].slope[i] = 1;
    }
    std::array<Dual<N>, N> rows = residual(unknowns);
    // Gauss with the largest pivot of each column.
    for (std::size_t k = 0; k < N; ++k) {
      std::size_t pivot = k;
      for (std::size_t i = k + 1; i < N; ++i) {
        if (std::abs(rows[i].slope[k]) > std::abs(rows[pivot].slope[k])) pivot = i;
      }
      std::swap(rows[k], rows[pivot]);
      for (std::size_t i = k + 1; i < N; ++i) {
        const double factor = rows[i].slope[k] / rows[k].slope[k];
        if (factor == 0) continue;
        for (std::size_t j = k; j < N; ++j) rows[i].slope[j] -= factor * rows[k].slope[j];
        rows[i].value -= factor * rows[k].value;
      }
    }
    std::array<double, N> change;
    for (std::size_t k = N; k-- > 0;) {
      double rest = rows[k].value;
      for (std::size_t j = k + 1; j < N; ++j) rest -= rows[k].slope[j] * change[j];
      change[k] = rest / rows[k].slope[k];
      y[k] -= weight * change[k];
    }
  }
}

}  // namespace davit::hopsan
