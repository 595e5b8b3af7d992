#include "analysis/study/distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "framework/nearest_name.h"

namespace davit {
namespace {

struct DistributionName {
  std::string_view name;
  Distribution::Kind kind;
  std::size_t arguments;
  std::string_view form;
};
constexpr auto kDistributions = std::to_array<DistributionName>({
    {"uniform", Distribution::Kind::kUniform, 2, "uniform(low, high)"},
    {"normal", Distribution::Kind::kNormal, 2, "normal(mean, standard deviation)"},
    {"triangular", Distribution::Kind::kTriangular, 3, "triangular(low, mode, high)"},
    {"lognormal", Distribution::Kind::kLogNormal, 2, "lognormal(mean, standard deviation)"},
});

constexpr double kLn2 = 0.693147180559945309417;

/// c[0] + c[1] x + ...
double Polynomial(std::span<const double> c, double x) {
  double sum = 0;
  for (std::size_t i = c.size(); i-- > 0;) sum = sum * x + c[i];
  return sum;
}

}  // namespace

double PortableLog(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);  // exact
  constexpr double kSqrtHalf = 0.70710678118654752440;
  if (m < kSqrtHalf) {
    m *= 2;
    --exponent;
  }
  // ln m = 2 artanh s = 2 (s + s^3/3 + ...), s = (m - 1)/(m + 1), |s| < 0.172.
  const double s = (m - 1) / (m + 1);
  const double square = s * s;
  double sum = 0;
  for (int k = 12; k >= 0; --k) sum = sum * square + 1.0 / (2 * k + 1);
  return exponent * kLn2 + 2 * s * sum;
}

double PortableExp(double x) {
  const double n = std::floor(x / kLn2 + 0.5);
  const double rest = x - n * kLn2;  // |rest| < 0.35
  double sum = 1;
  for (int k = 16; k >= 1; --k) sum = 1 + sum * rest / k;
  return std::ldexp(sum, static_cast<int>(n));
}

double NormalQuantile(double p) {
  static constexpr double kA[] = {
      3.3871328727963666080,    1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
      4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3};
  static constexpr double kB[] = {1.0,
                                  4.2313330701600911252e+1,
                                  6.8718700749205790830e+2,
                                  5.3941960214247511077e+3,
                                  2.1213794301586595867e+4,
                                  3.9307895800092710610e+4,
                                  2.8729085735721942674e+4,
                                  5.2264952788528545610e+3};
  static constexpr double kC[] = {1.42343711074968357734,    4.63033784615654529590,
                                  5.76949722146069140550,    3.64784832476320460504,
                                  1.27045825245236838258,    2.41780725177450611770e-1,
                                  2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static constexpr double kD[] = {1.0,
                                  2.05319162663775882187,
                                  1.67638483018380384940,
                                  6.89767334985100004550e-1,
                                  1.48103976427480074590e-1,
                                  1.51986665636164571966e-2,
                                  5.47593808499534494600e-4,
                                  1.05075007164441684324e-9};
  static constexpr double kE[] = {6.65790464350110377720,    5.46378491116411436990,
                                  1.78482653991729133580,    2.96560571828504891230e-1,
                                  2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                  2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static constexpr double kF[] = {1.0,
                                  5.99832206555887937690e-1,
                                  1.36929880922735805310e-1,
                                  1.48753612908506148525e-2,
                                  7.86869131145613259100e-4,
                                  1.84631831751005468180e-5,
                                  1.42151175831644588870e-7,
                                  2.04426310338993978564e-15};
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * Polynomial(kA, r) / Polynomial(kB, r);
  }
  double r = std::sqrt(-PortableLog(q < 0 ? p : 1 - p));
  double value = 0;
  if (r <= 5) {
    r -= 1.6;
    value = Polynomial(kC, r) / Polynomial(kD, r);
  } else {
    r -= 5;
    value = Polynomial(kE, r) / Polynomial(kF, r);
  }
  return q < 0 ? -value : value;
}

std::optional<Distribution> Distribution::Make(std::string_view name, std::span<const double> arguments,
                                               Fault* fault) {
  const auto refuse = [fault](std::string what, std::string remedy) {
    *fault = {std::move(what), std::move(remedy)};
    return std::nullopt;
  };
  const auto known = std::ranges::find(kDistributions, name, &DistributionName::name);
  if (known == kDistributions.end()) {
    std::vector<std::string> names;
    names.reserve(std::size(kDistributions));
    for (const DistributionName& distribution : kDistributions) names.emplace_back(distribution.name);
    return refuse("no distribution is named " + Quoted(name), SuggestName("use one of", name, names));
  }
  if (arguments.size() != known->arguments) {
    return refuse(fmt::format("{} takes {} numbers, not {}", name, known->arguments, arguments.size()),
                  fmt::format("write {}", known->form));
  }
  Distribution distribution;
  distribution.kind_ = known->kind;
  std::ranges::copy(arguments, distribution.a_.begin());
  const auto& a = distribution.a_;
  switch (known->kind) {
    case Kind::kUniform:
      if (!(a[0] < a[1]))
        return refuse("the bounds of uniform are the wrong way round or equal", "write uniform(low, high)");
      break;
    case Kind::kTriangular:
      if (!(a[0] <= a[1] && a[1] <= a[2] && a[0] < a[2]))
        return refuse("low, mode and high of triangular are not in this order",
                      "write triangular(low, mode, high)");
      break;
    case Kind::kNormal:
      if (!(a[1] > 0))
        return refuse("the standard deviation is not above 0", "write normal(mean, standard deviation)");
      break;
    case Kind::kLogNormal:
      if (!(a[0] > 0 && a[1] > 0))
        return refuse("mean and standard deviation of lognormal are not both above 0",
                      "write lognormal(mean, standard deviation)");
      // Of the logarithm, from the moments of the value.
      const double variance = PortableLog(1 + (a[1] / a[0]) * (a[1] / a[0]));
      distribution.a_ = {PortableLog(a[0]) - variance / 2, std::sqrt(variance), 0};
      break;
  }
  return distribution;
}

double Distribution::Quantile(double p) const {
  switch (kind_) {
    case Kind::kUniform: return a_[0] + p * (a_[1] - a_[0]);
    case Kind::kNormal: return a_[0] + a_[1] * NormalQuantile(p);
    case Kind::kLogNormal: return PortableExp(a_[0] + a_[1] * NormalQuantile(p));
    case Kind::kTriangular: break;
  }
  const double width = a_[2] - a_[0];
  const double left = (a_[1] - a_[0]) / width;
  if (p < left) return a_[0] + std::sqrt(p * width * (a_[1] - a_[0]));
  return a_[2] - std::sqrt((1 - p) * width * (a_[2] - a_[1]));
}

}  // namespace davit
