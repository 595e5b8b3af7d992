#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "components/register.h"
#include "hopsan/import/hmf_import.h"
#include "hopsan/register.h"
#include "hopsan/run/hopsan_run.h"
#include "tests/hopsan/fault_text.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

const Registry& ModelsWithHopsan() {
  static const Registry registry = [] {
    Registry models = AllModels();
    RegisterHopsan(models);
    return models;
  }();
  return registry;
}

fs::path OwnModels() { return fs::path(DAVIT_REFERENCE_DIR) / "hopsan-models" / "own"; }

struct HopsanLog {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;  ///< the time first
};

HopsanLog ReadLog(const fs::path& file) {
  std::ifstream in(file);
  HopsanLog log;
  std::string line, cell;
  std::getline(in, line);
  for (std::istringstream cells(line); std::getline(cells, cell, ',');) log.names.push_back(cell);
  while (std::getline(in, line)) {
    log.rows.emplace_back();
    for (std::istringstream cells(line); std::getline(cells, cell, ',');)
      log.rows.back().push_back(std::stod(cell));
  }
  return log;
}

HopsanLog RunModel(const fs::path& file) {
  Diagnostics diagnostics;
  const auto import = hopsan::ImportHmf(file, ModelsWithHopsan(), {}, diagnostics);
  HopsanLog log;
  if (!import) throw std::invalid_argument(TextOfFaults(diagnostics));
  auto simulation =
      Simulation::Load({.file = file, .description = import->description}, ModelsWithHopsan()).Take();
  log.names = {"time"};
  for (const auto& variable : import->variables) log.names.push_back(variable.name);
  hopsan::RunAsHopsan(*simulation, *import, import->variables, [&](double t, std::span<const double> values) {
    log.rows.emplace_back(1, t);
    log.rows.back().insert(log.rows.back().end(), values.begin(), values.end());
  });
  return log;
}

/// Each logged variable within `most` of its largest value.
void ExpectSame(const HopsanLog& ours, const HopsanLog& theirs, double most) {
  ASSERT_EQ(ours.rows.size(), theirs.rows.size());
  for (std::size_t column = 0; column < theirs.names.size(); ++column) {
    const auto found = std::ranges::find(ours.names, theirs.names[column]);
    ASSERT_NE(found, ours.names.end()) << theirs.names[column];
    const auto own = static_cast<std::size_t>(found - ours.names.begin());
    double peak = 0, deviation = 0;
    for (std::size_t row = 0; row < theirs.rows.size(); ++row) {
      peak = std::max(peak, std::abs(theirs.rows[row][column]));
      const double difference = std::abs(ours.rows[row][own] - theirs.rows[row][column]);
      deviation = std::isnan(difference) ? INFINITY : std::max(deviation, difference);
    }
    EXPECT_LE(deviation, most * peak) << theirs.names[column];
  }
}

class OwnModel : public testing::TestWithParam<const char*> {};

// The CSV has 7 digits; 1e-4 of the peak is what the specification of the components claims.
TEST_P(OwnModel, AgreesWithHopsan) {
  const std::string name = GetParam();
  if (!fs::exists(OwnModels())) GTEST_SKIP() << "no " << OwnModels();
  const bool is_the_same_with_blanks = name == "refused_spaces_in_connects";
  const HopsanLog theirs = ReadLog(OwnModels() / ((is_the_same_with_blanks ? "old_syntax" : name) + ".csv"));
  ExpectSame(RunModel(OwnModels() / (name + ".hmf")), theirs, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Hopsan, OwnModel,
                         testing::Values("unit_delay_places", "signals", "controllers", "orifices_volumes",
                                         "valves", "further_valves", "cylinder_servo", "cylinders",
                                         "end_stops", "accumulator_piston", "hydrostatic_drive", "machine_c",
                                         "pressure_controlled_pump", "piston_machine", "lines", "mechanics",
                                         "further_mechanics", "electric", "subsystems", "conditional",
                                         "self_references", "old_syntax", "refused_spaces_in_connects"),
                         [](const auto& one) { return std::string(one.param); });

TEST(OwnModels, RunWhereHopsanRefusesThem) {
  if (!fs::exists(OwnModels())) GTEST_SKIP() << "no " << OwnModels();
  const HopsanLog reserved = RunModel(OwnModels() / "refused_reserved_names.hmf");
  const auto g = std::ranges::find(reserved.names, "g#out#Value") - reserved.names.begin();
  for (const auto& row : reserved.rows) EXPECT_NEAR(row[static_cast<std::size_t>(g)], 2 * row[0], 1e-9);
  const HopsanLog old = RunModel(OwnModels() / "refused_old_version.hmf");
  const auto out = std::ranges::find(old.names, "Gain#out#Value") - old.names.begin();
  for (std::size_t row = 1; row < old.rows.size(); ++row)
    EXPECT_EQ(old.rows[row][static_cast<std::size_t>(out)], 6);
}

}  // namespace
}  // namespace davit
