#include "simulator/solvers/vector_algebra.h"

#include <gtest/gtest.h>

#include <boost/numeric/odeint/stepper/adams_bashforth_moulton.hpp>
#include <boost/numeric/odeint/stepper/bulirsch_stoer.hpp>
#include <boost/numeric/odeint/stepper/euler.hpp>
#include <boost/numeric/odeint/stepper/modified_midpoint.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta4.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_cash_karp54.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>
#include <limits>
#include <vector>

namespace davit {
namespace {

namespace odeint = boost::numeric::odeint;
using State = std::vector<double>;

/// A ring of coupled, driven equations of any size.
void Ring(const State& y, State& ddt, double t) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    ddt[i] = y[(i + 1) % y.size()] - 0.3 * y[i] * y[i] + std::sin(t + static_cast<double>(i));
  }
}

State StartOf(std::size_t size) {
  State y(size);
  for (std::size_t i = 0; i < size; ++i) y[i] = 1 / static_cast<double>(i + 3);
  return y;
}

template <class Stepper>
State StateAfter(std::size_t size) {
  State y = StartOf(size);
  Stepper stepper;
  for (int n = 0; n < 50; ++n) stepper.do_step(Ring, y, 0.02 * n, 0.02);
  return y;
}

template <class Stepper>
State StateAfterControlled(std::size_t size) {
  State y = StartOf(size);
  Stepper stepper(1e-9, 1e-9, 1.0, 0.0);
  double t = 0;
  double dt = 0.1;
  for (int n = 0; n < 20; ++n) stepper.try_step(Ring, y, t, dt);
  return y;
}

// Sizes below, at and above the width, even and odd.
constexpr std::size_t kSizes[]{1, 2, 3, 4, 5, 8, 21};

TEST(VectorAlgebraTest, GivesTheSameBitsAsTheAlgebraOfOdeint) {
  using V = VectorAlgebra;
  for (const std::size_t size : kSizes) {
    EXPECT_EQ((StateAfter<odeint::euler<State, double, State, double, V>>(size)),
              StateAfter<odeint::euler<State>>(size));
    EXPECT_EQ((StateAfter<odeint::modified_midpoint<State, double, State, double, V>>(size)),
              StateAfter<odeint::modified_midpoint<State>>(size));
    EXPECT_EQ((StateAfter<odeint::runge_kutta4<State, double, State, double, V>>(size)),
              StateAfter<odeint::runge_kutta4<State>>(size));
    EXPECT_EQ((StateAfter<odeint::adams_bashforth_moulton<5, State, double, State, double, V>>(size)),
              (StateAfter<odeint::adams_bashforth_moulton<5, State>>(size)));
    EXPECT_EQ((StateAfter<odeint::runge_kutta_cash_karp54<State, double, State, double, V>>(size)),
              StateAfter<odeint::runge_kutta_cash_karp54<State>>(size));
    EXPECT_EQ((StateAfter<odeint::runge_kutta_dopri5<State, double, State, double, V>>(size)),
              StateAfter<odeint::runge_kutta_dopri5<State>>(size));
    EXPECT_EQ((StateAfter<odeint::runge_kutta_fehlberg78<State, double, State, double, V>>(size)),
              StateAfter<odeint::runge_kutta_fehlberg78<State>>(size));
    EXPECT_EQ((StateAfterControlled<odeint::bulirsch_stoer<State, double, State, double, V>>(size)),
              StateAfterControlled<odeint::bulirsch_stoer<State>>(size));
  }
}

TEST(VectorAlgebraTest, NormIsTheLargestAbsoluteValue) {
  EXPECT_EQ(VectorAlgebra::norm_inf({1, -3, 2}), 3);
  EXPECT_EQ(VectorAlgebra::norm_inf({}), 0);
}

}  // namespace
}  // namespace davit
