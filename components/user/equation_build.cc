#include "components/user/equation_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "expressions/expression_address.h"

// The equations as they are evaluated, from what was compiled and sorted.

namespace davit {

EquationReader::Equations::Place EquationReader::PlaceOf(Variable variable) const {
  return static_cast<Equations::Place>(program_.first_variable() + variable);
}

void EquationReader::Build() {
  // Places for what guards compute; no name that can be written means them.
  for (const GuardText& guard : guards_) {
    AddVariable(guard.name + " value", {});
    for (const Reaction* reaction : {&guard.reaction, &guard.rest}) {
      for (const Assignment& assignment : reaction->assignments)
        AddVariable(guard.name + ' ' + assignment.item->kind + ' ' + assignment.name, {});
    }
  }
  compiler_.Link();
  RegisterCode& code = equations_.code.emplace(program_);
  for (Variable v = 0; v < sources_.size(); ++v) {
    if (sources_[v].kind == Source::Kind::kParameter) {
      equations_.parameter_values.push_back({&equations_.parameters[sources_[v].index], PlaceOf(v)});
    }
    if (sources_[v].kind == Source::Kind::kHeld) equations_.held[sources_[v].index].place = PlaceOf(v);
  }
  BuildSteps(code);
  BuildGuards(code);
  DeclareReaches();
  EquationBlock::Join(std::vector{&component_});
  for (std::size_t i = 0; i < program_.constants.size(); ++i)
    equations_.ValueAt(static_cast<Equations::Place>(i)) = program_.constants[i];
  for (const Equations::Held& held : equations_.held) equations_.ValueAt(held.place) = held.start;
}

void EquationReader::BuildSteps(RegisterCode& code) {
  Declarations& declarations = component_.mutable_declarations();
  auto& effort_reads = declarations.effort_reads.emplace();
  for (std::size_t phase = 0; phase < Equations::kPhases; ++phase) {
    Equations::Step& step = equations_.steps[phase];
    std::set<Variable> reads;
    step.code.begin = code.end();
    for (const std::size_t i : order_) {
      const Definition& definition = definitions_[i];
      if (definition.phase != phase || !definition.is_wanted) continue;
      reads.insert(definition.reads.begin(), definition.reads.end());
      if (!AliasOf(definition)) code.Add(program_, definition.range, PlaceOf(definition.variable));
    }
    step.code.end = code.end();
    AddReads(step, reads);
    if (phase != Equations::kEarly) continue;
    for (const Variable v : reads) {
      const Source& source = sources_[v];
      if (source.kind == Source::Kind::kInput) effort_reads.push_back(equations_.inputs[source.index].id());
      if (source.kind == Source::Kind::kBond) effort_reads.push_back(source.port);
    }
  }

  auto& steps = equations_.steps;
  equations_.time_place = code.time_place();
  for (const Equations::Held& held : equations_.held)
    steps[Equations::kEarly].written.push_back({held.value, held.place});
  for (const Definition& definition : definitions_) {
    if (!definition.is_wanted) continue;
    const std::optional<Variable> alias = AliasOf(definition);
    const Equations::Place place = PlaceOf(alias.value_or(definition.variable));
    if (definition.attribute != nullptr) equations_.results.push_back({place, Keep(definition.name)});
    if (definition.derivative != nullptr)
      steps[Equations::kLate].derivatives.push_back({definition.derivative, place});
    if (definition.output != nullptr) {
      steps[definition.phase].written.push_back(
          {declarations.outputs[definition.output_declaration].value, place});
      if (definition.phase != Equations::kLate)
        declarations.outputs[definition.output_declaration].written_by = WrittenBy::kEfforts;
    }
    if (definition.port == nullptr) continue;
    const Equations::Written written{nullptr, place, definition.port, definition.member};
    steps[definition.wanted].written.push_back(written);
    // Neighbours look at what is constant before the run.
    if (definition.phase == Equations::kConstant && definition.wanted != Equations::kConstant)
      steps[Equations::kConstant].written.push_back(written);
  }
}

std::optional<EquationReader::Variable> EquationReader::AliasOf(const Definition& definition) const {
  const ExpressionInstruction& first = program_.code[definition.range.begin];
  const bool is_copy = definition.range.end - definition.range.begin == 1 && first.op == ExpressionOp::kPush;
  if (!is_copy || definition.derivative == nullptr || is_read_.contains(definition.variable)) return {};
  if (definition.reads.empty() || sources_[definition.reads[0]].kind != Source::Kind::kState) return {};
  return definition.reads[0];
}

void EquationReader::AddReads(Equations::Step& step, const std::set<Variable>& reads) const {
  for (const Variable v : reads) {
    const Source& source = sources_[v];
    const Equations::Place place = PlaceOf(v);
    switch (source.kind) {
      case Source::Kind::kInput:
        step.reads.push_back(
            {static_cast<const double* const*>(equations_.inputs[source.index].id()), place});
        break;
      case Source::Kind::kState: step.states.push_back({source.slot, place}); break;
      case Source::Kind::kBond:
        equations_.bonds.push_back({source.port, source.member});
        step.reads.push_back({&equations_.bonds.back().value, place});
        break;
      default: break;
    }
  }
}

void EquationReader::BuildGuards(RegisterCode& code) {
  if (guards_.empty()) return;
  std::set<Variable> all;
  for (Variable v = 0; v < sources_.size(); ++v) all.insert(v);
  AddReads(equations_.steps[Equations::kForGuards], all);
  for (const GuardText& guard : guards_) {
    Equations::Event& event = equations_.events.emplace_back();
    event.value_place = PlaceOf(*compiler_.FindVariable(guard.name + " value"));
    event.value.begin = code.end();
    code.Add(program_, guard.value, event.value_place);
    event.value.end = code.end();
    const auto build = [&](const Reaction& reaction) {
      Equations::Reaction built;
      built.code.begin = code.end();
      for (const Assignment& assignment : reaction.assignments) {
        const std::string value = guard.name + ' ' + assignment.item->kind + ' ' + assignment.name;
        const Variable to = *compiler_.FindVariable(assignment.name);
        Equations::Assigned assigned{nullptr, nullptr, PlaceOf(to), PlaceOf(*compiler_.FindVariable(value))};
        if (sources_[to].kind == Source::Kind::kState) {
          assigned.state = sources_[to].slot;
        } else {
          assigned.output = equations_.held[sources_[to].index].output;
        }
        code.Add(program_, assignment.range, assigned.value);
        built.assigned.push_back(assigned);
      }
      built.code.end = code.end();
      return built;
    };
    event.reaction = build(guard.reaction);
    event.rest = build(guard.rest);
    Equations* const equations = &equations_;
    const Equations::Event* const mine = &event;
    Guard::Reaction rest;
    if (!guard.rest.assignments.empty())
      rest = [equations, mine](double t) { equations->React(mine->rest, t); };
    equations_.guards.emplace_back(
        &component_, Keep(guard.name), TextOf(*guard.item), guard.direction,
        [equations, mine] { return equations->ReadGuard(*mine); },
        [equations, mine](double t) { equations->React(mine->reaction, t); }, std::move(rest));
  }
}

}  // namespace davit
