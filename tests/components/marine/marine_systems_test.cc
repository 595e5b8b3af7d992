// The other systems of systems/marine as a user runs them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "components/register.h"
#include "session/simulation.h"

namespace davit {
namespace {

class MarineSystemsTest : public testing::Test {
 protected:
  std::unique_ptr<Simulation> Load(const std::string& name, const std::vector<std::string>& level = {}) {
    auto system = Simulation::Load(std::string(DAVIT_SOURCE_DIR) + "/systems/marine/" + name, models_,
                                   {.load = {.level = level}})
                      .Take();
    system->Initialize();
    return system;
  }
  Registry models_ = AllModels();
};

TEST_F(MarineSystemsTest, PassiveCompensationTakesMostOfTheMotionWithoutPower) {
  const auto lift = Load("passive_compensation.xml");
  double low = 1e9, high = -1e9, low_tip = 1e9, high_tip = -1e9, low_rod = 1e9, high_rod = -1e9;
  for (int i = 0; i < 2000; ++i) {
    lift->RunUntil(100 + 0.1 * i);
    const double x = lift->Read("load.x"), tip = lift->Read("tip.rise"), rod = lift->Read("sheave.x");
    low = std::min(low, x);
    high = std::max(high, x);
    low_tip = std::min(low_tip, tip);
    high_tip = std::max(high_tip, tip);
    low_rod = std::min(low_rod, rod);
    high_rod = std::max(high_rod, rod);
  }
  EXPECT_LT(high - low, 0.2 * (high_tip - low_tip));
  // What the rod moves is half of what the tip does, and it stays off its stops.
  EXPECT_NEAR(high_rod - low_rod, (high_tip - low_tip) / 2, 0.2 * (high_tip - low_tip) / 2);
  EXPECT_GT(low_rod, 0);
  EXPECT_LT(high_rod, 2.4);
}

TEST_F(MarineSystemsTest, AVehicleIsLaunchedThroughTheSurfaceAndComesBackToTheDeck) {
  const auto launch = Load("launch_and_recovery.xml");
  double deepest = 0, slam = 0;
  for (int i = 0; i < 2350; ++i) {
    launch->RunUntil(0.1 * i);
    deepest = std::max(deepest, launch->Read("vehicle.x"));
    slam = std::max(slam, launch->Read("vehicle.slam"));
  }
  EXPECT_GT(deepest, 28);
  EXPECT_GT(slam, 1000);
  EXPECT_GE(launch->Read("snaps.count"), 2);
  // It stands on the deck, in a slack wire.
  EXPECT_NEAR(launch->Read("vehicle.x"), -3 - launch->Read("stern.rise"), 0.1);
  EXPECT_EQ(launch->Read("umbilical.tension_load"), 0);
  EXPECT_NEAR(launch->Read("vehicle.ground_force"), 6000 * 9.81, 0.3 * 6000 * 9.81);
}

TEST_F(MarineSystemsTest, TheWinchOfACraneTakesTheMotionFromItsLoadInTheSea) {
  const auto deviation = [&](bool compensates, const std::vector<std::string>& level = {}) {
    const auto lift = Load("crane_subsea_lift.xml", level);
    if (!compensates) lift->Write("share.to", 0.0);
    constexpr int kCount = 500;
    double sum = 0, squares = 0;
    for (int i = 0; i < kCount; ++i) {
      lift->RunUntil(20 + 0.1 * i);
      const double z = lift->Read("crane.at_load_z");
      sum += z;
      squares += z * z;
    }
    return std::sqrt(squares / kCount - sum * sum / kCount / kCount);
  };
  const double held = deviation(false);
  EXPECT_GT(held, 0.3);  // the tip, in a sea of 2.5 m
  EXPECT_LT(deviation(true), 0.1 * held);
  EXPECT_LT(deviation(true, {"*=automatic"}), 0.1 * held);
}

// Where the crane holds the load, the water always carries a part of it.
TEST_F(MarineSystemsTest, WithAutomaticLevelsTheLoadStaysInTheSea) {
  const auto lift = Load("crane_subsea_lift.xml", {"*=automatic"});
  for (double t = 0; t <= 5; t += 0.1) {
    lift->RunUntil(t);
    EXPECT_NEAR(lift->Read("crane.at_load_z"), -24, 2) << t;
  }
  EXPECT_GT(lift->statistics().level_switches, 0U);
}

// A system file cannot take bodies from another one, so the booms are in both.
TEST_F(MarineSystemsTest, TheBoomsAtSeaAreThoseOfTheKnuckleBoomCrane) {
  const auto booms = [](const std::string& name) {
    std::ifstream file(std::string(DAVIT_SOURCE_DIR) + "/systems/" + name);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    std::vector<std::string> elements;
    for (const char* begin : {R"(<Body name="main")", R"(<Body name="outer")", R"(<Mount name="boom")",
                              R"(<Mount name="knuckle")"}) {
      const std::size_t at = text.find(begin);
      elements.push_back(at == std::string::npos ? "" : text.substr(at, text.find("/>", at) - at));
    }
    return elements;
  };
  const std::vector<std::string> on_land = booms("knuckle_boom_crane.xml");
  EXPECT_THAT(on_land, testing::Each(testing::Not(testing::IsEmpty())));
  EXPECT_EQ(booms("marine/crane_subsea_lift.xml"), on_land);
}

TEST_F(MarineSystemsTest, ConstantTensionHoldsTheWireTautOverAMovingDeck) {
  const auto lift = Load("platform_lift.xml");
  double low = 1e9, high = 0, low_deck = 1e9, high_deck = -1e9, peak = 0;
  for (int i = 0; i < 680; ++i) {
    lift->RunUntil(5 + 0.05 * i);
    low = std::min(low, lift->Read("wire.tension_top"));
    high = std::max(high, lift->Read("wire.tension_top"));
    low_deck = std::min(low_deck, lift->Read("deck.rise"));
    high_deck = std::max(high_deck, lift->Read("deck.rise"));
  }
  EXPECT_GT(high_deck - low_deck, 1);
  EXPECT_GT(low, 5e3);  // of 15 kN
  EXPECT_LT(high, 25e3);
  for (int i = 0; i < 300; ++i) {
    lift->RunUntil(40 + 0.05 * i);
    peak = std::max(peak, lift->Read("load.wire_force"));
  }
  // Lift-off: weight + V*sqrt(stiffness*mass), V at most the speed of the winch and 1 m/s of the deck.
  const double weight = 10000 * 9.81;
  EXPECT_GT(peak, 1.1 * weight);
  EXPECT_LT(peak, weight + 2 * std::sqrt(8e6 / 32 * 10000));
  EXPECT_EQ(lift->Read("load.ground_force"), 0);
}

/// Before and after it slews, the mean roll is that of the moments about x, by the stiffness of 1.163e8
/// N.m/rad.
TEST_F(MarineSystemsTest, ACraneHeelsTheVesselOverWhoseSideItSlews) {
  const auto lift = Load("heeling_crane.xml");
  // Two periods of roll, from t on.
  const auto mean_roll = [&](double t) {
    double sum = 0;
    constexpr int kCount = 220;
    for (int i = 0; i < kCount; ++i) {
      lift->RunUntil(t + 0.1 * i);
      sum += (lift->Read("vessel.roll") - lift->Read("responses.roll")) / kCount;
    }
    return sum;
  };
  // 40 t at 22 m and 40 t at 6 m to port, which rise as the vessel heels: 26 m and 16 m above its origin.
  double heel = 0;
  for (int i = 0; i < 50; ++i)
    heel = -9.81 *
           (40e3 * (22 * std::cos(heel) - 26 * std::sin(heel)) +
            40e3 * (6 * std::cos(heel) - 16 * std::sin(heel))) /
           1.163e8;
  EXPECT_NEAR(mean_roll(0), 0, 0.1 * std::abs(heel));
  EXPECT_NEAR(mean_roll(68), heel, 0.1 * std::abs(heel));
}

}  // namespace
}  // namespace davit
