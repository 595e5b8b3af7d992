#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace davit {

/// Where samples divide a panel, and their weights, both as shares of it.
struct SamplingRule {
  std::vector<double> places, weights;
};

/// Gauss's rule with n points, exact for polynomials up to degree 2n - 1.
SamplingRule GaussRule(std::size_t n);

/// How samples divide a period: it consists of equal panels with the same rule in each.
struct PeriodPlan {
  double period = 0;  ///< [s]
  std::size_t panels = 0;
  SamplingRule rule = {};

  double frequency() const { return 1 / period; }
  std::size_t size() const { return panels * rule.places.size(); }  ///< samples in a period
  /// Of sample k from the beginning on, as a share of a period.
  double Place(std::size_t k) const {
    const std::size_t n = rule.places.size(), panel = k / n;
    return (static_cast<double>(panel) + rule.places[k % n]) / static_cast<double>(panels);
  }
  double Weight(std::size_t k) const {  ///< as a share of a period
    return rule.weights[k % rule.weights.size()] / static_cast<double>(panels);
  }
};

/// The part of a signal that goes round `line` times in a period: 2/T int x exp(-2 pi i line t/T) dt.
std::complex<double> FourierCoefficient(const double* x, const PeriodPlan& plan, std::size_t line);

/// x without its mean and the drift from one period to the next.
std::vector<double> WithoutDrift(const std::vector<double>& x, const PeriodPlan& plan);

}  // namespace davit
