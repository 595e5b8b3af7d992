// The tables of docs/coverage.md: no cell is empty, whatever they name is in the program, links lead to
// headings, and no figure or table of the thesis is forgotten.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "components/register.h"
#include "results/program.h"
#include "session/model_description.h"
#include "tests/support/read_all.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

const fs::path kSources = DAVIT_SOURCE_DIR;

struct CoverageRow {
  int line;
  std::vector<std::string> cells;
};

bool IsBar(const std::string& line, std::size_t i) {
  return line[i] == '|' && (i == 0 || line[i - 1] != '\\');
}

std::vector<std::string> CellsOf(const std::string& line) {
  std::vector<std::string> cells;
  std::size_t begin = 1;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (!IsBar(line, i)) continue;
    std::string cell = line.substr(begin, i - begin);
    cell.erase(0, cell.find_first_not_of(' '));
    cell.erase(cell.find_last_not_of(' ') + 1);
    cells.push_back(cell);
    begin = i + 1;
  }
  return cells;
}

/// The rows of all tables, without their heads.
std::vector<CoverageRow> CoverageRows() {
  std::vector<CoverageRow> rows;
  std::ifstream file(kSources / "docs/coverage.md");
  int number = 0;
  bool is_table = false;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const bool is_row = line.starts_with('|');
    if (line.starts_with("| ---") && is_table) rows.pop_back();
    if (is_row && !line.starts_with("| ---")) rows.push_back({number, CellsOf(line)});
    is_table = is_row;
  }
  return rows;
}

std::vector<std::string> Matches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), pattern), end; i != end; ++i)
    found.push_back((*i)[1]);
  return found;
}

std::set<std::string> MatchesIn(const fs::path& folder, const std::string& extension,
                                const std::regex& pattern) {
  std::set<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(kSources / folder)) {
    if (entry.path().extension() != extension) continue;
    for (const std::string& match : Matches(ReadAll(entry.path()), pattern)) found.insert(match);
  }
  return found;
}

/// What `davit ARGUMENTS` writes; empty where it is no command.
std::string AnswerTo(const std::vector<std::string>& arguments) {
  const auto result = RunProgram(DAVIT_BINARY, arguments, "");
  return result && result->exit_code == 0 ? result->output : "";
}

/// All names that a cell may have in backticks.
class ProgramNames {
 public:
  ProgramNames() {
    for (const ModelEntry* entry : models_.entries()) {
      Items& items = items_[std::string(entry->info->name)];
      const ModelDescription description = DescribeModel(*entry);
      for (const auto& [name, text] : description.settings) items[name] += text;
      for (const DescriptionTable& table : description.tables)
        for (const auto& row : table.rows) AddRow(table, row, items);
    }
    const std::regex word("([A-Za-z_][A-Za-z_0-9]*)");
    for (const char* folder : {"framework", "simulator", "session", "components"}) {
      words_.merge(MatchesIn(folder, ".h", word));
    }
    for (const std::string& name : Matches(AnswerTo({"schema"}), std::regex("<xs:element name=\"(\\w+)\"")))
      elements_.insert(name);
    const std::regex test("(?:TEST|TEST_F|TEST_P|_PROP)\\((\\w+, \\w+)[,)]");
    for (std::string name : MatchesIn("tests", ".cc", test))
      tests_.insert(name.replace(name.find(", "), 2, "."));
  }

  /// Why the program has no such name; empty if it has.
  std::string FaultOf(const std::string& code) const {
    if (code.starts_with('<'))
      return elements_.contains(code.substr(1, code.find_first_of(" >") - 1)) ? "" : "no element " + code;
    if (code.starts_with("davit ")) return FaultOfCommand(code.substr(6));
    if (code.find('/') != std::string::npos) return fs::exists(kSources / code) ? "" : "no file " + code;
    if (tests_.contains(code)) return "";
    if (code.find("::") != std::string::npos || words_.contains(code)) return FaultOfWords(code);
    return FaultOfItem(code);
  }

 private:
  using Items = std::map<std::string, std::string>;  ///< options of each, as the description has them

  static void AddRow(const DescriptionTable& table, const std::vector<std::string>& row, Items& items) {
    std::string& options = items[row[0]];
    for (std::size_t i = 1; i < row.size(); ++i) {
      const std::string& header = table.headers[i];
      if (header == "options" || header == "type") options += row[i];
    }
    options += ' ';
  }

  std::string FaultOfWords(const std::string& code) const {
    for (const std::string& part : Matches(code, std::regex("(\\w+)")))
      if (!words_.contains(part)) return "no header has " + part;
    return "";
  }

  /// Words of a command, then its options or a model.
  std::string FaultOfCommand(const std::string& line) const {
    std::istringstream words(line);
    std::vector<std::string> command;
    for (std::string word; words >> word;) {
      if (word.find('.') != std::string::npos) {
        if (!items_.contains(word)) return "no model " + word;
        continue;
      }
      std::vector<std::string> asked = command;
      if (!word.starts_with('-')) asked.push_back(word);
      asked.emplace_back("--help");
      const std::string help = AnswerTo(asked);
      if (!word.starts_with('-') && !std::regex_search(help, std::regex("Usage: davit[^[]* " + word + " ")))
        return "no command " + word;
      if (word.starts_with('-') && !std::regex_search(help, std::regex("[ ,]" + word + "[ ,\n]")))
        return "no option " + word;
      if (!word.starts_with('-')) command.push_back(word);
    }
    return "";
  }

  /// A model, with or without `hydraulic.`; an item of it; an option of that.
  std::string FaultOfItem(const std::string& code) const {
    const std::size_t sign = std::min(code.find('='), code.size());
    const std::string path = code.substr(0, sign);
    const std::string option = sign < code.size() ? code.substr(sign + 1) : "";
    const auto model_of = [&](const std::string& name) {
      const auto with_domain = items_.find("hydraulic." + name);
      return with_domain != items_.end() ? with_domain : items_.find(name);
    };
    if (model_of(path) != items_.end()) return "";
    const std::size_t dot = path.rfind('.');
    if (dot == std::string::npos) return "no model " + path;
    const auto model = model_of(path.substr(0, dot));
    if (model == items_.end()) return "no model " + path.substr(0, dot);
    const auto item = model->second.find(path.substr(dot + 1));
    if (item == model->second.end()) return model->first + " has no " + path.substr(dot + 1);
    const std::string quoted = std::regex_replace(option, std::regex("[.()]"), "\\$&");
    if (!option.empty() && !std::regex_search(item->second, std::regex("(^|[ ,])" + quoted + "([ ,;(]|$)")))
      return path + " has no option " + option + ", but " + item->second;
    return "";
  }

  Registry models_ = AllModels();
  std::map<std::string, Items> items_;
  std::set<std::string> words_, elements_, tests_;
};

const ProgramNames& Program() {
  static const ProgramNames names;
  return names;
}

const std::regex kCode("`([^`]+)`");
const std::regex kTarget("\\]\\(([^)]+)\\)");

/// The anchors of a page, as GitHub and MkDocs make them of its headings.
std::set<std::string> AnchorsOf(const fs::path& page) {
  std::set<std::string> anchors;
  std::ifstream file(page);
  bool is_code = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) is_code = !is_code;
    if (is_code || !line.starts_with('#')) continue;
    std::string anchor;
    for (const char c : line.substr(line.find(' ') + 1)) {
      const auto byte = static_cast<unsigned char>(c);
      if (std::isalnum(byte) != 0 || c == '-' || c == '_') anchor += static_cast<char>(std::tolower(byte));
      if (c == ' ') anchor += '-';
    }
    anchors.insert(anchor);
  }
  return anchors;
}

TEST(CoverageTest, NoCellIsEmpty) {
  const std::vector<CoverageRow> rows = CoverageRows();
  EXPECT_GT(rows.size(), 300U);
  for (const CoverageRow& row : rows) {
    EXPECT_EQ(row.cells.size(), 3U) << row.line;
    for (const std::string& cell : row.cells)
      EXPECT_TRUE(
          std::ranges::any_of(cell, [](char c) { return std::isalnum(static_cast<unsigned char>(c)); }))
          << "docs/coverage.md:" << row.line;
  }
}

/// Where something is, why it is omitted, or what is missing.
TEST(CoverageTest, EachRowSaysWhere) {
  const std::regex reason("\\*\\*(?:omitted|not yet)\\*\\*[^*]{8,}");
  const std::regex status("\\*\\*(?:omitted|not yet)\\*\\*");
  for (const CoverageRow& row : CoverageRows()) {
    const std::string& where = row.cells.back();
    const bool has_name = std::regex_search(where, kCode) || std::regex_search(where, kTarget);
    EXPECT_TRUE(has_name || std::regex_search(where, status)) << "docs/coverage.md:" << row.line;
    const auto count = [&](const std::regex& pattern) {
      return std::distance(std::sregex_iterator(where.begin(), where.end(), pattern), std::sregex_iterator());
    };
    EXPECT_EQ(count(status), count(reason)) << "docs/coverage.md:" << row.line << ": without a reason";
  }
}

TEST(CoverageTest, WhatIsNamedIsThere) {
  for (const CoverageRow& row : CoverageRows())
    for (const std::string& code : Matches(row.cells.back(), kCode))
      EXPECT_EQ(Program().FaultOf(code), "") << "docs/coverage.md:" << row.line;
}

TEST(CoverageTest, LinksLeadToHeadings) {
  const fs::path page = kSources / "docs/coverage.md";
  for (const std::string& link : Matches(ReadAll(page), kTarget)) {
    const std::size_t sign = std::min(link.find('#'), link.size());
    const fs::path target = sign == 0 ? page : page.parent_path() / link.substr(0, sign);
    ASSERT_TRUE(fs::exists(target)) << link;
    if (sign == link.size()) continue;
    EXPECT_TRUE(AnchorsOf(target).contains(link.substr(sign + 1))) << link;
  }
}

/// Figures and tables of the chapters 3 to 5. A range, `fig. 3.13 to 3.16`, means all between.
TEST(CoverageTest, NoFigureOfTheThesisIsForgotten) {
  std::set<std::string> named;
  for (const CoverageRow& row : CoverageRows()) {
    for (const std::string& table : Matches(row.cells[0], std::regex("table (\\d-\\d)"))) named.insert(table);
    for (const std::string& list :
         Matches(row.cells[0], std::regex("fig\\. (\\d\\.\\d+(?:(?:, | to )\\d\\.\\d+)*)"))) {
      for (const std::string& figure : Matches(list, std::regex("(\\d\\.\\d+)"))) named.insert(figure);
      std::smatch range;
      if (std::regex_search(list, range, std::regex("(\\d)\\.(\\d+) to \\d\\.(\\d+)"))) {
        for (int i = std::stoi(range[2]); i < std::stoi(range[3]); ++i)
          named.insert(range[1].str() + "." + std::to_string(i));
      }
    }
  }
  const std::map<int, int> figures{{3, 48}, {4, 3}, {5, 6}};
  for (const auto& [chapter, last] : figures) {
    for (int i = 1; i <= last; ++i) {
      const std::string figure = std::to_string(chapter) + "." + std::to_string(i);
      EXPECT_TRUE(named.contains(figure)) << "fig. " << figure;
    }
  }
  for (const char* table : {"3-1", "3-2", "3-3", "3-4", "3-5", "3-6", "3-7", "5-1"})
    EXPECT_TRUE(named.contains(table)) << "table " << table;
}

TEST(CoverageTest, WhatIsNotThereIsFound) {
  for (const char* right :
       {"Cylinder", "hydraulic.Cylinder", "Cylinder.bore", "Cylinder.friction=LuGre", "Cylinder.level=Ideal",
        "mechanical.Mass.mass", "SimulatorManager.TimeStep", "Fluid.oil=ISO VG 46", "davit run --realtime",
        "davit chart default hydraulic.Cylinder", "<Route>", "systems/two_tanks.xml", "PostIntegrate",
        "Simulation::Items", "CoverageTest.NoCellIsEmpty"})
    EXPECT_EQ(Program().FaultOf(right), "") << right;
  for (const char* wrong :
       {"Cylindr", "hydraulic.Cylindr", "Cylinder.bor", "Cylinder.friction=Lu", "Cylinder.friction=lugre",
        "Cylinder.bore=Ideal", "mechanical.Mass.bore", "davit walk", "davit run --real", "davit run --time",
        "davit chart default hydraulic.Cylindr", "<Rout>", "systems/no_tanks.xml", "PostIntegrat",
        "Simulation::Itemz", "CoverageTest.NoSellIsEmpty"})
    EXPECT_NE(Program().FaultOf(wrong), "") << wrong;
}

}  // namespace
}  // namespace davit
