// The W3C tests that need no more than numbers, in the data model `davit`: the templates of
// DAVIT_REFERENCE_DIR/ scxml-tests are read, and their placeholders written in davit's language. A test is
// not applicable where it wants what davit refuses when it loads the chart, such as an illegal expression; it
// is then skipped and says why.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/statecharts/chart_fixture.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

fs::path Folder() { return fs::path(DAVIT_REFERENCE_DIR) / "scxml-tests" / "w3c"; }

/// Names of tests that the manifest says need no data model or numbers.
std::vector<std::string> NumericTests() {
  std::vector<std::string> names;
  std::ifstream stream(Folder() / "manifest.tsv");
  for (std::string line; std::getline(stream, line);) {
    std::vector<std::string> cells;
    std::istringstream cell_stream(line);
    for (std::string cell; std::getline(cell_stream, cell, '\t');) cells.push_back(cell);
    if (cells.size() > 5 && (cells[5] == "null" || cells[5] == "numeric")) names.push_back(cells[0]);
  }
  return names;
}

using Writer = std::function<std::string(const std::string&)>;

/// What an attribute `conf:NAME="VALUE"` becomes.
const std::map<std::string, Writer>& Attributes() {
  const auto compare = [](const std::string& value) {  // 1=0: variable 1 equals 0
    const std::size_t at = value.find_first_of("=<>");
    const std::string op = value[at] == '=' ? "==" : value[at] == '<' ? "&lt;" : ">";
    return "cond=\"Var" + value.substr(0, at) + " " + op + " " + value.substr(at + 1) + "\"";
  };
  const auto variable = [](const char* attribute) {
    return [attribute](const std::string& value) { return std::string(attribute) + "=\"Var" + value + "\""; };
  };
  const auto fixed = [](const char* text) {
    return [text](const std::string&) { return std::string(text); };
  };
  static const std::map<std::string, Writer> kAttributes{
      {"datamodel", fixed("datamodel=\"davit\"")},
      {"targetpass", fixed("target=\"pass\"")},
      {"targetfail", fixed("target=\"fail\"")},
      {"id", variable("id")},
      {"name", variable("name")},
      {"location", variable("location")},
      {"namelist", variable("namelist")},
      {"expr", [](const std::string& value) { return "expr=\"" + value + "\""; }},
      {"varExpr", variable("expr")},
      {"idVal", compare},
      {"delay", [](const std::string& value) { return "delay=\"" + value + "s\""; }},
      {"inState", [](const std::string& value) { return "cond=\"In('" + value + "')\""; }},
      {"true", fixed("cond=\"true\"")},
      {"false", fixed("cond=\"false\"")},
      {"illegalTarget", fixed("target=\"nowhere\"")},
      {"unreachableTarget", fixed("target=\"#_scxml_nobody\"")},
      {"invalidSendType", fixed("type=\"27\"")},
      {"eventdataVal", [](const std::string& value) { return "cond=\"_event.data == " + value + "\""; }},
      {"eventDataFieldValue", [](const std::string& value) { return "expr=\"_event.data." + value + "\""; }},
      {"eventvarVal",
       [](const std::string& value) {
         const std::size_t at = value.find('=');
         return "cond=\"_event.data.Var" + value.substr(0, at) + " == " + value.substr(at + 1) + "\"";
       }},
      {"VarEqVar", [](const std::string& value) {
         const std::size_t at = value.find(' ');
         return "cond=\"Var" + value.substr(0, at) + " == Var" + value.substr(at + 1) + "\"";
       }}};
  return kAttributes;
}

/// The template in davit's language, or nothing and the word that it has no form for.
std::optional<std::string> Translate(std::string text, std::string& unknown) {
  text = std::regex_replace(text, std::regex("<!--[^]*?-->"), "");
  text = std::regex_replace(text, std::regex("<conf:(pass|fail) */>"), "<final id=\"$1\"/>");
  text = std::regex_replace(text, std::regex("<conf:incrementID id=\"(\\d+)\" */>"),
                            "<assign location=\"Var$1\" expr=\"Var$1 + 1\"/>");
  text = std::regex_replace(text, std::regex("<conf:sumVars id1=\"(\\d+)\" id2=\"(\\d+)\" */>"),
                            "<assign location=\"Var$1\" expr=\"Var$1 + Var$2\"/>");
  const std::regex attribute("conf:(\\w+)=\"([^\"]*)\"");
  std::string result;
  auto begin = text.cbegin();
  for (std::smatch match; std::regex_search(begin, text.cend(), match, attribute);
       begin = match.suffix().first) {
    const auto found = Attributes().find(match[1]);
    if (found == Attributes().end()) {
      unknown = match[1];
      return std::nullopt;
    }
    result += match.prefix().str() + found->second(match[2]);
  }
  result.append(begin, text.cend());
  if (std::smatch match; std::regex_search(result, match, std::regex("<conf:(\\w+)"))) {
    unknown = match[1];
    return std::nullopt;
  }
  return result;
}

class DavitModelTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  /// Writes the template of a test, translated; false where it is not applicable.
  bool Write(const std::string& name, std::string& unknown) {
    std::ifstream stream(Folder() / "txml" / (name + ".txml"));
    if (!stream) return true;
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const std::optional<std::string> translated = Translate(text, unknown);
    if (translated) std::ofstream(folder_ / (name + ".scxml")) << *translated;
    return translated.has_value();
  }

  fs::path folder_ = fs::path(testing::TempDir()) / ("davit_model_" + GetParam());
};

TEST_P(DavitModelTest, ReachesPass) {
  std::string unknown;
  if (!Write(GetParam(), unknown) || !Write(GetParam() + "sub1", unknown)) {
    GTEST_SKIP() << "not applicable: the data model davit has no form for " << unknown;
  }
  if (fs::exists(Folder() / "txml" / (GetParam() + ".txt"))) {
    fs::copy_file(Folder() / "txml" / (GetParam() + ".txt"), folder_ / (GetParam() + ".txt"));
  }
  Diagnostics diagnostics;
  const auto chart = LoadChart(folder_ / (GetParam() + ".scxml"), {}, diagnostics);
  if (chart == nullptr) {
    for (const Diagnostic& diagnostic : diagnostics.all()) ADD_FAILURE() << ToText(diagnostic);
    FAIL() << "the chart has errors";
  }
  SessionTable table(chart, nullptr, nullptr);
  table.Start(0);
  while (table.session().is_running() && table.NextDue() < 60) table.Step(table.NextDue());
  ASSERT_TRUE(table.session().has_reached_final());
  EXPECT_TRUE(table.session().IsActive(chart->state_of_id.at("pass")));
}

INSTANTIATE_TEST_SUITE_P(Suite, DavitModelTest, testing::ValuesIn(NumericTests()),
                         [](const auto& test) { return test.param; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DavitModelTest);

}  // namespace
}  // namespace davit
