#include "components/hydraulic/laws/spool_opening.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>

#include "tests/support/random_values.h"

namespace davit {
namespace {

constexpr std::array<SpoolType, 7> kSpoolTypes{SpoolType::kO, SpoolType::kB, SpoolType::kY, SpoolType::kK,
                                               SpoolType::kM, SpoolType::kX, SpoolType::kP};

/// Erratum 34: the edges are PA PB AT BT PT AB; B and X differ in their opening.
TEST(SpoolTypeTest, EdgesJoinWhatIsOpenInNeutral) {
  for (const SpoolType type : kSpoolTypes) {
    SCOPED_TRACE(kSpoolTypeNames[static_cast<std::size_t>(type)]);
    const auto& [p, a, b, t] = NeutralOf(type).is_open;
    const ValveEdges& edges = NeutralOf(type).edges;
    EXPECT_EQ(edges.pa, p && a);
    EXPECT_EQ(edges.pb, p && b);
    EXPECT_EQ(edges.at, a && t);
    EXPECT_EQ(edges.bt, b && t);
    EXPECT_EQ(edges.pt, p && t);
    EXPECT_EQ(edges.ab, a && b && type != SpoolType::kY);
  }
  EXPECT_EQ(NeutralOf(SpoolType::kB).edges, NeutralOf(SpoolType::kX).edges);
  EXPECT_EQ(NeutralOf(SpoolType::kB).usual_opening, 1);
  EXPECT_EQ(NeutralOf(SpoolType::kX).usual_opening, 0.5);
  EXPECT_EQ(NeutralOf(SpoolType::kY).usual_opening, 0.01);
}

SpoolOpening SpoolY(SpoolOpeningLaw law) { return {.law = law, .neutral = {.at = 0.01, .bt = 0.01}}; }

/// Erratum 29: u > 0 feeds A, at every law.
TEST(SpoolOpeningTest, PositiveCommandFeedsA) {
  for (const SpoolOpeningLaw law :
       {SpoolOpeningLaw::kSwitching, SpoolOpeningLaw::kLinear, SpoolOpeningLaw::kNonlinear}) {
    const SpoolOpening spool = SpoolY(law);
    EXPECT_EQ(spool.At(1), (ValveEdges{.pa = 1, .bt = 1}));
    EXPECT_EQ(spool.At(-1), (ValveEdges{.pb = 1, .at = 1}));
    EXPECT_EQ(spool.At(0), spool.neutral);
    EXPECT_EQ(spool.At(7), spool.At(1));
  }
}

TEST(SpoolOpeningTest, LawsOverTheCommand) {
  EXPECT_EQ(SpoolY(SpoolOpeningLaw::kSwitching).Share(1e-9), 1);
  const SpoolOpening linear = SpoolY(SpoolOpeningLaw::kLinear);
  EXPECT_EQ(linear.Share(0.05), 0);
  EXPECT_DOUBLE_EQ(linear.Share(-0.525), 0.5);
  const SpoolOpening nonlinear = SpoolY(SpoolOpeningLaw::kNonlinear);
  EXPECT_DOUBLE_EQ(nonlinear.Share(0.525), 0.5 * (0.3 + 0.7 * 0.5));
  EXPECT_NEAR((nonlinear.Share(0.05 + 1e-6) - 0) / 1e-6, 0.3 / 0.95, 1e-5);
}

TEST(SpoolOpeningTest, NeutralJumpsShutAtTheDeadband) {
  const SpoolOpening spool = SpoolY(SpoolOpeningLaw::kLinear);
  EXPECT_EQ(spool.At(0.05), spool.neutral);
  const ValveEdges after = spool.At(std::nextafter(0.05, 1.0));
  EXPECT_EQ(after.at, 0);
  EXPECT_LT(after.bt, 1e-15);
}

/// Erratum 33: the smooth law has no jump.
RC_GTEST_PROP(SpoolOpeningTest, SmoothNeutralIsContinuous, ()) {
  SpoolOpening spool = SpoolY(SpoolOpeningLaw::kLinear);
  spool.neutral_law = SpoolNeutralLaw::kSmooth;
  const double u = *rc::gen::inRange(-110'000, 110'001) * 1e-5;
  const ValveEdges here = spool.At(u), near = spool.At(u + 1e-9);
  constexpr double kSteepest = 1.1;  // 1/(1 - db); neutral: 1.5*0.01/fade
  for (const double change : {near.pa - here.pa, near.pb - here.pb, near.at - here.at, near.bt - here.bt}) {
    RC_ASSERT(std::abs(change) <= kSteepest * 1e-9 + 1e-15);
  }
}

TEST(SpoolOpeningTest, SmoothNeutralMeetsBothEnds) {
  SpoolOpening spool = SpoolY(SpoolOpeningLaw::kLinear);
  spool.neutral_law = SpoolNeutralLaw::kSmooth;
  EXPECT_EQ(spool.At(0.04), spool.neutral);
  EXPECT_EQ(spool.At(0.3).at, 0);
  EXPECT_EQ(spool.At(0.3).bt, spool.Share(0.3));
  EXPECT_NEAR(spool.At(0.075).at, 0.005, 1e-15);  // half of the fade
}

RC_GTEST_PROP(SpoolOpeningTest, SharesStayBetweenZeroAndOneForAnyCommand, ()) {
  SpoolOpening spool = SpoolY(
      *rc::gen::element(SpoolOpeningLaw::kSwitching, SpoolOpeningLaw::kLinear, SpoolOpeningLaw::kNonlinear));
  spool.neutral_law = *rc::gen::element(SpoolNeutralLaw::kJump, SpoolNeutralLaw::kSmooth);
  const double u = AnyFinite();
  const ValveEdges edges = spool.At(u), mirrored = spool.At(-u);
  for (const double share : {edges.pa, edges.pb, edges.at, edges.bt, edges.pt, edges.ab}) {
    RC_ASSERT(share >= 0);
    RC_ASSERT(share <= 1);
  }
  RC_ASSERT(edges ==
            (ValveEdges{.pa = mirrored.pb, .pb = mirrored.pa, .at = mirrored.bt, .bt = mirrored.at}));
}

TEST(SpoolOpeningTest, SlopesAreThoseOfTheShares) {
  for (const SpoolOpeningLaw law :
       {SpoolOpeningLaw::kSwitching, SpoolOpeningLaw::kLinear, SpoolOpeningLaw::kNonlinear,
        SpoolOpeningLaw::kRound, SpoolOpeningLaw::kSeat}) {
    const SpoolOpening spool = SpoolY(law);
    for (const double u : {-0.9, -0.3, 0.01, 0.2, 0.6, 0.95, 1.5}) {
      const double step = 1e-5;
      const double rise = spool.Share(std::abs(u) + step) - spool.Share(std::abs(u) - step);
      EXPECT_NEAR(spool.ShareSlope(u), rise / (2 * step), 1e-4 * (1 + spool.ShareSlope(u))) << u;
    }
  }
}

/// Every law is shut at the deadband, full at 1, and does not fall between.
TEST(SpoolOpeningTest, EveryLawOpensFromTheDeadbandToTheEnd) {
  for (const SpoolOpeningLaw law : {SpoolOpeningLaw::kLinear, SpoolOpeningLaw::kNonlinear,
                                    SpoolOpeningLaw::kRound, SpoolOpeningLaw::kSeat}) {
    const SpoolOpening spool = SpoolY(law);
    EXPECT_EQ(spool.Share(0.05), 0);
    EXPECT_EQ(spool.Share(1), 1);
    for (double u = 0; u < 1; u += 0.01) EXPECT_GE(spool.Share(u + 0.01), spool.Share(u));
  }
}

}  // namespace
}  // namespace davit
