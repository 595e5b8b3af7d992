// The definitions of an equation component, sorted so that each comes after what it reads.

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "components/user/equation_reader.h"
#include "framework/nearest_name.h"
#include "framework/symptom.h"

namespace davit {

bool EquationReader::Sort() {
  // Depth first, without recursion: a chain of outputs may be long.
  constexpr std::size_t kDeepest = 10'000;
  enum class Mark : std::uint8_t { kNew, kOpen, kDone };
  std::vector<Mark> marks(definitions_.size(), Mark::kNew);
  std::vector<std::size_t> open;       // each is read by the one before
  std::vector<std::size_t> next_read;  // of each of them
  const auto enter = [&](std::size_t definition) {
    marks[definition] = Mark::kOpen;
    open.push_back(definition);
    next_read.push_back(0);
  };
  for (std::size_t i = 0; i < definitions_.size(); ++i) {
    if (marks[i] == Mark::kNew) enter(i);
    while (!open.empty()) {
      const std::vector<Variable>& reads = definitions_[open.back()].reads;
      if (next_read.back() == reads.size()) {
        marks[open.back()] = Mark::kDone;
        order_.push_back(open.back());
        open.pop_back();
        next_read.pop_back();
        continue;
      }
      const Source& source = sources_[reads[next_read.back()++]];
      if (source.kind != Source::Kind::kDefined || marks[source.index] == Mark::kDone) continue;
      if (open.size() > kDeepest) {
        Error(component_.location(),
              "outputs depend on each other over more than 10000 levels; combine some of them");
        return false;
      }
      if (marks[source.index] == Mark::kOpen) {
        ReportCircle({std::find(open.begin(), open.end(), source.index), open.end()});
        return false;
      }
      enter(source.index);
    }
  }
  return true;
}

void EquationReader::ReportCircle(const std::vector<std::size_t>& circle) {
  constexpr std::size_t kMostShown = 10;
  std::string text;
  const Attribute* attribute = nullptr;
  for (std::size_t i = 0; i < circle.size(); ++i) {
    if (i < kMostShown) text += definitions_[circle[i]].name + " -> ";
    if (i == kMostShown) text += "... -> ";
    if (attribute == nullptr) attribute = definitions_[circle[i]].attribute;
  }
  const bool has_effort =
      std::ranges::any_of(circle, [&](std::size_t i) { return definitions_[i].attribute == nullptr; });
  const std::string& name = definitions_[circle.front()].name;
  Error(attribute == nullptr ? component_.location() : attribute->location,
        fmt::format("algebraic loop: {}{}; {}{}", text, name,
                    has_effort ? "solve the equation for the flow, with c and Zc of the port"
                               : "solve the equations by hand, or break the loop with a State",
                    SeeSection(Symptom::kAlgebraicLoop)));
}

void EquationReader::FindPhases() {
  std::vector<bool> is_constant(definitions_.size());
  std::vector<bool> is_known(definitions_.size());
  for (const std::size_t i : order_) {
    Definition& definition = definitions_[i];
    const auto all = [&](const std::vector<bool>& defined, auto&& kinds) {
      return std::all_of(definition.reads.begin(), definition.reads.end(), [&](Variable read) {
        const Source& source = sources_[read];
        return source.kind == Source::Kind::kDefined ? defined[source.index] : kinds(source.kind);
      });
    };
    is_constant[i] = !definition.reads_time &&
                     all(is_constant, [](Source::Kind kind) { return kind == Source::Kind::kParameter; });
    is_known[i] = all(is_known, [](Source::Kind kind) {
      return kind == Source::Kind::kParameter || kind == Source::Kind::kState || kind == Source::Kind::kHeld;
    });
  }
  for (std::size_t i = 0; i < definitions_.size(); ++i) {
    if (is_constant[i]) definitions_[i].phase = Equations::kConstant;
  }
  for (std::size_t i = 0; i < definitions_.size(); ++i) {
    const bool is_early_output = definitions_[i].output != nullptr && is_known[i];
    if (definitions_[i].wanted == Equations::kEarly || is_early_output) Need(i, Equations::kEarly);
  }
  // What only names a formula of a port is evaluated where something reads it.
  std::set<Variable>& read = is_read_;
  for (const GuardText& guard : guards_) {
    for (const Variable v : ReadsOf(guard.value)) read.insert(v);
    for (const Reaction* reaction : {&guard.reaction, &guard.rest}) {
      for (const Assignment& assignment : reaction->assignments) {
        for (const Variable v : ReadsOf(assignment.range)) read.insert(v);
      }
    }
  }
  for (auto i = order_.rbegin(); i != order_.rend(); ++i) {
    Definition& definition = definitions_[*i];
    definition.is_wanted = definition.is_wanted || read.contains(definition.variable);
    if (definition.is_wanted) read.insert(definition.reads.begin(), definition.reads.end());
  }
}

void EquationReader::Need(std::size_t definition, Phase phase) {
  std::vector<std::size_t> needed{definition};
  while (!needed.empty()) {
    Definition& next = definitions_[needed.back()];
    needed.pop_back();
    if (next.phase <= phase) continue;
    next.phase = phase;
    for (const Variable read : next.reads) {
      if (sources_[read].kind == Source::Kind::kDefined) needed.push_back(sources_[read].index);
    }
  }
}

void EquationReader::CheckConstants() {
  for (const Definition& definition : definitions_) {
    if (definition.wanted != Equations::kConstant || definition.phase == Equations::kConstant) continue;
    Error(definition.attribute->location,
          fmt::format("{} of a port must not change during a run; write an expression of parameters alone",
                      definition.attribute->name));
  }
}

}  // namespace davit
