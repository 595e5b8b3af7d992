#include "components/mechanical/lugre_law.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>

#include "simulator/solvers/integrator.h"
#include "tests/support/random_values.h"

namespace davit {
namespace {

/// The set of Canudas de Wit et al. (1995).
const LuGreLaw kLaw{.Fc = 1, .Fs = 1.5, .vs = 1e-3, .s0 = 1e5, .s1 = std::sqrt(1e5), .s2 = 0.4};

TEST(LuGreLawTest, SteadySliding) {
  struct Point {
    double v, F;
  };
  for (const Point& point : {Point{1e-5, 1.499954002},
                             {1e-4, 1.495064917},
                             {5e-4, 1.389600392},
                             {1e-3, 1.184339721},
                             {2e-3, 1.009957819},
                             {3e-3, 1.001261705},
                             {5e-3, 1.002},
                             {1e-2, 1.004},
                             {.1, 1.04},
                             {1, 1.4}}) {
    EXPECT_NEAR(kLaw.SteadyForce(point.v), point.F, 0.5e-9);
    EXPECT_EQ(kLaw.SteadyForce(-point.v), -kLaw.SteadyForce(point.v));
    EXPECT_NEAR(kLaw.Force(point.v, kLaw.SteadyDeflection(point.v)), point.F, 0.5e-9);
  }
}

TEST(LuGreLawTest, LeastFriction) {
  const double v = .00298632;
  EXPECT_NEAR(kLaw.SteadyForce(v), 1.001261499, 0.5e-9);
  EXPECT_GT(kLaw.SteadyForce(v - 2e-6), kLaw.SteadyForce(v));
  EXPECT_GT(kLaw.SteadyForce(v + 2e-6), kLaw.SteadyForce(v));
}

/// Erratum 20: Fs is the force at which it breaks away. |z| stays below Fs/s0.
RC_GTEST_PROP(LuGreLawTest, DeflectionStaysWithinTheBreakawayForce, ()) {
  const double v = RandomDecades(-9, 3) * (*rc::gen::inRange(0, 2) * 2 - 1);
  const double z = std::copysign(kLaw.LargestDeflection(), v);
  RC_ASSERT(kLaw.DeflectionRate(v, z) * v <= 0);
}

RC_GTEST_PROP(LuGreLawTest, IsOddAndANumber, ()) {
  const double v = AnyFinite();
  const double z = kLaw.LargestDeflection() * *rc::gen::inRange(-1000, 1001) * 1e-3;
  RC_ASSERT(!std::isnan(kLaw.DeflectionRate(v, z)));
  RC_ASSERT(!std::isnan(kLaw.SteadyForce(v)));
  RC_ASSERT(kLaw.DeflectionRate(-v, -z) == -kLaw.DeflectionRate(v, z));
  const double bounded = std::copysign(std::min(std::abs(v), 1e150), v);
  RC_ASSERT(kLaw.Force(-bounded, -z) == -kLaw.Force(bounded, z));
}

TEST(LuGreLawTest, DampingOfTheBristlesFades) {
  LuGreLaw law = kLaw;
  law.vd = 1e-3;
  EXPECT_EQ(law.Force(0, 1e-6), kLaw.Force(0, 1e-6));
  EXPECT_NEAR(law.Force(1, 0), law.s2 * 1, 1e-12);
  // Passive in the sense of F v + stored energy: with z = 0 the undamped bristles do not push.
  EXPECT_NEAR(law.Force(1e-3, 0), law.s1 * std::exp(-1) * 1e-3 + law.s2 * 1e-3, 1e-15);
}

/// A body of 1 kg that friction holds: states x, v, z; `drive` pushes it.
class Body {
 public:
  explicit Body(std::function<double(double t, double x)> drive) : drive_(std::move(drive)) {
    problem_.size = 3;
    problem_.context = this;
    problem_.evaluate = [](void* context, const double* y, double* ddt, double t) {
      const auto& self = *static_cast<const Body*>(context);
      ddt[0] = y[1];
      ddt[1] = self.drive_(t, y[0]) - kLaw.Force(y[1], y[2]);
      ddt[2] = kLaw.DeflectionRate(y[1], y[2]);
    };
    problem_.nominal = {1, 1e-3, 1e-5};
    IntegratorOptions options;
    options.method = "ida";
    options.relative_tolerance = 1e-12;
    options.absolute_tolerance = 1e-11;
    options.max_step = 1e-2;
    integrator_ = MakeIntegrator(problem_, options);
    integrator_->Restart(0, y_, Integrator::RestartKind::kNewProblem);
  }
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;

  void AdvanceTo(double t) { integrator_->AdvanceTo(t, t, y_); }
  double x() const { return y_[0]; }
  double v() const { return y_[1]; }
  double Friction() const { return kLaw.Force(y_[1], y_[2]); }

 private:
  std::function<double(double, double)> drive_;
  SolverProblem problem_;
  std::array<double, 3> y_{};
  std::unique_ptr<Integrator> integrator_;
};

TEST(LuGreLawTest, SticksAndSlips) {
  struct Point {
    double t, x, F;
  };
  Body body([](double t, double x) { return 2 * (0.1 * t - x); });
  for (const Point& point : {Point{4, .000011418, .7999759},
                             {8, .073508309, 1.0993267},
                             {10, .627583129, 1.0271225},
                             {12, .636292847, 1.1274100},
                             {16, 1.219662810, 1.0710325},
                             {20, 1.272596411, 1.4544919},
                             {30, 2.545101900, .9097945},
                             {40, 3.306801064, 1.1224437},
                             {50, 4.453923381, 1.0921496},
                             {60, 5.535821306, 1.1294579}}) {
    SCOPED_TRACE(point.t);
    body.AdvanceTo(point.t);
    EXPECT_NEAR(body.x(), point.x, 2e-8);
    EXPECT_NEAR(body.Friction(), point.F, 2e-7);
  }
}

TEST(LuGreLawTest, PreslidingClosesItsLoop) {
  struct Point {
    double t, x;
  };
  Body body([](double t, double /*x*/) { return 1.425 * std::sin(2 * std::numbers::pi * t / 20); });
  for (const Point& point : {Point{2.5, 1.667936e-5},
                             {5, 4.495295e-5},
                             {7.5, 4.264959e-5},
                             {10, 3.494970e-5},
                             {15, -1.001743e-5},
                             {20, -1.418e-8},
                             {25, 4.495295e-5},
                             {30, 3.494970e-5}}) {
    SCOPED_TRACE(point.t);
    body.AdvanceTo(point.t);
    EXPECT_NEAR(body.x(), point.x, 1e-11);
  }
}

TEST(LuGreLawTest, BreaksAwayAtLessForceTheFasterItRises) {
  struct Point {
    double rate, applied, friction;
  };
  for (const Point& point : {Point{1, 1.460734, 1.328256},
                             {2, 1.436260, 1.309966},
                             {5, 1.379927, 1.265391},
                             {10, 1.307059, 1.203935},
                             {20, 1.189085, 1.098146},
                             {50, .852414, .787416}}) {
    SCOPED_TRACE(point.rate);
    Body body([&](double t, double /*x*/) { return point.rate * t; });
    const double h = 1e-6 / point.rate;
    double t = (point.applied - 1e-5) / point.rate;
    body.AdvanceTo(t);
    double v_before = body.v(), F_before = body.Friction();
    ASSERT_LT(v_before, 1e-3);
    for (body.AdvanceTo(t += h); body.v() < 1e-3; body.AdvanceTo(t += h)) {
      v_before = body.v();
      F_before = body.Friction();
    }
    const double share =
        (body.v() - 1e-3) / (body.v() - v_before);  // of the last interval, after the crossing
    EXPECT_NEAR(point.rate * (t - share * h), point.applied, 0.5e-6 + 1e-7);
    EXPECT_NEAR(body.Friction() + share * (F_before - body.Friction()), point.friction, 0.5e-6 + 1e-7);
  }
}

}  // namespace
}  // namespace davit
