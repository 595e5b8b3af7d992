#include "proof/promela.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "framework/syntax/expression_parser.h"
#include "framework/syntax/expression_units.h"
#include "proof/chart_coverage.h"
#include "proof/chart_paths.h"
#include "statecharts/entry_set.h"
#include "statecharts/state_tree.h"

namespace davit {
namespace {

/// When a condition is known to be true, and when it is known to be false, in terms of active states.
struct KnownTruth {
  std::string is_true = "false", is_false = "false";
};

class PromelaWriter {
 public:
  explicit PromelaWriter(const Chart& chart) : chart_(chart), events_(chart) {}

  PromelaText Write() {
    if (chart_.data_model == DataModelKind::kEcmascript)
      return {{}, "the data model ecmascript cannot be translated; use datamodel=\"davit\" or \"null\""};
    for (StateId state = 1; state < chart_.states.size(); ++state) {
      const bool is_plain = chart_.states[state].kind == StateKind::kShallowHistory &&
                            chart_.states[chart_.states[state].parent].kind == StateKind::kCompound;
      if (chart_.IsHistory(state) && !is_plain)
        return {{}, "a deep history, or one of a <parallel>, cannot be translated to Promela"};
    }
    if (!chart_.invokes.empty()) return {{}, "charts that invoke others cannot be translated to Promela"};
    WriteHead();
    WriteStart();
    WriteSelect();
    WriteStep();
    WriteMain();
    return {std::move(text_), {}};
  }

 private:
  template <class... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format(format, std::forward<Args>(args)...) + '\n';
  }

  /// The numbers of events: outside ones first, then those that the chart and the standard raise.
  struct Events {
    explicit Events(const Chart& chart) : names(OutsideEvents(chart)), outside(names.size()) {
      const auto add = [this](std::string_view name) {
        if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
      };
      for (const Instruction& instruction : chart.instructions) {
        if (instruction.op == Op::kRaise) add(chart.symbols->Text(instruction.index));
      }
      for (const Send& send : chart.sends) {
        if (IsOwn(send)) add(send.event.text);
      }
      for (StateId state = 1; state < chart.states.size(); ++state) {
        const State& own = chart.states[state];
        if (own.kind == StateKind::kCompound || own.kind == StateKind::kParallel)
          add("done.state." + chart.names[state].id);
      }
    }
    static bool IsOwn(const Send& send) {
      return send.kind == SendTarget::kSelf || send.kind == SendTarget::kInternal;
    }
    std::size_t Of(std::string_view name) const {
      return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin()) + 1;
    }
    std::vector<std::string> names;
    std::size_t outside;
  };

  void WriteHead() {
    Line(
        "/* {}: made by davit chart paths. Verify: spin -a FILE; gcc -O2 -DVECTORSZ=4096 -o pan pan.c; ./pan "
        "-m100000 */",
        chart_.file.filename().string());
    for (std::size_t i = 0; i < events_.names.size(); ++i)
      Line("/* event {}: {} */", i + 1, events_.names[i]);
    for (StateId state = 1; state < chart_.states.size(); ++state) {
      if (!chart_.IsHistory(state)) Line("/* s[{}] = 1: state {} */", state, chart_.names[state].id);
    }
    for (Index i = 0; i < chart_.transitions.size(); ++i) {
      if (IsListed(i)) Line("/* f[{}] = 0: transition {} */", i, NameOfTransition(chart_, i));
    }
    Line("bool s[{}]; /* active */", chart_.states.size());
    Line("bool x[{0}], e[{0}], n[{0}]; /* to leave, to enter, entered in this step */", chart_.states.size());
    Line("bool f[{}]; /* transitions to take */", std::max<std::size_t>(chart_.transitions.size(), 1));
    Line("byte c[{}]; /* open conditions in this step: 1 false, 2 true */",
         chart_.transitions.size() + chart_.expressions.size() + 1);
    Line("byte h[{}]; /* histories: child that was active */", chart_.states.size());
    Line("bool p[{}]; /* delayed events that wait */", std::max<std::size_t>(chart_.sends.size(), 1));
    Line("chan inner = [32] of {{ short }}; chan outer = [32] of {{ short }};");
    Line("short ev, any; byte budget, steps; bool begun, begins, ended;");
  }

  /// What a condition is known to be; `root` of a tree of its text.
  KnownTruth Known(const ExpressionTree& tree, std::uint32_t at) const {
    const ExpressionNode& node = tree[at];
    switch (node.kind) {
      case ExpressionKind::kName:
        if (node.text == "true") return {"true", "false"};
        if (node.text == "false") return {"false", "true"};
        return {};
      case ExpressionKind::kCall: {
        if (node.text != "In") return {};
        const auto arguments = tree.ArgumentsOf(at);
        const auto state = chart_.state_of_id.find(std::string(tree[arguments[0]].text));
        if (state == chart_.state_of_id.end()) return {};
        return {fmt::format("s[{}]", state->second), fmt::format("!s[{}]", state->second)};
      }
      case ExpressionKind::kNot: {
        const KnownTruth a = Known(tree, node.first);
        return {a.is_false, a.is_true};
      }
      case ExpressionKind::kAnd:
      case ExpressionKind::kOr: {
        const KnownTruth a = Known(tree, node.first);
        const KnownTruth b = Known(tree, tree[node.first].next);
        const bool is_and = node.kind == ExpressionKind::kAnd;
        return {fmt::format("({} {} {})", a.is_true, is_and ? "&&" : "||", b.is_true),
                fmt::format("({} {} {})", a.is_false, is_and ? "||" : "&&", b.is_false)};
      }
      default: return {};
    }
  }
  KnownTruth Known(Index condition) const {
    const ExpressionTree tree = ParseExpression(chart_.expressions[condition].text, &units_);
    return tree.root == ExpressionNode::kNone ? KnownTruth{} : Known(tree, tree.root);
  }

  /// Statements that set `any` to the value of an open condition, the same throughout a step.
  std::string Choose(std::size_t choice, const KnownTruth& known) const {
    choices_.insert(choice);
    return fmt::format(
        "if :: {0} -> any = 1 :: else -> if :: {1} -> any = 0 :: else -> if :: c[{2}] == 0 -> if :: budget > "
        "0 "
        "-> "
        "budget--; c[{2}] = 2 :: c[{2}] = 1 fi :: else fi; any = (c[{2}] == 2) fi fi;",
        known.is_true, known.is_false, choice);
  }

  std::string Guard(Index index) const {
    const Transition& transition = chart_.transitions[index];
    KnownTruth known{"true", "false"};
    if (transition.cond != kNoIndex) known = Known(transition.cond);
    if (transition.after > 0 || transition.holds > 0) {
      known.is_true = "false";
      known.is_false = fmt::format("({} || n[{}])", known.is_false, transition.source);
    }
    return known.is_true == "true" ? "any = 1;" : Choose(index, known);
  }

  /// Whether the present event fits a transition.
  std::string Fits(const Transition& transition) const {
    std::string text;
    for (Index i = transition.events.begin; i < transition.events.end; ++i) {
      const std::string& descriptor = chart_.descriptor_texts[chart_.descriptor_lists[i]];
      for (std::size_t k = 0; k < events_.names.size(); ++k) {
        const std::string& name = events_.names[k];
        if (descriptor.empty() || name == descriptor || name.starts_with(descriptor + "."))
          text += fmt::format("{}ev == {}", text.empty() ? "" : " || ", k + 1);
      }
    }
    return text.empty() ? "false" : text;
  }

  // selectTransitions: for each atomic state the first transition of it or an ancestor; those that would
  // leave what another one leaves are removed.
  void WriteSelect() {
    Line("inline select_transitions() {{");
    Line("  any = 0;");
    for (StateId leaf = 1; leaf < chart_.states.size(); ++leaf) {
      if (!chart_.IsAtomic(leaf)) continue;
      std::string inside = "skip";
      for (const Index index : CandidatesOf(leaf)) {
        const Transition& transition = chart_.transitions[index];
        const std::string fits =
            transition.events.is_empty() ? "ev == 0" : fmt::format("ev > 0 && ({})", Fits(transition));
        tests_.emplace(index, fmt::format("any = 0; if :: {} -> {} :: else fi;", fits, Guard(index)));
      }
      const std::vector<Index> candidates = CandidatesOf(leaf);
      for (auto at = candidates.rbegin(); at != candidates.rend(); ++at) {
        const std::string test = tests_.at(*at);
        inside = fmt::format("{} if :: any -> f[{}] = 1 :: else -> {} fi", test, *at, inside);
      }
      Line("  if :: s[{}] -> {} :: else fi;", leaf, inside);
    }
    WriteConflicts();
    Line("}}");
  }

  std::vector<Index> CandidatesOf(StateId leaf) const {
    std::vector<Index> candidates;
    for (StateId state = leaf; state != kNoState; state = chart_.states[state].parent) {
      const IndexRange own = chart_.states[state].transitions;
      for (Index i = own.begin; i < own.end; ++i) candidates.push_back(i);
      if (state == 0) break;
    }
    return candidates;
  }

  StateId DomainOf(const Transition& transition) const {
    if (transition.targets.is_empty() || !transition.has_history_target) return transition.domain;
    // All values of a history lie below its parent, so the domain is the same for each.
    std::vector<StateId> targets;
    HistoryValues none;
    none.known.Resize(chart_.states.size());
    AppendEffectiveTargets(chart_, transition, none, targets);
    return GetTransitionDomain(chart_, transition, targets);
  }

  void WriteConflicts() {
    for (Index b = 0; b < chart_.transitions.size(); ++b) {
      for (Index a = 0; a < chart_.transitions.size(); ++a) {
        if (a == b || !IsListed(a) || !IsListed(b)) continue;
        const Transition& first = chart_.transitions[a];
        const Transition& second = chart_.transitions[b];
        const StateId domain_a = DomainOf(first), domain_b = DomainOf(second);
        if (domain_a == kNoState || domain_b == kNoState) continue;
        const bool meets = domain_a == domain_b || chart_.IsDescendant(domain_a, domain_b) ||
                           chart_.IsDescendant(domain_b, domain_a);
        // The one whose source lies deeper wins, else the one that comes first in the document.
        const bool a_wins =
            chart_.IsDescendant(first.source, second.source) ||
            (!chart_.IsDescendant(second.source, first.source) && first.source < second.source);
        if (meets && a_wins) Line("  if :: f[{}] && f[{}] -> f[{}] = 0 :: else fi;", a, b, b);
      }
    }
  }

  bool IsListed(Index index) const {
    const IndexRange own = chart_.states[chart_.transitions[index].source].transitions;
    return index >= own.begin && index < own.end;
  }

  std::string Content(IndexRange blocks) const {
    std::string text;
    for (Index i = blocks.begin; i < blocks.end; ++i) text += Block(i);
    return text;
  }
  std::string Block(Index block) const {
    return block == kNoIndex ? std::string()
                             : Instructions(chart_.blocks[block].begin, chart_.blocks[block].end);
  }
  /// Only what sends events, and the conditions around it.
  std::string Instructions(Index begin, Index end) const {
    std::string text;
    for (Index at = begin; at < end; ++at) {
      const Instruction& instruction = chart_.instructions[at];
      switch (instruction.op) {
        case Op::kRaise:
          text += fmt::format(" inner!{};", events_.Of(chart_.symbols->Text(instruction.index)));
          break;
        case Op::kSend: {
          const Send& send = chart_.sends[instruction.index];
          if (!Events::IsOwn(send)) break;
          const bool is_delayed = send.delay_seconds > 0 || send.delay.value != kNoIndex;
          text += is_delayed ? fmt::format(" p[{}] = 1;", instruction.index)
                             : fmt::format(" {}!{};", send.kind == SendTarget::kInternal ? "inner" : "outer",
                                           events_.Of(send.event.text));
          break;
        }
        case Op::kCancel: {
          const Cancel& cancel = chart_.cancels[instruction.index];
          for (std::size_t i = 0; i < chart_.sends.size(); ++i) {
            if (cancel.symbol == kNoSymbol || chart_.sends[i].id == cancel.symbol)
              text += fmt::format(" p[{}] = 0;", i);
          }
          break;
        }
        case Op::kJumpUnless: {
          // The last instruction before the target leads behind the other branches, if there are any.
          const Index jump = instruction.jump;
          const bool has_else = jump > at + 1 && chart_.instructions[jump - 1].op == Op::kJump &&
                                chart_.instructions[jump - 1].jump > jump;
          const Index behind = has_else ? chart_.instructions[jump - 1].jump : jump;
          const std::string then = Instructions(at + 1, has_else ? jump - 1 : jump);
          const std::string otherwise = has_else ? Instructions(jump, behind) : std::string();
          text += fmt::format(" {} if :: any -> skip;{} :: else -> skip;{} fi;",
                              Choose(chart_.transitions.size() + instruction.index, Known(instruction.index)),
                              then, otherwise);
          at = behind - 1;
          break;
        }
        default: break;
      }
    }
    return text;
  }

  /// Marks what a transition enters; `remembered`: the child that its history has, or none.
  std::string Entry(const Transition& transition, StateId domain, const HistoryValues& history) const {
    EntrySet entry(chart_);
    entry.AddTransition(transition, domain == kNoState ? 0 : domain, &history);
    std::string text;
    entry.states().ForEach([&](StateId state) { text += fmt::format(" e[{}] = 1;", state); });
    return text;
  }
  std::string EntryOf(const Transition& transition) const {
    HistoryValues history;
    history.known.Resize(chart_.states.size());
    history.sets.resize(chart_.states.size());
    for (auto& set : history.sets) set.Resize(chart_.states.size());
    const StateId domain = DomainOf(transition);
    std::vector<StateId> histories;
    for (Index i = transition.targets.begin; i < transition.targets.end; ++i) {
      if (chart_.IsHistory(chart_.state_lists[i])) histories.push_back(chart_.state_lists[i]);
    }
    if (histories.empty()) return Entry(transition, domain, history);
    const StateId one = histories.front();  // two of them are rare
    const State& parent = chart_.states[chart_.states[one].parent];
    std::string text = fmt::format(" if :: h[{}] == 0 ->{}", one, Entry(transition, domain, history));
    for (Index i = parent.children.begin; i < parent.children.end; ++i) {
      const StateId child = chart_.state_lists[i];
      history.known.Insert(one);
      history.sets[one].Clear();
      history.sets[one].Insert(child);
      text += fmt::format(" :: h[{}] == {} ->{}", one, child, Entry(transition, domain, history));
    }
    return text + " fi;";
  }

  void WriteStep() {
    // microstep: leave in reverse document order, contents of the transitions, enter in document order.
    Line("inline microstep() {{");
    for (Index i = 0; i < chart_.transitions.size(); ++i) {
      if (!IsListed(i)) continue;
      const StateId domain = DomainOf(chart_.transitions[i]);
      std::string marks;
      if (domain != kNoState) {
        for (StateId state = domain + 1; state < chart_.states[domain].end; ++state) {
          if (!chart_.IsHistory(state)) marks += fmt::format(" x[{0}] = s[{0}];", state);
        }
      }
      Line("  if :: f[{}] -> skip;{} :: else fi;", i, marks);
    }
    for (StateId state = 1; state < chart_.states.size(); ++state) {
      if (!chart_.IsHistory(state)) continue;
      const State& parent = chart_.states[chart_.states[state].parent];
      for (Index i = parent.children.begin; i < parent.children.end; ++i) {
        const StateId child = chart_.state_lists[i];
        Line("  if :: x[{}] && s[{}] -> h[{}] = {} :: else fi;", chart_.states[state].parent, child, state,
             child);
      }
    }
    for (auto state = static_cast<StateId>(chart_.states.size()); --state > 0;) {
      if (!chart_.IsHistory(state))
        Line("  if :: x[{0}] ->{1} x[{0}] = 0; s[{0}] = 0 :: else fi;", state,
             Content(chart_.states[state].onexit));
    }
    for (Index i = 0; i < chart_.transitions.size(); ++i) {
      if (!IsListed(i)) continue;
      const Transition& transition = chart_.transitions[i];
      Line("  if :: f[{0}] ->{1}{2} f[{0}] = 0 :: else fi;", i, Block(transition.block),
           transition.targets.is_empty() ? std::string() : EntryOf(transition));
    }
    Line("  enter()");
    Line("}}");
  }

  void WriteStart() {
    Line("inline enter() {{");
    for (StateId state = 1; state < chart_.states.size(); ++state) {
      if (chart_.IsHistory(state)) continue;
      Line("  if :: e[{0}] -> e[{0}] = 0; s[{0}] = 1; n[{0}] = 1;{1}{2} :: else fi;", state,
           Content(chart_.states[state].onentry), Done(state));
    }
    Line("}}");
  }

  /// The events of a final state.
  std::string Done(StateId state) const {
    const State& own = chart_.states[state];
    if (own.kind != StateKind::kFinal) return {};
    if (own.parent == 0) return " ended = 1;";
    std::string text = fmt::format(" inner!{};", events_.Of("done.state." + chart_.names[own.parent].id));
    const StateId grandparent = chart_.states[own.parent].parent;
    if (grandparent == kNoState || chart_.states[grandparent].kind != StateKind::kParallel) return text;
    return text + fmt::format(" if :: {} -> inner!{} :: else fi;", IsFinal(grandparent),
                              events_.Of("done.state." + chart_.names[grandparent].id));
  }
  std::string IsFinal(StateId state) const {
    const State& own = chart_.states[state];
    std::string text;
    for (Index i = own.children.begin; i < own.children.end; ++i) {
      const StateId child = chart_.state_lists[i];
      if (own.kind == StateKind::kParallel) {
        text += (text.empty() ? "" : " && ") + IsFinal(child);
      } else if (chart_.states[child].kind == StateKind::kFinal) {
        text += fmt::format("{}s[{}]", text.empty() ? "" : " || ", child);
      }
    }
    return own.kind != StateKind::kCompound && own.kind != StateKind::kParallel ? "false"
           : text.empty()                                                       ? "false"
                                                                                : "(" + text + ")";
  }

  std::string AnyTaken() const {
    std::string text;
    for (Index i = 0; i < chart_.transitions.size(); ++i) {
      if (IsListed(i)) text += fmt::format("{}f[{}]", text.empty() ? "" : " || ", i);
    }
    return text.empty() ? "false" : text;
  }

  void WriteMain() {
    // The main loop of the standard; what does not settle after 100 microsteps is not followed.
    Line("active proctype chart() {{");
    Line("  do");
    Line("  :: ended || steps > 100 -> break");
    Line("  :: atomic {{ !ended && steps <= 100 ->");
    Line("       ev = 0; any = 0; budget = 2; steps = 0; begins = !begun;");
    const Transition& initial = chart_.transitions[chart_.states[0].initial];
    Line("       if :: !begun -> begun = 1;{}{}", Block(initial.block), EntryOf(initial));
    Line("       :: begun -> skip /* time passes, or the machine moves */");
    for (std::size_t i = 0; i < events_.outside; ++i) Line("       :: begun -> ev = {}", i + 1);
    for (std::size_t i = 0; i < chart_.sends.size(); ++i) {
      if (Events::IsOwn(chart_.sends[i]))
        Line("       :: p[{0}] -> p[{0}] = 0; ev = {1}", i, events_.Of(chart_.sends[i].event.text));
    }
    Line("       fi;");
    Line("       do");
    Line("       :: ended || steps > 100 -> break");
    Line("       :: else -> select_transitions();");
    Line("          if :: begins || {} -> microstep(); begins = 0; steps++; ev = 0", AnyTaken());
    Line("          :: else -> if :: ev > 0 -> ev = 0");
    Line("                     :: else -> if :: len(inner) > 0 -> inner?ev");
    Line("                                :: len(inner) == 0 && len(outer) > 0 -> outer?ev");
    Line("                                :: else -> break fi fi");
    Line("          fi");
    Line("       od;");
    // The same values after each step: what is known only within a step makes no further situations.
    for (const std::size_t choice : choices_) Line("       c[{}] = 0;", choice);
    for (StateId state = 1; state < chart_.states.size(); ++state) Line("       n[{}] = 0;", state);
    Line("       any = 0; ev = 0; budget = 0; if :: steps <= 100 -> steps = 0 :: else fi }}");
    Line("  od");
    Line("}}");
  }

  const Chart& chart_;
  ExpressionUnits units_;
  Events events_;
  std::map<Index, std::string> tests_;
  mutable std::set<std::size_t> choices_;  ///< that were written
  std::string text_;
};

}  // namespace

PromelaText MakePromela(const Chart& chart) { return PromelaWriter(chart).Write(); }

}  // namespace davit
