#include "framework/xml/command_verb.h"

#include <algorithm>

namespace davit {
namespace {

using Action = CommandLine::Action;
using Word = CommandWord;

constexpr std::size_t kAnyNumber = ~std::size_t{0};

constexpr std::array kVerbs = std::to_array<CommandVerb>({
    {.name = "set",
     .words = {Word::kWritable, Word::kValue},
     .least_words = 2,
     .example = "set load.mass 5 t",
     .text = "gives an item a value"},
    {.name = "level",
     .words = {Word::kLevelled, Word::kLevel},
     .least_words = 2,
     .example = "level pump Advanced",
     .text = "requests a level of detail"},
    {.name = "message",
     .words = {Word::kReceiver, Word::kMessage, Word::kText},
     .least_words = 2,
     .example = "message SimulatorManager Reset",
     .text = "sends a message to a component"},
    {.name = "event",
     .words = {Word::kEvent},
     .least_words = 1,
     .example = "event operator.lift",
     .text = "sends an event to all statecharts"},
    {.name = "pause", .action = Action::kPause, .example = "pause", .text = "pauses the run"},
    {.name = "continue",
     .action = Action::kContinue,
     .may_have_time = false,
     .example = "continue",
     .text = "resumes the run"},
    {.name = "stop", .action = Action::kStop, .example = "stop", .text = "ends the run"},
    {.name = "get",
     .action = Action::kGet,
     .words = {Word::kItem},
     .least_words = 1,
     .example = "get load.x",
     .text = "prints the value of an item"},
    {.name = "list",
     .action = Action::kList,
     .words = {Word::kGlob},
     .example = "list pump.*",
     .text = "prints the paths of items"},
    {.name = "save",
     .action = Action::kSave,
     .words = {Word::kFile},
     .least_words = 1,
     .example = "save crane.state",
     .text = "writes a snapshot"},
    {.name = "load",
     .action = Action::kLoad,
     .words = {Word::kFile},
     .least_words = 1,
     .example = "load crane.state",
     .text = "continues from a snapshot"},
    {.name = "until",
     .action = Action::kUntil,
     .may_have_time = false,
     .words = {Word::kMoment},
     .least_words = 1,
     .example = "until 12 s",
     .text = "resumes the run and pauses it at T, or when the condition becomes true"},
    {.name = "goto",
     .action = Action::kGoTo,
     .may_have_time = false,
     .words = {Word::kTime},
     .least_words = 1,
     .example = "goto 3 s",
     .text = "goes to a time of the recorded run"},
    {.name = "back",
     .action = Action::kBack,
     .may_have_time = false,
     .words = {Word::kCondition},
     .example = "back load.x gt 1.2",
     .text = "goes one step back, or to where the condition became true"},
    {.name = "branch",
     .action = Action::kBranch,
     .may_have_time = false,
     .words = {Word::kBranch},
     .example = "branch trunk",
     .text = "prints the branches of the recorded run, goes to one, or begins one with 'branch here'"},
    {.name = "why",
     .action = Action::kWhy,
     .may_have_time = false,
     .words = {Word::kItem, Word::kTime},
     .least_words = 1,
     .example = "why pump.level",
     .text = "prints what brought a level, a mode, a chart or a value about, until now or until T"},
    {.name = "quit", .action = Action::kQuit, .example = "quit", .text = "ends the run, with an answer"},
    {.name = "help",
     .action = Action::kHelp,
     .may_have_time = false,
     .words = {Word::kVerb},
     .example = "help set",
     .text = "prints the commands, or an example of one"},
});

std::string_view PlaceholderOf(CommandWord word) {
  switch (word) {
    case Word::kNone: return {};
    case Word::kItem:
    case Word::kWritable:
    case Word::kLevelled:
    case Word::kReceiver: return "PATH";
    case Word::kValue: return "VALUE";
    case Word::kLevel: return "LEVEL";
    case Word::kMessage:
    case Word::kEvent: return "NAME";
    case Word::kText: return "TEXT";
    case Word::kGlob: return "GLOB";
    case Word::kFile: return "FILE";
    case Word::kTime: return "T";
    case Word::kMoment: return "T|EXPR";
    case Word::kCondition: return "EXPR";
    case Word::kBranch: return "BRANCH";
    case Word::kVerb: return "COMMAND";
  }
  return {};
}

}  // namespace

std::size_t CommandVerb::most_words() const {
  std::size_t count = 0;
  for (const Word word : words) {
    const bool has_blanks =
        word == Word::kValue || word == Word::kFile || word == Word::kMoment || word == Word::kCondition;
    if (has_blanks) return kAnyNumber;
    if (word != Word::kNone) count += word == Word::kTime ? 2 : 1;
  }
  return count;
}

std::span<const CommandVerb> CommandVerbs() { return kVerbs; }

const CommandVerb* FindCommandVerb(std::string_view name) {
  const auto verb = std::ranges::find(kVerbs, name, &CommandVerb::name);
  return verb == kVerbs.end() ? nullptr : &*verb;
}

std::string UsageOf(const CommandVerb& verb) {
  std::string usage(verb.may_have_time ? "[T] " : "");
  usage += verb.name;
  for (std::size_t i = 0; i < verb.words.size() && verb.words[i] != Word::kNone; ++i) {
    const std::string word(PlaceholderOf(verb.words[i]));
    usage += i < verb.least_words ? " " + word : " [" + word + "]";
  }
  return usage;
}

}  // namespace davit
