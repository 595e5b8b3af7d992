#include "app/whole/reference_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <span>
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
#include "drawing/draw_symbol.h"
#include "framework/counted.h"
#include "framework/diagnostics.h"
#include "framework/exception_text.h"
#include "framework/tree/component_pool.h"
#include "framework/xml/element_kind.h"
#include "proof/bench_element.h"
#include "results/save_file.h"
#include "session/model_description.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

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
| unit | the unit of the numbers in a row; a system file may use any unit of the same dimension. Outputs are in SI, as in results |
| needs | options that make use of the item; with other options it has no effect |
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

/// Elements that are not components, with their attributes.
std::string ElementsText(std::string_view title, std::span<const ElementKind> kinds) {
  std::string text =
      fmt::format("\n## {}\n\n| element | attribute | meaning |\n| --- | --- | --- |\n", title);
  for (const ElementKind& kind : kinds) {
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
  SaveFile(file, chart.str());

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

/// Domain, role and number of each port.
std::vector<std::string> SignatureOf(const Declarations& all) {
  std::vector<std::string> signature;
  signature.reserve(all.ports.size());
  for (const PortDeclaration& port : all.ports)
    signature.push_back(
        fmt::format("{} {}{}", port.domain->name, ToText(port.role), port.is_array ? "[]" : ""));
  std::ranges::sort(signature);
  return signature;
}

std::string_view TypeOf(std::string_view model) { return model.substr(model.find('.') + 1); }
std::string_view DomainOf(std::string_view model) { return model.substr(0, model.find('.')); }

/// Words with a point in them, such as `hydraulic.Volume`.
std::set<std::string, std::less<>> NamesIn(std::string_view text) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.";
  std::set<std::string, std::less<>> names;
  for (std::size_t begin = std::min(text.find_first_of(kLetters), text.size()); begin < text.size();) {
    const std::size_t end = std::min(text.find_first_not_of(kLetters, begin), text.size());
    std::string_view name = text.substr(begin, end - begin);
    while (name.ends_with('.')) name.remove_suffix(1);
    names.emplace(name);
    begin = std::min(text.find_first_of(kLetters, end), text.size());
  }
  return names;
}

/// Models that may be meant instead.
class Neighbours {
 public:
  explicit Neighbours(const Registry& registry) : registry_(registry) {
    ComponentPool pool;
    for (const ModelEntry* entry : registry.entries())
      signatures_[entry->info->name] = SignatureOf(pool.Create(*entry).declarations());
  }

  /// Those that its equations name, then those of the same type in another domain or as a TLM variant, then
  /// those of the domain with the same ports.
  std::vector<const ModelInfo*> Of(const ModelInfo& info) const {
    std::vector<const ModelInfo*> found;
    const auto add_if = [&](auto&& is_neighbour) {
      for (const ModelEntry* entry : registry_.entries()) {
        const ModelInfo& other = *entry->info;
        const bool is_new = std::ranges::find(found, &other) == found.end();
        if (other.name != info.name && is_new && is_neighbour(other)) found.push_back(&other);
      }
    };
    const std::set<std::string, std::less<>> named = NamesIn(info.equations);
    add_if([&](const ModelInfo& other) { return named.contains(other.name); });
    add_if([&](const ModelInfo& other) {
      const std::string_view a = TypeOf(info.name), b = TypeOf(other.name);
      return a == b || a == std::string(b) + 'C' || b == std::string(a) + 'C';
    });
    const std::vector<std::string>& ports = signatures_.at(info.name);
    add_if([&](const ModelInfo& other) {
      return !ports.empty() && DomainOf(other.name) == DomainOf(info.name) &&
             signatures_.at(other.name) == ports;
    });
    return found;
  }

 private:
  const Registry& registry_;
  std::map<std::string_view, std::vector<std::string>> signatures_;
};

std::string SymbolOf(const ModelEntry& entry) {
  ComponentPool pool;
  Component& component = pool.Create(entry);
  Diagnostics ignored;  // a text without default may be missing here
  component.Configure(ignored);
  return DrawSymbol(component);
}

/// False after printing what went wrong.
bool WriteModelPage(const ModelEntry& entry, const fs::path& models, const Registry& registry,
                    const Neighbours& neighbours, std::ostream& err) {
  const std::string_view model = entry.info->name;
  const ModelDescription description = DescribeModel(entry);
  std::ostringstream page;
  std::string symbol;
  if (!IsPart(*entry.info)) {
    symbol = fmt::format("![Symbol of {0}]({0}.symbol.svg)", model);
    SaveFile(models / fmt::format("{}.symbol.svg", model), SymbolOf(entry));
  }
  WriteModelMarkdown(description, 1, page, symbol);
  if (description.has_chart) {
    const std::string chart = WriteChart(model, models, registry, err);
    if (chart.empty()) return false;
    page << chart;
  }
  const std::vector<const ModelInfo*> others = neighbours.Of(*entry.info);
  if (!others.empty()) page << "\n## See also\n\n";
  for (const ModelInfo* other : others)
    page << fmt::format("* [{0}]({0}.md): {1}\n", other->name, EscapeMarkdown(other->text));
  page << "\n[All models](index.md)\n";
  SaveFile(models / fmt::format("{}.md", model), page.str());
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
    SaveFile(folder / "commands.md", commands.str());
    SaveFile(models / "index.md", IndexPage(registry) +
                                      ElementsText("Elements of a system file", ElementKinds()) +
                                      ElementsText("Elements of a bench file", BenchElementKinds()));
    const Neighbours neighbours(registry);
    for (const ModelEntry* entry : registry.entries()) {
      if (!WriteModelPage(*entry, models, registry, neighbours, err)) return kRunFailed;
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
