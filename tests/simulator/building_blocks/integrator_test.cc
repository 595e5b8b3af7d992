#include "simulator/building_blocks/integrator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "app/heap/allocation_counter.h"
#include "tests/simulator/building_blocks/frequency_response.h"
#include "tests/simulator/building_blocks/observed_order.h"

namespace davit::building_blocks {
namespace {

TEST(IntegratorBlockTest, IsTheTrapezoidalRule) {
  Integrator integrator;
  integrator.Initialize(0.5, 2, 10);
  EXPECT_EQ(integrator.value(), 10);
  EXPECT_EQ(integrator.Update(4), 10 + 0.25 * (2 + 4));
  EXPECT_EQ(integrator.Update(-4), 11.5);
  EXPECT_EQ(integrator.value(), 11.5);
}

TEST(IntegratorBlockTest, IsExactForARampWithAnyStep) {
  for (const double h : {0.5, 0.25, 0.0625}) {  // powers of two: no rounding
    Integrator integrator;
    integrator.Initialize(h, 3, 1);
    double t = 0;
    while (t < 8) {
      t += h;
      EXPECT_EQ(integrator.Update(3 + 2 * t), 1 + 3 * t + t * t);
    }
  }
}

TEST(IntegratorBlockTest, HasOrderTwo) {
  const auto error = [](int steps) {
    const double h = 1.0 / steps;
    Integrator integrator;
    integrator.Initialize(h, 1, 1);
    for (int n = 1; n <= steps; ++n) integrator.Update(std::exp(h * n));
    return integrator.value() - std::exp(1.0);
  };
  EXPECT_NEAR(ObservedOrder(error, 100), 2, 0.01);
}

TEST(IntegratorBlockTest, HasTheFrequencyResponseOfTheBilinearTransform) {
  const double h = 1e-3;
  for (const double w : {0.1, 10.0, 1000.0, 3000.0}) {
    const std::complex<double> expected = 1.0 / Prewarped(w, h);
    // Started on the steady oscillation, it stays there.
    Integrator real;
    Integrator imaginary;
    real.Initialize(h, 1, expected.real());
    imaginary.Initialize(h, 0, expected.imag());
    for (int n = 1; n <= 1000; ++n) {
      const std::complex<double> u = std::polar(1.0, w * h * n);
      const std::complex<double> y(real.Update(u.real()), imaginary.Update(u.imag()));
      ASSERT_LT(std::abs(y / u - expected), 1e-12 * (1 + std::abs(expected))) << w << " rad/s, step " << n;
    }
  }
}

TEST(IntegratorBlockTest, GoesOnFromASetState) {
  Integrator integrator;
  integrator.Initialize(1, 0, 0);
  integrator.Update(7);
  integrator.SetState(2, -1);
  EXPECT_EQ(integrator.value(), -1);
  EXPECT_EQ(integrator.Update(2), 1);
}

TEST(IntegratorBlockTest, DoesNotAllocate) {
  Integrator integrator;
  const AllocationCounter counter;
  integrator.Initialize(1e-3, 0, 0);
  for (int n = 0; n < 100; ++n) integrator.Update(n);
  EXPECT_EQ(counter.count(), 0U);
}

}  // namespace
}  // namespace davit::building_blocks
