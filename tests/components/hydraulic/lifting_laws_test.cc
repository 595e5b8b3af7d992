// The laws of the library are those of the hand-written lifting system.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "components/hydraulic/laws/annular_gap.h"
#include "components/hydraulic/laws/circle_area.h"
#include "components/hydraulic/laws/counterbalance_law.h"
#include "components/hydraulic/laws/cylinder_geometry.h"
#include "components/hydraulic/laws/end_stop.h"
#include "components/hydraulic/laws/laminar_turbulent_orifice.h"
#include "components/hydraulic/laws/oil.h"
#include "components/hydraulic/laws/orifice_law.h"
#include "components/hydraulic/laws/pipe_friction.h"
#include "components/hydraulic/laws/pressure_compensator.h"
#include "components/hydraulic/laws/pump_law.h"
#include "components/hydraulic/laws/seat_geometry.h"
#include "components/hydraulic/laws/spool_opening.h"
#include "components/hydraulic/laws/wall_compliance.h"
#include "tests/support/lifting_equations.h"
#include "tests/support/random_values.h"

namespace davit {
namespace {

bool IsSame(double x, double y) { return std::abs(x - y) <= 1e-13 * std::abs(y); }

double RandomSigned(int low, int high) {
  return RandomDecades(low, high) * (*rc::gen::inRange(0, 2) * 2 - 1);
}

RC_GTEST_PROP(LiftingLawsTest, Orifices, ()) {
  const Oil oil;
  const LaminarTurbulentOrifice law(kValveEdgeLaminarLoss, kSharpEdgeDischargeCoefficient, oil.density,
                                    oil.kinematic_viscosity);
  const double K = RandomDecades(-10, -4), dp = RandomSigned(-3, 8);
  RC_ASSERT(IsSame(OrificeFlow(K, dp), lifting::Orifice(K, dp)));
  // By hand nothing keeps the bend above kLeastBendPressure: the same up to 35 mm.
  const double of_ports = RandomDecades(-10, -5);
  RC_ASSERT(IsSame(law.Flow(of_ports, dp), lifting::LaminarOrifice(of_ports, dp)));
  RC_ASSERT(IsSame(OrificeCoefficient(1, CircleArea(0.01), oil.density), lifting::PortCoefficient()));
}

RC_GTEST_PROP(LiftingLawsTest, PipeFriction, ()) {
  const PipeFriction friction(
      {.diameter = 0.049, .length = 15, .density = 861.8, .kinematic_viscosity = 32e-6});
  const double q = RandomSigned(-6, 0);
  RC_ASSERT(IsSame(friction.Drop(q), lifting::PipeLoss(q, 15)));
}

RC_GTEST_PROP(LiftingLawsTest, Pump, ()) {
  const double p = RandomDecades(5, 8);
  const double Vp = AxialPistonDisplacement(0.000675, 8, 0.05);
  const double alpha = CompensatedAngle(std::numbers::pi / 4, 300e5, 10e5, p);
  const lifting::PumpFlows flows = lifting::CompensatedPump(p);
  RC_ASSERT(IsSame(Vp * lifting::kPumpSpeed * std::tan(alpha), flows.pumped));
  RC_ASSERT(IsSame(UsualLeakage(2 * std::numbers::pi * Vp) * p, flows.leakage));
}

RC_GTEST_PROP(LiftingLawsTest, Compensator, ()) {
  const double K = NominalOrificeCoefficient(1000 / 6e4, 5e5);
  const double p_S = RandomDecades(5, 8), p_LS = RandomDecades(4, 8), p_1 = p_LS + RandomSigned(3, 6);
  const double q = std::max(0.0, OrificeFlow(K * CompensatorOpening(p_1, p_LS, 5e5), p_S - p_1));
  RC_ASSERT(IsSame(q, lifting::CompensatorFlow(p_S, p_1, p_LS)));
}

RC_GTEST_PROP(LiftingLawsTest, Valve, ()) {
  const double t = 5 + 45 * (*rc::gen::inRange(0, 100'000) * 1e-5);
  const double u = lifting::Command(t), K = NominalOrificeCoefficient(500 / 6e4, 5e5);
  for (const bool is_ideal : {true, false}) {
    SpoolOpening spool;
    spool.law = is_ideal ? SpoolOpeningLaw::kSwitching : SpoolOpeningLaw::kLinear;
    spool.neutral = {.at = 0.01, .bt = 0.01};
    const lifting::Side side = std::abs(u) <= spool.NeutralEnd() ? lifting::Side::kNeutral
                               : u > 0                           ? lifting::Side::kHoist
                                                                 : lifting::Side::kLower;
    const lifting::Edges edges = lifting::ValveEdges(side, is_ideal ? 1 : lifting::SpoolOpening(t));
    const ValveEdges shares = spool.At(u);
    RC_ASSERT(IsSame(shares.pa * K, edges.pa));
    RC_ASSERT(IsSame(shares.pb * K, edges.pb));
    RC_ASSERT(IsSame(shares.at * K, edges.at));
    RC_ASSERT(IsSame(shares.bt * K, edges.bt));
    RC_ASSERT(shares.pt == 0 && shares.ab == 0);
  }
}

RC_GTEST_PROP(LiftingLawsTest, CounterbalanceValve, ()) {
  const double p_pilot = RandomDecades(6, 8), r = *rc::gen::inRange(0, 1001) * 1e-3, dp = RandomSigned(2, 8);
  RC_ASSERT(IsSame(PilotOpening(p_pilot, 25e5, 250e5), lifting::PilotOpening(p_pilot)));
  const Seat disc{.type = SeatType::kDisc, .diameter = 0.025};
  const double K = OrificeCoefficient(1, disc.FlowArea(r * disc.FullLift()), 861.8);
  RC_ASSERT(IsSame(OrificeFlow(K, dp), lifting::Advanced::DiscFlow(r, dp)));
}

RC_GTEST_PROP(LiftingLawsTest, EndStops, ()) {
  const EndStops stops = EndStops::ForForce(350e5 * CylinderGeometry{}.piston_area(), 1e-3, 0.1, 2);
  const double x = *rc::gen::inRange(-10, 2011) * 1e-3, v = RandomSigned(-6, 1);
  RC_ASSERT(IsSame(stops.Force(x, v), lifting::StopForce(x, v)));
}

TEST(LiftingLawsTest, Cylinder) {
  const CylinderGeometry cylinder;
  EXPECT_DOUBLE_EQ(cylinder.piston_area(), lifting::kPistonArea);
  EXPECT_DOUBLE_EQ(cylinder.ring_area(), lifting::kRingArea);
  const double wall = ThickWallCompliance(0.283, 0.343, 180e9, 0.3);
  EXPECT_DOUBLE_EQ(WithWall(1.6e9, wall), lifting::Advanced::ChamberModulus());
  const AnnularGap gap{.diameter = 0.283, .clearance = 1e-5, .length = 0.2};
  EXPECT_DOUBLE_EQ(gap.LaminarConductance(Oil{}.dynamic_viscosity()),
                   lifting::Advanced::GapConductance(0.283, 0.2));
}

}  // namespace
}  // namespace davit
