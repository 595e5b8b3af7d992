#include "simulator/simulation_failure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "simulator/solvers/integrator.h"
#include "tests/support/ode_methods.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Runs until it fails; what it said, and the rows until then.
struct Failed {
  std::string text;
  double time = -1;
  std::vector<TestRow> rows;
};

Failed RunToFailure(TestSystem& test) {
  Failed failed;
  test.StartRecording();
  test.TakeRows();
  try {
    test.Run();
  } catch (const SimulationFailure& failure) {
    failed.text = failure.what();
    failed.time = failure.time();
  }
  failed.rows = test.TakeRows();
  return failed;
}

class FailureTest : public testing::TestWithParam<OdeMethod> {
 protected:
  std::string Text(const std::string& content) const {
    return SystemText("TimeStep=\"0.01\" StopTime=\"3\"", "method=\"" + std::string(GetParam().name) + "\"",
                      content);
  }
};

TEST_P(FailureTest, ARunThatReachesInfinityEndsThere) {
  TestSystem test(
      Text("<test.Oscillator name=\"calm\"/><test.BlowUp name=\"bad\"/><Record signals=\"bad.y calm.x\"/>"));
  const Failed failed = RunToFailure(test);
  EXPECT_THAT(failed.text, AllOf(HasSubstr("/bad"), HasSubstr("bad.y"), HasSubstr("t = ")));
  // The place of the pole is as uncertain as y: rtol 1e-6, times about 100 steps of ida, which add up.
  const double uncertainty = !GetParam().is_adaptive ? 0.2 : GetParam().name == "ida" ? 1e-4 : 1e-6;
  EXPECT_NEAR(failed.time, 1, uncertainty);
  // All rows until then are there, and good.
  ASSERT_GE(failed.rows.size(), 99U);
  for (const TestRow& row : failed.rows) {
    if (row.t < 0.9) {
      EXPECT_NEAR(row.values[0] * (1 - row.t), 1, GetParam().order == 1 ? 0.3 : 1e-2) << row.t;
    }
  }
}

/// The last step point that a derivative which is no number from 0.505 s on does not reach. Euler's method
/// looks at the beginning of a step only, so it is one step further.
double LastGoodTime(const OdeMethod& method) { return method.order == 1 ? 0.51 : 0.5; }

TEST_P(FailureTest, ADerivativeThatIsNotANumberIsNamed) {
  TestSystem test(Text("<test.NotANumber name=\"bad\" end=\"0.505\"/><Record signals=\"bad.y\"/>"));
  const Failed failed = RunToFailure(test);
  EXPECT_THAT(failed.text, AllOf(HasSubstr("/bad"), HasSubstr("bad.y"), HasSubstr("not finite")));
  const double last = LastGoodTime(GetParam());
  EXPECT_NEAR(failed.time, last + 0.005, 0.0051);
  EXPECT_EQ(failed.rows.back().t, last);
  EXPECT_NEAR(failed.rows.back().values[0], last, 1e-12);
}

TEST_P(FailureTest, ADerivativeThatIsNotANumberAtTheStartIsNamed) {
  TestSystem test(Text("<test.NotANumber name=\"bad\" end=\"-1\"/><Record signals=\"bad.y\"/>"));
  const Failed failed = RunToFailure(test);
  EXPECT_THAT(failed.text, HasSubstr("bad.y"));
  EXPECT_EQ(failed.rows.size(), 1U);
}

TEST_P(FailureTest, InitializeIsPossibleAfterIt) {
  TestSystem test(
      Text("<test.BlowUp name=\"bad\"/><test.Body name=\"body\"/><Route from=\"bad.y\" to=\"body.u\"/>"
           "<Record signals=\"*\"/>"));
  const Failed once = RunToFailure(test);
  const Failed again = RunToFailure(test);
  EXPECT_EQ(once.text, again.text);
  EXPECT_TRUE(once.rows == again.rows);
}

TEST_P(FailureTest, TheStatesAreThoseOfTheLastStepPoint) {
  TestSystem test(Text("<test.NotANumber name=\"bad\" end=\"0.505\"/>"));
  RunToFailure(test);
  EXPECT_EQ(test.manager().time(), LastGoodTime(GetParam()));
  EXPECT_NEAR(test.Read("bad.y"), LastGoodTime(GetParam()), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(All, FailureTest, testing::ValuesIn(AllOdeMethods()), NameOf);

}  // namespace
}  // namespace davit
