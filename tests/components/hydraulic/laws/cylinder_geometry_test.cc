#include "components/hydraulic/laws/cylinder_geometry.h"
#include "tests/components/hydraulic/lifting_data.h"

#include <gtest/gtest.h>

#include <cmath>

namespace davit {
namespace {

TEST(CylinderGeometryTest, AreasOfTheCrane) {
  const CylinderGeometry cylinder;
  EXPECT_NEAR(cylinder.piston_area(), .0629017535, 0.5e-10);
  EXPECT_NEAR(cylinder.ring_area(), .0472872526, 0.5e-10);
}

TEST(CylinderGeometryTest, StiffnessAndFrequencies) {
  struct Row {
    double x, k, f_500, f_10500, f_100500, f_a, zeta;
  };
  const CylinderGeometry cylinder;
  for (const Row& row : {Row{.1, 9.077579e8, 214.447087, 46.796191, 15.125931, 45.769824, .007944},
                         Row{1, 1.731606e8, 93.661185, 20.438546, 6.606351, 15.459372, .018188},
                         Row{1.9, 6.770558e8, 185.202724, 40.414548, 13.063193, 11.257208, .009198}}) {
    SCOPED_TRACE(row.x);
    const double k = cylinder.OilStiffness(kBeta, row.x);
    EXPECT_NEAR(k, row.k, 50);
    EXPECT_NEAR(NaturalFrequency(k, 500), row.f_500, 0.5e-6);
    EXPECT_NEAR(NaturalFrequency(k, 10500), row.f_10500, 0.5e-6);
    EXPECT_NEAR(NaturalFrequency(k, 100500), row.f_100500, 0.5e-6);
    const double k_a = ChamberStiffness(kBeta, cylinder.piston_area(), cylinder.VolumeA(row.x));
    EXPECT_NEAR(NaturalFrequency(k_a, 10500), row.f_a, 0.5e-6);
    EXPECT_NEAR(DampingRatio(49050, k, 10500), row.zeta, 0.5e-6);
  }
}

TEST(CylinderGeometryTest, SoftestPosition) {
  const CylinderGeometry cylinder;
  const double x = cylinder.SoftestPosition();
  EXPECT_NEAR(x, 1.075156, 0.5e-6);
  EXPECT_NEAR(cylinder.OilStiffness(kBeta, x), 1.722228e8, 50);
  EXPECT_NEAR(NaturalFrequency(cylinder.OilStiffness(kBeta, x), 10500), 20.383129, 0.5e-6);
  EXPECT_GT(cylinder.OilStiffness(kBeta, x - 1e-3), cylinder.OilStiffness(kBeta, x));
  EXPECT_GT(cylinder.OilStiffness(kBeta, x + 1e-3), cylinder.OilStiffness(kBeta, x));
}

TEST(CylinderGeometryTest, SymmetricCylinder) {
  const double A = 0.01, V = 0.01, m = 1000;  // V of both chambers
  const double k = 2 * ChamberStiffness(kBeta, A, V / 2);
  EXPECT_NEAR(2 * std::numbers::pi * NaturalFrequency(k, m), 252.982213, 0.5e-6);
  EXPECT_NEAR(std::sqrt(4 * kBeta * A * A / (V * m)), 252.982213, 0.5e-6);
}

/// Erratum 22: 280 bar carry 179.5 t, not 100.
TEST(CylinderGeometryTest, StaticForces) {
  const CylinderGeometry cylinder;
  EXPECT_NEAR(98100 / cylinder.piston_area(), 1559574.9646, 0.5e-4);
  EXPECT_NEAR(981000 / cylinder.piston_area(), 15595749.6458, 0.5e-4);
  const double force = 280e5 * cylinder.piston_area();
  EXPECT_NEAR(force, 1761249.1, 0.05);
  EXPECT_NEAR(force / 9.81 / 1000, 179.5, 0.05);
}

/// Erratum 27: 10 mm ports throttle 480 l/min by 45 bar, with sharp edges by 120 bar.
TEST(CylinderGeometryTest, NarrowPortsThrottle) {
  const double v = 480 / 6e4 / CircleArea(0.010);
  EXPECT_NEAR(v, 101.8, 0.1);
  EXPECT_NEAR(861.8 * v * v / 2 / 1e5, 45, 0.5);
  EXPECT_NEAR(861.8 * v * v / 2 / (0.611 * 0.611) / 1e5, 120, 0.5);
}

}  // namespace
}  // namespace davit
