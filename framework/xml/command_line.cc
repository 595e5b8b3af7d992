#include "framework/xml/command_line.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "framework/nearest_name.h"
#include "framework/xml/element_reader.h"
#include "framework/xml/schedule_reader.h"

namespace davit {
namespace {

constexpr std::string_view kBlanks = " \t\r";

struct Verb {
  std::string_view name;
  CommandLine::Action action;
  std::size_t least_words;  ///< after the verb
  std::size_t most_words;
  std::string_view example;
};

constexpr std::size_t kAnyNumber = ~std::size_t{0};
constexpr std::array<Verb, 13> kVerbs{{
    {"set", CommandLine::Action::kCommand, 2, kAnyNumber, "set load.mass 5 t"},
    {"level", CommandLine::Action::kCommand, 2, 2, "level pump Advanced"},
    {"message", CommandLine::Action::kCommand, 2, 3, "message SimulatorManager Reset"},
    {"event", CommandLine::Action::kCommand, 1, 1, "event operator.lift"},
    {"pause", CommandLine::Action::kPause, 0, 0, "pause"},
    {"continue", CommandLine::Action::kContinue, 0, 0, "continue"},
    {"stop", CommandLine::Action::kStop, 0, 0, "stop"},
    {"get", CommandLine::Action::kGet, 1, 1, "get load.x"},
    {"list", CommandLine::Action::kList, 0, 1, "list pump.*"},
    {"save", CommandLine::Action::kSave, 1, kAnyNumber, "save crane.state"},
    {"load", CommandLine::Action::kLoad, 1, kAnyNumber, "load crane.state"},
    {"until", CommandLine::Action::kUntil, 1, 2, "until 12 s"},
    {"quit", CommandLine::Action::kQuit, 0, 0, "quit"},
}};

const Verb* FindVerb(std::string_view name) {
  const auto* const verb =
      std::find_if(kVerbs.begin(), kVerbs.end(), [&](const Verb& v) { return v.name == name; });
  return verb == kVerbs.end() ? nullptr : verb;
}

/// The words of a line, one after the other.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) { Skip(); }
  /// What is left of the line.
  std::string_view rest() const { return rest_; }
  bool is_at_end() const { return rest_.empty(); }
  std::string_view Next() {
    const std::string_view word = rest_.substr(0, rest_.find_first_of(kBlanks));
    rest_.remove_prefix(word.size());
    Skip();
    return word;
  }

 private:
  void Skip() { rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size())); }
  std::string_view rest_;
};

std::size_t CountWords(std::string_view text) {
  std::size_t count = 0;
  for (Words words(text); !words.is_at_end(); words.Next()) ++count;
  return count;
}

class LineParser {
 public:
  LineParser(const System& system, const SourceLocation& place, Diagnostics& diagnostics)
      : system_(system), place_(place), diagnostics_(diagnostics) {}

  std::optional<CommandLine> Parse(std::string_view line) {
    line = line.substr(0, line.find_last_not_of(kBlanks) + 1);
    Words words(line);
    if (words.is_at_end() || words.rest().front() == '#') return CommandLine{};
    const std::string_view time_begin = words.rest();
    const Verb* const verb = ReadVerb(words, time_begin);
    if (verb == nullptr) return std::nullopt;
    CommandLine result{.action = verb->action, .time = time_, .command = std::nullopt};
    const std::size_t count = CountWords(words.rest());
    if (count < verb->least_words || count > verb->most_words) {
      return Fail({}, std::string(verb->name) +
                          (count < verb->least_words ? " needs more" : " takes no more") + " words than " +
                          std::to_string(count) + "; write for example '" + std::string(verb->example) + "'");
    }
    if (verb->action == CommandLine::Action::kContinue && time_) {
      return Fail({}, "time does not advance during a pause, so continue takes no time; leave it out");
    }
    result.argument = words.rest();
    if (verb->action == CommandLine::Action::kUntil) return ReadUntil(std::move(result));
    if (verb->action != CommandLine::Action::kCommand) return result;
    if (!ReadCommand(verb->name, words, result)) return std::nullopt;
    return result;
  }

 private:
  std::nullopt_t Fail(std::string_view path, std::string_view text) {
    diagnostics_.Error(place_, path, text);
    return std::nullopt;
  }

  /// The verb, which may follow a time of one or two words: `12 s set`.
  const Verb* ReadVerb(Words& words, std::string_view begin) {
    Words look = words;
    std::vector<std::string_view> seen;
    for (int i = 0; i < 3 && !look.is_at_end(); ++i) {
      const std::string_view time = Trim(begin.substr(0, begin.size() - look.rest().size()));
      const std::string_view word = look.Next();
      const Verb* const verb = FindVerb(word);
      seen.push_back(word);
      if (verb == nullptr) continue;
      words = look;
      if (i == 0) return verb;
      Fault fault;
      time_ = ParseTime(system_, time, &fault);
      if (time_) return verb;
      Fail({}, fault.ToText());
      return nullptr;
    }
    std::vector<std::string> names;
    names.reserve(kVerbs.size());
    for (const Verb& verb : kVerbs) names.emplace_back(verb.name);
    const bool begins_with_time = seen.size() > 1 && seen[0].find_first_of("0123456789") == 0;
    const std::string_view wrong = begins_with_time ? seen[1] : seen[0];
    Fail({}, "no command " + Quoted(wrong) + "; " + SuggestName("use one of", wrong, names));
    return nullptr;
  }

  std::optional<CommandLine> ReadUntil(CommandLine result) {
    if (time_) return Fail({}, "until has its time behind it; write for example 'until 12 s'");
    Fault fault;
    result.time = ParseTime(system_, result.argument, &fault);
    if (!result.time) return Fail({}, fault.ToText());
    return result;
  }

  bool ReadCommand(std::string_view verb, Words& words, CommandLine& result) {
    const std::string_view name = words.Next();
    Fault fault;
    if (verb == "event") {
      auto event = system_.FindEvent(system_.root(), std::nullopt, name, &fault);
      if (!event) {
        Fail({}, fault.ToText());
        return false;
      }
      result.command = Command{.action = std::move(*event)};
      return true;
    }
    const Component& root = system_.root();
    if (verb == "message") {
      const std::string_view message = words.Next();
      const auto text = words.is_at_end() ? std::nullopt : std::optional(words.rest());
      if (auto command = system_.FindMessageCommand(root, name, message, text, &fault)) {
        result.command = std::move(*command);
        return true;
      }
      Fail(system_.OwnerOf(root, name).DisplayPath(), fault.ToText());
      return false;
    }
    const std::string path = std::string(name) + (verb == "level" ? ".level" : "");
    if (const auto write = system_.FindLiveAssignment(root, path, words.rest(), &fault)) {
      result.command = Command{.action = *write};
      return true;
    }
    Fail(system_.OwnerOf(root, path).DisplayPath(), fault.ToText());
    return false;
  }

  const System& system_;
  const SourceLocation& place_;
  Diagnostics& diagnostics_;
  std::optional<double> time_;
};

}  // namespace

std::optional<CommandLine> ParseCommandLine(const System& system, std::string_view line,
                                            const SourceLocation& place, Diagnostics& diagnostics) {
  return LineParser(system, place, diagnostics).Parse(line);
}

}  // namespace davit
