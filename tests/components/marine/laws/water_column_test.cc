#include "components/marine/laws/water_column.h"

#include <gtest/gtest.h>

#include <vector>

namespace davit {
namespace {

TEST(WaterColumnTest, ItIsTheWaterOfTheWavesAtItsPlace) {
  for (const double depth : {12.0, 900.0}) {
    std::vector<Wave> waves{{0.8, 0.7, 0, 0.4, 0.3}, {0.3, 1.9, 0, 2.5, 1.0}, {0.2, 0.3, 0, -1.0, -2.0}};
    for (Wave& wave : waves) wave.number = WaveNumber(wave.frequency, depth);
    const WaveField field(waves, depth);
    WaterColumn column(field, 7, -3);
    // Down through the layers, above the mean level, and below the bed.
    for (double z = 0.5; z > -depth - 1; z -= 0.37) {
      const double t = 3 - 2.3 * z;
      const WaterMotion expected = field.At(t, {7, -3, z});
      const WaterColumn::Motion motion = column.At(t, z);
      EXPECT_NEAR(motion.velocity, expected.velocity.z(), 1e-12) << z;
      EXPECT_NEAR(motion.acceleration, expected.acceleration.z(), 1e-12) << z;
      EXPECT_NEAR(column.Elevation(t), expected.elevation, 1e-12) << z;
    }
  }
}

TEST(WaterColumnTest, CalmWaterRests) {
  WaterColumn column(WaveField({}, 50), 0, 0);
  EXPECT_EQ(column.At(3, -2).velocity, 0);
  EXPECT_EQ(column.Elevation(3), 0);
}

}  // namespace
}  // namespace davit
