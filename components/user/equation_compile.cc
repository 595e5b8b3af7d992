// The expressions of an equation component, compiled.

#include <fmt/format.h>

#include <algorithm>

#include "components/user/equation_reader.h"
#include "expressions/expression_address.h"
#include "framework/nearest_name.h"

namespace davit {

CodeRange EquationReader::Compile(std::string_view text, const SourceLocation& place, std::string_view what,
                                  const Variable* target, const NamedNumber* element) {
  const std::optional<std::string> expanded = WithElements(text, place, what, element);
  if (!expanded) return {};
  const ExpressionCompiler::Result result =
      target == nullptr ? compiler_.Compile(*expanded, ValueType::kNumber)
                        : compiler_.CompileFor(program_.variables[*target], *expanded);
  if (Fault fault = result.fault) {
    if (fault.remedy.empty()) fault.remedy = "see docs/expressions.md";
    Error(place, *expanded == text ? fmt::format("{}, column {}: {}", what, result.offset + 1, fault.ToText())
                                   : fmt::format("{}, column {} of {}: {}", what, result.offset + 1,
                                                 Quoted(*expanded), fault.ToText()));
    return {};
  }
  if (!RegisterCode::CanHold(program_, result.range)) {
    Error(
        place,
        fmt::format("{}: events, states and rising() belong to charts; write an expression of values", what));
  }
  return result.range;
}

void EquationReader::CompileDefinition(Definition& definition) {
  const SourceLocation place =
      definition.attribute == nullptr ? component_.location() : definition.attribute->location;
  const std::string_view attribute =
      definition.attribute == nullptr ? std::string_view() : definition.attribute->name;
  // x.ddt is written as the der of x, a.q as the q of a.
  const std::string item = definition.name.substr(0, definition.name.find('.'));
  const std::string what = fmt::format("{} of {}", attribute, Quoted(item));
  if (definition.array == nullptr) {
    definition.range = Compile(definition.text, place, what, &definition.variable);
  } else {
    const NamedNumber element{definition.array->index, static_cast<double>(definition.element)};
    definition.range = Compile(definition.attribute->value, place, what, &definition.variable, &element);
  }
  definition.reads = ReadsOf(definition.range);
  definition.reads_time = ReadsTime(definition.range);
}

void EquationReader::CompileGuard(GuardText& guard) {
  const Attribute& value = *guard.item->Find("value");
  guard.value = Compile(value.value, value.location, fmt::format("value of {}", Quoted(guard.name)));
  CompileReaction(guard.reaction);
  CompileReaction(guard.rest);
}

void EquationReader::CompileReaction(Reaction& reaction) {
  std::set<std::string> assigned;
  for (Assignment& assignment : reaction.assignments) {
    const Attribute& expr = *assignment.item->Find("expr");
    const SourceLocation& place = assignment.item->Find("name")->location;
    const auto variable = compiler_.FindVariable(assignment.name);
    assignment.range = Compile(expr.value, expr.location, fmt::format("expr of {}", Quoted(assignment.name)),
                               variable ? &*variable : nullptr);
    const bool is_assignable = variable && (sources_[*variable].kind == Source::Kind::kState ||
                                            sources_[*variable].kind == Source::Kind::kHeld);
    if (!is_assignable) {
      std::vector<std::string> names;
      for (Variable v = 0; v < sources_.size(); ++v) {
        if (sources_[v].kind == Source::Kind::kState || sources_[v].kind == Source::Kind::kHeld)
          names.push_back(program_.variables[v].name);
      }
      Error(place,
            fmt::format("{} sets {}, which is neither a State nor a Variable; {}", assignment.item->kind,
                        Quoted(assignment.name), SuggestName("it may set", assignment.name, names)));
    } else if (!assigned.insert(assignment.name).second) {
      Error(place, fmt::format("{} is set twice; keep one of them", Quoted(assignment.name)));
    }
  }
}

std::vector<EquationReader::Variable> EquationReader::ReadsOf(CodeRange range) const {
  std::set<Variable> reads;
  const auto add = [&](std::uint32_t address) {
    if (address != ExpressionInstruction::kOnStack && KindOfAddress(address) == AddressKind::kVariable)
      reads.insert(IndexOfAddress(address));
  };
  for (std::uint32_t at = range.begin; at < range.end; ++at) {
    add(program_.code[at].left);
    add(program_.code[at].right);
  }
  return {reads.begin(), reads.end()};
}

bool EquationReader::ReadsTime(CodeRange range) const {
  const auto begin = program_.code.begin();
  return std::any_of(begin + range.begin, begin + range.end,
                     [](const ExpressionInstruction& code) { return code.op == ExpressionOp::kTime; });
}

}  // namespace davit
