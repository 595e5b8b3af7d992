#include "components/hydraulic/laws/end_stop.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

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

}  // namespace
}  // namespace davit
