#pragma once

#include <array>
#include <cstddef>

namespace davit {

/// An input that nothing is routed to, as a polynomial of time: value = sum of c[k] (t - t0)^k.
struct InputRamp {
  static constexpr std::size_t kTerms = 4;
  double* value = nullptr;
  double t0 = 0;
  std::array<double, kTerms> c{};

  double At(double t) const {
    double sum = 0;
    for (std::size_t k = kTerms; k-- > 0;) sum = sum * (t - t0) + c[k];
    return sum;
  }
};

}  // namespace davit
