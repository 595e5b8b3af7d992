// docs/troubleshooting.md and the program name each other's sections.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "framework/symptom.h"

namespace davit {
namespace {

struct SymptomSection {
  std::string anchor;
  std::string shown;  ///< the output of the program that it shows, which DocsPage compares with a run
};

/// What the page has below each heading, whose words make the anchor.
std::vector<SymptomSection> SectionsOfTroubleshooting() {
  std::ifstream file(std::filesystem::path(DAVIT_SOURCE_DIR) / "docs/troubleshooting.md");
  std::vector<SymptomSection> sections;
  bool is_output = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## ")) {
      std::string& anchor = sections.emplace_back().anchor;
      for (const char c : line.substr(3))
        anchor += c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    if (line.starts_with("```")) is_output = line == "```text";
    if (is_output && !sections.empty()) sections.back().shown += line + '\n';
  }
  return sections;
}

TEST(TroubleshootingTest, HasASectionForEachSymptomThatTheProgramNames) {
  std::vector<std::string> anchors;
  for (const SymptomSection& section : SectionsOfTroubleshooting()) anchors.push_back(section.anchor);
  EXPECT_THAT(anchors, testing::ElementsAreArray(kSymptomAnchors));
}

TEST(TroubleshootingTest, EachSectionShowsAMessageThatNamesIt) {
  const std::vector<SymptomSection> sections = SectionsOfTroubleshooting();
  ASSERT_EQ(sections.size(), kSymptomAnchors.size());
  for (std::size_t i = 0; i < sections.size(); ++i)
    EXPECT_THAT(sections[i].shown, testing::HasSubstr(SeeSection(static_cast<Symptom>(i)) + '\n'));
}

}  // namespace
}  // namespace davit
