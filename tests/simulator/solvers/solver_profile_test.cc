#include "simulator/solvers/solver_profile.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace davit {
namespace {

TEST(SolverProfileTest, WhatWasCountedStaysWithTheNamesOfStatesThatMove) {
  SolverProfile profile;
  profile.SetStates({"a.x", "b.x"});
  profile.Limit(0);
  profile.Limit(1);
  profile.Reject(1);
  profile.SetStates({"b.x"});
  profile.Limit(0);
  profile.Limit(1);  // no such state
  const std::map<std::string, SolverProfile::StateCost> states = profile.States();
  ASSERT_EQ(states.size(), 2U);
  EXPECT_EQ(states.at("a.x").limited, 1U);
  EXPECT_EQ(states.at("b.x").limited, 2U);
  EXPECT_EQ(states.at("b.x").rejected, 1U);
}

TEST(SolverProfileTest, APartIsCountedEachTimeAndOnlyWithAProfile) {
  SolverProfile profile;
  for (int i = 0; i < 3; ++i) const TimedPart part(&profile, SolverProfile::Part::kSolves);
  { const TimedPart part(nullptr, SolverProfile::Part::kSolves); }
  EXPECT_EQ(profile.part(SolverProfile::Part::kSolves).count, 3U);
  EXPECT_EQ(profile.part(SolverProfile::Part::kFactors).count, 0U);
}

}  // namespace
}  // namespace davit
