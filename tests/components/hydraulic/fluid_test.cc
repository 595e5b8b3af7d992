#include "components/hydraulic/fluid.h"

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "components/register.h"
#include "session/simulation.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

TEST(FluidTest, IsTheGradeAtItsTemperature) {
  const struct {
    std::string grade;
    double density, at_40, at_100;
  } kGrades[] = {{"iso_vg_32", 861.8, 32.84e-6, 5.62e-6},
                 {"iso_vg_46", 866.5, 43.81e-6, 6.74e-6},
                 {"iso_vg_68", 871.8, 67.89e-6, 8.90e-6}};
  for (const auto& [grade, density, at_40, at_100] : kGrades) {
    TestSystem system(
        "<System name='test'><SimulatorManager TimeStep='1 s' StopTime='1 s'/><hydraulic.Fluid name='cold' "
        "grade='" +
        grade + "'/><Record signals='cold.oil_density' times='0'/></System>");
    EXPECT_EQ(system.Read("cold.oil_density"), density);
    EXPECT_NEAR(system.Read("cold.oil_viscosity"), at_40, 1e-12 * at_40);
    TestSystem warm(
        "<System name='test'><SimulatorManager TimeStep='1 s' StopTime='1 s'/><hydraulic.Fluid name='warm' "
        "temperature='100 degC' grade='" +
        grade + "'/></System>");
    EXPECT_NEAR(warm.Read("warm.oil_viscosity"), at_100, 1e-12 * at_100);
    TestSystem own(
        "<System name='test'><SimulatorManager TimeStep='1 s' StopTime='1 s'/><hydraulic.Fluid name='own' "
        "density='900' kinematic_viscosity='20 cSt' grade='" +
        grade + "'/></System>");
    EXPECT_NEAR(own.Read("own.oil_viscosity"), 20e-6, 1e-20);
    EXPECT_EQ(own.Read("own.oil_density"), 900);
  }
}

TEST(FluidTest, AValueOutOfRangeIsToldOnceAndNotHandedDown) {
  Registry registry = AllModels();
  std::vector<std::string> warnings;
  const auto simulation =
      Simulation::LoadText(
          SystemText("TimeStep='10 ms' StopTime='1 s'", "method='rosenbrock4'",
                     "<hydraulic.Fluid name='oil' thermal_expansion='0.05 1/K' temperature='15.6 degC'/>"
                     "<hydraulic.Volume name='v'/><hydraulic.Volume name='w'/><hydraulic.Orifice name='o'/>"
                     "<Connect from='o.a' to='v.port'/><Connect from='o.b' to='w.port'/>"
                     "<At time='0.2 s' set='oil.temperature' value='-15 degC'/>"
                     "<At time='0.4 s' set='oil.temperature' value='-16 degC'/>"
                     "<At time='0.6 s' set='oil.temperature' value='15.6 degC'/>"),
          "test", registry,
          {.log_level = RunLog::Severity::kWarning,
           .log =
               [&](RunLog::Severity severity, std::string_view line) {
                 if (severity == RunLog::Severity::kWarning) warnings.emplace_back(line);
               }})
          .Take();
  Fault fault;
  const Item density = *simulation->system().FindVariable(simulation->system().root(), "o.density", &fault);
  simulation->Initialize();
  const double before = density.Read();
  simulation->RunUntil(0.5);
  EXPECT_EQ(density.Read(), before);
  simulation->RunUntil(1);
  EXPECT_EQ(density.Read(), before);
  ASSERT_EQ(warnings.size(), 1U) << warnings.back();
  EXPECT_NE(warnings[0].find("t = 0.2 s: warning: /o: density would become -"), std::string::npos)
      << warnings[0];
  EXPECT_NE(warnings[0].find("which /oil hands down, but it must be > 0 kg/m3; it stays "), std::string::npos)
      << warnings[0];
}

TEST(FluidTest, HandsDownToAllWithAHydraulicPortAndToNothingElse) {
  TestSystem system(SystemText(
      "TimeStep='1 ms' StopTime='1 s'", "method='rosenbrock4'",
      "<hydraulic.Fluid name='oil' grade='iso_vg_68' temperature='40 degC' bulk_modulus='1.4e9 Pa' "
      "vapour_pressure='500 Pa' atmospheric_pressure='0.9 bar'/>"
      "<hydraulic.Volume name='volume'/><hydraulic.Volume name='soft' bulk_modulus='7e8 Pa'/>"
      "<hydraulic.Orifice name='same' density='861.8 kg/m3'/><hydraulic.Orifice name='orifice'/>"
      "<hydraulic.Restriction name='hole'/><hydraulic.VolumeC name='waves'/>"
      "<mechanical.Mass name='mass'/>"
      "<Connect from='orifice.a' to='volume.port'/><Connect from='orifice.b' to='soft.port'/>"
      "<Connect from='same.a' to='volume.port'/><Connect from='same.b' to='soft.port'/>"
      "<Connect from='hole.a' to='waves.port'/><Connect from='hole.b' to='soft.port'/>"));
  EXPECT_EQ(system.Read("volume.bulk_modulus"), 1.4e9);
  EXPECT_EQ(system.Read("soft.bulk_modulus"), 7e8);  // its own
  EXPECT_EQ(system.Read("orifice.density"), 871.8);
  EXPECT_EQ(system.Read("same.density"), 861.8);  // its own, though it is the default
  EXPECT_NEAR(system.Read("same.kinematic_viscosity"), 67.89e-6, 1e-16);
  EXPECT_EQ(system.Read("hole.vapour_pressure"), 500);
  EXPECT_EQ(system.Read("hole.atmospheric_pressure"), 0.9e5);
  EXPECT_EQ(system.Read("waves.vapour_pressure"), 500);
}

std::string ReadSystem(const std::string& name) {
  std::ifstream stream(DAVIT_SOURCE_DIR "/systems/" + name + ".xml", std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class OneFluid : public testing::TestWithParam<const char*> {};

// The lifting system with the oil at each component, and with the oil once: the same run, bit for bit.
TEST_P(OneFluid, IsAsIfEachComponentHadItsOil) {
  const std::string level = GetParam();
  std::string text = ReadSystem("lifting_cylinder");
  text = std::regex_replace(text, std::regex("level=\"Ideal\""), "level=\"" + level + "\"");
  text = std::regex_replace(text, std::regex("StopTime=\"50 s\""), "StopTime=\"8 s\"");
  // Another oil than the default, so that what is not handed down is seen.
  std::string each = std::regex_replace(text, std::regex("density=\"[^\"]*\""), "density=\"850 kg/m3\"");
  each = std::regex_replace(each, std::regex("kinematic_viscosity=\"[^\"]*\""),
                            "kinematic_viscosity=\"46 cSt\"");
  each = std::regex_replace(each, std::regex("bulk_modulus=\"[^\"]*\""), "bulk_modulus=\"1.4e9 Pa\"");
  std::string once =
      std::regex_replace(text, std::regex(" (density|kinematic_viscosity|bulk_modulus)=\"[^\"]*\""), "");
  ASSERT_EQ(once.find("861.8"), std::string::npos);
  once.insert(once.find("<hydraulic.Tank"),
              "<hydraulic.Fluid name=\"oil\" density=\"850 kg/m3\" kinematic_viscosity=\"46 cSt\" "
              "bulk_modulus=\"1.4e9 Pa\"/>\n");
  TestSystem with_each(each), with_one(once), without(text);
  const std::vector<TestRow> rows = with_each.RunAndRecord();
  EXPECT_GT(rows.size(), 100U);
  EXPECT_EQ(with_one.RunAndRecord(), rows);
  EXPECT_NE(without.RunAndRecord(), rows);
}

INSTANTIATE_TEST_SUITE_P(Levels, OneFluid, testing::Values("Ideal", "Standard", "Advanced"),
                         [](const auto& level) { return std::string(level.param); });

}  // namespace
}  // namespace davit
