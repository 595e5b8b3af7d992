// The table of docs/measurements.md with the lines of the models is that of the sources.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/read_all.h"

namespace davit {
namespace {

const std::filesystem::path kRepository = DAVIT_SOURCE_DIR;

/// Without blank lines, comments and what a raw string adds: the text of the equations.
int CodeLinesOf(const std::string& code) {
  int lines = 0;
  bool is_in_text = false;
  std::istringstream stream(code);
  for (std::string line; std::getline(stream, line);) {
    if (is_in_text) {
      is_in_text = line.find(")\"") == std::string::npos;
      continue;
    }
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string::npos || line.compare(begin, 2, "//") == 0) continue;
    ++lines;
    const std::size_t text = line.find("R\"(");
    is_in_text = text != std::string::npos && line.find(")\"", text) == std::string::npos;
  }
  return lines;
}

struct ModelLines {
  std::string model;
  int lines;
};

/// Header and source of each model, by domain.
std::map<std::string, std::vector<ModelLines>> ModelsOfSources() {
  std::map<std::string, std::vector<ModelLines>> models;
  const std::regex name(R"re(ModelInfo kInfo\{\s*(?:\.name = )?"((\w+)\.\w+)")re");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kRepository / "components")) {
    if (entry.path().extension() != ".h") continue;
    const std::string header = ReadAll(entry.path());
    std::smatch match;
    if (!std::regex_search(header, match, name)) continue;
    const std::filesystem::path source = std::filesystem::path(entry.path()).replace_extension(".cc");
    const int lines =
        CodeLinesOf(header) + (std::filesystem::exists(source) ? CodeLinesOf(ReadAll(source)) : 0);
    models[match[2]].push_back({match[1], lines});
  }
  return models;
}

double MedianOf(std::vector<ModelLines> models) {
  std::ranges::sort(models, {}, &ModelLines::lines);
  const std::size_t n = models.size();
  return (models[(n - 1) / 2].lines + models[n / 2].lines) / 2.0;
}

TEST(ModelLinesTest, CommentsBlankLinesAndTheTextOfEquationsAreNotCounted) {
  EXPECT_EQ(CodeLinesOf("// a\n\nint a;  // b\n  /// c\nf(R\"(\n d\n)\");\nint b;\n"), 3);
}

TEST(ModelLinesTest, TheTableIsThatOfTheSourcesAndTheMedianIsAtMost60) {
  const std::string page = ReadAll(kRepository / "docs/measurements.md");
  const auto expect_on_page = [&](const std::string& text) {
    EXPECT_NE(page.find(text), std::string::npos) << "write into docs/measurements.md: " << text;
  };
  std::vector<ModelLines> all;
  for (const auto& [domain, models] : ModelsOfSources()) {
    all.insert(all.end(), models.begin(), models.end());
    const ModelLines& largest = *std::ranges::min_element(
        models, {}, [](const ModelLines& one) { return std::pair(-one.lines, one.model); });
    expect_on_page(fmt::format("| `{}` | {} | {} | {}, `{}` |\n", domain, models.size(), MedianOf(models),
                               largest.lines, largest.model));
  }
  expect_on_page(fmt::format("The median of all {} is {} lines", all.size(), MedianOf(all)));
  EXPECT_LE(MedianOf(all), 60);
}

}  // namespace
}  // namespace davit
