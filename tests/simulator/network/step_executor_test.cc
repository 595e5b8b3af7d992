// Several threads in one step: fixed-step (TLM) machines beside islands of differential equations.

#include "simulator/network/step_executor.h"

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/heap/allocation_counter.h"
#include "simulator/simulation_failure.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

/// The components of systems/position_servo.xml, each name with `prefix` before it.
std::string Servo(const std::string& prefix) {
  std::ifstream file(std::string(DAVIT_SOURCE_DIR) + "/systems/position_servo.xml");
  std::ostringstream content;
  content << file.rdbuf();
  const std::string text = content.str();
  const std::size_t begin = text.find("<signal.Step");
  const std::size_t end = text.find("<Record");
  if (begin == std::string::npos || end == std::string::npos)
    throw std::logic_error("another position_servo");
  return std::regex_replace(text.substr(begin, end - begin), std::regex(" (name|from|to)=\""), "$&" + prefix);
}

/// Six servos, and islands of several kinds: alone, between lines, reading from and writing to servos.
std::string Works() {
  std::string text;
  for (const char* prefix : {"a_", "b_", "c_", "d_", "e_", "f_"}) text += Servo(prefix);
  for (const std::string i : {"1", "2", "3"}) {
    text += "<hydraulic.PressureSource name=\"p" + i + "\" pressure=\"" + i + "00 bar\"/>" +
            "<hydraulic.Orifice name=\"in" + i + "\"/><hydraulic.Line name=\"line" + i + "\" length=\"" + i +
            " m\"/><hydraulic.Orifice name=\"mid" + i + "\"/><hydraulic.Volume name=\"v" + i +
            "\" volume=\"1 l\"/><hydraulic.Orifice name=\"out" + i + "\"/><hydraulic.Tank name=\"t" + i +
            "\"/><Connect from=\"p" + i + ".port\" to=\"in" + i + ".a\"/><Connect from=\"in" + i +
            ".b\" to=\"line" + i + ".a\"/><Connect from=\"line" + i + ".b\" to=\"mid" + i +
            ".a\"/><Connect from=\"mid" + i + ".b\" to=\"v" + i + ".port\"/><Connect from=\"v" + i +
            ".port\" to=\"out" + i + ".a\"/><Connect from=\"out" + i + ".b\" to=\"t" + i + ".port\"/>\n";
  }
  return SystemText(
      "TimeStep=\"0.1 ms\" StopTime=\"60 ms\"", "method=\"runge_kutta_dopri5\"",
      text + R"(<test.Kepler name="kepler"/><test.Pleiades name="stars"/><test.Ball name="ball"/>
                              <test.Body name="follower"/><Route from="a_load.x" to="follower.u"/>
                              <test.Body name="second"/><Route from="follower.x" to="second.u"/>
                              <Record signals="*" interval="1 ms"/>)");
}

TEST(StepExecutorTest, GivesTheSameBitsOnAnyNumberOfThreads) {
  TestSystem system(Works());
  const std::vector<TestRow> alone = system.RunAndRecord();
  EXPECT_EQ(system.manager().statistics().threads, 1U);
  EXPECT_GE(system.manager().islands().size(), 8U);
  for (const unsigned threads : {2U, 8U}) {
    system.manager().set_threads(threads, ThreadUse::kAlways);
    // The shares follow from measured times, so they differ from run to run.
    for (int run = 0; run < 3; ++run) {
      const std::vector<TestRow> shared = system.RunAndRecord();
      EXPECT_EQ(system.manager().statistics().threads, threads);
      EXPECT_TRUE(shared == alone) << threads;
    }
  }
}

TEST(StepExecutorTest, TakesNothingFromTheHeap) {
  if (!AllocationCounter::is_counting()) GTEST_SKIP() << "a sanitizer has the heap";
  for (const unsigned threads : {1U, 3U}) {
    TestSystem system(Works());
    SimulatorManager& manager = system.manager();
    manager.set_threads(threads, ThreadUse::kAlways);
    manager.Initialize();
    manager.Step();
    const AllocationCounter counter;  // of this thread, which makes the shares
    while (!manager.is_finished()) manager.Step();
    EXPECT_EQ(counter.count(), 0U) << threads;
    EXPECT_EQ(manager.statistics().threads, threads);
  }
}

TEST(StepExecutorTest, ReportsTheFirstIslandThatFails) {
  const std::string text = SystemText("TimeStep=\"1 ms\" StopTime=\"1 s\"", "",
                                      "<test.NotANumber name=\"good\" end=\"2\"/>"
                                      "<test.NotANumber name=\"first\" end=\"0.5005\"/>"
                                      "<test.NotANumber name=\"last\" end=\"0.5005\"/>");
  for (const unsigned threads : {1U, 2U, 8U}) {
    TestSystem system(text);
    system.manager().set_threads(threads, ThreadUse::kAlways);
    try {
      system.Run();
      FAIL() << "it ran to the end";
    } catch (const SimulationFailure& failure) {
      EXPECT_NE(std::string(failure.what()).find("/first"), std::string::npos) << failure.what();
    }
    EXPECT_EQ(system.manager().statistics().threads, threads);
  }
}

}  // namespace
}  // namespace davit
