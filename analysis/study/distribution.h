#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "framework/fault.h"

namespace davit {

/// A distribution of a number. Its quantiles use +, -, *, / and sqrt only, which IEEE 754 rounds correctly:
/// they have the same bits on every machine.
class Distribution {
 public:
  enum class Kind : std::uint8_t {
    kUniform,     ///< uniform(low, high)
    kNormal,      ///< normal(mean, standard deviation)
    kTriangular,  ///< triangular(low, mode, high)
    kLogNormal,   ///< lognormal(mean, standard deviation), both of the value itself, not of its logarithm
  };

  /// Uniform from 0 to 1.
  Distribution() = default;
  /// Nothing where the name or the numbers are wrong; then `fault` says why.
  static std::optional<Distribution> Make(std::string_view name, std::span<const double> arguments,
                                          Fault* fault);

  Kind kind() const { return kind_; }
  bool is_bounded() const { return kind_ == Kind::kUniform || kind_ == Kind::kTriangular; }
  /// The value that is not exceeded with probability p, 0 < p < 1; of a bounded one also 0 and 1.
  double Quantile(double p) const;

 private:
  Kind kind_ = Kind::kUniform;
  std::array<double, 3> a_{0, 1, 0};
};

/// The quantile of the standard normal distribution: algorithm AS 241, PPND16 (Wichura, Applied Statistics
/// 37, 1988), relative error about 1e-16. Pre: 0 < p < 1.
double NormalQuantile(double p);

/// ln x and e^x by +, -, *, / only, relative error below 1e-14. Pre: x > 0 and normal; |x| < 700.
double PortableLog(double x);
double PortableExp(double x);

}  // namespace davit
