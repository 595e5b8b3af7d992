#include "app/list_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <memory>
#include <optional>
#include <ostream>
#include <vector>

#include "app/exit_code.h"
#include "framework/diagnostics.h"
#include "framework/nearest_name.h"
#include "framework/tree/glob.h"
#include "hopsan/register.h"
#include "session/model_description.h"

namespace davit {
namespace {

bool IsAskedFor(const ModelInfo& info, std::string_view glob) {
  if (info.name == glob) return true;
  if (IsPart(info)) return false;
  if (IsGlob(glob)) return MatchesGlob(info.name, glob);
  return info.name.starts_with(glob) && info.name[glob.size()] == '.';
}

/// But for upper and lower case.
bool IsSameWord(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

std::string SuggestModel(std::string_view name, const Registry& registry) {
  const std::vector<std::string> names = registry.names();
  std::vector<std::string> types;
  types.reserve(names.size());
  for (const std::string& known : names) types.push_back(known.substr(known.find('.') + 1));
  const std::string_view type = name.substr(name.find('.') + 1);
  const auto suggest = [](const std::string& known) {
    return fmt::format("did you mean {}?", Quoted(known));
  };
  const auto full_name = [&](const std::string& known_type) {
    return names[static_cast<std::size_t>(std::ranges::find(types, known_type) - types.begin())];
  };

  // The right type with another domain, or without one, is nearer than a similar name.
  const std::optional<std::string> nearest_type = FindNearest(type, types);
  if (nearest_type && IsSameWord(*nearest_type, type)) return suggest(full_name(*nearest_type));
  if (const std::optional<std::string> nearest = FindNearest(name, names)) return suggest(*nearest);
  if (nearest_type) return suggest(full_name(*nearest_type));
  return "see davit list for the available models, or name the plug-in that contains it";
}

int RunList(const std::string& glob, const Registry& registry, std::ostream& out, std::ostream& err) {
  const std::string_view pattern = glob.empty() ? "*" : std::string_view(glob);
  std::vector<const ModelInfo*> models;
  std::size_t width = 0;
  for (const ModelEntry* entry : registry.entries()) {
    if (!IsAskedFor(*entry->info, pattern)) continue;
    models.push_back(entry->info);
    width = std::max(width, entry->info->name.size());
  }
  if (models.empty()) {
    const std::string what =
        fmt::format("no model {} {}", IsGlob(pattern) ? "matches" : "is named", Quoted(pattern));
    err << ToText(Diagnostic{.fault = {what, SuggestModel(pattern, registry)}}) << '\n';
    return kWrongInput;
  }
  for (const ModelInfo* info : models) out << fmt::format("{:<{}}  {}\n", info->name, width, info->text);
  return kDone;
}

void AddListCommand(CLI::App& command, CommandContext& context) {
  const auto glob = std::make_shared<std::string>("*");
  command.add_option("GLOB", *glob, "Only models whose name matches, e.g. 'hydraulic.*'");
  AddPluginOption(command, context);
  command.callback([&context, glob] {
    if (glob->starts_with("hopsan")) RegisterHopsan(context.registry);
    context.exit_code =
        context.LoadPlugins() ? RunList(*glob, context.registry, context.out, context.err) : kWrongInput;
  });
}

}  // namespace davit
