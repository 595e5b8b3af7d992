// An option of a study is declared in one place, and all that shows options has each of them.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "analysis/studies/study_file.h"
#include "analysis/studies/study_kinds.h"
#include "analysis/studies/study_schema.h"
#include "app/program.h"
#include "app/whole/command_markdown.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A value that the option takes.
std::string RightValueOf(const StudyOption& option) {
  if (!option.choices.empty()) return option.choices.back();
  if (option.kind == StudyOption::Kind::kFlag) return "true";
  if (!option.range.empty()) return fmt::format("{}", option.range[0]);
  return "1";
}

/// The option in a study file.
std::string ElementOf(const StudyOption& option) {
  std::string element = "<" + option.element;
  for (const PatternPart& part : SplitPattern(option.pattern))
    element += fmt::format(" {}=\"1\"", part.attribute);
  return element + "/>";
}
std::string AttributeOf(const StudyOption& option) {
  return fmt::format(" {}=\"{}\"", option.name, RightValueOf(option));
}

class StudyOptionsTest : public testing::TestWithParam<std::size_t> {
 protected:
  const StudyKind& kind() const { return StudyKinds()[GetParam()]; }
  /// What is wrong with a file that has a study with these attributes and elements.
  std::string FaultOf(const std::string& attributes, const std::string& elements) const {
    const fs::path file = fs::path(testing::TempDir()) / fmt::format("davit_study_options_{}.xml", getpid());
    std::ofstream(file) << fmt::format("<Study><{0} system=\"s.xml\"{1}>{2}</{0}></Study>", kind().element,
                                       attributes, elements);
    Diagnostics diagnostics;
    const auto studies = LoadStudies(file, false, diagnostics);
    fs::remove(file);
    std::string faults;
    for (const Diagnostic& one : diagnostics.all()) faults += one.message() + '\n';
    return studies.size() == 1 ? faults : "no study";
  }
};

TEST_P(StudyOptionsTest, AreInTheHelpAndTheReference) {
  Registry registry;
  std::istringstream in;
  std::ostringstream out;
  CommandContext context{registry, in, out, out};
  const std::unique_ptr<CLI::App> program = MakeProgram(context);
  CLI::App& command = *program->get_subcommand(kind().name);
  const std::string help = command.help();
  std::ostringstream reference;
  WriteCommandsMarkdown(*program, reference);
  for (const StudyOption& option : kind().options) {
    std::string name = "--" + option.name;
    std::ranges::replace(name, '_', '-');
    EXPECT_NE(command.get_option_no_throw(name), nullptr) << name;
    EXPECT_THAT(help, HasSubstr(name));
    EXPECT_THAT(reference.str(), HasSubstr(name));
    if (option.is_of_system) continue;
    EXPECT_THAT(help, HasSubstr(option.text.substr(0, option.text.find('`'))));
    if (option.Text() != option.text) {
      EXPECT_THAT(help, HasSubstr("(default: " + option.default_text + ")")) << name;
    }
  }
}

TEST_P(StudyOptionsTest, AreReadFromFilesAndChecked) {
  std::string required_attributes, required_elements;
  for (const StudyOption& option : kind().options) {
    if (!option.is_required) continue;
    (option.element.empty() ? required_attributes : required_elements) +=
        option.element.empty() ? AttributeOf(option) : ElementOf(option);
  }
  ASSERT_EQ(FaultOf(required_attributes, required_elements), "");
  for (const StudyOption& option : kind().options) {
    if (!option.element.empty() && (option.is_repeated || !option.is_required)) {
      EXPECT_EQ(FaultOf(required_attributes, required_elements + ElementOf(option)), "");
    }
    if (option.is_required && option.element.empty()) continue;
    const std::string attribute = AttributeOf(option);
    if (IsAttribute(option)) {
      EXPECT_EQ(FaultOf(required_attributes + attribute, required_elements), "");
    } else {
      EXPECT_THAT(FaultOf(required_attributes + attribute, required_elements), HasSubstr("no attribute"));
    }
    const bool is_text = option.kind == StudyOption::Kind::kText || option.kind == StudyOption::Kind::kFile;
    if (is_text || !IsAttribute(option)) continue;
    EXPECT_THAT(FaultOf(fmt::format("{} {}=\"wrong\"", required_attributes, option.name), required_elements),
                HasSubstr(option.name + ": 'wrong' is wrong; "));
  }
}

TEST_P(StudyOptionsTest, AreInTheSchema) {
  std::string schema = MakeStudySchema();
  const std::string begin = fmt::format("<xs:element name=\"{}\">", kind().element);
  schema.erase(0, schema.find(begin));
  if (GetParam() + 1 < StudyKinds().size())
    schema.erase(schema.find(fmt::format("<xs:element name=\"{}\">", StudyKinds()[GetParam() + 1].element)));
  ASSERT_TRUE(schema.starts_with(begin));
  for (const StudyOption& option : kind().options) {
    if (!option.element.empty()) {
      EXPECT_THAT(schema, HasSubstr(fmt::format("<xs:element name=\"{}\">", option.element)));
    }
    const auto attribute = HasSubstr(fmt::format("<xs:attribute name=\"{}\"", option.name));
    if (IsAttribute(option)) {
      EXPECT_THAT(schema, attribute);
    }
    for (const PatternPart& part : SplitPattern(option.pattern)) {
      EXPECT_NE(TextOfStudyAttribute(part.attribute), "") << part.attribute;
      EXPECT_THAT(schema, HasSubstr(fmt::format("<xs:attribute name=\"{}\"", part.attribute)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, StudyOptionsTest, testing::Range(std::size_t{0}, StudyKinds().size()),
                         [](const auto& kind) { return StudyKinds()[kind.param].element; });

}  // namespace
}  // namespace davit
