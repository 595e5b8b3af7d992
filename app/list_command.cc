#include "app/list_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <vector>

#include "app/exit_code.h"
#include "framework/diagnostics.h"
#include "framework/glob.h"
#include "framework/nearest_name.h"

namespace davit {
namespace {

bool IsAskedFor(const ModelInfo& info, std::string_view glob) {
  if (info.name == glob) return true;
  if (IsPart(info)) return false;
  if (IsGlob(glob)) return MatchesGlob(info.name, glob);
  return info.name.starts_with(glob) && info.name[glob.size()] == '.';
}

}  // namespace

bool IsPart(const ModelInfo& info) { return info.name.find('.') == std::string_view::npos; }

std::string SuggestModel(std::string_view name, const Registry& registry) {
  const std::vector<std::string> names = registry.names();
  if (const std::optional<std::string> nearest = FindNearest(name, names)) {
    return fmt::format("did you mean {}?", Quoted(*nearest));
  }
  // Perhaps the domain was left out, or was another one.
  std::vector<std::string> types;
  for (const std::string& known : names) types.push_back(known.substr(known.find('.') + 1));
  if (const std::optional<std::string> nearest = FindNearest(name.substr(name.find('.') + 1), types)) {
    const auto index = std::ranges::find(types, *nearest) - types.begin();
    return fmt::format("did you mean {}?", Quoted(names[static_cast<std::size_t>(index)]));
  }
  return "see davit list for the models there are";
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
    Diagnostic fault;
    fault.message = fmt::format("no model {} {}; {}", IsGlob(pattern) ? "matches" : "is named",
                                Quoted(pattern), SuggestModel(pattern, registry));
    err << ToText(fault) << '\n';
    return kWrongInput;
  }
  for (const ModelInfo* info : models) out << fmt::format("{:<{}}  {}\n", info->name, width, info->text);
  return kDone;
}

}  // namespace davit
