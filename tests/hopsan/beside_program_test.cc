// Circuits of davit beside the same ones in Hopsan's own program; Hopsan's shuttle has no loss. The place of
// the program is in the environment variable DAVIT_HOPSAN_PROGRAM (hopsancli); without it these tests are
// skipped.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "tests/hopsan/circuits/same_circuit.h"
#include "tests/hopsan/hmf_text.h"
#include "tests/hopsan/native_run.h"
#include "tests/support/child_program.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

/// The last values of all variables, `valve#P2#Flow`.
std::map<std::string, double> LastValues(const std::string& program, const SameCircuit& circuit) {
  const fs::path folder(testing::TempDir());
  const std::string model = folder / (circuit.name + ".hmf"), table = folder / (circuit.name + ".csv");
  std::ofstream(model) << HmfModel(circuit.hopsan_components, circuit.hopsan_connections, "5");
  ChildProgram hopsan({program, "-m", model, "-s", "hmf", "--resultsFinalCSV", table, "--log.corelogfile",
                       folder / (circuit.name + ".log")});
  EXPECT_EQ(hopsan.Finish(), 0) << hopsan.out() << hopsan.err();
  std::map<std::string, double> values;
  std::ifstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t comma = line.find(','), last = line.rfind(',');
    if (comma != last) values[line.substr(0, comma)] = std::strtod(line.c_str() + last + 1, nullptr);
  }
  return values;
}

SameCircuits AllCircuits() {
  SameCircuits circuits;
  for (const auto add :
       {AddSpools, AddSingleValves, AddPressureValves, AddCylinders, AddMachines, AddShafts, AddAir})
    add(&circuits);
  return circuits;
}

class BesideHopsan : public testing::TestWithParam<SameCircuit> {};

TEST_P(BesideHopsan, TheSteadyValuesAreEqual) {
  const char* const program = std::getenv("DAVIT_HOPSAN_PROGRAM");
  if (program == nullptr || !fs::exists(program)) GTEST_SKIP() << "no hopsancli at DAVIT_HOPSAN_PROGRAM";
  const SameCircuit& circuit = GetParam();
  const std::map<std::string, double> hopsan = LastValues(program, circuit);
  const std::string system = R"(<System name="test" xmlns="urn:davit:system:1">
    <SimulatorManager TimeStep="10 ms" StopTime="5 s"><Integration method="rodas5p"/></SimulatorManager>)" +
                             circuit.davit + "</System>";
  for (const auto& [theirs, own] : circuit.values) {
    ASSERT_TRUE(hopsan.contains(theirs)) << theirs;
    const double expected = std::abs(hopsan.at(theirs));
    EXPECT_GT(expected, 0) << theirs;
    EXPECT_NEAR(std::abs(RunOf(system, own, 5).back()), expected, 0.01 * expected) << own;
  }
}

INSTANTIATE_TEST_SUITE_P(Circuits, BesideHopsan, testing::ValuesIn(AllCircuits()),
                         [](const auto& circuit) { return circuit.param.name; });

}  // namespace
}  // namespace davit
