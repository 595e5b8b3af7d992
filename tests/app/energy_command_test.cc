#include "app/studies/energy_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/exit_code.h"
#include "components/register.h"
#include "tests/support/read_all.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class EnergyCommandTest : public testing::Test {
 protected:
  EnergyCommandTest() {
    fs::create_directories(folder_);
    std::ofstream(system_) << R"(<System name="e" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" StopTime="2 s"><Integration solver="ODE"/></SimulatorManager>
  <hydraulic.PressureSource name="source" pressure="100 bar"/>
  <hydraulic.Orifice name="hole" area="10 mm2"/>
  <hydraulic.Tank name="tank"/>
  <Connect from="source.port" to="hole.a"/>
  <Connect from="hole.b" to="tank.port"/>
</System>)";
  }
  ~EnergyCommandTest() override { fs::remove_all(folder_); }

  int Run(EnergyOptions options) {
    options.system = system_;
    return RunEnergy(options, registry_, out_, err_);
  }

  Registry registry_ = AllModels();
  std::ostringstream out_, err_;
  fs::path folder_ = fs::path(testing::TempDir()) /
                     (std::string("energy_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  fs::path system_ = folder_ / "e.xml";
};

TEST_F(EnergyCommandTest, PrintsTheBalanceByComponentAndByCause) {
  EXPECT_EQ(Run({}), kDone) << err_.str();
  EXPECT_THAT(out_.str(), AllOf(HasSubstr("energy from 0 s to 2 s"), HasSubstr("losses by component"),
                                HasSubstr("hole  "), HasSubstr("throttling  "), HasSubstr("100.00 %")));
}

TEST_F(EnergyCommandTest, WritesASummaryAndAPicture) {
  ASSERT_EQ(Run({.plot = folder_ / "e.svg", .summary = folder_ / "e.json"}), kDone) << err_.str();
  const auto json = nlohmann::json::parse(ReadAll(folder_ / "e.json"));
  const double in = json["in"];
  EXPECT_GT(in, 0);
  EXPECT_NEAR(json["lost"], in, 1e-12 * in);
  EXPECT_NEAR(json["losses"]["hole"], in, 1e-12 * in);
  EXPECT_EQ(json["stored"], 0);
  EXPECT_EQ(json["out"], 0);
  EXPECT_LT(json["balance_error"], 1e-12);
  EXPECT_THAT(ReadAll(folder_ / "e.svg"), AllOf(HasSubstr("<svg"), HasSubstr("source")));
}

TEST_F(EnergyCommandTest, EndsWhereItIsTold) {
  EXPECT_EQ(Run({.until = "500 ms"}), kDone) << err_.str();
  EXPECT_THAT(out_.str(), HasSubstr("from 0 s to 0.5 s"));
}

TEST_F(EnergyCommandTest, AllThatIsWrongIsToldTogether) {
  EXPECT_EQ(Run({.until = "3 s", .plot = folder_ / "e.png", .summary = folder_ / "e.txt"}), kWrongInput);
  EXPECT_THAT(err_.str(), AllOf(HasSubstr("--until"), HasSubstr("3 s is not within the run, 0 s to 2 s"),
                                HasSubstr("name it .svg"), HasSubstr("name it .json")));
  EXPECT_EQ(out_.str(), "");
}

}  // namespace
}  // namespace davit
