#include "analysis/spectrum/period_plan.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace davit {
namespace {

double MeanOf(const double* x, const PeriodPlan& plan) {
  double sum = 0;
  for (std::size_t k = 0; k < plan.size(); ++k) sum += plan.Weight(k) * x[k];
  return sum;
}

}  // namespace

SamplingRule GaussRule(std::size_t n) {
  SamplingRule rule;
  for (std::size_t i = 1; i <= n; ++i) {
    double x = -std::cos(std::numbers::pi * (static_cast<double>(i) - 0.25) / (static_cast<double>(n) + 0.5));
    double slope = 1;
    for (int round = 0; round < 10; ++round) {  // Newton, on the Legendre polynomial
      double before = 1, value = x;
      for (std::size_t k = 2; k <= n; ++k) {
        const auto d = static_cast<double>(k);
        before = std::exchange(value, ((2 * d - 1) * x * value - (d - 1) * before) / d);
      }
      slope = static_cast<double>(n) * (x * value - before) / (x * x - 1);
      x -= value / slope;
    }
    rule.places.push_back((1 + x) / 2);
    rule.weights.push_back(1 / ((1 - x * x) * slope * slope));
  }
  return rule;
}

std::complex<double> FourierCoefficient(const double* x, const PeriodPlan& plan, std::size_t line) {
  std::complex<double> sum = 0;
  for (std::size_t k = 0; k < plan.size(); ++k)
    sum += plan.Weight(k) * x[k] *
           std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(line) * plan.Place(k));
  return 2.0 * sum;
}

std::vector<double> WithoutDrift(const std::vector<double>& x, const PeriodPlan& plan) {
  const std::size_t n = x.size(), period = plan.size(), periods = n / period;
  std::vector<double> level = x;
  const double first = MeanOf(x.data(), plan);
  const double slope =
      periods > 1 ? (MeanOf(x.data() + n - period, plan) - first) / static_cast<double>(periods - 1) : 0;
  double middle = 0;
  for (std::size_t k = 0; k < period; ++k) middle += plan.Weight(k) * plan.Place(k);
  for (std::size_t j = 0; j < n; ++j) {
    const std::size_t periods_before = j / period;
    const double place = static_cast<double>(periods_before) + plan.Place(j % period);
    level[j] -= first + slope * (place - middle);
  }
  return level;
}

}  // namespace davit
