#include "components/signal/expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/support/test_system.h"

namespace davit {
namespace {

TEST(ExpressionTest, OutputsAreTheirExpressions) {
  TestSystem test(SystemText("TimeStep='10 ms' StopTime='1 s'", "method='runge_kutta4'",
                             "<signal.Constant name='u' value='0.5'/>"
                             "<signal.Expression name='e'><Input name='u'/><Parameter name='k' value='2'/>"
                             "<Output name='y' expr='k*sin(u)'/><Output name='z' expr='y > 1 ? 1 : y*y'/>"
                             "<Output name='ramp' expr='3*time'/></signal.Expression>"
                             "<Route from='u.y' to='e.u'/>"));
  test.Run();
  EXPECT_EQ(test.Read("e.y"), 2 * std::sin(0.5));
  EXPECT_EQ(test.Read("e.z"), std::pow(2 * std::sin(0.5), 2));
  EXPECT_DOUBLE_EQ(test.Read("e.ramp"), 3);
}

// A function of time alone is evaluated in each island that reads it, with the parameters of the moment:
// x' = k t up to 1 s, then x' = 5 t, so x(2) = k/2 + 5 (4 - 1)/2.
TEST(ExpressionTest, ServesSeveralIslands) {
  TestSystem test(
      SystemText("TimeStep='10 ms' StopTime='2 s'", "method='runge_kutta4'",
                 "<signal.Expression name='e'><Parameter name='k' value='2'/><Output name='y' expr='k*time'/>"
                 "</signal.Expression><signal.Integrator name='a'/><signal.Integrator name='b' gain='2'/>"
                 "<Route from='e.y' to='a.u'/><Route from='e.y' to='b.u'/>"
                 "<At time='1 s' set='e.k' value='5'/>"));
  test.Run();
  EXPECT_NEAR(test.Read("a.y"), 1 + 7.5, 1e-12);
  EXPECT_NEAR(test.Read("b.y"), 2 + 15, 1e-12);
}

}  // namespace
}  // namespace davit
