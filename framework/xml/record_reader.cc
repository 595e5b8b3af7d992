#include "framework/xml/record_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
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
  for (const std::string& text : options.times) AddTimes(text, OptionPlace("--times", text), system_.root());
  if (records.empty() && options.signals.empty()) AddSignals("*", system_.root().location(), system_.root());
  std::vector<double>& intervals = plan_.intervals;
  if (intervals.empty() && plan_.times.empty()) intervals.push_back(0);
  std::sort(intervals.begin(), intervals.end());
  intervals.erase(std::unique(intervals.begin(), intervals.end()), intervals.end());
  std::vector<double>& times = plan_.times;
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
}

void RecordReader::ReadRecord(const Element& record, const LoadOptions& options) {
  reader_.CheckAttributes(record);
  const SourceLocation place = reader_.Place(record);
  const std::optional<std::string> interval = reader_.Find(record, "interval");
  const std::optional<std::string> times = reader_.Find(record, "times");
  if (interval) {
    if (!options.interval) AddInterval(*interval, place, *record.scope);
  } else if (!times && !options.interval && options.times.empty()) {
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
    if (AddSteps(part, place, scope)) return !reader_.is_finished();
    if (const auto time = ReadTime(system_, reader_, part, place, scope)) times.push_back(*time);
    return !reader_.is_finished();
  };
  // Without a comma the text is one time with its unit, or several bare numbers.
  if (text.find_first_of(",:") == std::string_view::npos &&
      !ParseQuantity(text, "s", system_.units()).value) {
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

bool RecordReader::AddSteps(std::string_view text, const SourceLocation& place, const Component& scope) {
  constexpr int kMost = 1'000'000;
  constexpr std::string_view kExample = "write for example log 1e-6 s : 1e4 s : 50";
  text = Trim(text);
  const std::size_t word = text.find_first_of(" \t\r\n");
  const std::string_view kind = text.substr(0, word);
  const bool is_log = kind == "log";
  if (!is_log && kind != "lin") {
    if (text.find(':') == std::string_view::npos) return false;
    reader_.ErrorAt(place, scope,
                    "times: " + Quoted(text) + " has a colon, but neither log nor lin before it; " +
                        std::string(kExample));
    return true;
  }
  const auto fail = [&](const std::string& what, std::string_view remedy) {
    reader_.ErrorAt(place, scope, "times: " + Quoted(text) + ": " + what + "; " + std::string(remedy));
    return true;
  };
  const std::string_view range = word == std::string_view::npos ? std::string_view() : text.substr(word);
  const std::size_t first = range.find(':');
  const std::size_t second = first == std::string_view::npos ? first : range.find(':', first + 1);
  if (second == std::string_view::npos || range.find(':', second + 1) != std::string_view::npos)
    return fail("needs a first time, a last time and a number of rows, with colons between them", kExample);
  std::array<double, 2> ends{};
  const std::array<std::string_view, 2> texts{range.substr(0, first),
                                              range.substr(first + 1, second - first - 1)};
  for (std::size_t i = 0; i < 2; ++i) {
    Fault fault;
    const std::optional<double> time = ParseTime(system_, texts[i], &fault);
    if (!time) return fail(fault.what, fault.remedy);
    ends[i] = *time;
  }
  const std::string_view number = Trim(range.substr(second + 1));
  int count = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), count);
  if (error != std::errc() || end != number.data() + number.size() || count < 2 || count > kMost)
    return fail(Quoted(number) + " is not a number of rows", "write an integer from 2 to 1000000");
  if (!(ends[0] < ends[1])) return fail("the last time is not after the first", "exchange them");
  if (is_log && !(ends[0] > 0))
    return fail("logarithmic steps cannot begin at 0 or before", "begin with a small time, such as 1e-6 s");
  for (int i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / (count - 1);
    const double between =
        is_log ? ends[0] * std::pow(ends[1] / ends[0], share) : std::lerp(ends[0], ends[1], share);
    plan_.times.push_back(i == 0 ? ends[0] : i + 1 == count ? ends[1] : between);
  }
  return true;
}

void RecordReader::AddSignals(std::string_view text, const SourceLocation& place, const Component& scope) {
  std::vector<Word> words;
  ForEachWord(text, [&](std::string_view word) {
    words.push_back({word, {}});
    if (IsGlob(word)) words.back().glob = ReadGlob(word, place, scope);
    return !reader_.is_finished();
  });
  FindMatches(words);
  for (const Word& one : words) {
    if (reader_.is_finished()) return;
    if (!IsGlob(one.text)) {
      AddSignal(one.text, place, scope);
    } else if (one.glob) {
      AddMatches(one.text, *one.glob, place, scope);
    }
  }
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

/// Whether a variable is an indicator, and a glob such as `*.indicator.*` names those.
bool NamesIndicator(std::string_view glob, const Item& variable) {
  const OutputDeclaration* const output = variable.output();
  return output != nullptr && output->is_indicator && glob.find("indicator.") != std::string_view::npos;
}

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

std::optional<RecordReader::Glob> RecordReader::ReadGlob(std::string_view text, const SourceLocation& place,
                                                         const Component& scope) {
  std::string full = FullPath(scope, text);
  if (globs_.contains(full)) return std::nullopt;
  if (full.size() > kLongestGlob || globs_.size() >= kMostGlobs) {
    reader_.Finish(place, scope,
                   "more than 256 patterns with * or ?, or one that is too long; write fewer, wider ones");
    return std::nullopt;
  }
  globs_.insert(full);
  const std::string_view last = std::string_view(full).substr(full.rfind('.') + 1);
  const bool is_last_named = full.find('.') != std::string::npos && !IsGlob(last);
  return Glob{.full = std::move(full), .is_last_named = is_last_named};
}

void RecordReader::FindMatches(std::vector<Word>& words) const {
  std::vector<Glob*> globs;
  for (Word& word : words) {
    if (word.glob) globs.push_back(&*word.glob);
  }
  if (globs.empty()) return;
  for (Component* component : system_.components()) {
    // Settings of the run and of solvers are no signals of the machine.
    if (IsSettingOfRun(*component)) continue;
    std::vector<Item> items;
    std::vector<bool> is_found;
    for (Glob* glob : globs) {
      if (!MayMatch(component->path(), glob->full)) continue;
      if (items.empty()) {
        items = system_.ItemsOf(*component);
        is_found.resize(items.size());
      }
      const bool takes_all = glob->is_last_named || NamesInside(glob->full, *component, items);
      for (std::size_t i = 0; i < items.size(); ++i) {
        const Item& variable = items[i];
        const bool is_meant = variable.is_primary() || takes_all || NamesIndicator(glob->full, variable);
        if (!variable.is_signal() || !is_meant || !MatchesGlob(variable.path(), glob->full)) continue;
        glob->is_matched = true;
        if (!is_found[i]) glob->found.push_back(variable);
        is_found[i] = true;
      }
    }
  }
}

void RecordReader::AddMatches(std::string_view text, const Glob& glob, const SourceLocation& place,
                              const Component& scope) {
  for (const Item& variable : glob.found) {
    if (recorded_.insert(variable.path()).second) plan_.columns.push_back(variable);
  }
  if (glob.is_matched || text == "*") return;
  const std::string_view begin = text.substr(0, text.find_first_of("*?"));
  if (begin.empty() ? reader_.has_refused() : reader_.LeadsToRefused(scope, begin)) return;
  reader_.ErrorAt(place, scope, NoMatch(text, scope));
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
