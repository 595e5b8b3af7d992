#include "framework/structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "framework/property.h"

namespace davit {
namespace {

constexpr std::size_t kMostDifferences = 20;  // that are listed one by one
constexpr std::string_view kAdvice = "; load it with the system that it was saved from";

constexpr std::array<std::string_view, 3> kHoldNames{"automatic", "none", "step"};

using Key = std::pair<std::string, std::string>;

std::map<Key, std::string> ByName(const Structure& structure) {
  std::map<Key, std::string> items;
  for (const StructureItem& item : structure) items.emplace(Key{item.path, item.name}, item.value);
  return items;
}

/// Whether a whole component is missing, and not just an item of one.
bool IsModel(const Key& key) { return key.second == "model"; }

}  // namespace

Structure StructureOf(const System& system, const std::vector<std::string>& ignored) {
  Structure structure;
  for (Component* component : system.components()) {
    const std::string path = component->DisplayPath();
    const auto add = [&](std::string_view name, std::string value) {
      const std::string full = component->path() + '.' + std::string(name);
      if (std::find(ignored.begin(), ignored.end(), full) == ignored.end()) {
        structure.push_back({path, std::string(name), std::move(value)});
      }
    };
    add("model", std::string(component->model().name));
    for (const ParameterDeclaration& parameter : component->declarations().parameters) {
      if (parameter.tunability != Tunability::kStructural) continue;
      add(parameter.label.name, fmt::format("{}", *parameter.value));
    }
    for (const PropertyBase* property : component->declarations().properties) {
      if (property->tunability() == Tunability::kStructural) add(property->label().name, property->ToText());
    }
  }
  for (const Connection& connection : system.connections()) {
    structure.push_back({{}, "connection of " + connection.c.path, connection.q.path});
  }
  for (const auto* routes : {&system.routes(), &system.sampled_routes()}) {
    for (const Route& route : *routes) {
      structure.push_back(
          {{},
           fmt::format("route to {}, number {}", route.to_path, route.element + 1),
           fmt::format("{}, hold {}", route.from.path(), kHoldNames[static_cast<std::size_t>(route.hold)])});
    }
  }
  // Several connections of one port have one name: number them.
  std::map<Key, int> counts;
  for (StructureItem& item : structure) {
    const int number = ++counts[{item.path, item.name}];
    if (number > 1) item.name += fmt::format(", number {}", number);
  }
  return structure;
}

void CompareStructures(const Structure& ours, const Structure& theirs, const SourceLocation& place,
                       Diagnostics& diagnostics) {
  const std::map<Key, std::string> our_items = ByName(ours);
  const std::map<Key, std::string> their_items = ByName(theirs);
  std::size_t count = 0;
  const auto report = [&](const std::string& path, std::string text) {
    if (++count <= kMostDifferences) diagnostics.Error(place, path, std::move(text) + std::string(kAdvice));
  };
  for (const auto& [key, value] : our_items) {
    const auto theirs_of_it = their_items.find(key);
    if (theirs_of_it == their_items.end()) {
      const bool is_whole_missing = IsModel(key) || !their_items.contains({key.first, "model"});
      if (IsModel(key)) {
        report(key.first, fmt::format("is not in the snapshot (it is a {} here)", value));
      } else if (key.first.empty() || !is_whole_missing) {
        report(key.first, fmt::format("{} ({}) is not in the snapshot", key.second, value));
      }
    } else if (theirs_of_it->second != value) {
      report(key.first,
             fmt::format("{} is {} here, {} in the snapshot", key.second, value, theirs_of_it->second));
    }
  }
  for (const auto& [key, value] : their_items) {
    if (our_items.contains(key)) continue;
    if (IsModel(key)) {
      report(key.first, fmt::format("is in the snapshot (a {}), but not in this system", value));
    } else if (key.first.empty() || our_items.contains({key.first, "model"})) {
      report(key.first, fmt::format("{} ({}) is in the snapshot only", key.second, value));
    }
  }
  if (count > kMostDifferences) {
    diagnostics.Error(place, {}, fmt::format("and {} more differences", count - kMostDifferences));
  } else if (count == 0 && !std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                                       [](const StructureItem& a, const StructureItem& b) {
                                         return a.path == b.path && a.name == b.name;
                                       })) {
    diagnostics.Error(place, {}, "its components or connections are in another order" + std::string(kAdvice));
  }
}

}  // namespace davit
