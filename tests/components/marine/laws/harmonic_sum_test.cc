#include "components/marine/laws/harmonic_sum.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <vector>

namespace davit {
namespace {

class HarmonicSumTest : public testing::Test {
 protected:
  HarmonicSumTest() {
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
      for (std::size_t j = 0; j < 2; ++j) {
        amplitudes[j].push_back(
            std::polar(1.0 / (1.0 + static_cast<double>(i)), 0.7 * static_cast<double>(i * (j + 1))));
        sum.SetAmplitude(i, j, amplitudes[j].back());
      }
    }
  }
  /// Value, rate and acceleration, term by term.
  std::array<double, 3> Direct(std::size_t j, double t) const {
    std::array<double, 3> result{};
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
      const std::complex<double> at = amplitudes[j][i] * std::polar(1.0, frequencies[i] * t),
                                 iw(0, frequencies[i]);
      result[0] += at.real();
      result[1] += (iw * at).real();
      result[2] += (iw * iw * at).real();
    }
    return result;
  }

  std::vector<double> frequencies{0, 0.3, -0.5, 0.8, 1.9, 3.7};
  std::array<std::vector<std::complex<double>>, 2> amplitudes;
  HarmonicSum sum{frequencies, 2};
};

TEST_F(HarmonicSumTest, ItIsTheSumOfItsTerms) {
  for (double t = -7.3; t < 20000; t = 1.37 * std::abs(t) + 0.111) {
    sum.Evaluate(t);
    for (std::size_t j = 0; j < 2; ++j) {
      const auto [value, rate, acceleration] = Direct(j, t);
      // The angle w*t is rounded to 1e-16 of itself.
      const double limit = 1e-14 + 1e-15 * std::abs(t);
      EXPECT_NEAR(sum.value(j), value, limit) << t;
      EXPECT_NEAR(sum.rate(j), rate, 4 * limit) << t;
      EXPECT_NEAR(sum.acceleration(j), acceleration, 14 * limit) << t;
    }
  }
}

TEST_F(HarmonicSumTest, AtBothEndsOfAnIntervalItIsTheSameFunction) {
  const double interval = 2 / 3.7;
  for (const double border : {interval, 40 * interval}) {
    sum.Evaluate(std::nextafter(border, 0));
    const double below = sum.acceleration(0);
    sum.Evaluate(border);
    EXPECT_NEAR(sum.acceleration(0), below, 1e-13);
  }
}

TEST_F(HarmonicSumTest, AValueDependsOnTheTimeAlone) {
  sum.Evaluate(12.34);
  const double first = sum.value(1);
  for (const double other : {12.35, 99.0, 12.0}) {
    sum.Evaluate(other);
    sum.Evaluate(12.34);
    EXPECT_EQ(sum.value(1), first);
  }
}

TEST(EmptyHarmonicSumTest, ItIsZero) {
  HarmonicSum none({}, 2);
  none.Evaluate(3);
  EXPECT_EQ(none.value(1), 0);
  EXPECT_EQ(none.acceleration(0), 0);
}

}  // namespace
}  // namespace davit
