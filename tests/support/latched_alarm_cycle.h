#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "framework/alarm.h"
#include "framework/declaration.h"
#include "tests/support/system_harness.h"

namespace davit {

/// Throws std::out_of_range when there is none.
inline Alarm& AlarmOf(SystemHarness& system, std::string_view component, std::string_view name) {
  for (const Component* one : system.system().components()) {
    if (one->path() != component) continue;
    for (Alarm* alarm : one->declarations().alarms)
      if (alarm->label().name == name) return *alarm;
  }
  throw std::out_of_range(std::string(component) + '.' + std::string(name));
}

/// The life of a latched alarm whose condition holds at 1 s and 3 s, and not at 0, 2 and 4 s.
inline void ExpectLatched(SystemHarness& system, std::string_view component, std::string_view name) {
  SCOPED_TRACE(std::string(component) + '.' + std::string(name));
  system.RunTo(0);
  Alarm& alarm = AlarmOf(system, component, name);
  EXPECT_FALSE(alarm.is_set());
  system.RunTo(1);
  EXPECT_TRUE(alarm.is_set());
  system.RunTo(2);
  EXPECT_TRUE(alarm.is_set()) << "nobody has seen it";
  alarm.Acknowledge();
  system.RunTo(2.01);
  EXPECT_FALSE(alarm.is_set());
  system.RunTo(3);
  EXPECT_TRUE(alarm.is_set());
  EXPECT_FALSE(alarm.is_acknowledged());
  alarm.Acknowledge();
  system.RunTo(3.01);
  EXPECT_TRUE(alarm.is_set()) << "it still holds";
  EXPECT_TRUE(alarm.is_acknowledged());
  system.RunTo(4);
  EXPECT_FALSE(alarm.is_set());
  EXPECT_EQ(alarm.count(), 2U);
}

}  // namespace davit
