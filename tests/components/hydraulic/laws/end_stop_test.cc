#include "components/hydraulic/laws/end_stop.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "components/hydraulic/laws/cylinder_geometry.h"
#include "tests/support/random_values.h"

namespace davit {
namespace {

EndStops StopsOfTheCrane() {
  const double Ap = CylinderGeometry{}.piston_area();
  return EndStops::ForForce(350e5 * Ap, 1e-3, 0.1, 2);
}

/// Erratum 23: the nominal damping ratio holds for 224 t only.
TEST(EndStopTest, DampingRatioIsThatOfTheRealMass) {
  const EndStops stops = StopsOfTheCrane();
  EXPECT_NEAR(stops.stiffness, 2.201561e9, 500);
  EXPECT_NEAR(stops.damping, 4.445558e6, 0.5);
  EXPECT_NEAR(DampingRatio(stops.damping, stops.stiffness, 10500), .46231, 0.5e-5);
  EXPECT_NEAR(DampingRatio(stops.damping, stops.stiffness, 500), 2.11858, 0.5e-5);
  EXPECT_NEAR(350e5 * CylinderGeometry{}.piston_area() / 9.81, 224.42e3, 5);
  EXPECT_NEAR(DampingRatio(stops.damping, stops.stiffness, 350e5 * CylinderGeometry{}.piston_area() / 9.81),
              0.1, 1e-12);
}

/// Erratum 24: both stops push back into the stroke.
TEST(EndStopTest, PushesBackIntoTheStroke) {
  EndStops stops = StopsOfTheCrane();
  for (const EndStopModel model : {EndStopModel::kSpringDamper, EndStopModel::kHuntCrossley}) {
    stops.model = model;
    EXPECT_EQ(stops.Force(1, 0.5), 0);
    EXPECT_DOUBLE_EQ(stops.Force(2.001, 0), stops.stiffness * (2.001 - 2));
    EXPECT_DOUBLE_EQ(stops.Force(-0.001, 0), -stops.stiffness * 0.001);
    EXPECT_NEAR(stops.Force(2.001, 0.1), -stops.Force(-0.001, -0.1), 1e-9 * stops.Force(2.001, 0.1));
  }
}

TEST(EndStopTest, HuntCrossleyNeitherJumpsNorPulls) {
  EndStops stops = StopsOfTheCrane();
  stops.model = EndStopModel::kHuntCrossley;
  EXPECT_LT(stops.Force(2 + 1e-9, 1), 1e-5 * stops.damping * 1);  // that by which the damper would jump
  EXPECT_EQ(stops.Force(2.001, -1e3), 0);
  // At `deflection` it damps as the damper does.
  EXPECT_NEAR(stops.Force(2.001, 0.1) - stops.Force(2.001, 0), stops.damping * 0.1,
              1e-9 * stops.damping * 0.1);
}

TEST(EndStopTest, TakesEnergyOverAnImpact) {
  for (const EndStopModel model : {EndStopModel::kSpringDamper, EndStopModel::kHuntCrossley}) {
    EndStops stops = StopsOfTheCrane();
    stops.model = model;
    double x = 2, v = 0.1;
    const double m = 10500, h = 1e-7;
    while (x >= 2) {  // symplectic Euler
      v -= h * stops.Force(x, v) / m;
      x += h * v;
    }
    EXPECT_LT(v, 0);
    EXPECT_GT(v, -0.1);
  }
}

RC_GTEST_PROP(EndStopTest, IsNoNanForAnyFiniteInput, ()) {
  EndStops stops = StopsOfTheCrane();
  stops.model = *rc::gen::element(EndStopModel::kSpringDamper, EndStopModel::kHuntCrossley);
  RC_ASSERT(!std::isnan(stops.Force(RandomDecades(-300, 290), AnyFinite())));
}

// Law: the slopes are the limits of differences to the side that the body is on, also next to the contact,
// where the force of spring_damper jumps.
RC_GTEST_PROP(EndStopTest, SlopesAreThoseOfTheForce, ()) {
  EndStops stops = StopsOfTheCrane();
  stops.model = *rc::gen::element(EndStopModel::kSpringDamper, EndStopModel::kHuntCrossley);
  if (*rc::gen::arbitrary<bool>()) stops.limit = stops.stiffness * 1e-3;
  const double delta = RandomDecades(-9, -2);
  const double x = *rc::gen::arbitrary<bool>() ? stops.stroke + delta : -delta;
  const double v = RandomDecades(-6, 0) * (*rc::gen::arbitrary<bool>() ? 1 : -1);
  const EndStops::Slopes slopes = stops.ForceSlopes(x, v);
  const double dx = 1e-4 * delta, dv = 1e-4 * std::abs(v);
  const double F = stops.Force(x, v);
  const auto agrees = [&](double slope, double up, double down, double shift) {
    const double rounding = 8 * 2.3e-16 * (std::abs(F) + stops.stiffness * stops.stroke * 1e-16) / shift;
    const double least = std::min(up, down) - 1e-6 * std::abs(slope) - rounding;
    const double most = std::max(up, down) + 1e-6 * std::abs(slope) + rounding;
    return slope >= least && slope <= most;
  };
  // What x rounds to, and what it loses beside the stroke.
  const double moved = (x + dx) - x;
  RC_PRE(moved > 0 && std::abs(moved - dx) < 1e-3 * dx);
  RC_ASSERT(agrees(slopes.v, (stops.Force(x, v + dv) - F) / dv, (F - stops.Force(x, v - dv)) / dv, dv));
  const double back = x - (x - dx);
  RC_PRE(back > 0);
  RC_ASSERT(
      agrees(slopes.x, (stops.Force(x + dx, v) - F) / moved, (F - stops.Force(x - dx, v)) / back, moved));
}

}  // namespace
}  // namespace davit
