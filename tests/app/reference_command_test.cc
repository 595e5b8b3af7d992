#include "app/whole/reference_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "app/exit_code.h"
#include "app/program.h"
#include "components/register.h"
#include "framework/property.h"
#include "framework/tree/component_pool.h"
#include "framework/xml/element_kind.h"
#include "results/program.h"
#include "session/model_description.h"
#include "simulator/simulator_manager.h"
#include "tests/support/read_all.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// An empty folder of its own for each test.
fs::path NewFolder() {
  const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
  const fs::path folder = fs::path(testing::TempDir()) / ("reference_" + test);
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

/// The program with its commands.
class ReferenceCommand : public testing::Test {
 protected:
  ReferenceCommand() {
    RegisterSimulator(registry_);
    RegisterComponents(registry_);
  }

  int Write(const fs::path& folder) { return RunReference(folder, *program_, registry_, out_, err_); }

  Registry registry_;
  std::istringstream in_;
  std::ostringstream out_;
  std::ostringstream err_;
  CommandContext context_{registry_, in_, out_, err_};
  std::unique_ptr<CLI::App> program_ = MakeProgram(context_);
};

/// The part of commands.md on one command.
std::string Section(const std::string& page, const std::string& command) {
  const std::string heading = "\n## " + command + "\n";
  const std::size_t begin = page.find(heading);
  if (begin == std::string::npos) return {};
  return page.substr(begin, page.find("\n## ", begin + 1) - begin);
}

void ExpectAllOptions(const CLI::App& command, const std::string& name, const std::string& page) {
  const std::string section = Section(page, name);
  EXPECT_THAT(section, HasSubstr(command.get_description())) << name;
  for (const CLI::Option* option : command.get_options([](const CLI::Option*) { return true; })) {
    std::istringstream names(option->get_name(option->get_positional(), true));
    for (std::string part; std::getline(names, part, ',');) {
      EXPECT_THAT(section, HasSubstr("`" + part + "`")) << name;
    }
  }
  for (const CLI::App* sub : command.get_subcommands([](const CLI::App*) { return true; })) {
    ExpectAllOptions(*sub, name + ' ' + sub->get_name(), page);
  }
}

TEST_F(ReferenceCommand, CommandsPageHasEveryOptionOfEveryCommand) {
  const fs::path folder = NewFolder();
  ASSERT_EQ(Write(folder), kDone) << err_.str();
  const std::string page = ReadAll(folder / "commands.md");
  EXPECT_THAT(page, HasSubstr("`--version`"));
  std::size_t commands = 0;
  for (const CLI::App* command : program_->get_subcommands([](const CLI::App*) { return true; })) {
    ExpectAllOptions(*command, "davit " + command->get_name(), page);
    ++commands;
  }
  EXPECT_GE(commands, 11U);
}

// The same from outside: what --help prints, by a formatter of its own.
TEST_F(ReferenceCommand, CommandsPageHasWhatHelpPrints) {
  const fs::path folder = NewFolder();
  ASSERT_EQ(Write(folder), kDone) << err_.str();
  const std::string page = ReadAll(folder / "commands.md");
  const std::regex option("\n +(-[a-zA-Z](?=,)|--[a-z-]+|-[a-z],--[a-z-]+)");
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"run"}, {"plot"}, {"compare"}, {"chart", "run"}, {"reference"}}) {
    std::vector<std::string> arguments = words;
    arguments.emplace_back("--help");
    const auto help = RunProgram(DAVIT_BINARY, arguments, "");
    ASSERT_TRUE(help.has_value());
    std::string name = "davit";
    for (const std::string& word : words) name += ' ' + word;
    const std::string section = Section(page, name);
    std::size_t options = 0;
    for (std::sregex_iterator found(help->output.begin(), help->output.end(), option), end; found != end;
         ++found, ++options) {
      const std::string text = (*found)[1];
      EXPECT_THAT(section, HasSubstr("`" + text.substr(text.rfind(',') + 1) + "`")) << name;
    }
    EXPECT_GE(options, 2U) << help->output;
  }
}

TEST_F(ReferenceCommand, EveryModelHasAPageThatNamesWhatItDeclares) {
  const fs::path folder = NewFolder();
  ASSERT_EQ(Write(folder), kDone) << err_.str();
  const std::string index = ReadAll(folder / "models" / "index.md");
  for (const ElementKind& kind : ElementKinds()) {
    const std::size_t row = index.find("| `" + std::string(kind.name) + "` | |");
    ASSERT_NE(row, std::string::npos) << kind.name;
    for (const AttributeKind& one : kind.attributes)
      EXPECT_NE(index.find("| | `" + std::string(one.name) + "`", row), std::string::npos) << one.name;
  }
  ComponentPool pool;
  for (const ModelEntry* entry : registry_.entries()) {
    const std::string name(entry->info->name);
    const std::string page = ReadAll(folder / "models" / (name + ".md"));
    ASSERT_TRUE(page.starts_with("# " + name + "\n")) << name;
    EXPECT_THAT(index, HasSubstr("| [" + name + "](" + name + ".md) |"));
    const Component& component = pool.Create(*entry);
    const Declarations& all = component.declarations();
    const auto expect_row = [&](const Label& label, std::string_view ending) {
      EXPECT_THAT(page, HasSubstr("\n| `" + std::string(label.name) + std::string(ending))) << name;
    };
    for (const auto& d : all.parameters) expect_row(d.label, "` |");
    for (const auto& d : all.inputs) expect_row(d.label, "` |");
    for (const auto& d : all.outputs) expect_row(d.label, "` |");
    for (const auto& d : all.starts) expect_row(d.label, "` |");
    for (const auto& d : all.ports) expect_row(d.label, "` |");
    for (const auto& d : all.states) expect_row(d.label, d.is_array ? "[" : "` |");
    for (const PropertyBase* d : all.properties) {
      EXPECT_THAT(page, HasSubstr("`" + std::string(d->label().name) + "`")) << name;
    }
    for (const EquationSection& section : SplitEquations(entry->info->equations)) {
      EXPECT_THAT(page, HasSubstr("# " + section.title + "\n\n```equations\n" + section.text + "```\n"))
          << name;
    }
    const fs::path symbol = folder / "models" / (name + ".symbol.svg");
    EXPECT_EQ(fs::exists(symbol), !IsPart(*entry->info)) << name;
    EXPECT_EQ(page.find("(" + symbol.filename().string() + ")") != std::string::npos, fs::exists(symbol))
        << name;
    for (const auto& d : all.ports) {
      if (!d.is_mandatory) continue;
      EXPECT_THAT(ReadAll(symbol), HasSubstr(">" + std::string(d.label.name) + "</text>")) << name;
    }
    const bool stands_inside = entry->is_operator || entry->holds_operators;
    const std::string around = stands_inside ? "<mechanical.MassSpringDamper" : "<" + name;
    EXPECT_THAT(page, HasSubstr("\n## Example\n\n```xml\n" + around)) << name;
    EXPECT_THAT(page, HasSubstr("<" + name + " ")) << name;
    EXPECT_EQ(page.find("\n## Chart\n") != std::string::npos, component.has_behaviours()) << name;
  }
}

/// The links of a page below `See also`.
std::vector<std::string> SeeAlso(const fs::path& page) {
  const std::string text = ReadAll(page);
  std::vector<std::string> names;
  const std::regex link(R"(\* \[(\S+)\]\()");
  const std::size_t begin = std::min(text.find("\n## See also\n"), text.size());
  for (std::sregex_iterator found(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end(), link), end;
       found != end; ++found)
    names.push_back((*found)[1]);
  return names;
}

TEST_F(ReferenceCommand, SeeAlsoNamesTheModelsOfTheEquationsTheVariantsAndTheSamePorts) {
  const fs::path folder = NewFolder();
  ASSERT_EQ(Write(folder), kDone) << err_.str();
  using testing::Contains;
  EXPECT_THAT(SeeAlso(folder / "models/hydraulic.Cylinder.md"),
              testing::IsSupersetOf({"hydraulic.Volume", "hydraulic.CylinderC"}));
  EXPECT_THAT(SeeAlso(folder / "models/hydraulic.CylinderC.md"), Contains("hydraulic.Cylinder"));
  EXPECT_THAT(SeeAlso(folder / "models/signal.PID.md"), Contains("operator.PID"));
  EXPECT_THAT(SeeAlso(folder / "models/hydraulic.Orifice.md"), Contains("hydraulic.DirectionalValve22"));
  for (const ModelEntry* entry : registry_.entries()) {
    const std::string name(entry->info->name);
    EXPECT_THAT(SeeAlso(folder / "models" / (name + ".md")), testing::Not(Contains(name)));
  }
}

TEST_F(ReferenceCommand, PicturesAndTextsOfChartsStandBesideThePages) {
  const fs::path folder = NewFolder();
  ASSERT_EQ(Write(folder), kDone) << err_.str();
  const auto chart = RunProgram(DAVIT_BINARY, {"chart", "default", "hydraulic.Cylinder"}, "");
  ASSERT_TRUE(chart.has_value());
  const fs::path models = folder / "models";
  EXPECT_EQ(ReadAll(models / "hydraulic.Cylinder.scxml"), chart->output);
  EXPECT_THAT(ReadAll(models / "hydraulic.Cylinder.md"), HasSubstr("```xml\n" + chart->output + "```"));
  const std::string picture = ReadAll(models / "hydraulic.Cylinder.svg");
  EXPECT_THAT(picture, HasSubstr("</svg>"));
  EXPECT_THAT(picture, HasSubstr("<title>hydraulic.Cylinder</title>"));
}

TEST_F(ReferenceCommand, LinksBetweenPagesLeadToFilesAndHeadings) {
  const fs::path folder = NewFolder();
  ASSERT_EQ(Write(folder), kDone) << err_.str();
  const std::regex link(R"(\]\(([^)#]*)(?:#([^)]*))?\))");
  std::size_t links = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".md") continue;
    const std::string page =
        std::regex_replace(ReadAll(entry.path()), std::regex("```[^`]*```"), "");  // equations have (x)[y]
    for (std::sregex_iterator found(page.begin(), page.end(), link), end; found != end; ++found, ++links) {
      const std::string file = (*found)[1];
      std::string heading = (*found)[2];
      const fs::path target = file.empty() ? entry.path() : entry.path().parent_path() / file;
      EXPECT_TRUE(fs::is_regular_file(target)) << entry.path() << ": " << file;
      std::ranges::replace(heading, '-', '.');  // a space, or a hyphen of the name
      if (heading.empty()) continue;
      EXPECT_TRUE(std::regex_search(ReadAll(target), std::regex("\n#+ " + heading + "\n"))) << heading;
    }
  }
  EXPECT_GE(links, 2 * registry_.entries().size());
}

TEST_F(ReferenceCommand, WritesTheSameTwice) {
  const fs::path folder = NewFolder();
  ASSERT_EQ(Write(folder / "a"), kDone) << err_.str();
  ASSERT_EQ(Write(folder / "b"), kDone) << err_.str();
  ASSERT_EQ(Write(folder / "b"), kDone) << err_.str();  // over what is there
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder / "a")) {
    if (!entry.is_regular_file()) continue;
    EXPECT_EQ(ReadAll(entry.path()), ReadAll(folder / "b" / fs::relative(entry.path(), folder / "a")));
    ++files;
  }
  EXPECT_GT(files, registry_.entries().size());
}

TEST_F(ReferenceCommand, HasTheModelsOfAPlugin) {
  const fs::path folder = NewFolder();
  const auto davit =
      RunProgram(DAVIT_BINARY,
                 {"reference", "-o", folder.string(), "--plugin", DAVIT_TEST_PLUGINS "/oscillators.so"}, "");
  ASSERT_TRUE(davit.has_value());
  ASSERT_EQ(davit->exit_code, kDone) << davit->messages;
  std::size_t pages = 0;
  for (const auto& entry : fs::directory_iterator(folder / "models")) {
    pages += entry.path().extension() == ".md" ? 1 : 0;
  }
  EXPECT_GT(pages, registry_.entries().size() + 1);  // one more is the index
}

TEST_F(ReferenceCommand, AFileInThePlaceOfAFolderIsWrongInput) {
  const fs::path file = NewFolder() / "file";
  std::ofstream(file) << "text";
  EXPECT_EQ(Write(file), kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr(file.string() + ": error: cannot write into this folder: "));
  err_.str("");
  EXPECT_EQ(Write(file / "below"), kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr((file / "below").string() + ": error: cannot write into this folder: "));
  EXPECT_EQ(ReadAll(file), "text");
  EXPECT_EQ(out_.str(), "");
}

TEST_F(ReferenceCommand, AFileInThePlaceOfTheModelsIsWrongInput) {
  const fs::path folder = NewFolder();
  std::ofstream(folder / "models") << "text";
  EXPECT_EQ(Write(folder), kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr((folder / "models").string() + ": error: cannot write into this folder"));
}

TEST_F(ReferenceCommand, AFolderThatCannotBeMadeIsWrongInput) {
  EXPECT_EQ(Write("/proc/davit_reference"), kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr("/proc/davit_reference: error: cannot write into this folder"));
}

TEST_F(ReferenceCommand, AsksForTheFolder) {
  const auto davit = RunProgram(DAVIT_BINARY, {"reference"}, "");
  ASSERT_TRUE(davit.has_value());
  EXPECT_EQ(davit->exit_code, kWrongInput);
  EXPECT_THAT(davit->messages, HasSubstr("--output is required"));
}

}  // namespace
}  // namespace davit
