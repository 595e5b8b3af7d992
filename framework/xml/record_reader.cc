#include "framework/xml/record_reader.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/nearest_name.h"
#include "framework/tree/glob.h"
#include "framework/units/quantity.h"
#include "framework/xml/schedule_reader.h"
#include "framework/xml/system_loader.h"

namespace davit {
namespace {

constexpr std::size_t kMostGlobs = 256;  // each is compared with every variable
constexpr std::size_t kLongestGlob = 4096;

/// A quick refusal: the part of `glob` before its first wildcard must agree with `path`.
bool MayMatch(std::string_view path, std::string_view glob) {
  const std::string_view fixed = glob.substr(0, glob.find_first_of("*?"));
  const std::size_t common = std::min(path.size(), fixed.size());
  return path.substr(0, common) == fixed.substr(0, common);
}

}  // namespace

void RecordReader::Read(const std::vector<Element>& records, const LoadOptions& options) {
  for (const Element& record : records) {
    if (reader_.is_finished()) return;
    ReadRecord(record, options);
  }
  for (const std::string& text : options.signals)
    AddSignals(text, OptionPlace("--signals", text), system_.root());
  if (options.interval) {
    AddInterval(*options.interval, OptionPlace("--interval", *options.interval), system_.root());
  }
  if (records.empty() && options.signals.empty()) AddMatches("*", system_.root().location(), system_.root());
  std::vector<double>& intervals = plan_.intervals;
  if (intervals.empty() && plan_.times.empty()) intervals.push_back(0);
  std::sort(intervals.begin(), intervals.end());
  intervals.erase(std::unique(intervals.begin(), intervals.end()), intervals.end());
  std::sort(plan_.times.begin(), plan_.times.end());
}

void RecordReader::ReadRecord(const Element& record, const LoadOptions& options) {
  reader_.CheckAttributes(record, {"signals", "interval", "times"});
  const SourceLocation place = reader_.Place(record);
  const std::optional<std::string> interval = reader_.Find(record, "interval");
  const std::optional<std::string> times = reader_.Find(record, "times");
  if (interval) {
    if (!options.interval) AddInterval(*interval, place, *record.scope);
  } else if (!times && !options.interval) {
    plan_.intervals.push_back(0);
  }
  if (times) AddTimes(*times, place, *record.scope);
  const std::optional<std::string> signals = reader_.Require(record, "signals");
  if (signals && options.signals.empty()) AddSignals(*signals, place, *record.scope);
}

void RecordReader::AddInterval(std::string_view text, const SourceLocation& place, const Component& scope) {
  const QuantityResult result = ParseQuantity(text, "s", system_.units());
  if (!result.value) {
    reader_.ErrorAt(place, scope, "interval: " + result.fault.ToText());
  } else if (result.value->si < kShortestInterval) {
    reader_.ErrorAt(place, scope, "interval: " + Quoted(text) + " is out of range; it must be >= 1e-9 s");
  } else {
    plan_.intervals.push_back(result.value->si);
  }
}

void RecordReader::AddTimes(std::string_view text, const SourceLocation& place, const Component& scope) {
  std::vector<double>& times = plan_.times;
  const auto add = [&](std::string_view part) {
    if (const auto time = ReadTime(system_, reader_, part, place, scope)) times.push_back(*time);
    return !reader_.is_finished();
  };
  // Without a comma the text is one time with its unit, or several bare numbers.
  if (text.find(',') == std::string_view::npos && !ParseQuantity(text, "s", system_.units()).value) {
    std::size_t words = 0;
    std::size_t units = 0;
    ForEachWord(text, [&](std::string_view word) {
      ++words;
      if (!ParseQuantity(word, "s", system_.units()).value) ++units;
      return true;
    });
    if (words > 2 && units > 0) {
      reader_.ErrorAt(place, scope,
                      "times: " + Quoted(text) + " has units; put commas between the times, as in 8 s, 20 s");
      return;
    }
    if (words > 1 && units == 0) return ForEachWord(text, add);
  }
  std::size_t begin = 0;
  do {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    if (!add(text.substr(begin, comma - begin))) return;
    begin = comma + 1;
  } while (begin <= text.size());
}

void RecordReader::AddSignals(std::string_view text, const SourceLocation& place, const Component& scope) {
  ForEachWord(text, [&](std::string_view word) {
    if (IsGlob(word)) {
      AddMatches(word, place, scope);
    } else {
      AddSignal(word, place, scope);
    }
    return !reader_.is_finished();
  });
}

void RecordReader::AddSignal(std::string_view path, const SourceLocation& place, const Component& scope) {
  Fault fault;
  const std::optional<Item> variable = system_.FindVariable(scope, path, &fault);
  if (variable) {
    if (recorded_.insert(variable->path()).second) plan_.columns.push_back(*variable);
  } else if (!reader_.LeadsToRefused(scope, path)) {
    reader_.ErrorAt(place, system_.OwnerOf(scope, path), fault);
  }
}

namespace {

/// Whether a glob names the inside of a component: `cylinder.chart.*`, `*.chart.state.*`. That finds what
/// `cylinder.*` leaves out.
bool NamesInside(std::string_view glob, const Component& component, std::span<const Item> items) {
  const std::string text = "." + std::string(glob);
  const std::string name = "." + std::string(component.name()) + ".";
  const std::size_t at = text.rfind(name);
  if (at == std::string::npos) return false;
  const std::string_view rest = std::string_view(text).substr(at + name.size());
  const std::size_t dot = rest.find('.');
  if (dot != std::string_view::npos && !IsGlob(rest.substr(0, dot))) return true;
  return std::ranges::none_of(items, [](const Item& item) { return item.is_signal() && item.is_primary(); });
}

}  // namespace

void RecordReader::AddMatches(std::string_view glob, const SourceLocation& place, const Component& scope) {
  const std::string full = FullPath(scope, glob);
  if (globs_.contains(full)) return;
  if (full.size() > kLongestGlob || globs_.size() >= kMostGlobs) {
    reader_.Finish(place, scope,
                   "more than 256 patterns with * or ?, or one that is too long; write fewer, wider ones");
    return;
  }
  globs_.insert(full);
  const std::string_view last = std::string_view(full).substr(full.rfind('.') + 1);
  const bool is_last_named = full.find('.') != std::string::npos && !IsGlob(last);
  bool is_matched = false;
  for (Component* component : system_.components()) {
    // Settings of the run and of solvers are no signals of the machine.
    if (IsSettingOfRun(*component) || !MayMatch(component->path(), full)) continue;
    const std::vector<Item> items = system_.ItemsOf(*component);
    const bool takes_all = is_last_named || NamesInside(full, *component, items);
    for (const Item& variable : items) {
      if (!variable.is_signal() || (!variable.is_primary() && !takes_all) ||
          !MatchesGlob(variable.path(), full))
        continue;
      is_matched = true;
      if (recorded_.insert(variable.path()).second) plan_.columns.push_back(variable);
    }
  }
  if (is_matched || glob == "*" || reader_.LeadsToRefused(scope, glob.substr(0, glob.find_first_of("*?"))))
    return;
  reader_.ErrorAt(place, scope, NoMatch(glob, scope));
}

Fault RecordReader::NoMatch(std::string_view glob, const Component& scope) const {
  const std::size_t dot = glob.substr(0, glob.find_first_of("*?")).rfind('.');
  Fault fault;
  if (dot != std::string_view::npos && system_.Find(FullPath(scope, glob.substr(0, dot))) == nullptr &&
      !system_.FindVariable(scope, std::string(glob.substr(0, dot + 1)) + "x", &fault)) {
    return fault;
  }
  return {"nothing matches " + Quoted(glob), "write for example component.* or *.p"};
}

}  // namespace davit
