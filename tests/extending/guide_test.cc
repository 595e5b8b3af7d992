// docs/extending.md does what it says: its files are written, its commands run, as a new user types them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "results/result_table.h"
#include "tests/extending/outside.h"

namespace davit {
namespace {

using testing::HasSubstr;

/// A fenced block of a page.
struct Block {
  std::string language;
  std::string text;
  std::string file;  ///< the last file that the paragraph above it names
};

std::string LastFileNamed(const std::string& paragraph) {
  static const std::regex kFile("`([A-Za-z_]+\\.(h|cc|xml|txt))`");
  std::string file;
  for (std::sregex_iterator it(paragraph.begin(), paragraph.end(), kFile); it != std::sregex_iterator();
       ++it) {
    file = (*it)[1];
  }
  return file;
}

std::vector<Block> ReadBlocks(const std::string& page) {
  std::vector<Block> blocks;
  std::ifstream stream(page);
  std::string paragraph;
  std::string last_paragraph;
  bool is_inside = false;
  for (std::string line; std::getline(stream, line);) {
    const bool is_fence = line.starts_with("```");
    if (is_fence && !is_inside) {
      blocks.push_back({line.substr(3), "", LastFileNamed(paragraph.empty() ? last_paragraph : paragraph)});
    } else if (is_inside && !is_fence) {
      blocks.back().text += line + '\n';
    } else if (line.empty()) {
      if (!paragraph.empty()) last_paragraph = paragraph;
      paragraph.clear();
    } else if (!is_fence) {
      paragraph += line + '\n';
    }
    if (is_fence) is_inside = !is_inside;
  }
  EXPECT_FALSE(is_inside) << page << " ends inside a block";
  return blocks;
}

std::string ReadAll(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

ResultTable Load(const std::filesystem::path& file) {
  Diagnostics diagnostics;
  std::optional<ResultTable> table = LoadCsv(file, diagnostics);
  EXPECT_TRUE(table.has_value()) << file;
  return table.value_or(ResultTable{});
}

std::vector<double> Column(const ResultTable& table, const std::string& name) {
  const auto it = std::ranges::find(table.names, name);
  EXPECT_NE(it, table.names.end()) << name;
  if (it == table.names.end()) return {};
  return table.columns[static_cast<std::size_t>(it - table.names.begin())];
}

TEST(GuideTest, EveryCommandAndFileOfExtendingWorks) {
  const std::vector<Block> blocks = ReadBlocks(DAVIT_SOURCE_DIR "/docs/extending.md");
  Outside outside("guide_test");
  outside.Install();
  std::filesystem::create_directories(outside.folder() / "user");
  const auto output_of = [&](std::size_t i) { return outside.folder() / ("output_" + std::to_string(i)); };

  std::string script;
  std::size_t commands = 0;
  std::size_t files = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Block& block = blocks[i];
    if (block.language == "sh") {
      ++commands;
      script += "exec > '" + output_of(i).string() + "' 2>&1\n" + block.text;
    } else if (block.language != "text") {
      ++files;
      EXPECT_NE(block.file, "") << "the text above does not name a file for\n" << block.text;
      script += "cat > '" + block.file + "' <<'END_OF_THE_FILE'\n" + block.text + "END_OF_THE_FILE\n";
    }
  }
  EXPECT_GE(commands, 5U);
  EXPECT_GE(files, 6U);
  const std::string fault = outside.FindFault(script, "user");
  std::size_t last = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (std::filesystem::exists(output_of(i))) last = i;
  }
  ASSERT_EQ(fault, "") << "these commands failed:\n" << blocks[last].text << ReadAll(output_of(last));

  // What the page shows as an answer is in that of the commands before it.
  std::string answer;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].language == "sh") answer = ReadAll(output_of(i));
    if (blocks[i].language != "text") continue;
    std::istringstream lines(blocks[i].text);
    for (std::string line; std::getline(lines, line);) EXPECT_THAT(answer, HasSubstr(line));
  }

  // The valve passes on the higher pressure. The volume lags by V/(beta G) = 0.6 ms at up to 63 bar/s, and
  // the ball takes 0.1 bar to change sides.
  const ResultTable valve = Load(outside.folder() / "user/my_valves/example.csv");
  const auto left = Column(valve, "left.y");
  const auto right = Column(valve, "right.y");
  const auto load = Column(valve, "load.p");
  ASSERT_GT(load.size(), 900U);
  for (std::size_t i = 10; i < load.size(); ++i)
    EXPECT_NEAR(load[i], std::max(left[i], right[i]), 0.2e5) << i;

  // The limit cycle for mu = 1 has the amplitude 2.008619861; between two rows 10 ms apart the deflection
  // turns by less than x'' h^2/8 = 2.5e-5.
  const auto x = Column(Load(outside.folder() / "user/oscillators/van_der_pol.csv"), "oscillator.x");
  ASSERT_GT(x.size(), 6000U);
  const auto [low, high] = std::minmax_element(x.end() - 1400, x.end());  // two periods
  EXPECT_NEAR(*high, 2.008619861, 3e-5);
  EXPECT_NEAR(*low, -2.008619861, 3e-5);
}

TEST(GuideTest, NamesNoFileThatIsNotThere) {
  const std::string page = ReadAll(DAVIT_SOURCE_DIR "/docs/extending.md");
  static const std::regex kLink("\\]\\(([A-Za-z_-]+\\.md)\\)");
  for (std::sregex_iterator it(page.begin(), page.end(), kLink); it != std::sregex_iterator(); ++it) {
    EXPECT_TRUE(std::filesystem::exists(std::string(DAVIT_SOURCE_DIR "/docs/") + (*it)[1].str())) << (*it)[1];
  }
}

}  // namespace
}  // namespace davit
