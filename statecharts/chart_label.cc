#include "statecharts/chart_label.h"

#include <fmt/format.h>

namespace davit {
namespace {

std::string TextOf(const Chart& chart, Index expression) {
  return expression == kNoIndex ? std::string() : chart.expressions[expression].text;
}

std::string TextOf(const Chart& chart, const TextOrExpression& source) {
  return source.value == kNoIndex ? source.text : TextOf(chart, source.value);
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
      if (assignment.value == kNoIndex) return assignment.location + " = ...";
      const std::string value = TextOf(chart, assignment.value);
      const bool is_statement = value.find('=') != std::string::npos && value.find(assignment.location) == 0;
      return is_statement ? value : assignment.location + " = " + value;
    }
    case Op::kLog: return "log " + chart.logs[instruction.index].label;
    case Op::kScript: return "script";
  }
  return {};
}

std::string TriggerText(const Chart& chart, const Transition& transition, std::string_view guard) {
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
  if (!guard.empty()) append("[" + std::string(guard) + "]");
  if (transition.holds > 0) append(fmt::format("for {} s", transition.holds));
  return text;
}

std::string WithActions(const std::string& trigger, const std::string& actions) {
  if (actions.empty()) return trigger;
  return trigger.empty() ? "/ " + actions : trigger + " / " + actions;
}

}  // namespace

std::string TriggerText(const Chart& chart, const Transition& transition) {
  return TriggerText(chart, transition, TextOf(chart, transition.cond));
}

std::string ActionText(const Chart& chart, Index block) {
  return block == kNoIndex ? std::string() : ActionText(chart, chart.blocks[block]);
}

std::string ActionText(const Chart& chart, IndexRange instructions) {
  std::string text;
  for (Index i = instructions.begin; i < instructions.end; ++i) {
    if (!text.empty()) text += "; ";
    text += InstructionText(chart, chart.instructions[i]);
  }
  constexpr std::size_t kLongest = 80;
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text;
}

std::string TransitionText(const Chart& chart, const Transition& transition) {
  return WithActions(TriggerText(chart, transition), ActionText(chart, transition.block));
}

std::string SegmentText(const Chart& chart, const Transition& transition, const Segment& segment) {
  const std::string trigger = segment.connector == kNoIndex ? TriggerText(chart, transition, segment.guard)
                              : segment.guard.empty()       ? std::string()
                                                            : "[" + segment.guard + "]";
  return WithActions(trigger, ActionText(chart, segment.actions));
}

std::vector<std::string> StateLines(const Chart& chart, StateId state) {
  std::vector<std::string> lines;
  const State& own = chart.states[state];
  for (Index i = own.onentry.begin; i < own.onentry.end; ++i)
    lines.push_back("entry / " + ActionText(chart, i));
  for (Index i = own.during.begin; i < own.during.end; ++i)
    lines.push_back("during / " + ActionText(chart, i));
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
