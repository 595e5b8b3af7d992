// systems/position_servo.xml: a whole machine of fixed-step (TLM) components.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/heap/allocation_counter.h"
#include "simulator/simulator_manager.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

constexpr double kStroke = 1.0;       // [m]
constexpr double kEquilibrium = 0.7;  // [m]: all edges shut where the load is at the reference

std::string PositionServo(double h) {
  std::ifstream file(std::string(DAVIT_SOURCE_DIR) + "/systems/position_servo.xml");
  std::stringstream content;
  content << file.rdbuf();
  std::string text = content.str();
  const std::string attribute = "TimeStep=\"0.1 ms\"";
  const std::size_t place = text.find(attribute);
  if (place == std::string::npos) throw std::logic_error("position_servo.xml has another " + attribute);
  return text.replace(place, attribute.size(), "TimeStep=\"" + ToXml(h) + " s\"");
}

/// x at 0.05 s, 0.1 s, ..., 2 s.
std::vector<double> PathOfLoad(double h) {
  TestSystem system(PositionServo(h));
  system.manager().Initialize();
  const Item x = system.Find("load.x");
  std::vector<double> path;
  for (int i = 1; i <= 40; ++i) {
    system.manager().RunUntil(0.05 * i);
    path.push_back(x.Read());
  }
  return path;
}

TEST(PositionServoTest, AdvancesByFixedStepsOnly) {
  TestSystem system(PositionServo(1e-4));
  system.manager().Initialize();
  EXPECT_TRUE(system.manager().islands().empty());
  EXPECT_EQ(system.manager().statistics().components, 21U);
}

TEST(PositionServoTest, SettlesAtTheReferenceWithoutLimitCycle) {
  for (const double h : {1e-3, 1e-4}) {
    TestSystem system(PositionServo(h));
    SimulatorManager& manager = system.manager();
    manager.Initialize();
    const Item x = system.Find("load.x");
    const Item v = system.Find("load.v");
    manager.RunUntil(2);
    // From here on it only creeps nearer, and ever slower.
    double distance = kStroke, speed = 1;
    for (int i = 1; i <= 20; ++i) {
      manager.RunUntil(2 + 0.05 * i);
      EXPECT_LT(std::abs(x.Read() - kEquilibrium), distance) << manager.time();
      EXPECT_LT(std::abs(v.Read()), speed) << manager.time();
      distance = std::abs(x.Read() - kEquilibrium);
      speed = std::abs(v.Read());
    }
    EXPECT_LT(distance, 1e-6);
    EXPECT_LT(speed, 1e-6);
    EXPECT_NEAR(system.Read("spring.force"), 10e3 * kEquilibrium, 0.01);
  }
}

TEST(PositionServoTest, PathIsOfSecondOrderInTheStep) {
  const std::vector<double> exact = PathOfLoad(2e-5);
  std::vector<double> errors;
  for (const double h : {1e-3, 5e-4, 2.5e-4}) {
    const std::vector<double> path = PathOfLoad(h);
    errors.push_back(0);
    for (std::size_t i = 0; i < path.size(); ++i) {
      errors.back() = std::max(errors.back(), std::abs(path[i] - exact[i]));
    }
  }
  EXPECT_LT(errors[0], 1e-3 * kStroke);
  for (std::size_t i = 1; i < errors.size(); ++i) EXPECT_GT(std::log2(errors[i - 1] / errors[i]), 1.8);
}

TEST(PositionServoTest, RepeatsBitForBitAndTakesNothingFromTheHeap) {
  TestSystem system(PositionServo(1e-3));
  const std::vector<TestRow> first = system.RunAndRecord();
  EXPECT_EQ(system.RunAndRecord(), first);
  TestSystem silent(PositionServo(1e-3));
  silent.manager().Initialize();
  const AllocationCounter counter;
  for (int i = 0; i < 1000; ++i) silent.manager().Step();
  EXPECT_EQ(counter.count(), 0U);
}

TEST(PositionServoTest, IsTheSameOnSeveralThreads) {
  TestSystem one(PositionServo(1e-3));
  TestSystem two(PositionServo(1e-3));
  two.manager().set_threads(2);
  EXPECT_EQ(one.RunAndRecord(), two.RunAndRecord());
}

}  // namespace
}  // namespace davit
