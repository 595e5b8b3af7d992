#include "analysis/levels/level_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "framework/fault.h"
#include "framework/nearest_name.h"
#include "framework/tree/glob.h"

namespace davit {
namespace {

std::vector<Level> BuiltInLevelsOf(const Component& component) {
  std::vector<Level> levels;
  for (const Level level : kBuiltInLevels) {
    if (component.model().levels.Contains(level)) levels.push_back(level);
  }
  return levels;
}

/// The next lower one that it has, or its lowest.
Level LevelAtMost(const std::vector<Level>& levels, Level wanted) {
  Level found = levels.front();
  for (const Level level : levels) {
    if (level <= wanted) found = level;
  }
  return found;
}

LevelGroup MakeGroup(std::string name, const std::vector<const Component*>& members) {
  LevelGroup group{.name = std::move(name)};
  std::array<bool, kBuiltInLevels.size()> has{};
  for (const Component* member : members) {
    group.components.push_back(member->path());
    for (const Level level : BuiltInLevelsOf(*member)) has[static_cast<std::size_t>(level)] = true;
  }
  for (const Level level : kBuiltInLevels) {
    if (!has[static_cast<std::size_t>(level)]) continue;
    group.rungs.emplace_back(ToText(level));
    std::vector<Level>& rung = group.levels.emplace_back();
    for (const Component* member : members) rung.push_back(LevelAtMost(BuiltInLevelsOf(*member), level));
  }
  for (std::size_t rung = 0; rung + 1 < group.rungs.size(); ++rung) {
    std::vector<std::string>& indicators = group.indicators.emplace_back();
    for (std::size_t i = 0; i < members.size(); ++i) {
      const Level level = group.levels[rung][i];
      if (members[i]->automatic_levels() != nullptr && level < members[i]->HighestLevel())
        indicators.push_back(fmt::format("{}.indicator.{}", group.components[i], ToText(level)));
    }
  }
  return group;
}

}  // namespace

std::vector<LevelGroup> FindLevelGroups(const System& system, const std::vector<LevelGlob>& globs,
                                        Diagnostics& diagnostics) {
  std::vector<LevelGroup> groups;
  std::vector<std::vector<const Component*>> members(globs.size());
  std::vector<std::pair<std::size_t, const Component*>> order;  // the glob, or globs.size() for one alone
  for (const Component* component : system.components()) {
    if (!component->has_behaviours() || BuiltInLevelsOf(*component).size() < 2) continue;
    std::size_t home = globs.size();
    for (std::size_t i = 0; i < globs.size(); ++i) {
      if (!MatchesGlob(component->path(), globs[i].glob)) continue;
      if (home == globs.size()) {
        home = i;
      } else {
        diagnostics.Error(globs[i].place, component->DisplayPath(),
                          fmt::format("the groups {} and {} both have this component; make one narrower",
                                      Quoted(globs[home].glob), Quoted(globs[i].glob)));
      }
    }
    if (home == globs.size() || members[home].empty()) order.emplace_back(home, component);
    if (home < globs.size()) members[home].push_back(component);
  }
  for (std::size_t i = 0; i < globs.size(); ++i) {
    if (members[i].empty())
      diagnostics.Error(
          globs[i].place, {},
          fmt::format("no component with several levels matches {}; davit describe MODEL shows the levels "
                      "of a model",
                      Quoted(globs[i].glob)));
  }
  groups.reserve(order.size());
  for (const auto& [home, component] : order) {
    groups.push_back(home == globs.size() ? MakeGroup(component->path(), {component})
                                          : MakeGroup(globs[home].glob, members[home]));
  }
  return groups;
}

LevelSchedule TopSchedule(const std::vector<LevelGroup>& groups, std::size_t windows) {
  LevelSchedule top;
  top.reserve(groups.size());
  for (const LevelGroup& group : groups) top.emplace_back(windows, group.levels.size() - 1);
  return top;
}

}  // namespace davit
