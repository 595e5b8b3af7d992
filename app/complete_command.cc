#include "app/complete_command.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "framework/component.h"
#include "framework/message.h"
#include "framework/xml/command_verb.h"

namespace davit {
namespace {

using Word = CommandWord;

/// Candidates by what they begin with: paths end at their next dot, so that large systems can be walked.
class Candidates {
 public:
  explicit Candidates(std::string_view begun) : begun_(begun) {}

  void Add(std::string_view word) {
    if (word.starts_with(begun_)) words_.emplace(word);
  }
  void AddPath(std::string_view path) {
    if (path.starts_with(begun_)) words_.emplace(path.substr(0, AfterStop(path.find('.', begun_.size()))));
  }
  std::vector<std::string> Take() const { return {words_.begin(), words_.end()}; }

 private:
  static std::size_t AfterStop(std::size_t stop) { return stop == std::string_view::npos ? stop : stop + 1; }

  std::string_view begun_;
  std::set<std::string> words_;
};

Component* FindComponent(const System& system, std::string_view path) {
  const auto found = std::ranges::find(system.components(), path,
                                       [](const Component* component) { return component->path(); });
  return found == system.components().end() ? nullptr : *found;
}

void AddItems(const System& system, bool must_be_writable, Candidates& candidates) {
  for (Component* component : system.components()) {
    for (const Item& item : system.ItemsOf(*component)) {
      const bool is_named = must_be_writable ? item.is_writable() : item.kind() != Item::Kind::kStart;
      if (is_named) candidates.AddPath(item.path());
    }
  }
}

void AddValues(const System& system, std::string_view path, Candidates& candidates) {
  for (Component* component : system.components()) {
    if (!path.starts_with(component->path())) continue;
    for (const Item& item : system.ItemsOf(*component)) {
      if (item.path() != path) continue;
      for (const std::string_view option : item.options()) candidates.Add(option);
      if (item.value_kind() == ValueKind::kCondition) {
        candidates.Add("true");
        candidates.Add("false");
      }
    }
  }
}

void AddFiles(std::string_view begun, Candidates& candidates) {
  const std::size_t slash = begun.rfind('/');
  const std::string folder(begun.substr(0, slash == std::string_view::npos ? 0 : slash + 1));
  std::error_code fault;
  for (std::filesystem::directory_iterator it(folder.empty() ? "." : folder, fault), end; !fault && it != end;
       it.increment(fault)) {
    std::error_code ignored;
    candidates.Add(folder + it->path().filename().string() + (it->is_directory(ignored) ? "/" : ""));
  }
}

/// `before`: the word before the one that is completed.
void AddWords(const System& system, Word word, std::string_view before, std::string_view begun,
              Candidates& candidates) {
  switch (word) {
    case Word::kItem:
    case Word::kMoment:
    case Word::kCondition:
    case Word::kGlob: return AddItems(system, false, candidates);
    case Word::kWritable: return AddItems(system, true, candidates);
    case Word::kValue: return AddValues(system, before, candidates);
    case Word::kFile: return AddFiles(begun, candidates);
    case Word::kLevelled:
      for (const Component* component : system.components()) {
        if (component->level()) candidates.AddPath(component->path());
      }
      return;
    case Word::kLevel:
      if (const Component* component = FindComponent(system, before)) {
        for (const std::string& level : component->LevelNames()) candidates.Add(level);
      }
      return;
    case Word::kReceiver:
      for (const Component* component : system.components()) {
        if (!component->declarations().messages.empty() || component->level())
          candidates.AddPath(component->path());
      }
      return;
    case Word::kMessage:
      if (const Component* component = FindComponent(system, before)) {
        for (const Message* message : component->declarations().messages)
          candidates.Add(message->label().name);
        if (component->level()) candidates.Add("SetLevel");
      }
      return;
    case Word::kVerb:
      for (const CommandVerb& verb : CommandVerbs()) candidates.Add(verb.name);
      return;
    case Word::kNone:
    case Word::kText:
    case Word::kEvent:
    case Word::kBranch:
    case Word::kTime: return;
  }
}

}  // namespace

Completion CompleteCommand(const System& system, std::string_view line) {
  constexpr std::string_view kBlanks = " \t";
  std::vector<std::string_view> words;
  std::size_t begin = 0;
  while ((begin = line.find_first_not_of(kBlanks, begin)) != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = end;
  }
  const bool is_begun = !line.empty() && kBlanks.find(line.back()) == std::string_view::npos;
  const std::string_view begun = is_begun ? words.back() : std::string_view();
  if (is_begun) words.pop_back();
  // A time may be in front of the command.
  const auto verb = std::ranges::find_if(words, [](std::string_view word) { return FindCommandVerb(word); });
  Candidates candidates(begun);
  if (verb == words.end()) {
    AddWords(system, Word::kVerb, {}, begun, candidates);
  } else {
    const CommandVerb& known = *FindCommandVerb(*verb);
    const auto n = static_cast<std::size_t>(words.end() - verb) - 1;
    if (n < known.words.size()) AddWords(system, known.words[n], words.back(), begun, candidates);
  }
  return {begun.size(), candidates.Take()};
}

}  // namespace davit
