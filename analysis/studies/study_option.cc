#include "analysis/studies/study_option.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <system_error>

#include "analysis/study/study_text.h"
#include "framework/nearest_name.h"

namespace davit {

using study_option::TextOf;

std::string study_option::TextOf(double number) {
  const bool is_whole = number == std::floor(number) && std::abs(number) < 1e15;
  return is_whole ? fmt::format("{:.0f}", number) : fmt::format("{}", number);
}

std::vector<PatternPart> SplitPattern(std::string_view pattern) {
  std::vector<PatternPart> parts;
  bool is_optional = false;
  std::string before;
  for (std::size_t i = 0; i < pattern.size();) {
    if (std::islower(static_cast<unsigned char>(pattern[i])) != 0) {
      std::size_t end = i;
      while (end < pattern.size() && std::islower(static_cast<unsigned char>(pattern[end])) != 0) ++end;
      parts.push_back({std::string(pattern.substr(i, end - i)), std::exchange(before, {}), {}, is_optional});
      i = end;
      continue;
    }
    const char c = pattern[i++];
    if (c == '[') is_optional = true;
    if (c == ']') {
      parts.back().after = std::exchange(before, {});
      is_optional = false;
    }
    if (c != '[' && c != ']') before += c;
  }
  return parts;
}

std::string StudyOption::Form() const {
  if (kind == Kind::kChoice) return fmt::format("{}", fmt::join(choices, "|"));
  std::string shown = form.empty() ? pattern : form;
  if (form.empty())
    std::ranges::transform(shown, shown.begin(), [](unsigned char c) { return std::toupper(c); });
  const bool is_limited = !range.empty() && range[1] < std::numeric_limits<double>::infinity();
  return is_limited ? fmt::format("{} in {} .. {}", shown, TextOf(range[0]), TextOf(range[1])) : shown;
}

std::string StudyOption::Text() const {
  return kind == Kind::kFlag || default_text.empty() ? text
                                                     : fmt::format("{} (default: {})", text, default_text);
}

std::string StudyOption::Remedy(std::string_view given) const {
  const std::string_view number = kind == Kind::kWhole ? "a whole number" : "a number";
  switch (kind) {
    case Kind::kChoice: return SuggestName("use", given, choices);
    case Kind::kFlag: return SuggestName("use", given, std::vector<std::string>{"true", "false"});
    case Kind::kText:
    case Kind::kFile: return "write a text";
    case Kind::kWhole:
    case Kind::kNumber: break;
  }
  if (range.empty()) return fmt::format("write {} above 0", number);
  const bool is_limited = range[1] < std::numeric_limits<double>::infinity();
  return fmt::format("write {} from {}{}", number, TextOf(range[0]),
                     is_limited ? " to " + TextOf(range[1]) : "");
}

Fault StudyOption::Store(StudyOptions& options, const VariationText& given) const {
  StudyValue value{given};
  const std::string& typed = given.text;
  bool is_right = true;
  const auto choose = [&](const auto& among) {
    const auto found = std::ranges::find(among, typed);
    value.whole = static_cast<std::uint64_t>(found - std::ranges::begin(among));
    is_right = found != std::ranges::end(among);
  };
  const auto is_in_range = [this](double number) {
    return range.empty() ? number > 0 : number >= range[0] && number <= range[1];
  };
  switch (kind) {
    case Kind::kText:
    case Kind::kFile: break;
    case Kind::kFlag: choose(std::vector<std::string_view>{"false", "true"}); break;
    case Kind::kChoice: choose(choices); break;
    case Kind::kWhole: {
      const auto [end, error] = std::from_chars(typed.data(), typed.data() + typed.size(), value.whole);
      is_right = error == std::errc() && end == typed.data() + typed.size() &&
                 is_in_range(static_cast<double>(value.whole));
      break;
    }
    case Kind::kNumber:
      is_right = !typed.empty() && ParseLeadingNumber(typed, value.number) == typed.size() &&
                 is_in_range(value.number);
      break;
  }
  if (!is_right) return {Quoted(typed) + " is wrong", Remedy(typed)};
  store(options, value);
  return {};
}

std::vector<StudyOption> SharedStudyOptions() {
  using O = StudyOptions;
  const auto load = [](auto member) {
    return [member](StudyOptions& options) -> std::vector<std::string>& {
      return options.simulation.load.*member;
    };
  };
  return {
      Row<O>(&O::stop, {.name = "stop", .text = "Time at which each run ends, e.g. '50 s'", .form = "T"}),
      Row<O>(load(&LoadOptions::set), {.name = "set",
                                       .text = "Sets a parameter, input, property or start value in all runs",
                                       .element = "Set",
                                       .pattern = "path=value",
                                       .is_of_system = true}),
      Row<O>(load(&LoadOptions::level), {.name = "level",
                                         .text = "Level of all matching components in all runs",
                                         .element = "Level",
                                         .pattern = "path=level",
                                         .is_of_system = true}),
      Row<O>(load(&LoadOptions::at), {.name = "at",
                                      .text = "Sets a value at a time in all runs",
                                      .element = "At",
                                      .pattern = "time:path=value",
                                      .is_of_system = true}),
      Row<O>([](O& options) -> bool& { return options.simulation.is_steady; },
             {.name = "steady",
              .text = "Each run starts in steady state: searches for the equilibrium at StartTime"}),
      Row<O>(&O::summary,
             {.name = "summary", .text = "Writes what was found as JSON, in SI units", .form = "FILE"}),
      Row<O>(&O::workers,
             {.name = "jobs",
              .text = "Number of parallel cases, each on one thread; default: the number of threads of "
                      "the machine. Results do not depend on it",
              .form = "N",
              .range = {1, 1024},
              .letter = 'j',
              .is_in_files = false}),
  };
}

std::vector<StudyOption> SharedStudyOptions(std::initializer_list<std::string_view> names) {
  std::vector<StudyOption> options = SharedStudyOptions();
  std::erase_if(options, [&](const StudyOption& option) {
    return std::ranges::find(names, option.name) == names.end();
  });
  return options;
}

StudyOption MeasureStudyOption() {
  return Row<StudyOptions>(
      &StudyOptions::measures,
      {.name = "measure",
       .text =
           "A column of the table: max(x) min(x) mean(x) rms(x) final(x) integral(x) at(x, T) "
           "crossing(x, VALUE) rise_time(x) settling_time(x, FRACTION) overshoot(x) events(COMPONENT), and "
           "arithmetic with them; may be given several times",
       .element = "Measure",
       .pattern = "name=expr"});
}

}  // namespace davit
