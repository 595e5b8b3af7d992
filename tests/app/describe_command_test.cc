#include "app/describe_command.h"
#include "app/fmu_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "app/exit_code.h"
#include "components/register.h"
#include "framework/alarm.h"
#include "framework/message.h"
#include "framework/port.h"
#include "framework/property.h"
#include "framework/signal.h"
#include "framework/start_value.h"
#include "framework/tree/component_pool.h"
#include "io/register.h"
#include "results/program.h"
#include "session/model_description.h"
#include "session/simulation.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/state_variable.h"

namespace davit {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::size_t kWidestLine = 118;

/// Declares one item of each kind, with texts that are awkward in tables.
class Everything final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "test.EveryThing",
      .text = "Text with | and <b>",
      .levels = {Level::kIdeal, Level::kAdvanced},
      .equations = "x' = |x|\n## Part\nof them\n# Limits\nNone\n",
  };
  enum class Kind : std::uint8_t { kFirst, kSecond };
  static constexpr std::array<std::string_view, 2> kKindNames{"first", "second"};

 private:
  HydraulicPort inlet_{this, "inlet", Role::kQ, "A single port"};
  HydraulicPortArray branches_{this, "branches", Role::kC, "A port array", Connecting::kOptional};
  Parameter structural_{this,
                        "structural",
                        "m",
                        "A long text that says in many words what could be said in few, so that it "
                        "must continue in the next line and even in the one after that",
                        0.283,
                        kPositive,
                        Tunability::kStructural};
  Parameter open_{this, "open", "Pa", "Without end", std::numeric_limits<double>::infinity()};
  Parameter speed_{this, "speed", "rad/s", "As rpm in the example", 1776 * 2 * std::numbers::pi / 60};
  Property<Kind> kind_{this, "kind", "A choice", Kind::kSecond, kKindNames};
  Property<std::string> text_{this, "text", "A text without default"};
  Input any_{this, "any", kAnyUnit, "Any unit", 0.5, kUnitInterval};
  InputArray many_{this, "many", "N", "An array of inputs"};
  Output out_{this, "out", "", "Dimensionless"};
  StateVariable x_{this, "x", "m", "A state", 0.25, 10};
  StateVariableArray z_{this, "z", "Pa", "States", 3, 1e5};
  StartValue p_{this, "p", "Pa", "A start value", 2e5, kNonNegative};
  Message message_{this, "Go", "A message", [] {}};
  Alarm alarm_{this, "Hot", AlarmLevel::kError, "An alarm"};
};

class DescribeCommand : public testing::Test {
 protected:
  DescribeCommand() {
    RegisterSimulator(registry_);
    RegisterComponents(registry_);
    registry_.Add<Everything>();
  }

  std::string Describe(std::string_view model, DescribeFormat format = DescribeFormat::kText) {
    std::ostringstream out;
    std::ostringstream err;
    EXPECT_EQ(RunDescribe(std::string(model), format, registry_, out, err), kDone) << model;
    EXPECT_EQ(err.str(), "");
    return out.str();
  }

  static std::vector<std::string> Lines(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }

  /// The line of a table that begins with `name`, its columns joined by single spaces.
  static std::string Row(const std::string& text, std::string_view name) {
    for (const std::string& line : Lines(text)) {
      std::istringstream words(line);
      std::string word;
      if (!line.starts_with("  ") || !(words >> word) || word != name) continue;
      std::string row = word;
      while (words >> word) row += ' ' + word;
      return row;
    }
    return {};
  }

  static std::string Example(const std::string& text) { return text.substr(text.rfind("\nExample\n") + 9); }

  Registry registry_;
};

TEST_F(DescribeCommand, ShowsOneItemOfEachKind) {
  const std::string text = Describe("test.EveryThing");
  EXPECT_THAT(text, testing::StartsWith("test.EveryThing: Text with | and <b>\n"));
  EXPECT_THAT(text, HasSubstr("level: Ideal (default), Advanced\n"));
  EXPECT_EQ(Row(text, "inlet"), "inlet hydraulic Q one A single port");
  EXPECT_EQ(Row(text, "branches"), "branches hydraulic C many, optional A port array");
  EXPECT_THAT(Row(text, "structural"), testing::StartsWith("structural 283 mm > 0 structural A long text"));
  EXPECT_EQ(Row(text, "open"), "open inf bar any live Without end");
  EXPECT_EQ(Row(text, "kind"), "kind second one of first, second structural A choice");
  EXPECT_EQ(Row(text, "text"), "text - text structural A text without default");
  EXPECT_EQ(Row(text, "any"), "any 0.5 any 0 .. 1 one, optional Any unit");
  EXPECT_EQ(Row(text, "many"), "many - N any many An array of inputs");
  EXPECT_EQ(Row(text, "out"), "out - Dimensionless");
  EXPECT_EQ(Row(text, "x"), "x 250 mm 10000 differential A state");
  EXPECT_EQ(Row(text, "z[0..2]"), "z[0..2] 1 bar 1e-05 differential States");
  EXPECT_EQ(Row(text, "p"), "p 2 bar >= 0 A start value");
  EXPECT_EQ(Row(text, "Go"), "Go A message");
  EXPECT_EQ(Row(text, "Hot"), "Hot error An alarm");
  EXPECT_THAT(text,
              HasSubstr("\nEquations\n  x' = |x|\n\n  Part\n    of them\n\nLimits\n  None\n\nExample\n"));
}

TEST_F(DescribeCommand, SaysWithWhichOptionsAnItemIsUsed) {
  const std::string text = Describe("hydraulic.Orifice", DescribeFormat::kMarkdown);
  EXPECT_THAT(text, HasSubstr("| default | unit | range | change | needs | meaning |"));
  EXPECT_THAT(text, HasSubstr("| law = laminar_turbulent | Loss coefficient K1 of laminar flow |"));
  EXPECT_THAT(Describe("hydraulic.Cylinder", DescribeFormat::kMarkdown),
              HasSubstr("| friction = LuGre | Bristle deflection |"));
  EXPECT_THAT(Row(Describe("mechanical.Brake"), "torque"), Not(HasSubstr("used only with")));
  EXPECT_THAT(Describe("test.EveryThing", DescribeFormat::kMarkdown), Not(HasSubstr("needs")));
}

// The terminal and the reference show the same numbers in the same units.
TEST_F(DescribeCommand, ShowsTheUnitsOfTheReference) {
  for (const ModelEntry* entry : registry_.entries()) {
    std::string text = Describe(entry->info->name);
    text.erase(0, text.find("\nParameters\n"));  // a port may have the same name
    const ModelDescription description = DescribeModel(*entry);
    for (const DescriptionTable& table : description.tables) {
      if (table.title != "Parameters") continue;
      for (const auto& row : table.rows)
        EXPECT_THAT(Row(text, row[0]), testing::StartsWith(row[0] + ' ' + row[1] + ' ' + row[2]))
            << entry->info->name;
    }
  }
}

TEST_F(DescribeCommand, ShowsAnExampleInUsualUnits) {
  EXPECT_EQ(Example(Describe("test.EveryThing")),
            "  <test.EveryThing name=\"every_thing\" level=\"Ideal\" kind=\"second\" structural=\"283 mm\" "
            "speed=\"1776 rpm\">\n"
            "    <Start p=\"2 bar\"/>\n"
            "  </test.EveryThing>\n");
}

TEST_F(DescribeCommand, NamesEveryDeclaredItemOfEveryModel) {
  ComponentPool pool;
  for (const ModelEntry* entry : registry_.entries()) {
    const std::string text = Describe(entry->info->name);
    const Declarations& all = pool.Create(*entry).declarations();
    const auto expect_row = [&](const Label& label) {
      EXPECT_THAT(text, HasSubstr("\n  " + std::string(label.name) + ' ')) << entry->info->name;
    };
    for (const auto& d : all.parameters) expect_row(d.label);
    for (const auto& d : all.inputs) expect_row(d.label);
    for (const auto& d : all.outputs) expect_row(d.label);
    for (const auto& d : all.starts) expect_row(d.label);
    for (const auto& d : all.ports) expect_row(d.label);
    for (const auto& line : Lines(text))
      EXPECT_LE(line.size(), kWidestLine) << entry->info->name << ": " << line;
  }
}

TEST_F(DescribeCommand, EveryPhysicalModelListsItsAssumptionsAndLimits) {
  const std::set<std::string_view> physical{"electrical", "hydraulic", "marine", "mechanical",
                                            "mechanism",  "pneumatic", "thermal"};
  for (const ModelEntry* entry : registry_.entries()) {
    const std::string_view name = entry->info->name;
    if (!physical.contains(name.substr(0, name.find('.')))) continue;
    const std::vector<EquationSection> sections = SplitEquations(entry->info->equations);
    const auto limits = std::ranges::find(sections, "Assumptions and limits", &EquationSection::title);
    ASSERT_NE(limits, sections.end()) << name;
    EXPECT_TRUE(limits->text.starts_with("- ")) << name;
    for (const std::string& line : Lines(limits->text))
      EXPECT_TRUE(line.starts_with("- ") || line.starts_with("  ")) << name << ": " << line;
  }
}

// Round trip: what is shown can be pasted and gives a component with the default values.
TEST_F(DescribeCommand, ExampleOfEveryModelLoads) {
  for (const ModelEntry* entry : registry_.entries()) {
    const bool is_integration = entry->info->name == "Integration";
    std::string element = Example(Describe(entry->info->name));
    if (is_integration) element = "<SimulatorManager>" + element + "</SimulatorManager>";
    Diagnostics diagnostics;
    const std::unique_ptr<System> system =
        LoadSystemText("<System>\n" + element + "</System>", "example.xml", registry_, {}, diagnostics);
    ASSERT_NE(system, nullptr) << element;
    for (const Diagnostic& diagnostic : diagnostics.all()) {  // its neighbours are missing, nothing else
      EXPECT_THAT(diagnostic.message(),
                  AnyOf(HasSubstr("is not connected"), HasSubstr("has no signal"), HasSubstr("cannot read"),
                        HasSubstr("signs for 0 routes"), HasSubstr("add one to the same system")))
          << element;
    }
    for (const Component* component : system->components()) {
      for (const ParameterDeclaration& parameter : component->declarations().parameters) {
        if (std::isinf(parameter.default_value)) continue;
        EXPECT_NEAR(*parameter.value, parameter.default_value, 1e-11 * std::abs(parameter.default_value))
            << component->path() << '.' << parameter.label.name;
      }
    }
  }
}

// Models whose items are in the file are shown with such items, and the example runs as printed.
TEST_F(DescribeCommand, ExamplesOfModelsMadeOfItemsRun) {
  for (const char* model : {"user.Equation", "signal.Expression"}) {
    const std::string element = Example(Describe(model));
    EXPECT_THAT(element, AllOf(HasSubstr("\n    <Parameter "), HasSubstr("\n    <Output "))) << element;
    LoadedSimulation loaded = Simulation::LoadText(
        "<System><SimulatorManager TimeStep='10 ms' StopTime='1 s'/>\n" + element + "</System>",
        "example.xml", registry_);
    ASSERT_EQ(loaded.ToText(), "");
    const auto simulation = std::move(loaded).Take();
    simulation->Initialize();
    EXPECT_EQ(simulation->Run(), RunEnd::kReached);
  }
}

TEST_F(DescribeCommand, AnswersAnUnknownModelWithTheNearest) {
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(RunDescribe("hydraulic.Cilinder", DescribeFormat::kText, registry_, out, err), kWrongInput);
  EXPECT_EQ(out.str(), "");
  EXPECT_EQ(err.str(), "error: no model 'hydraulic.Cilinder'; did you mean 'hydraulic.Cylinder'?\n");
}

TEST_F(DescribeCommand, MarkdownTablesHaveWholeRows) {
  std::ostringstream out;
  WriteModelReference(registry_, out);
  std::size_t columns = 0;  // of the table the line is in
  for (const std::string& line : Lines(out.str())) {
    if (!line.starts_with("| ")) {
      columns = 0;
      continue;
    }
    std::size_t bars = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '\\')
        ++i;
      else if (line[i] == '|')
        ++bars;
    }
    if (columns == 0) columns = bars;
    EXPECT_EQ(bars, columns) << line;
  }
  EXPECT_THAT(out.str(), HasSubstr("Text with \\| and &lt;b>"));
}

TEST_F(DescribeCommand, ReferenceHasOneHeadingForEachModel) {
  std::ostringstream out;
  WriteModelReference(registry_, out);
  const std::vector<std::string> lines = Lines(out.str());
  for (const ModelEntry* entry : registry_.entries()) {
    EXPECT_EQ(std::ranges::count(lines, "### " + std::string(entry->info->name)), 1) << entry->info->name;
  }
  EXPECT_EQ(std::ranges::count(lines, "## hydraulic"), 1);
  EXPECT_EQ(std::ranges::count(lines, "## parts of a system file"), 1);
  EXPECT_THAT(Describe("signal.Gain", DescribeFormat::kMarkdown), testing::StartsWith("# signal.Gain\n\n"));
}

TEST_F(DescribeCommand, AllOfTheProgramIsTheReference) {
  const auto davit = RunProgram(DAVIT_BINARY, {"describe", "--all"}, "");
  ASSERT_TRUE(davit.has_value());
  EXPECT_EQ(davit->exit_code, kDone);
  Registry registry;
  RegisterSimulator(registry);
  RegisterComponents(registry);
  RegisterFmuModels(registry);
  RegisterIo(registry);
  std::ostringstream reference;
  WriteModelReference(registry, reference);
  EXPECT_EQ(davit->output, reference.str());
}

TEST_F(DescribeCommand, WithoutAModelSaysWhatItNeeds) {
  const auto davit = RunProgram(DAVIT_BINARY, {"describe"}, "");
  ASSERT_TRUE(davit.has_value());
  EXPECT_EQ(davit->exit_code, kWrongInput);
  EXPECT_THAT(davit->messages, HasSubstr("MODEL or --all is required"));
}

}  // namespace
}  // namespace davit
