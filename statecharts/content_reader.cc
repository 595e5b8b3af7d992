#include "statecharts/content_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "framework/nearest_name.h"

namespace davit {
namespace {

template <class T>
Index Append(std::vector<T>& list, std::type_identity_t<T> element) {
  list.push_back(std::move(element));
  return static_cast<Index>(list.size() - 1);
}

/// Names of executable content, for messages.
const std::vector<std::string>& ContentNames() {
  static const std::vector<std::string> kNames{"raise",  "if",     "foreach", "log",
                                               "assign", "script", "send",    "cancel"};
  return kNames;
}

}  // namespace

std::size_t ContentReader::Emit(Op op, Index index, const tinyxml2::XMLElement& element) {
  const XmlPlaces::Place place = build_.source.PlacesOf(element).OfElement(element);
  return Append(chart_.instructions, Instruction{op, index, 0, element.GetLineNum(), place.column,
                                                 build_.source.PartOf(element).number()});
}

void ContentReader::ReadStates() {
  for (StateId state = 0; state < chart_.states.size(); ++state) {
    if (chart_.IsHistory(state)) continue;
    const tinyxml2::XMLElement& element = *build_.elements[state];
    const auto children = build_.source.ChildrenOf(element);
    const bool is_final = chart_.states[state].kind == StateKind::kFinal;
    for (const bool is_entry : {true, false}) {
      const auto begin = static_cast<Index>(chart_.blocks.size());
      for (const tinyxml2::XMLElement* child : children) {
        if (!build_.source.Is(*child, is_entry ? "onentry" : "onexit") || state == 0) continue;
        build_.CheckAttributes(*child, state, {});
        ReadBlock(*child, state);
      }
      (is_entry ? chart_.states[state].onentry : chart_.states[state].onexit) = {
          begin, static_cast<Index>(chart_.blocks.size())};
    }
    ReadDuring(state);
    const auto first_invoke = static_cast<Index>(chart_.invokes.size());
    for (const tinyxml2::XMLElement* child : children) {
      if (build_.source.Is(*child, "invoke") && state != 0 && !is_final) {
        ReadInvoke(*child, state, chart_.invokes.size() - first_invoke);
      }
      if (build_.source.Is(*child, "donedata") && is_final) ReadDoneData(*child, state);
    }
    chart_.states[state].invokes = {first_invoke, static_cast<Index>(chart_.invokes.size())};
  }
  IndexRange script{static_cast<Index>(chart_.instructions.size()), 0};
  for (const tinyxml2::XMLElement* child : build_.source.ChildrenOf(*build_.elements[0])) {
    if (build_.source.Is(*child, "script")) ReadScript(*child, 0);
  }
  script.end = static_cast<Index>(chart_.instructions.size());
  if (!script.is_empty()) chart_.script = Append(chart_.blocks, script);
}

void ContentReader::ReadDuring(StateId state) {
  IndexRange blocks{static_cast<Index>(chart_.blocks.size()), 0};
  for (const tinyxml2::XMLElement* child : build_.source.ElementsOf(*build_.elements[state])) {
    if (build_.source.DavitNameOf(*child) != "during") continue;
    build_.CheckAttributes(*child, state, {});
    ReadBlock(*child, state);
  }
  blocks.end = static_cast<Index>(chart_.blocks.size());
  chart_.states[state].during = blocks;
  chart_.has_during |= !blocks.is_empty();
}

void ContentReader::ReadTransition(const StateReader::PendingTransition& pending) {
  if (!pending.path.empty()) return ReadPath(pending);
  const StateId source = chart_.transitions[pending.transition].source;
  build_.SetScope(*pending.element);
  if (ChartSource::Has(*pending.element, "cond")) {
    chart_.transitions[pending.transition].cond =
        build_.Expression(*pending.element, "cond", ValueType::kBoolean, source, true);
  }
  chart_.transitions[pending.transition].block = ReadBlock(*pending.element, source);
}

Index ContentReader::ReadBlock(const tinyxml2::XMLElement& element, StateId state) {
  IndexRange block{static_cast<Index>(chart_.instructions.size()), 0};
  build_.SetScope(element);
  ReadContent(element, state);
  block.end = static_cast<Index>(chart_.instructions.size());
  return block.is_empty() ? kNoIndex : Append(chart_.blocks, block);
}

void ContentReader::ReadContent(const tinyxml2::XMLElement& element, StateId state) {
  for (const tinyxml2::XMLElement* child : build_.source.ElementsOf(element)) ReadElement(*child, state);
}

void ContentReader::ReadElement(const tinyxml2::XMLElement& element, StateId state) {
  using Read = void (ContentReader::*)(const tinyxml2::XMLElement&, StateId);
  constexpr std::array<std::pair<std::string_view, Read>, 8> kReaders{
      {{"raise", &ContentReader::ReadRaise},
       {"if", &ContentReader::ReadIf},
       {"foreach", &ContentReader::ReadForeach},
       {"log", &ContentReader::ReadLog},
       {"assign", &ContentReader::ReadAssign},
       {"script", &ContentReader::ReadScript},
       {"send", &ContentReader::ReadSend},
       {"cancel", &ContentReader::ReadCancel}}};
  const std::string_view davit_name = build_.source.DavitNameOf(element);
  if (!davit_name.empty()) {
    build_.Error(element, state,
                 fmt::format("<davit:{}> is not executable content; put it into a state", davit_name));
    return;
  }
  const std::string_view name = build_.source.NameOf(element);
  for (const auto& [known, read] : kReaders) {
    if (name == known) return (this->*read)(element, state);
  }
  build_.Error(element, state,
               fmt::format("<{}> is not executable content; {}", name,
                           SuggestName("use one of", name, ContentNames())));
}

void ContentReader::CheckNoChildren(const tinyxml2::XMLElement& element, StateId state) {
  for (const tinyxml2::XMLElement* child : build_.source.ChildrenOf(element)) {
    build_.Error(*child, state,
                 fmt::format("<{}> is not allowed in <{}>", build_.source.NameOf(*child),
                             build_.source.NameOf(element)));
  }
}

void ContentReader::ReadRaise(const tinyxml2::XMLElement& element, StateId state) {
  build_.CheckAttributes(element, state, {"event"});
  CheckNoChildren(element, state);
  if (!build_.Require(element, state, "event")) return;
  Emit(Op::kRaise, Event(ChartSource::Get(element, "event")), element);
}

void ContentReader::ReadIf(const tinyxml2::XMLElement& element, StateId state) {
  build_.CheckAttributes(element, state, {"cond"});
  std::vector<std::size_t> to_end;
  std::size_t to_next = kNoIndex;
  const auto branch = [&](const tinyxml2::XMLElement& part) {
    if (!build_.Require(part, state, "cond")) return;
    to_next = Emit(Op::kJumpUnless, build_.Expression(part, "cond", ValueType::kBoolean, state), part);
  };
  const auto land = [&](std::size_t jump) {
    chart_.instructions[jump].jump = static_cast<Index>(chart_.instructions.size());
  };
  branch(element);
  bool has_else = false;
  for (const tinyxml2::XMLElement* child : build_.source.ChildrenOf(element)) {
    const bool is_else = build_.source.Is(*child, "else");
    if (!is_else && !build_.source.Is(*child, "elseif")) {
      ReadElement(*child, state);
      continue;
    }
    if (has_else) build_.Error(*child, state, "nothing may follow <else>; put <elseif> before it");
    to_end.push_back(Emit(Op::kJump, 0, *child));
    if (to_next != kNoIndex) land(to_next);
    to_next = kNoIndex;
    has_else |= is_else;
    if (is_else) {
      build_.CheckAttributes(*child, state, {});
    } else {
      build_.CheckAttributes(*child, state, {"cond"});
      branch(*child);
    }
  }
  if (to_next != kNoIndex) land(to_next);
  std::ranges::for_each(to_end, land);
}

void ContentReader::ReadForeach(const tinyxml2::XMLElement& element, StateId state) {
  build_.CheckAttributes(element, state, {"array", "item", "index"});
  const bool has_array = build_.Require(element, state, "array");
  const bool is_whole = build_.Require(element, state, "item") && has_array;
  if (!build_.is_ecmascript()) {
    build_.Error(
        element, state,
        "<foreach> needs arrays, which only datamodel=\"ecmascript\" has; write the steps one by one");
    return;
  }
  if (!is_whole) return;
  Loop loop;
  loop.array = build_.Expression(element, "array", ValueType::kAnyType, state);
  loop.item = ChartSource::Get(element, "item");
  loop.index = ChartSource::Get(element, "index");
  const std::size_t begin = Emit(Op::kForeach, Append(chart_.loops, loop), element);
  ReadContent(element, state);
  chart_.instructions[begin].jump = static_cast<Index>(chart_.instructions.size());
}

void ContentReader::ReadLog(const tinyxml2::XMLElement& element, StateId state) {
  build_.CheckAttributes(element, state, {"label", "expr"});
  Log log{ChartSource::Get(element, "label"), kNoIndex};
  if (ChartSource::Has(element, "expr"))
    log.value = build_.Expression(element, "expr", ValueType::kAnyType, state);
  Emit(Op::kLog, Append(chart_.logs, log), element);
}

void ContentReader::ReadAssign(const tinyxml2::XMLElement& element, StateId state) {
  build_.CheckAttributes(element, state, {"location", "expr", "type", "attr"});
  if (!build_.Require(element, state, "location")) return;
  AssignElement assignment;
  assignment.location = ChartSource::Get(element, "location");
  if (!build_.is_ecmascript()) {
    ReadDavitAssign(element, assignment, state);
  } else if (ChartSource::Has(element, "expr")) {
    assignment.value = build_.Expression(element, "expr", ValueType::kAnyType, state);
  } else {
    assignment.content = ChartSource::HasElements(element)
                             ? std::string(build_.source.PlacesOf(element).InnerText(element))
                             : ChartSource::TextOf(element);
  }
  Emit(Op::kAssign, Append(chart_.assignments, assignment), element);
}

void ContentReader::ReadDavitAssign(const tinyxml2::XMLElement& element, AssignElement& assignment,
                                    StateId state) {
  if (!build_.Require(element, state, "expr")) return;
  const std::string& name = assignment.location;
  if (chart_.data_model == DataModelKind::kNull) {
    build_.Error(element, state, "the null data model has no variables; use datamodel=\"davit\"");
    return;
  }
  if (const auto variable = build_.davit.FindVariable(name)) {
    assignment.variable = *variable;
    assignment.value = build_.ExpressionFor(chart_.program.variables[*variable], element, "expr", state);
    return;
  }
  std::optional<ChartHost::Found> found;
  if (build_.options.host != nullptr) found = build_.options.host->FindProperty(name, *chart_.symbols);
  if (!found) {
    const XmlPlaces::Place place = build_.source.PlacesOf(element).OfAttribute(element, "location", 0);
    build_.diagnostics.Error(
        chart_.At(place.line, build_.source.PartOf(element).number()), chart_.PathOf(state),
        fmt::format("location, column {}: nothing that can be set is named {}; {}", place.column,
                    Quoted(name),
                    build_.options.host != nullptr && !FindNearest(name, build_.davit.VariableNames())
                        ? build_.options.host->Suggest(name)
                        : SuggestName("the chart has", name, build_.davit.VariableNames())));
    return;
  }
  assignment.property = Append(chart_.properties, ChartProperty{name, found->type, found->handle});
  assignment.value = build_.ExpressionFor({name, found->type, std::move(found->choices), found->dimension},
                                          element, "expr", state);
}

void ContentReader::ReadScript(const tinyxml2::XMLElement& element, StateId state) {
  build_.CheckAttributes(element, state, {"src", "type"});
  CheckNoChildren(element, state);
  std::string text = ChartSource::TextOf(element);
  if (ChartSource::Has(element, "src")) {
    const TextResult file = ReadTextFrom(
        FilesOf(build_.options.host),
        ResolveSource(build_.source.PartOf(element).file(), ChartSource::Get(element, "src")), "script");
    if (!file.fault.empty()) {
      build_.Error(element, state, file.fault);
    }
    text = file.text;
  }
  if (build_.is_ecmascript()) {
    Emit(Op::kScript, build_.PlainExpression(std::move(text), element.GetLineNum()), element);
  } else {
    ReadDavitScript(element, text, state);
  }
}

/// A script of the data model davit is a list of assignments, `x = 1; y = x + 2`.
void ContentReader::ReadDavitScript(const tinyxml2::XMLElement& element, std::string_view text,
                                    StateId state) {
  while (!text.empty()) {
    const std::string_view statement = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(statement.size() + 1, text.size()));
    if (statement.find_first_not_of(" \t\r\n") == std::string_view::npos) continue;
    const std::size_t equals = statement.find('=');
    const std::vector<std::string> name = SplitWords(statement.substr(0, equals));
    const auto variable = name.size() == 1 ? build_.davit.FindVariable(name.front()) : std::nullopt;
    if (equals == std::string_view::npos || !variable) {
      build_.Error(element, state,
                   fmt::format("{} is not an assignment to a variable of the chart; write x = x + 1",
                               Quoted(statement)));
      continue;
    }
    const ExpressionCompiler::Result result =
        build_.davit.CompileFor(chart_.program.variables[*variable], statement.substr(equals + 1));
    if (result.fault) build_.Error(element, state, result.fault.ToText());
    AssignElement assignment;
    assignment.location = name.front();
    assignment.variable = *variable;
    assignment.value = build_.CompiledExpression(std::string(statement), element.GetLineNum(), result);
    Emit(Op::kAssign, Append(chart_.assignments, assignment), element);
  }
}

void ContentReader::ReadCancel(const tinyxml2::XMLElement& element, StateId state) {
  build_.CheckAttributes(element, state, {"sendid", "sendidexpr"});
  CheckNoChildren(element, state);
  Cancel cancel;
  cancel.id = build_.TextOr(element, state, "sendid", "sendidexpr");
  if (!cancel.id.is_given) build_.Require(element, state, "sendid");
  cancel.symbol = Event(cancel.id.text);
  Emit(Op::kCancel, Append(chart_.cancels, cancel), element);
}

}  // namespace davit
