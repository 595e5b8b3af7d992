// A program that makes and drops simulations all day keeps its memory.

#include <gtest/gtest.h>
#include <malloc.h>

#include <string>

#include "app/heap/allocation_counter.h"
#include "tests/session/sessions.h"

namespace davit {
namespace {

/// Bytes of the heap in use, as the heap cuts them: the same blocks may take some bytes more or less.
std::size_t BytesInUse() { return mallinfo2().uordblks + mallinfo2().hblkhd; }

/// A lost block would take at least 16 bytes in each cycle.
constexpr std::size_t kLeastLoss = 8;

void UseOne() {
  const auto s = LoadBody();
  double sum = 0;
  s->StartRecording(
      {.interval = 0, .on_row = [&sum](double, std::span<const double> values) { sum += values[0]; }});
  const ItemList items = s->Items({"body.x", "body.force"});
  s->Post({.command = "set body.mass 3 kg"});
  s->Initialize();
  s->Step();
  s->AdvanceTo(0.017);
  const std::string snapshot = s->TakeSnapshot();
  s->Step();
  s->LoadSnapshot(snapshot);
  s->Post({.command = "set body.mass 4 kg"});
}

TEST(MemoryTest, FiveThousandSimulationsLeaveNothingBehind) {
  if (!AllocationCounter::is_counting())
    GTEST_SKIP() << "the heap belongs to a sanitizer, which looks for leaks itself";
  constexpr int kCycles = 5000;
  for (int i = 0; i < 10; ++i) UseOne();  // caches of libraries are filled once
  const std::size_t before = BytesInUse();
  for (int i = 0; i < kCycles; ++i) UseOne();
  EXPECT_LT(BytesInUse(), before + kCycles * kLeastLoss);
}

/// Nor do clones, and systems that are refused.
TEST(MemoryTest, ClonesAndRefusedSystemsLeaveNothingBehind) {
  if (!AllocationCounter::is_counting())
    GTEST_SKIP() << "the heap belongs to a sanitizer, which looks for leaks itself";
  const auto s = LoadBody();
  s->Initialize();
  const auto use = [&] {
    s->Clone()->Run();
    EXPECT_EQ(Simulation::LoadText("<System><nothing.Here name=\"x\"/></System>", "x.xml", SessionModels())
                  .simulation,
              nullptr);
    EXPECT_THROW(s->Step(), std::logic_error);
  };
  s->Run();
  for (int i = 0; i < 10; ++i) use();
  const std::size_t before = BytesInUse();
  constexpr int kCycles = 5000;
  for (int i = 0; i < kCycles; ++i) use();
  EXPECT_LT(BytesInUse(), before + kCycles * kLeastLoss);
}

}  // namespace
}  // namespace davit
