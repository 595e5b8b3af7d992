// All systems of systems/ as FMUs, and what none of them has.

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <set>

#include "tests/fmi/exported_fmu.h"

namespace davit {
namespace {

/// Law: the FMU begins with the bits of the native run and has them after a few steps: it reads the same
/// system, with units, tables and charts.
void ExpectTheBitsOfTheNativeRun(const std::filesystem::path& system) {
  const auto native = Simulation::Load(system, FmuModels()).Take();
  native->Initialize();
  const double h = native->time_step();
  const ExportedFmu fmu(system);
  Slave2 slave(fmu);
  slave.Start(native->start_time(), native->stop_time());
  const NativeRun run = RunNatively(system, h, native->start_time() + 3 * h);
  const std::string description = fmu.description();
  for (std::size_t row = 0; row < run.rows.size(); ++row) {
    for (std::size_t i = 0; i < run.names.size(); ++i) {
      const std::size_t place = description.find("name=\"" + run.names[i] + "\" valueReference");
      if (place == std::string::npos) continue;  // a derivative
      const std::string element =
          description.substr(place, description.find("</ScalarVariable>", place) - place);
      if (element.find("<Real") == std::string::npos) continue;
      const double value = slave.Real(run.names[i]);
      EXPECT_EQ(std::memcmp(&value, &run.rows[row][i], sizeof value), 0)
          << system << " " << run.names[i] << " in row " << row << ": " << value << ", " << run.rows[row][i];
    }
    if (row + 1 < run.rows.size()) {
      ASSERT_EQ(slave.Step(native->start_time() + static_cast<double>(row) * h, h), fmi2OK)
          << testing::PrintToString(slave.log());
    }
  }
}

TEST(EverySystemTest, HasTheBitsOfTheNativeRunAsAnFmu) {
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(ExampleSystem("mass_spring").parent_path())) {
    if (entry.path().extension() == ".xml") files.insert(entry.path());
  }
  ASSERT_GE(files.size(), 25U);
  for (const auto& file : files) ExpectTheBitsOfTheNativeRun(file);
}

// Tables read units that no attribute of a number has, and waves make units of others.
TEST(EverySystemTest, ComponentsFindUnitsByThemselves) {
  const std::filesystem::path file = FreshFolder() / "units.xml";
  std::ofstream(file) << R"(<System name="units"><SimulatorManager TimeStep="10 ms" StopTime="1 s"/>
<signal.Table name="table" times="0 500 1000 ms" values="0 20 -3 ft"/>
<signal.Jonswap name="roll" significant_height="0.1 m" peak_period="3 s" response="3 deg/ft"/>
<Record signals="table.y roll.y roll.rate"/></System>)";
  ExpectTheBitsOfTheNativeRun(file);
}

// Law: a master that names no end gets the bits of the native run up to the end of the file, and goes on.
TEST(EverySystemTest, AMasterNeedNotNameTheEnd) {
  const std::filesystem::path system = ExampleSystem("mass_spring");
  constexpr double kStep = 0.1;
  const NativeRun native = RunNatively(system, kStep, 10);
  const ExportedFmu fmu(system);
  Slave2 slave(fmu);
  const fmi2Component c = slave.component();
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2SetupExperiment)(c, fmi2False, 0, 0, fmi2False, 0), fmi2OK);
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2EnterInitializationMode)(c), fmi2OK);
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2ExitInitializationMode)(c), fmi2OK);
  for (std::size_t row = 0; row < native.rows.size(); ++row) {
    EXPECT_EQ(slave.Real(native.names[0]), native.rows[row][0]) << row;
    ASSERT_EQ(slave.Step(static_cast<double>(row) * kStep, kStep), fmi2OK);
  }
}

// FMI 3.0 has event indicators as variables, which an instance for co-simulation has, too. Law: that of a
// stop is the distance to it, and the ball begins 1 m above.
TEST(EverySystemTest, IndicatorsAreReadInCoSimulation) {
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"), FmiVersion::k3, {}, true);
  const fmi3Instance instance = DAVIT_FMU_CALL(fmu, fmi3InstantiateCoSimulation)(
      "slave", fmu.token().c_str(), fmu.resources_path().c_str(), false, false, false, false, nullptr, 0,
      nullptr, nullptr, nullptr);
  ASSERT_NE(instance, nullptr);
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi3EnterInitializationMode)(instance, false, 0, 0, true, 5), fmi3OK);
  const fmi3ValueReference reference = fmu.reference("indicator(ball.low_stop)");
  double value = -1;
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi3GetFloat64)(instance, &reference, 1, &value, 1), fmi3OK);
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi3ExitInitializationMode)(instance), fmi3OK);
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi3GetFloat64)(instance, &reference, 1, &value, 1), fmi3OK);
  EXPECT_EQ(value, 1);
  DAVIT_FMU_CALL(fmu, fmi3FreeInstance)(instance);
}

}  // namespace
}  // namespace davit
