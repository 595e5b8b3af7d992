#include "components/marine/laws/harmonic_sum.h"

#include <cmath>

namespace davit {

HarmonicSum::HarmonicSum(const std::vector<double>& frequencies, std::size_t sums)
    : frequencies_(Eigen::Map<const Eigen::VectorXd>(frequencies.data(),
                                                     static_cast<Eigen::Index>(frequencies.size()))) {
  const Eigen::Index terms = frequencies_.size(), rows = static_cast<Eigen::Index>(sums);
  const double highest = terms == 0 ? 0.0 : frequencies_.cwiseAbs().maxCoeff();
  if (highest > 0) interval_ = 2 / highest;
  real_ = imaginary_ = Eigen::MatrixXd::Zero(rows, terms);
  real_powers_ = imaginary_powers_ = Eigen::MatrixXd::Zero(terms, kDegree + 1);
  coefficients_ = Eigen::MatrixXd::Zero(rows, kDegree + 1);
  value_ = rate_ = acceleration_ = Eigen::ArrayXd::Zero(rows);
}

void HarmonicSum::SetAmplitude(std::size_t term, std::size_t sum, std::complex<double> amplitude) {
  const auto row = static_cast<Eigen::Index>(sum), column = static_cast<Eigen::Index>(term);
  real_(row, column) = amplitude.real();
  imaginary_(row, column) = amplitude.imag();
  cell_ = t_ = kNone;
}

void HarmonicSum::SumTerms(double middle) {
  for (Eigen::Index i = 0; i < frequencies_.size(); ++i) {
    const double w = frequencies_[i];
    std::complex<double> power = std::polar(1.0, w * middle);
    for (Eigen::Index m = 0; m <= kDegree; ++m) {
      real_powers_(i, m) = power.real();
      imaginary_powers_(i, m) = power.imag();
      const double next = w / static_cast<double>(m + 1);
      power = {-next * power.imag(), next * power.real()};
    }
  }
  coefficients_ = real_.lazyProduct(real_powers_);
  coefficients_ -= imaginary_.lazyProduct(imaginary_powers_);
}

void HarmonicSum::Evaluate(double t) {
  if (t == t_) return;
  const double cell = std::floor(t / interval_), middle = (cell + 0.5) * interval_;
  if (cell != cell_) SumTerms(middle);
  cell_ = cell;
  t_ = t;
  const double dt = t - middle;
  value_ = coefficients_.col(kDegree).array();
  rate_.setZero();
  acceleration_.setZero();
  for (Eigen::Index m = kDegree - 1; m >= 0; --m) {
    acceleration_ = acceleration_ * dt + 2 * rate_;
    rate_ = rate_ * dt + value_;
    value_ = value_ * dt + coefficients_.col(m).array();
  }
}

}  // namespace davit
