#include "framework/xml/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "framework/nearest_name.h"
#include "framework/xml/command_verb.h"
#include "framework/xml/element_reader.h"
#include "framework/xml/schedule_reader.h"

namespace davit {
namespace {

constexpr std::string_view kBlanks = " \t\r";

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
    const CommandVerb* const verb = ReadVerb(words, time_begin);
    if (verb == nullptr) return std::nullopt;
    CommandLine result{.action = verb->action, .time = time_, .command = std::nullopt};
    const std::size_t count = CountWords(words.rest());
    if (count < verb->least_words || count > verb->most_words()) {
      return Fail({}, fmt::format("{} {}; write {}, for example '{}'", verb->name,
                                  count < verb->least_words ? "is incomplete" : "has too many words",
                                  UsageOf(*verb), verb->example));
    }
    if (time_ && !verb->may_have_time) return RefuseTime(*verb);
    result.argument = words.rest();
    switch (verb->action) {
      case CommandLine::Action::kUntil: return ReadUntil(std::move(result));
      case CommandLine::Action::kGoTo: return ReadTime(words.rest(), std::move(result));
      case CommandLine::Action::kWhy: {
        result.argument = words.Next();
        return words.is_at_end() ? result : ReadTime(words.rest(), std::move(result));
      }
      default: break;
    }
    if (verb->action != CommandLine::Action::kCommand) return result;
    if (!ReadCommand(verb->name, words, result)) return std::nullopt;
    return result;
  }

 private:
  std::nullopt_t Fail(std::string_view path, std::string_view text) {
    diagnostics_.Error(place_, path, text);
    return std::nullopt;
  }

  std::nullopt_t RefuseTime(const CommandVerb& verb) {
    if (verb.action == CommandLine::Action::kContinue)
      return Fail({}, "time does not advance during a pause, so continue takes no time; leave it out");
    const bool is_until =
        verb.action == CommandLine::Action::kUntil || verb.action == CommandLine::Action::kGoTo;
    return Fail({}, fmt::format("{} {}; write for example '{}'", verb.name,
                                is_until ? "has its time behind it" : "takes no time", verb.example));
  }

  /// The verb, which may follow a time of one or two words: `12 s set`.
  const CommandVerb* ReadVerb(Words& words, std::string_view begin) {
    Words look = words;
    std::vector<std::string_view> seen;
    for (int i = 0; i < 3 && !look.is_at_end(); ++i) {
      const std::string_view time = Trim(begin.substr(0, begin.size() - look.rest().size()));
      const std::string_view word = look.Next();
      const CommandVerb* const verb = FindCommandVerb(word);
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
    names.reserve(CommandVerbs().size());
    for (const CommandVerb& verb : CommandVerbs()) names.emplace_back(verb.name);
    const bool begins_with_time = seen.size() > 1 && seen[0].find_first_of("0123456789") == 0;
    const std::string_view wrong = begins_with_time ? seen[1] : seen[0];
    Fail({}, "no command " + Quoted(wrong) + "; " + SuggestName("use one of", wrong, names));
    return nullptr;
  }

  /// What begins like a number is a time, everything else a condition.
  std::optional<CommandLine> ReadUntil(CommandLine result) {
    if (result.argument.find_first_of("0123456789+-.") != 0) return result;
    const std::string time = result.argument;
    return ReadTime(time, std::move(result));
  }

  std::optional<CommandLine> ReadTime(std::string_view text, CommandLine result) {
    Fault fault;
    result.time = ParseTime(system_, text, &fault);
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
