// systems/marine/subsea_lift.xml as a user runs it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "components/register.h"
#include "session/simulation.h"

namespace davit {
namespace {

class SubseaLiftTest : public testing::Test {
 protected:
  struct Deviations {
    double tip = 0, load = 0;  ///< standard deviations [m]
  };

  std::unique_ptr<Simulation> Load(const std::vector<std::string>& set = {},
                                   const std::vector<std::string>& level = {}) {
    auto lift = Simulation::Load(std::string(DAVIT_SOURCE_DIR) + "/systems/marine/subsea_lift.xml", models_,
                                 {.load = {.set = set, .level = level}})
                    .Take();
    lift->Initialize();
    return lift;
  }
  static void Send(Simulation& lift, const std::string& event) {
    const RequestAnswer answer = lift.Submit(Request{.sender = "operator", .command = "event " + event});
    ASSERT_TRUE(answer.is_accepted) << answer.text;
  }
  /// From 20 to 100 s.
  static Deviations DeviationsOf(Simulation& lift) {
    double tip = 0, load = 0, tip_square = 0, load_square = 0;
    constexpr int kCount = 800;
    for (int i = 0; i < kCount; ++i) {
      lift.RunUntil(20 + 0.1 * i);
      const double z = lift.Read("tip.rise"), x = lift.Read("load.x");
      tip += z / kCount;
      load += x / kCount;
      tip_square += z * z / kCount;
      load_square += x * x / kCount;
    }
    return {std::sqrt(tip_square - tip * tip), std::sqrt(load_square - load * load)};
  }
  Registry models_ = AllModels();
};

TEST_F(SubseaLiftTest, CompensationRemovesNineTenthsOfTheMotion) {
  const auto [tip, load] = DeviationsOf(*Load());
  EXPECT_GT(tip, 0.3);
  EXPECT_LT(load, 0.1 * tip);
}

TEST_F(SubseaLiftTest, WithoutCompensationTheLoadFollowsTheTip) {
  const auto [tip, load] = DeviationsOf(*Load({"winch.on=0"}));
  EXPECT_NEAR(load, tip, 0.1 * tip);
}

// A late measurement alone: a wave of the peak period would leave 2*sin(pi*delay/T).
TEST_F(SubseaLiftTest, ALateMeasurementLeavesTheResidualOfADelay) {
  const auto [tip, load] = DeviationsOf(*Load({"tip.delay=1 s", "tip.prediction=0 s", "tip.noise=0 m"}));
  EXPECT_NEAR(load / tip, 2 * std::sin(3.14159265 * 1 / 10), 0.2 * load / tip);
}

TEST_F(SubseaLiftTest, TheWorkDependsOnTheSimulatedTimeAndNotOnTheNumberOfWaves) {
  const auto few = Load({"sea.components=40"}), many = Load({"sea.components=400"});
  few->RunUntil(60);
  many->RunUntil(60);
  const auto steps = [](Simulation& lift) { return static_cast<double>(lift.statistics().solver_steps); };
  // 3 h in 36 s on one core: at 100 us per step, 33 steps each second.
  EXPECT_LT(steps(*many), 33 * 60);
  EXPECT_LT(steps(*few), 33 * 60);
}

TEST_F(SubseaLiftTest, SwitchingLevelsDuringCompensationIsBumpless) {
  const auto lift = Load(), same = Load();
  double t = 30;
  lift->RunUntil(t);
  const std::vector<std::string> states{"load.x",   "load.v",   "drum.w",          "drum.angle",
                                        "line_a.p", "line_b.p", "wire.tension_top"};
  for (const char* const change :
       {"motor Ideal", "motor Advanced", "valve Detailed", "motor Standard", "valve Servo"}) {
    const std::string text = change, item = text.substr(0, text.find(' ')) + ".level";
    std::vector<double> before;
    for (const std::string& state : states) before.push_back(lift->Read(state));
    lift->WriteText(item, text.substr(text.find(' ') + 1));
    // At once nothing has moved.
    for (std::size_t i = 0; i < states.size(); ++i)
      EXPECT_EQ(lift->Read(states[i]), before[i]) << change << ' ' << states[i];
    // The load stays where it would be without the switch, within half the deviation that compensation
    // leaves; the motors differ in their losses.
    for (int i = 0; i < 30; ++i) {
      t += 0.1;
      lift->RunUntil(t);
      same->RunUntil(t);
      EXPECT_NEAR(lift->Read("load.x"), same->Read("load.x"), 5e-3) << change << ' ' << t;
    }
  }
}

// With all of them the valve keeps its own level, which has no compensator.
TEST_F(SubseaLiftTest, AutomaticLevelsCompensateToo) {
  for (const char* levels : {"motor=automatic", "*=automatic"}) {
    const auto lift = Load({}, {levels});
    const auto [tip, load] = DeviationsOf(*lift);
    EXPECT_LT(load, 0.05 * tip) << levels;
    EXPECT_GT(lift->statistics().level_switches, 0U) << levels;
  }
}

TEST_F(SubseaLiftTest, LandedTheWireKeepsItsTensionWhileTheTipMoves) {
  const auto lift = Load({"sea.depth=52 m", "lever.start_time=20 s", "lever.duration=1 s"});
  lift->RunUntil(45);  // the load has been on the bed for some seconds
  Send(*lift, "land");
  lift->RunUntil(60);
  EXPECT_EQ(lift->Read("modes.state.landed"), 1);
  double lowest = 1e9, highest = 0, low_tip = 1e9, high_tip = -1e9;
  for (int i = 0; i < 400; ++i) {
    lift->RunUntil(60 + 0.1 * i);
    lowest = std::min(lowest, lift->Read("wire.tension_top"));
    highest = std::max(highest, lift->Read("wire.tension_top"));
    low_tip = std::min(low_tip, lift->Read("tip.rise"));
    high_tip = std::max(high_tip, lift->Read("tip.rise"));
  }
  EXPECT_GT(high_tip - low_tip, 1);  // [m], 2.3e6 N of a wire that is held
  EXPECT_GT(lowest, 20e3);
  EXPECT_LT(highest, 60e3);
  EXPECT_GT(lift->Read("load.ground_force"), 100e3);
  Send(*lift, "compensate");
  lift->RunUntil(105);
  EXPECT_EQ(lift->Read("modes.state.compensate"), 1);
}

TEST_F(SubseaLiftTest, UnderOverloadTheWinchPaysOutByItself) {
  const auto lift = Load();
  lift->RunUntil(30);
  EXPECT_EQ(lift->Read("modes.state.armed"), 1);
  lift->Write("load.mass", 50e3);  // something has caught it: 460 kN of a rated tension of 300 kN
  lift->RunUntil(33);
  EXPECT_EQ(lift->Read("modes.state.aops_active"), 1);
  // The wire has less than the weight, as it follows the load.
  EXPECT_GT(lift->Read("load.v"), 2);
  EXPECT_LT(lift->Read("wire.tension_top"), 0.9 * 460e3);
  lift->Write("load.mass", 20e3);
  lift->RunUntil(45);
  EXPECT_EQ(lift->Read("modes.state.armed"), 1);
  EXPECT_LT(std::abs(lift->Read("load.v")), 0.1);
}

TEST_F(SubseaLiftTest, TheManualOverloadProtectionReleasesTheWireInAnyMode) {
  const auto lift = Load();
  lift->RunUntil(1.5);
  EXPECT_EQ(lift->Read("modes.state.off"), 1);
  EXPECT_EQ(lift->Read("brake.release"), 0);
  Send(*lift, "mops");
  lift->RunUntil(5);
  EXPECT_EQ(lift->Read("modes.state.mops_active"), 1);
  EXPECT_LT(lift->Read("wire.tension_top"), 0.9 * 166e3);
  EXPECT_GT(lift->Read("load.v"), 1.5);
  Send(*lift, "mops.reset");
  lift->RunUntil(20);
  EXPECT_EQ(lift->Read("modes.state.armed"), 1);
  EXPECT_LT(std::abs(lift->Read("load.v")), 0.1);
}

}  // namespace
}  // namespace davit
