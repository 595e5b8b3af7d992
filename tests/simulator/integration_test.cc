#include "simulator/integration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/test_system.h"

namespace davit {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string With(const std::string& integration) {
  return SystemText("TimeStep=\"0.1\"", integration, "<test.Oscillator name=\"m\"/>");
}

IntegratorOptions OptionsOf(const std::string& integration) {
  TestSystem test(With(integration));
  return test.manager().islands().at(0)->options();
}

TEST(IntegrationTest, DormandPrinceIsTheDefault) {
  const IntegratorOptions options = OptionsOf("");
  EXPECT_EQ(options.method, "runge_kutta_dopri5");
  EXPECT_EQ(options.relative_tolerance, 1e-6);
  EXPECT_EQ(options.absolute_tolerance, 1e-8);
}

TEST(IntegrationTest, EveryMethodCanBeNamed) {
  for (const OdeMethod& method : OdeMethods()) {
    EXPECT_EQ(OptionsOf("method=\"" + std::string(method.name) + "\"").method, method.name);
  }
}

TEST(IntegrationTest, SubstepsDivideTimeStep) {
  EXPECT_DOUBLE_EQ(OptionsOf("substeps=\"4\"").fixed_step, 0.025);
}

TEST(IntegrationTest, StepLimitsHaveUnits) {
  const IntegratorOptions options = OptionsOf("min_step=\"1 us\" max_step=\"2 ms\"");
  EXPECT_DOUBLE_EQ(options.min_step, 1e-6);
  EXPECT_DOUBLE_EQ(options.max_step, 2e-3);
}

TEST(IntegrationTest, WrongValuesAreAnsweredWithTheRightOnes) {
  EXPECT_THAT(
      FaultsOf(With("method=\"runge_kutta5\"")),
      ElementsAre(AllOf(HasSubstr("test.xml:2"), HasSubstr("'runge_kutta5'"), HasSubstr("runge_kutta4"))));
  EXPECT_THAT(FaultsOf(With("rtol=\"0\"")), ElementsAre(HasSubstr("rtol")));
  EXPECT_THAT(FaultsOf(With("substeps=\"0\"")), ElementsAre(HasSubstr("substeps")));
  EXPECT_THAT(FaultsOf(With("min_step=\"2 s\" max_step=\"1 s\"")),
              ElementsAre(HasSubstr("min_step is larger")));
  EXPECT_THAT(FaultsOf(With("rtol=\"1e-6\"")), IsEmpty());
}

}  // namespace
}  // namespace davit
