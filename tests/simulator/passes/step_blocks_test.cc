#include "simulator/passes/step_blocks.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/support/loaded_system.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

/// Two volumes with an orifice between them, another orifice to a common tank, and a signal that opens a
/// valve: what belongs together is joined by connections and by routes.
std::string Machine(int number) {
  return fmt::format(
      "<hydraulic.VolumeC name='a{0}'><Start p='{1} bar'/></hydraulic.VolumeC>"
      "<hydraulic.VolumeC name='b{0}'><Start p='1 bar'/></hydraulic.VolumeC>"
      "<hydraulic.Orifice name='ab{0}'/><hydraulic.DirectionalValve22 name='valve{0}'/>"
      "<signal.Ramp name='ramp{0}' duration='10 ms' to='0.{1}'/><signal.LowPass name='slow{0}' "
      "time_constant='1 ms'/>"
      "<Route from='ramp{0}.y' to='slow{0}.u'/><Route from='slow{0}.y' to='valve{0}.opening'/>"
      "<Connect from='a{0}.port' to='ab{0}.a'/><Connect from='ab{0}.b' to='b{0}.port'/>"
      "<Connect from='b{0}.port' to='valve{0}.a'/><Connect from='valve{0}.b' to='tank.port'/>\n",
      number, 10 + number % 7);
}
constexpr std::size_t kParts = 6;  // of a machine

std::string Machines(int count) {
  std::string text = "<hydraulic.Tank name='tank'/>";
  for (int i = 0; i < count; ++i) text += Machine(i);
  return text;
}

std::vector<std::uint32_t> BlocksOf(const std::string& content) {
  LoadedSystem loaded(content);
  const SystemPasses passes(loaded.index());
  EXPECT_EQ(passes.contexts.schedule_count, 1U);
  return FindStepBlocks(loaded.index(), passes.contexts, 0);
}

TEST(StepBlocksTest, AMachineIsInOneBlock) {
  constexpr int kCount = 300;
  const std::vector<std::uint32_t> blocks = BlocksOf(Machines(kCount));
  ASSERT_EQ(blocks.size(), kCount * kParts);  // the tank is constant, so it joins nothing
  for (std::size_t i = 0; i < blocks.size(); ++i) EXPECT_EQ(blocks[i], blocks[i - i % kParts]) << i;
  EXPECT_EQ(blocks.front(), 0U);
  EXPECT_EQ(blocks.back(), 3U);
}

TEST(StepBlocksTest, WhatIsJoinedIsNeverCut) {
  constexpr int kCount = 300;
  std::string text = Machines(kCount);
  for (int i = 1; i < kCount; ++i) {
    text += fmt::format(
        "<hydraulic.Orifice name='to{0}'/><Connect from='b{1}.port' to='to{0}.a'/>"
        "<Connect from='to{0}.b' to='a{0}.port'/>",
        i, i - 1);
  }
  for (const std::uint32_t block : BlocksOf(text)) EXPECT_EQ(block, 0U);
}

/// Machines that nothing joins have the bits that each has alone, whatever block they are in, on one thread
/// and on two.
TEST(StepBlocksTest, EachMachineHasTheBitsThatItHasAlone) {
  constexpr int kCount = 200;
  const auto run = [](const std::string& content, const std::string& signals, unsigned threads) {
    TestSystem system(SystemText("TimeStep='0.1 ms' StopTime='20 ms'", "",
                                 content + "<Record signals='" + signals + "' interval='1 ms'/>"));
    system.manager().set_threads(threads, ThreadUse::kAlways);
    return system.RunAndRecord();
  };
  for (const int i : {0, 90, 150, kCount - 1}) {
    const std::string signals = fmt::format("a{0}.p b{0}.p valve{0}.q", i);
    const std::vector<TestRow> alone = run("<hydraulic.Tank name='tank'/>" + Machine(i), signals, 1);
    EXPECT_TRUE(run(Machines(kCount), signals, 1) == alone) << i;
    EXPECT_TRUE(run(Machines(kCount), signals, 2) == alone) << i;
  }
}

}  // namespace
}  // namespace davit
