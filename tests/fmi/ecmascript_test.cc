// Charts of ECMAScript inside FMUs: the runtime has a Duktape of its own.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "statecharts/ecmascript_data_model.h"
#include "tests/fmi/exported_fmu.h"
#include "tests/fmi/model_exchange_master.h"

namespace davit {
namespace {

using testing::HasSubstr;
using testing::Not;

class EcmascriptFmuTest : public testing::TestWithParam<FmiVersion> {
 protected:
  void SetUp() override {
    if (!HasEcmascript()) GTEST_SKIP() << "davit is built without Duktape";
  }
};

// Law: after n times of darkness, 50 ms each, and n times of light, 10, 20 ... 10 n ms, the light has been on
// for 10 n (n + 1)/2 ms: 1.2 s with n = 15, which is at 1.95 s.
TEST_P(EcmascriptFmuTest, TheScriptDecides) {
  const ExportedFmu fmu(WriteScriptedSystem(FreshFolder() / "system"), GetParam(), {}, true);
  const auto master = ModelExchange::Make(fmu, GetParam());
  const auto rows = RunModelExchange(*master, {"integral.y"},
                                     {.stop = 2, .interval = 0.01, .method = "runge_kutta_dopri5"});
  ASSERT_EQ(rows.size(), 201U);
  EXPECT_NEAR(rows[195][0], 1.2, 1e-7);
  EXPECT_NEAR(rows[200][0], 1.2, 1e-7);
}

TEST_P(EcmascriptFmuTest, SaysThatItsStateCannotBeSaved) {
  const ExportedFmu scripted(WriteScriptedSystem(FreshFolder() / "system"), GetParam(), {}, true);
  const std::string state =
      GetParam() == FmiVersion::k2 ? "canGetAndSetFMUstate=\"" : "canGetAndSetFMUState=\"";
  EXPECT_THAT(scripted.description(), HasSubstr(state + "false"));
  EXPECT_THAT(scripted.description(), Not(HasSubstr(state + "true")));
  const ExportedFmu other(WriteChartSystem(FreshFolder() / "chart"), GetParam(), {}, true);
  EXPECT_THAT(other.description(), HasSubstr(state + "true"));
}

INSTANTIATE_TEST_SUITE_P(Versions, EcmascriptFmuTest, testing::Values(FmiVersion::k2, FmiVersion::k3),
                         [](const auto& parameter) {
                           return parameter.param == FmiVersion::k2 ? "Fmi2" : "Fmi3";
                         });

}  // namespace
}  // namespace davit
