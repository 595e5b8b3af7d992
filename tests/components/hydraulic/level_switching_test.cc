// The lifting system whose components change their levels while it runs.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "app/heap/allocation_counter.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

constexpr std::array<const char*, 5> kComponents{"cylinder", "dcv", "cbv", "pump", "pipe"};
constexpr std::array<const char*, 3> kLevels{"Ideal", "Standard", "Advanced"};

std::string ReadFile(const std::string& name) {
  std::ifstream file(std::string(DAVIT_SOURCE_DIR "/systems/") + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The lifting system with other elements at its end, and without what it records itself.
std::string LiftingText(const std::string& content) {
  std::string text = ReadFile("lifting_cylinder.xml");
  const std::size_t record = text.find("<Record");
  text.resize(record == std::string::npos ? text.find("</System>") : record);
  return text + content + "</System>";
}

std::string At(double time, const std::string& component, const std::string& level) {
  return "<At time=\"" + ToXml(time) + "\" set=\"" + component + ".level\" value=\"" + level + "\"/>";
}

std::string SwitchAll(double time, const std::string& level) {
  std::string text;
  for (const char* component : kComponents) text += At(time, component, level);
  return text;
}

TEST(LevelSwitchingTest, MotionAndVolumesGoOn) {
  // 3 s: at rest; 8 s: hoisting; 11 s: lowering.
  for (const double time : {3.0, 8.0, 11.0}) {
    for (const char* from : kLevels) {
      for (const char* to : kLevels) {
        if (from == to) continue;
        TestSystem test(
            LiftingText(SwitchAll(0, from) + SwitchAll(time, to) +
                        "<Record signals=\"load.x load.v line_a.p line_b.p line_c.p pump_volume.p\" "
                        "interval=\"10 ms\"/>"));
        test.StartRecording();
        test.manager().Initialize();
        test.manager().RunUntil(time + 0.5);
        const std::vector<TestRow> rows = test.TakeRows();
        std::size_t switches = 0;
        for (std::size_t i = 1; i < rows.size(); ++i) {
          for (const double value : rows[i].values) ASSERT_TRUE(std::isfinite(value)) << rows[i].t;
          if (rows[i].t != rows[i - 1].t) continue;
          ++switches;
          EXPECT_EQ(rows[i].values, rows[i - 1].values) << from << " to " << to << " at " << time;
        }
        EXPECT_EQ(switches, 1U) << from << " to " << to;
      }
    }
  }
}

TEST(LevelSwitchingTest, AtRestARoundTripLeavesNothing) {
  for (const char* by : {"Ideal", "Advanced"}) {
    TestSystem calm(LiftingText(SwitchAll(0, "Standard")));
    TestSystem trip(LiftingText(SwitchAll(0, "Standard") + SwitchAll(3, by) + SwitchAll(3.2, "Standard")));
    for (TestSystem* test : {&calm, &trip}) {
      test->manager().Initialize();
      test->manager().RunUntil(4.2);
    }
    EXPECT_NEAR(trip.Read("load.x"), calm.Read("load.x"), 1e-4) << by;
    for (const char* p : {"cylinder.p_a", "cylinder.p_b", "line_c.p"}) {
      EXPECT_NEAR(trip.Read(p), calm.Read(p), 1e-3 * 300e5) << by << ' ' << p;
    }
  }
}

TEST(LevelSwitchingTest, ARoundTripOfOneComponentLeavesLittle) {
  const std::vector<const char*> pressures{"cylinder.p_a", "cylinder.p_b", "line_c.p"};
  // 3 s: at rest; 7 s: hoisting; 10.5 s: lowering.
  for (const double time : {3.0, 7.0, 10.5}) {
    const bool is_at_rest = time == 3;
    TestSystem calm(LiftingText(SwitchAll(0, "Standard")));
    calm.manager().Initialize();
    calm.manager().RunUntil(time + 1.2);
    for (const char* component : kComponents) {
      for (const char* by : {"Ideal", "Advanced"}) {
        TestSystem trip(LiftingText(SwitchAll(0, "Standard") + At(time, component, by) +
                                    At(time + 0.2, component, "Standard")));
        trip.manager().Initialize();
        trip.manager().RunUntil(time + 1.2);
        // In motion within a thousandth of the stroke of 2 m. A valve that becomes Ideal opens fully and has
        // no compensator: what was stored at 300 bar before it, in 48.3 l, goes to the cylinder.
        const bool empties = component == std::string("dcv") && by == std::string("Ideal");
        const double stored = empties ? 48.3e-3 * 300e5 / 1.6e9 / 0.0629 : 0;
        EXPECT_NEAR(trip.Read("load.x"), calm.Read("load.x"), is_at_rest ? 1e-4 : 1e-3 * 2 + stored)
            << component << ' ' << by << ' ' << time;
        if (!is_at_rest) continue;
        for (const char* p : pressures)
          EXPECT_NEAR(trip.Read(p), calm.Read(p), 1e-3 * 300e5) << component << ' ' << by;
      }
    }
  }
}

TEST(LevelSwitchingTest, ASwitchTakesNothingFromTheHeap) {
  if (!AllocationCounter::is_counting()) GTEST_SKIP() << "a sanitizer has the heap";
  std::string commands;
  for (int i = 1; i < 100; ++i)
    commands += SwitchAll(5 + 0.1 * i, kLevels[static_cast<std::size_t>(i * 2) % 3]);
  TestSystem test(LiftingText(commands));
  test.manager().Initialize();
  test.manager().RunUntil(5.5);
  const AllocationCounter counter;
  test.manager().RunUntil(16);
  EXPECT_EQ(counter.count(), 0U);
  EXPECT_GT(test.manager().statistics().level_switches, 400U);
}

RC_GTEST_PROP(LevelSwitchingTest, RandomRequestsDoNoHarm, ()) {
  std::string commands;
  const int count = *rc::gen::inRange(1, 30);
  for (int i = 0; i < count; ++i) {
    const double time = *rc::gen::inRange(0, 800) * 0.01;
    const char* component = kComponents[*rc::gen::inRange<std::size_t>(0, kComponents.size())];
    commands += At(time, component, kLevels[*rc::gen::inRange<std::size_t>(0, kLevels.size())]);
  }
  TestSystem test(
      LiftingText(commands +
                  "<Record signals=\"load.x load.v cylinder.p_a cylinder.p_b line_a.p line_b.p line_c.p "
                  "pump_volume.p pump.p_out\" interval=\"10 ms\"/>"));
  test.StartRecording();
  test.manager().Initialize();
  test.manager().RunUntil(8);
  for (const TestRow& row : test.TakeRows()) {
    for (const double value : row.values) RC_ASSERT(std::isfinite(value));
    // Gauge pressures: that of vapour is the least of oil with gas.
    for (std::size_t i = 2; i < row.values.size(); ++i) RC_ASSERT(row.values[i] >= -1e5);
    RC_ASSERT(std::abs(row.values[0] - 1) < 1.01);
  }
}

}  // namespace
}  // namespace davit
