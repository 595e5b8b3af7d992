// Every law of components/hydraulic/laws is used, at least through another one, by a model: so an attribute
// of a system file reaches it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace davit {
namespace {

using Words = std::set<std::string>;

Words WordsIn(const std::string& text) {
  Words words;
  static const std::regex kWord("[A-Za-z_][A-Za-z_0-9]*");
  for (std::sregex_iterator i(text.begin(), text.end(), kWord), end; i != end; ++i) words.insert(i->str());
  return words;
}

std::vector<std::string> LinesOf(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line.substr(0, line.find("//")));
  return lines;
}

/// What a line at the left margin declares or defines; empty for others.
std::string NameIn(const std::string& line) {
  static const std::regex kAttribute("\\[\\[.*?\\]\\]");
  static const std::vector<std::regex> kDeclarations{
      std::regex("\\b(?:struct|class|enum class)\\s+(\\w+)"), std::regex("\\busing (\\w+) ="),
      std::regex("\\b(\\w+)::~?\\w+\\("), std::regex("\\b(\\w+)\\("), std::regex("\\b(k\\w+)\\b\\s*[={;]")};
  if (line.empty() || std::string(" \t/}#{").find(line[0]) != std::string::npos) return {};
  if (std::regex_search(line, std::regex("^(namespace|template|requires)"))) return {};
  const std::string text = std::regex_replace(line, kAttribute, "");
  std::smatch match;
  for (const std::regex& declaration : kDeclarations) {
    if (std::regex_search(text, match, declaration)) return match[1];
  }
  return {};
}

TEST(ReachedLawsTest, NoLawIsThereThatNoModelUses) {
  const std::filesystem::path components = std::filesystem::path(DAVIT_SOURCE_DIR) / "components";
  const std::filesystem::path laws = components / "hydraulic" / "laws";
  std::map<std::string, Words> uses;  // by what is declared
  Words used_by_models;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(components)) {
    if (entry.path().extension() != ".h" && entry.path().extension() != ".cc") continue;
    const bool is_law = entry.path().parent_path() == laws;
    std::string name;
    for (const std::string& line : LinesOf(entry.path())) {
      if (is_law) {
        const std::string declared = NameIn(line);
        if (!declared.empty()) name = declared;
        if (!name.empty()) uses[name].merge(WordsIn(line));
      } else {
        used_by_models.merge(WordsIn(line));
      }
    }
  }
  Words reached;
  std::vector<std::string> next(used_by_models.begin(), used_by_models.end());
  while (!next.empty()) {
    const std::string name = next.back();
    next.pop_back();
    const auto law = uses.find(name);
    if (law == uses.end() || !reached.insert(name).second) continue;
    next.insert(next.end(), law->second.begin(), law->second.end());
  }
  ASSERT_GT(reached.size(), 100U);
  std::vector<std::string> unreached;
  for (const auto& [name, words] : uses) {
    if (!reached.contains(name)) unreached.push_back(name);
  }
  EXPECT_THAT(unreached, testing::IsEmpty());
}

}  // namespace
}  // namespace davit
