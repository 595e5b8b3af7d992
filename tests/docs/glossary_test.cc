// Terms in the documentation: who searches for one finds the page that explains it, and the glossary has each
// once.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace davit {
namespace {

namespace fs = std::filesystem;

const fs::path kDocs = fs::path(DAVIT_SOURCE_DIR) / "docs";

std::vector<std::string> PageNames() {
  std::vector<std::string> pages;
  for (const auto& entry : fs::directory_iterator(kDocs))
    if (entry.path().extension() == ".md") pages.push_back(entry.path().filename().string());
  std::ranges::sort(pages);
  return pages;
}

std::vector<std::string> LinesOf(const std::string& page) {
  std::ifstream file(kDocs / page);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

/// The headings of a page in lower case.
std::vector<std::string> HeadingsOf(const std::string& page) {
  std::vector<std::string> headings;
  bool is_code = false;
  for (std::string line : LinesOf(page)) {
    if (line.starts_with("```")) is_code = !is_code;
    if (is_code || !line.starts_with('#')) continue;
    std::ranges::transform(line, line.begin(), [](unsigned char c) { return std::tolower(c); });
    headings.push_back(line);
  }
  return headings;
}

bool HasWords(const std::string& text, const std::string& term) {
  std::istringstream words(term);
  for (std::string word; words >> word;)
    if (text.find(word) == std::string::npos) return false;
  return true;
}

struct Term {
  std::string text;
  std::string page;
};

/// The search of the documentation ranks headings first (docs/site/theme/search.js), so a term is found where
/// it is in a heading, and only there.
TEST(GlossaryTest, ASearchedTermIsAHeadingOfOnePage) {
  for (const Term& term :
       {Term{"algebraic loop", "solvers.md"}, Term{"zero-order hold", "communication-step.md"},
        Term{"steady state", "solvers.md"}, Term{"multirate", "communication-step.md"},
        Term{"zeno", "solvers.md"}, Term{"event location", "solvers.md"},
        Term{"consistent initialisation", "solvers.md"}, Term{"restart", "running.md"},
        Term{"cavitation", "hydraulics.md"}}) {
    for (const std::string& page : PageNames()) {
      if (page == "troubleshooting.md") continue;  // by symptom, not by term
      const bool is_found = std::ranges::any_of(
          HeadingsOf(page), [&](const std::string& heading) { return HasWords(heading, term.text); });
      EXPECT_EQ(is_found, page == term.page) << term.text << " in the headings of " << page;
    }
  }
}

/// Words of the first two columns of the table: davit's and the field's, separated by commas.
TEST(GlossaryTest, HasEachTermOnce) {
  std::set<std::string> seen;
  std::size_t rows = 0;
  for (const std::string& line : LinesOf("glossary.md")) {
    if (!line.starts_with("| ") || line.starts_with("| ---") || line.starts_with("| davit |")) continue;
    ++rows;
    std::istringstream cells(line.substr(2));
    for (int column = 0; column < 2; ++column) {
      std::string cell;
      std::getline(cells, cell, '|');
      std::istringstream terms(cell);
      for (std::string term; std::getline(terms, term, ',');) {
        term.erase(0, term.find_first_not_of(' '));
        term.erase(term.find_last_not_of(' ') + 1);
        EXPECT_TRUE(seen.insert(term).second) << term;
      }
    }
  }
  EXPECT_GE(rows, 25U);
}

}  // namespace
}  // namespace davit
