#include "simulator/building_blocks/double_integrator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "app/heap/allocation_counter.h"
#include "tests/simulator/building_blocks/frequency_response.h"
#include "tests/simulator/building_blocks/observed_order.h"

namespace davit::building_blocks {
namespace {

TEST(DoubleIntegratorTest, SatisfiesBothTrapezoidalRules) {
  const double h = 0.25;
  const double damping = 3;
  DoubleIntegrator integrator;
  integrator.Initialize(h, damping, 2, 5, -1);
  double u_last = 2;
  for (const double u : {1.0, -4.0, 10.0, 0.0}) {
    const double x_last = integrator.x();
    const double v_last = integrator.v();
    const double x = integrator.Update(u);
    EXPECT_EQ(x, integrator.x());
    const double v = integrator.v();
    EXPECT_NEAR(v - v_last, h / 2 * ((u_last - damping * v_last) + (u - damping * v)), 1e-15);
    EXPECT_NEAR(x - x_last, h / 2 * (v_last + v), 1e-15);
    u_last = u;
  }
}

TEST(DoubleIntegratorTest, IsExactForConstantAccelerationWithAnyStep) {
  for (const double h : {0.5, 0.25, 0.0625}) {  // powers of two: no rounding
    DoubleIntegrator integrator;
    integrator.Initialize(h, 0, 2, 1, 3);
    double t = 0;
    while (t < 8) {
      t += h;
      EXPECT_EQ(integrator.Update(2), 1 + 3 * t + t * t);
      EXPECT_EQ(integrator.v(), 3 + 2 * t);
    }
  }
}

TEST(DoubleIntegratorTest, ComesToTheSpeedThatDampingAllows) {
  DoubleIntegrator integrator;
  integrator.Initialize(0.01, 4, 8, 0, 0);
  for (int n = 0; n < 10000; ++n) integrator.Update(8);
  EXPECT_NEAR(integrator.v(), 2, 1e-14);
}

TEST(DoubleIntegratorTest, HasOrderTwoAndDampingThatIsThePhysicalOne) {
  // v' = cos t - w v, x' = v, all from zero.
  const double w = 1.5;
  const double t_end = 2;
  const double scale = 1 / (1 + w * w);
  const double v_end = scale * (w * std::cos(t_end) + std::sin(t_end) - w * std::exp(-w * t_end));
  const double x_end = scale * (w * std::sin(t_end) - std::cos(t_end) + std::exp(-w * t_end));
  const auto run = [&](int steps) {
    const double h = t_end / steps;
    DoubleIntegrator integrator;
    integrator.Initialize(h, w, 1, 0, 0);
    for (int n = 1; n <= steps; ++n) integrator.Update(std::cos(h * n));
    return integrator;
  };
  EXPECT_NEAR(ObservedOrder([&](int steps) { return run(steps).v() - v_end; }, 100), 2, 0.01);
  EXPECT_NEAR(ObservedOrder([&](int steps) { return run(steps).x() - x_end; }, 100), 2, 0.01);
}

TEST(DoubleIntegratorTest, HasTheFrequencyResponseOfTheBilinearTransform) {
  const double h = 1e-3;
  const double damping = 20;
  for (const double w : {1.0, 100.0, 1500.0, 3000.0}) {
    DoubleIntegrator integrator;
    integrator.Initialize(h, damping, 0, 0, 0);
    const auto v = [](DoubleIntegrator& block, double u) {
      block.Update(u);
      return block.v();
    };
    const std::complex<double> expected = 1.0 / (Prewarped(w, h) + damping);
    EXPECT_LT(std::abs(FrequencyResponse(integrator, v, w, h, 3000) - expected), 1e-11) << w;
  }
}

TEST(DoubleIntegratorTest, KeepsPositionAndVelocityWhenDampingChanges) {
  DoubleIntegrator integrator;
  integrator.Initialize(0.5, 0, 0, 1, 2);
  integrator.SetDamping(4);
  EXPECT_EQ(integrator.x(), 1);
  EXPECT_EQ(integrator.v(), 2);
  integrator.Update(0);
  EXPECT_EQ(integrator.v(), 0);  // (2 - damping h)/(2 + damping h) = 0
  EXPECT_EQ(integrator.x(), 1.5);
}

TEST(DoubleIntegratorTest, GoesOnFromASetState) {
  DoubleIntegrator integrator;
  integrator.Initialize(1, 0, 0, 0, 0);
  integrator.Update(7);
  integrator.SetState(0, 3, 2);
  EXPECT_EQ(integrator.Update(0), 5);
}

TEST(DoubleIntegratorTest, DoesNotAllocate) {
  DoubleIntegrator integrator;
  const AllocationCounter counter;
  integrator.Initialize(1e-3, 1, 0, 0, 0);
  for (int n = 0; n < 100; ++n) integrator.Update(n);
  EXPECT_EQ(counter.count(), 0U);
}

}  // namespace
}  // namespace davit::building_blocks
