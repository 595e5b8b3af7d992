#include "components/mechanism/payload_wire.h"

#include <gtest/gtest.h>

namespace davit {
namespace {

constexpr PayloadWire kWire{.EA = 5e7, .damping_ratio = 0.1, .mass = 8000, .gravity = 9.81};

TEST(PayloadWireTest, CarriesItsLoadAtTheLengthOfTheWinch) {
  EXPECT_NEAR(kWire.Tension(7, 0, 7, 0), 8000 * 9.81, 1e-6);
  EXPECT_EQ(kWire.Tension(7, 0, kWire.Unstretched(7), 5), 0);
  EXPECT_EQ(kWire.Tension(7, 0, 2, -1), 0);
}

TEST(PayloadWireTest, NeverPushesAndSetsInWithoutAJump) {
  const double l0 = kWire.Unstretched(7);
  EXPECT_EQ(kWire.Tension(7, 0, 7, -1e3), 0);
  EXPECT_NEAR(kWire.Tension(7, 0, l0 + 1e-9, 10), 0, 1);  // k e is 0.007 N
}

TEST(PayloadWireTest, PayingOutWithTheLoadMakesNoDamping) {
  const double share = kWire.Unstretched(7) / 7;
  EXPECT_NEAR(kWire.Tension(7, 2, 7, 2 * share), kWire.Tension(7, 0, 7, 0), 1e-6);
}

TEST(PayloadWireTest, EnergyIsTheWorkOfTheTension) {
  constexpr double h = 1e-5;
  const double d = 7.005;
  EXPECT_NEAR((kWire.Energy(7, d + h) - kWire.Energy(7, d - h)) / (2 * h), kWire.Tension(7, 0, d, 0), 1e-3);
}

}  // namespace
}  // namespace davit
