#include "statecharts/chart_outline.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "statecharts/chart_label.h"

namespace davit {
namespace {

class Outline {
 public:
  Outline(const Chart& chart, OutlineLanguage language)
      : chart_(chart), is_mermaid_(language == OutlineLanguage::kMermaid) {}

  std::string Text() {
    text_ = is_mermaid_ ? "stateDiagram-v2\n" : "@startuml\nhide empty description\n";
    AddContent(0, "");
    for (Index i = 0; i < chart_.transitions.size(); ++i) AddTransition(i);
    if (!is_mermaid_) text_ += "@enduml\n";
    return text_;
  }

 private:
  std::string AliasOf(StateId state) const { return fmt::format("s{}", state); }

  /// Both languages end a label at the line, and Mermaid at a ';' or '#'.
  std::string Clean(std::string_view text) const {
    std::string clean;
    for (const char c : text) {
      const bool is_space = c == '\n' || c == '\r' || c == '\t' || (is_mermaid_ && c == ':');
      const bool is_comma = is_mermaid_ && (c == ';' || c == '#');
      clean += is_space ? ' ' : is_comma ? ',' : c == '"' ? '\'' : c;
    }
    return clean;
  }

  void AddContent(StateId state, const std::string& margin) {
    const State& own = chart_.states[state];
    bool is_first = true;
    for (Index i = own.children.begin; i < own.children.end; ++i) {
      if (own.kind == StateKind::kParallel && !is_first) text_ += margin + "--\n";
      is_first = false;
      AddState(chart_.state_lists[i], margin);
    }
    for (Index i = own.histories.begin; i < own.histories.end; ++i) AddHistory(chart_.state_lists[i], margin);
    if (own.initial == kNoIndex) return;
    const Transition& initial = chart_.transitions[own.initial];
    for (Index i = initial.targets.begin; i < initial.targets.end; ++i) {
      text_ += fmt::format("{}[*] --> {}\n", margin, AliasOf(chart_.state_lists[i]));
    }
  }

  void AddState(StateId state, const std::string& margin) {
    const State& own = chart_.states[state];
    const std::string final = own.kind == StateKind::kFinal && !is_mermaid_ ? " <<end>>" : "";
    text_ +=
        fmt::format("{}state \"{}\" as {}{}", margin, Clean(chart_.names[state].id), AliasOf(state), final);
    if (!own.children.is_empty()) {
      text_ += " {\n";
      AddContent(state, margin + "  ");
      text_ += margin + "}\n";
    } else {
      text_ += '\n';
    }
    if (is_mermaid_ && !own.children.is_empty()) return;  // Mermaid has no text in states with states
    for (const std::string& line : StateLines(chart_, state)) {
      text_ += fmt::format("{}{} : {}\n", margin, AliasOf(state), Clean(line));
    }
  }

  void AddHistory(StateId state, const std::string& margin) {
    const bool is_deep = chart_.states[state].kind == StateKind::kDeepHistory;
    const std::string_view kind = is_deep ? "<<history*>>" : "<<history>>";
    text_ += is_mermaid_ ? fmt::format("{}state \"{}\" as {}\n", margin, is_deep ? "H*" : "H", AliasOf(state))
                         : fmt::format("{}state \"{}\" as {} {}\n", margin, Clean(chart_.names[state].id),
                                       AliasOf(state), kind);
  }

  void AddTransition(Index index) {
    const Transition& transition = chart_.transitions[index];
    const bool is_initial =
        chart_.states[transition.source].initial == index && !chart_.IsHistory(transition.source);
    if (is_initial || transition.source == 0) return;
    const std::string label = Clean(TransitionText(chart_, transition));
    for (Index i = transition.targets.begin; i < transition.targets.end; ++i) {
      text_ += fmt::format("{} --> {}{}\n", AliasOf(transition.source), AliasOf(chart_.state_lists[i]),
                           label.empty() ? "" : " : " + label);
    }
  }

  const Chart& chart_;
  bool is_mermaid_;
  std::string text_;
};

}  // namespace

std::string MakeChartOutline(const Chart& chart, OutlineLanguage language) {
  return Outline(chart, language).Text();
}

}  // namespace davit
