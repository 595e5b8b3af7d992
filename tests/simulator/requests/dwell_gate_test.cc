#include "simulator/requests/dwell_gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "framework/archive.h"
#include "framework/component.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

class Owner final : public Component {};

/// Two components, the first with two items, and 0.1 s between switches.
class DwellGateTest : public testing::Test {
 protected:
  DwellGateTest() {
    level_ = gate_.AddItem(one_);
    friction_ = gate_.AddItem(one_);
    other_ = gate_.AddItem(two_);
    gate_.set_time(0.1);
  }
  using Taken = std::vector<std::pair<std::size_t, double>>;
  Taken Take(double t) {
    Taken taken;
    double value = 0;
    for (std::size_t item = 0; (item = gate_.TakeDue(t, &value)) != DwellGate::kNone;)
      taken.emplace_back(item, value);
    return taken;
  }

  Owner one_, two_;
  DwellGate gate_;
  std::size_t level_ = 0, friction_ = 0, other_ = 0;
};

TEST_F(DwellGateTest, ARequestWaitsUntilTheTimeHasPassed) {
  gate_.Ask(level_, 1);
  EXPECT_THAT(Take(2), ElementsAre(Pair(level_, 1)));
  gate_.Ask(level_, 2);
  for (const double t : {2.01, 2.05, 2.099}) EXPECT_THAT(Take(t), IsEmpty()) << t;
  EXPECT_FALSE(gate_.is_empty());
  EXPECT_THAT(Take(2.1), ElementsAre(Pair(level_, 2)));
  EXPECT_TRUE(gate_.is_empty());
}

TEST_F(DwellGateTest, TheLastOfSeveralRequestsWins) {
  gate_.Ask(level_, 1);
  Take(0);
  for (const double value : {2.0, 0.0, 3.0}) gate_.Ask(level_, value);
  EXPECT_THAT(Take(1), ElementsAre(Pair(level_, 3)));
  EXPECT_THAT(Take(2), IsEmpty());
}

TEST_F(DwellGateTest, RequestsActInTheOrderOfAsking) {
  gate_.Ask(other_, 5);
  gate_.Ask(friction_, 4);
  gate_.Ask(level_, 3);
  gate_.Ask(other_, 6);  // asked again: now the last
  EXPECT_THAT(Take(0), ElementsAre(Pair(friction_, 4), Pair(level_, 3), Pair(other_, 6)));
}

// What is asked for together acts together, and starts the time of its component, but not of another.
TEST_F(DwellGateTest, TheTimeIsThatOfTheComponent) {
  gate_.Ask(level_, 1);
  gate_.Ask(friction_, 2);
  EXPECT_THAT(Take(1), ElementsAre(Pair(level_, 1), Pair(friction_, 2)));
  gate_.Ask(friction_, 3);
  gate_.Ask(other_, 4);
  EXPECT_THAT(Take(1.05), ElementsAre(Pair(other_, 4)));
  EXPECT_THAT(Take(1.1), ElementsAre(Pair(friction_, 3)));
  EXPECT_THAT(Take(1.15), IsEmpty());
}

TEST_F(DwellGateTest, ARunBeginsWithNothingBehindIt) {
  gate_.Ask(level_, 1);
  Take(5);
  gate_.Ask(level_, 2);
  gate_.Reset();
  EXPECT_TRUE(gate_.is_empty());
  EXPECT_THAT(Take(5.01), IsEmpty());
  gate_.Ask(level_, 3);
  EXPECT_THAT(Take(0), ElementsAre(Pair(level_, 3)));
}

TEST_F(DwellGateTest, AnArchiveKeepsWhatWaitsAndSince) {
  gate_.Ask(level_, 1);
  Take(1);
  gate_.Ask(level_, 2);
  Archive archive;
  gate_.ArchiveMemory(archive);
  gate_.Reset();
  Archive stored(archive.Take());
  gate_.ArchiveMemory(stored);
  EXPECT_THAT(Take(1.09), IsEmpty());
  EXPECT_THAT(Take(1.1), ElementsAre(Pair(level_, 2)));
}

}  // namespace
}  // namespace davit
