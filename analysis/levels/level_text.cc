#include "analysis/levels/level_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "framework/level.h"

namespace davit {
namespace {

/// Below a limit by this much before a lower rung is taken, so that a chart does not change to and fro.
constexpr double kHysteresis = 0.8;

/// A name of a group as that of a state; `taken` has those of the groups before.
std::string IdOf(std::string name, std::set<std::string>& taken) {
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.') c = '_';
  }
  if (std::isalpha(static_cast<unsigned char>(name.front())) == 0) name.insert(0, "group");
  while (!taken.insert(name).second) name += '_';
  return name;
}

/// A group with the rungs that it may have.
class Region {
 public:
  Region(std::string id, const LevelGroup& group, const std::vector<double>& limits, std::size_t first)
      : group_(group), limits_(limits), id_(std::move(id)) {
    for (std::size_t rung = 0; rung < limits.size(); ++rung) {
      if (limits[rung] >= 0) rungs_.push_back(rung);
    }
    rungs_.push_back(limits.size());
    // What cannot be left upwards hides all that is above.
    const auto last = std::ranges::find_if(rungs_, [&](std::size_t rung) { return !IsGuarded(rung); });
    rungs_.erase(last + 1, rungs_.end());
    first_ = std::min(first, rungs_.back());
    if (std::ranges::find(rungs_, first_) == rungs_.end()) first_ = rungs_.back();
  }

  std::string ToText(double hold) const {
    std::string text = fmt::format("    <state id=\"{}\" initial=\"{}\">\n", id_, StateOf(first_));
    for (std::size_t i = 0; i < rungs_.size(); ++i) {
      text += fmt::format("      <state id=\"{}\">\n        <onentry>\n", StateOf(rungs_[i]));
      for (std::size_t k = 0; k < group_.components.size(); ++k) {
        text += fmt::format("          <assign location=\"{}.level\" expr=\"'{}'\"/>\n", group_.components[k],
                            davit::ToText(group_.levels[rungs_[i]][k]));
      }
      text += "        </onentry>\n";
      for (std::size_t above = i + 1; above < rungs_.size(); ++above) {
        std::string condition = Exceeds(rungs_[i]);
        if (above + 1 < rungs_.size())
          condition = fmt::format("({}) and {}", condition, Fits(rungs_[above], 1));
        text += Transition("", condition, rungs_[above]);
      }
      for (std::size_t below = 0; below < i; ++below) {
        text += Transition(fmt::format("davit:holds=\"{:.4g}s\" ", hold), Fits(rungs_[below], kHysteresis),
                           rungs_[below]);
      }
      text += "      </state>\n";
    }
    return text + "    </state>\n";
  }

 private:
  std::string StateOf(std::size_t rung) const { return id_ + "." + group_.rungs[rung]; }
  bool IsGuarded(std::size_t rung) const {
    return rung < group_.indicators.size() && !group_.indicators[rung].empty();
  }
  std::string Join(std::size_t rung, std::string_view relation, double limit,
                   std::string_view between) const {
    std::string text;
    for (const std::string& indicator : group_.indicators[rung])
      text += fmt::format("{}{} {} {:.4g}", text.empty() ? "" : between, indicator, relation, limit);
    return text;
  }
  std::string Exceeds(std::size_t rung) const { return Join(rung, "gt", limits_[rung], " or "); }
  std::string Fits(std::size_t rung, double share) const {
    if (!IsGuarded(rung)) return "true";
    return Join(rung, "le", share * limits_[rung], " and ");
  }
  std::string Transition(std::string_view attributes, std::string_view condition, std::size_t target) const {
    return fmt::format("        <transition {}cond=\"{}\" target=\"{}\"/>\n", attributes, condition,
                       StateOf(target));
  }

  const LevelGroup& group_;
  const std::vector<double>& limits_;
  std::string id_;
  std::vector<std::size_t> rungs_;
  std::size_t first_ = 0;
};

}  // namespace

std::string ScheduleText(std::span<const LevelGroup> groups, const LevelSchedule& schedule,
                         std::span<const double> starts, std::string_view comment) {
  std::string text = fmt::format("<?xml version=\"1.0\"?>\n<!-- {} -->\n<Schedule>\n", comment);
  for (std::size_t w = 0; w < starts.size(); ++w) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const LevelGroup& group = groups[g];
      const std::vector<Level>& before = w == 0 ? group.levels.back() : group.levels[schedule[g][w - 1]];
      const std::vector<Level>& now = group.levels[schedule[g][w]];
      for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i] == before[i]) continue;
        text += fmt::format("  <At time=\"{:.17g} s\" set=\"{}.level\" value=\"{}\"/>\n", starts[w],
                            group.components[i], ToText(now[i]));
      }
    }
  }
  return text + "</Schedule>\n";
}

std::string LevelChartText(std::span<const LevelGroup> groups, const LevelLimits& limits,
                           std::span<const std::size_t> first, const LevelChartTimes& times,
                           std::string_view comment) {
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n<!-- {} -->\n"
      "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" xmlns:davit=\"urn:davit:chart:1\" version=\"1.0\" "
      "datamodel=\"davit\" name=\"levels\" davit:dwell=\"{:.4g}s\">\n  <parallel id=\"levels\">\n",
      comment, times.dwell);
  std::set<std::string> ids{"levels"};
  for (std::size_t g = 0; g < groups.size(); ++g)
    text += Region(IdOf(groups[g].name, ids), groups[g], limits[g], first[g]).ToText(times.hold);
  return text + "  </parallel>\n</scxml>\n";
}

}  // namespace davit
