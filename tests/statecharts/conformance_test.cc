// The W3C tests of SCXML and the structural tests of SCION, read from DAVIT_REFERENCE_DIR/scxml-tests. Each
// row of the two manifests is a test of its own.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "statecharts/chart_loader.h"
#include "statecharts/ecmascript_data_model.h"
#include "statecharts/session_table.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

fs::path TestFolder() { return fs::path(DAVIT_REFERENCE_DIR) / "scxml-tests"; }

using Row = std::map<std::string, std::string>;

/// The rows of a tab-separated table by the names of its columns; none where the file is absent.
std::vector<Row> ReadTable(const fs::path& file) {
  std::ifstream stream(file);
  const auto split = [](const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream cell_stream(line);
    for (std::string cell; std::getline(cell_stream, cell, '\t');) cells.push_back(cell);
    return cells;
  };
  std::vector<Row> rows;
  std::string line;
  if (!std::getline(stream, line)) return rows;
  const std::vector<std::string> names = split(line);
  while (std::getline(stream, line)) {
    const std::vector<std::string> cells = split(line);
    Row row;
    for (std::size_t i = 0; i < names.size() && i < cells.size(); ++i) row[names[i]] = cells[i];
    rows.push_back(row);
  }
  return rows;
}

std::shared_ptr<const Chart> Load(const fs::path& file, DataModelKind default_data_model) {
  Diagnostics diagnostics;
  ChartLoadOptions options;
  options.default_data_model = default_data_model;
  std::shared_ptr<const Chart> chart = LoadChart(file, options, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (diagnostic.severity == Severity::kError) ADD_FAILURE() << ToText(diagnostic);
  }
  return chart;
}

std::set<std::string> ActiveAtoms(const Interpreter& session) {
  std::set<std::string> ids;
  session.configuration().ForEach([&](StateId state) {
    if (session.chart().IsAtomic(state)) ids.insert(session.chart().names[state].id);
  });
  return ids;
}

// ---- W3C

class W3cTest : public testing::TestWithParam<Row> {};

TEST_P(W3cTest, ReachesPass) {
  if (!HasEcmascript()) GTEST_SKIP() << "built without Duktape";
  const std::string name = GetParam().at("test");
  const auto chart = Load(TestFolder() / "w3c" / "ecma" / (name + ".scxml"), DataModelKind::kEcmascript);
  ASSERT_NE(chart, nullptr);
  SessionTable table(chart, nullptr, nullptr);
  table.Start(0);
  constexpr double kLongest = 60;  // virtual seconds
  while (table.session().is_running() && table.NextDue() <= kLongest) table.RunUntilStable(table.NextDue());
  EXPECT_THAT(ActiveAtoms(table.session()), testing::ElementsAre("pass")) << GetParam().at("assertion");
  EXPECT_TRUE(table.session().has_reached_final());
}

std::string NameOf(std::string text) {
  for (char& c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return text;
}

INSTANTIATE_TEST_SUITE_P(Suite, W3cTest, testing::ValuesIn(ReadTable(TestFolder() / "w3c" / "manifest.tsv")),
                         [](const auto& test) { return NameOf(test.param.at("test")); });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(W3cTest);

// ---- SCION

class ScionTest : public testing::TestWithParam<Row> {};

std::set<std::string> Ids(const nlohmann::json& list) { return list.get<std::set<std::string>>(); }

TEST_P(ScionTest, HasTheListedConfigurations) {
  const Row& row = GetParam();
  if (!HasEcmascript()) GTEST_SKIP() << "built without Duktape";
  const fs::path base = TestFolder() / "scion" / row.at("group") / row.at("name");
  const auto chart = Load(base.string() + ".scxml", DataModelKind::kEcmascript);
  ASSERT_NE(chart, nullptr);
  std::ifstream stream(base.string() + ".json");
  nlohmann::json script = nlohmann::json::parse(stream);
  if (row.at("expect") == "legacySemantics") script = script.at("legacySemantics");

  SessionTable table(chart, nullptr, nullptr);
  table.Start(0);
  EXPECT_EQ(ActiveAtoms(table.session()), Ids(script.at("initialConfiguration")));
  int number = 0;
  for (const auto& step : script.at("events")) {
    const double time = table.time() + step.value("after", 0.0) / 1e3;
    while (table.NextDue() <= time) table.RunUntilStable(table.NextDue());
    const auto& description = step.at("event");
    Event event = table.session().MakeEvent(description.at("name").get<std::string>());
    if (description.contains("data")) {
      event.Details().data = description.at("data").dump();
      event.Details().has_data = true;
    }
    table.session().Send(std::move(event));
    table.RunUntilStable(time);
    EXPECT_EQ(ActiveAtoms(table.session()), Ids(step.at("nextConfiguration"))) << "after event " << ++number;
  }
}

INSTANTIATE_TEST_SUITE_P(Suite, ScionTest,
                         testing::ValuesIn(ReadTable(TestFolder() / "scion" / "manifest.tsv")),
                         [](const auto& test) {
                           return NameOf(test.param.at("group") + "_" + test.param.at("name"));
                         });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ScionTest);

/// So that a missing folder shows as a skipped test and not as nothing at all.
TEST(ConformanceTest, HasItsCharts) {
  if (!fs::exists(TestFolder())) GTEST_SKIP() << "the conformance charts are not beside the repository";
  EXPECT_FALSE(ReadTable(TestFolder() / "w3c" / "manifest.tsv").empty());
  EXPECT_FALSE(ReadTable(TestFolder() / "scion" / "manifest.tsv").empty());
}

}  // namespace
}  // namespace davit
