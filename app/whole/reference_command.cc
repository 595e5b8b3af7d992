#include "app/whole/reference_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <map>
#include <memory>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "app/chart_command.h"
#include "app/list_command.h"
#include "app/model_markdown.h"
#include "app/whole/command_markdown.h"
#include "framework/counted.h"
#include "framework/exception_text.h"
#include "framework/xml/element_kind.h"
#include "results/output_file.h"
#include "session/model_description.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

void Save(const fs::path& path, std::string_view text) {
  OutputFile file(path);
  file.Write(text);
  file.Close();
}

/// True if files can be made in the folder, which is made where it is missing; else prints why not.
bool MakeFolder(const fs::path& folder, std::ostream& err) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && ::access(folder.c_str(), W_OK) != 0) error.assign(errno, std::generic_category());
  if (!error) return true;
  err << fmt::format("{}: error: cannot write into this folder: {}; name a new one, or one of yours\n",
                     folder.string(), error.message());
  return false;
}

constexpr std::string_view kModelsIntroduction =
    R"(# Models

Made from the declarations in the code.

| word | meaning |
| --- | --- |
| unit | the unit of SI that davit calculates with; a system file may use any unit of the same dimension |
| live, structural | a *live* item may change during a run, a *structural* one is fixed when the system is loaded |
| role | a port with role C sets an effort (pressure, force, torque), one with role Q a flow (volume flow, velocity); a connection joins one of each |
| level | a named choice of options for all aspects of a component: Ideal, Standard, Advanced |
| aspect | a feature of the behaviour, such as friction, with its options; the columns named after levels show what each level chooses |
| mode | a physical condition that the component enters by itself, such as a piston at its stop |
)";

std::string LevelsText(const LevelSet& levels) {
  std::string text;
  for (const Level level : kBuiltInLevels) {
    if (!levels.Contains(level)) continue;
    if (!text.empty()) text += ", ";
    text += ToText(level);
  }
  return text;
}

std::string IndexPage(const Registry& registry) {
  constexpr std::string_view kParts = "Parts of a system file";
  std::map<std::string, std::vector<const ModelInfo*>, std::less<>> domains;
  for (const ModelEntry* entry : registry.entries()) {
    const ModelInfo& info = *entry->info;
    domains[IsPart(info) ? std::string(kParts) : std::string(info.name.substr(0, info.name.find('.')))]
        .push_back(&info);
  }
  std::string page(kModelsIntroduction);
  const auto append = [&page](std::string_view title, const std::vector<const ModelInfo*>& models) {
    page += fmt::format("\n## {}\n\n| model | meaning | levels |\n| --- | --- | --- |\n", title);
    for (const ModelInfo* info : models) {
      page += fmt::format("| [{0}]({0}.md) | {1} | {2} |\n", info->name, EscapeMarkdown(info->text),
                          LevelsText(info->levels));
    }
  };
  for (const auto& [domain, models] : domains) {
    if (domain != kParts) append(domain, models);
  }
  if (const auto parts = domains.find(kParts); parts != domains.end()) append(kParts, parts->second);
  return page;
}

/// The elements of a system file that are not components, with their attributes.
std::string ElementsText() {
  std::string text =
      "\n## Elements of a system file\n\n| element | attribute | meaning |\n| --- | --- | --- |\n";
  for (const ElementKind& kind : ElementKinds()) {
    text += fmt::format("| `{}` | | {} |\n", kind.name, EscapeMarkdown(kind.text));
    for (const AttributeKind& one : kind.attributes) {
      text += fmt::format("| | `{}`{} | {} |\n", one.name, one.is_required ? "" : ", optional",
                          EscapeMarkdown(one.text));
    }
  }
  return text;
}

/// Writes text and picture of the default chart, and returns the part of the page that shows them. Empty
/// after printing what went wrong.
std::string WriteChart(std::string_view model, const fs::path& models, const Registry& registry,
                       std::ostream& err) {
  std::ostringstream chart;
  RunChartDefault(model, registry, chart, err);
  const fs::path file = models / fmt::format("{}.scxml", model);
  Save(file, chart.str());

  std::ostringstream said;
  const ChartGraphOptions drawing{{&registry, file, {}}, models / fmt::format("{}.svg", model)};
  if (RunChartGraph(drawing, said, err) != kDone) return {};
  return fmt::format(
      "\n## Chart\n\n"
      "The statechart that each component of this model has, unless `chart` in the system file names "
      "another. "
      "To change it, begin with [its text]({0}.scxml), which `davit chart default {0}` prints too.\n\n"
      "![Statechart of {0}]({0}.svg)\n\n```xml\n{1}```\n",
      model, chart.str());
}

/// False after printing what went wrong.
bool WriteModelPage(const ModelEntry& entry, const fs::path& models, const Registry& registry,
                    std::ostream& err) {
  const std::string_view model = entry.info->name;
  const ModelDescription description = DescribeModel(entry, NumberStyle::kUsual);
  std::ostringstream page;
  WriteModelMarkdown(description, 1, page);
  if (description.has_chart) {
    const std::string chart = WriteChart(model, models, registry, err);
    if (chart.empty()) return false;
    page << chart;
  }
  page << "\n[All models](index.md)\n";
  Save(models / fmt::format("{}.md", model), page.str());
  return true;
}

}  // namespace

int RunReference(const fs::path& folder, const CLI::App& program, const Registry& registry, std::ostream& out,
                 std::ostream& err) {
  const fs::path models = folder / "models";
  if (!MakeFolder(folder, err) || !MakeFolder(models, err)) return kWrongInput;
  try {
    std::ostringstream commands;
    WriteCommandsMarkdown(program, commands);
    Save(folder / "commands.md", commands.str());
    Save(models / "index.md", IndexPage(registry) + ElementsText());
    for (const ModelEntry* entry : registry.entries()) {
      if (!WriteModelPage(*entry, models, registry, err)) return kRunFailed;
    }
  } catch (const std::runtime_error& failure) {
    err << "error: " << Explain(failure) << '\n';
    return kRunFailed;
  }
  out << fmt::format("{}: {}\n", folder.string(), Counted(registry.entries().size(), "model"));
  return kDone;
}

void AddReferenceCommand(CLI::App& command, CommandContext& context) {
  const auto folder = std::make_shared<fs::path>();
  command.add_option("-o,--output", *folder, "Folder for the pages; created if it is missing")
      ->type_name("FOLDER")
      ->required();
  AddPluginOption(command, context);
  command.callback([&context, &command, folder] {
    context.exit_code = context.LoadPlugins() ? RunReference(*folder, *command.get_parent(), context.registry,
                                                             context.out, context.err)
                                              : kWrongInput;
  });
}

}  // namespace davit
