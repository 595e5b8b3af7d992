#include "statecharts/chart_label.h"

#include <fmt/format.h>

namespace davit {
namespace {

std::string TextOf(const Chart& chart, Index expression) {
  return expression == kNone ? std::string() : chart.expressions[expression].text;
}

std::string TextOf(const Chart& chart, const TextOrExpression& source) {
  return source.value == kNone ? source.text : TextOf(chart, source.value);
}

std::string SendText(const Chart& chart, const Send& send) {
  std::string text = "send " + TextOf(chart, send.event);
  if (send.target.is_given) text += " to " + TextOf(chart, send.target);
  if (send.delay.is_given) text += " after " + TextOf(chart, send.delay);
  return text;
}

std::string InstructionText(const Chart& chart, const Instruction& instruction) {
  switch (instruction.op) {
    case Op::kRaise: return "raise " + chart.symbols->Text(instruction.index);
    case Op::kSend: return SendText(chart, chart.sends[instruction.index]);
    case Op::kCancel: return "cancel " + TextOf(chart, chart.cancels[instruction.index].id);
    case Op::kJumpUnless: return "if (" + TextOf(chart, instruction.index) + ")";
    case Op::kJump: return "else";
    case Op::kForeach: return "for each " + chart.loops[instruction.index].item;
    case Op::kAssign: {
      const AssignElement& assignment = chart.assignments[instruction.index];
      if (assignment.value == kNone) return assignment.location + " = ...";
      const std::string value = TextOf(chart, assignment.value);
      const bool is_statement = value.find('=') != std::string::npos && value.find(assignment.location) == 0;
      return is_statement ? value : assignment.location + " = " + value;
    }
    case Op::kLog: return "log " + chart.logs[instruction.index].label;
    case Op::kScript: return "script";
  }
  return {};
}

}  // namespace

std::string TriggerText(const Chart& chart, const Transition& transition) {
  std::string text;
  const auto append = [&text](const std::string& part) {
    if (!text.empty()) text += ' ';
    text += part;
  };
  for (Index i = transition.events.begin; i < transition.events.end; ++i) {
    const std::string& descriptor = chart.descriptor_texts[chart.descriptor_lists[i]];
    append(descriptor.empty() ? "*" : descriptor);
  }
  if (transition.after > 0) append(fmt::format("after {} s", transition.after));
  if (transition.cond != kNone) append("[" + TextOf(chart, transition.cond) + "]");
  if (transition.holds > 0) append(fmt::format("for {} s", transition.holds));
  return text;
}

std::string ActionText(const Chart& chart, Index block) {
  std::string text;
  if (block == kNone) return text;
  for (Index i = chart.blocks[block].begin; i < chart.blocks[block].end; ++i) {
    if (!text.empty()) text += "; ";
    text += InstructionText(chart, chart.instructions[i]);
  }
  constexpr std::size_t kLongest = 80;
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text;
}

std::string TransitionText(const Chart& chart, const Transition& transition) {
  std::string trigger = TriggerText(chart, transition);
  const std::string actions = ActionText(chart, transition.block);
  if (actions.empty()) return trigger;
  return trigger.empty() ? "/ " + actions : trigger + " / " + actions;
}

std::vector<std::string> StateLines(const Chart& chart, StateId state) {
  std::vector<std::string> lines;
  const State& own = chart.states[state];
  for (Index i = own.onentry.begin; i < own.onentry.end; ++i)
    lines.push_back("entry / " + ActionText(chart, i));
  for (Index i = own.onexit.begin; i < own.onexit.end; ++i) lines.push_back("exit / " + ActionText(chart, i));
  for (Index i = own.invokes.begin; i < own.invokes.end; ++i) {
    const Invoke& invoke = chart.invokes[i];
    const std::string source = TextOf(chart, invoke.source);
    lines.push_back("invoke " + (source.empty() ? chart.symbols->Text(invoke.id) : source));
  }
  for (Index i = own.transitions.begin; i < own.transitions.end; ++i) {
    if (chart.transitions[i].targets.is_empty()) lines.push_back(TransitionText(chart, chart.transitions[i]));
  }
  return lines;
}

}  // namespace davit
