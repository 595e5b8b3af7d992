// <data> and <invoke>.

#include <fmt/format.h>

#include <utility>

#include "framework/nearest_name.h"
#include "statecharts/content_reader.h"
#include "statecharts/processor_names.h"

namespace davit {
namespace {

constexpr int kMostInvokeLevels = 16;

}  // namespace

void ContentReader::ReadData() {
  for (StateId state = 0; state < chart_.states.size(); ++state) {
    const auto begin = static_cast<Index>(chart_.data.size());
    if (!chart_.IsHistory(state) && chart_.states[state].kind != StateKind::kFinal) {
      for (const tinyxml2::XMLElement* child : build_.source.ChildrenOf(*build_.elements[state])) {
        if (!build_.source.Is(*child, "datamodel")) continue;
        build_.CheckAttributes(*child, state, {});
        for (const tinyxml2::XMLElement* data : build_.source.ChildrenOf(*child)) {
          if (build_.source.Is(*data, "data")) {
            ReadDataItem(*data, state);
          } else {
            build_.Error(
                *data, state,
                fmt::format("no <{}> may stand in <datamodel>; it has <data>", build_.source.NameOf(*data)));
          }
        }
      }
    }
    chart_.states[state].data = {begin, static_cast<Index>(chart_.data.size())};
  }
}

void ContentReader::ReadDataItem(const tinyxml2::XMLElement& element, StateId state) {
  build_.CheckAttributes(element, state, {"id", "src", "expr"});
  build_.CheckOneOf(element, state, "expr", "src");
  if (!build_.Require(element, state, "id")) return;
  build_.SetScope(element);
  DataItem item;
  item.id = build_.source.PartOf(element).scopes().front() + ChartSource::Get(element, "id");
  item.symbol = Event(item.id);
  item.owner = state;
  item.line = element.GetLineNum();
  item.file = build_.source.PartOf(element).number();
  if (chart_.data_model == DataModelKind::kNull) {
    build_.Error(element, state, "the null data model has no <data>; use datamodel=\"davit\"");
    return;
  }
  if (build_.is_ecmascript()) {
    if (ChartSource::Has(element, "expr")) {
      item.value = build_.Expression(element, "expr", ValueType::kAnyType, state);
    } else {
      ReadDataContent(element, item, state);
    }
  } else {
    ReadDavitData(element, item, state);
  }
  chart_.data.push_back(std::move(item));
}

void ContentReader::ReadDataContent(const tinyxml2::XMLElement& element, DataItem& item, StateId state) {
  if (ChartSource::Has(element, "src")) {
    TextResult file =
        ReadTextFile(ResolveSource(build_.source.PartOf(element).file(), ChartSource::Get(element, "src")),
                     "file of data");
    item.has_content = file.fault.empty();
    item.content = std::move(file.text);
    item.fault = std::move(file.fault);
    if (!item.fault.empty()) {
      build_.Warning(element, state, item.fault);
    }
    return;
  }
  item.content = ChartSource::HasElements(element)
                     ? std::string(build_.source.PlacesOf(element).InnerText(element))
                     : ChartSource::TextOf(element);
  item.has_content = item.content.find_first_not_of(" \t\r\n") != std::string::npos;
}

void ContentReader::ReadDavitData(const tinyxml2::XMLElement& element, DataItem& item, StateId state) {
  ExpressionVariable variable{item.id, ValueType::kNumber, {}};
  if (build_.davit.HasVariable(item.id)) {
    build_.Error(element, state,
                 fmt::format("a second <data> named {}; give each its own name", Quoted(item.id)));
    return;
  }
  const char* type = build_.source.FindDavit(element, "type");
  const char* choices = build_.source.FindDavit(element, "values");
  bool has_type = type != nullptr || choices != nullptr;
  if (choices != nullptr) {
    variable.type = ValueType::kString;
    for (const std::string& choice : SplitWords(choices)) variable.choices.push_back(Event(choice));
  } else if (type != nullptr) {
    const std::string_view name = type;
    variable.type = name == "boolean"  ? ValueType::kBoolean
                    : name == "string" ? ValueType::kString
                                       : ValueType::kNumber;
    if (name != "number" && name != "boolean" && name != "string") {
      build_.Error(element, state,
                   fmt::format("no type {}; there are number, boolean and string", Quoted(name)));
      has_type = false;
    }
  }
  const bool has_expr = ChartSource::Has(element, "expr");
  std::string text = ChartSource::Get(element, "expr");
  if (!has_expr) {
    ReadDataContent(element, item, state);
    text = item.content;
  }
  if (has_expr || item.has_content) {
    const ExpressionCompiler::Result result =
        has_type ? build_.davit.CompileFor(variable, text) : build_.davit.Compile(text, ValueType::kAnyType);
    if (!result.fault.empty()) {
      const XmlPlaces::Place place =
          build_.source.PlacesOf(element).OfAttribute(element, "expr", result.offset);
      build_.diagnostics.Error(
          chart_.At(place.line, build_.source.PartOf(element).number()), chart_.PathOf(state),
          has_expr ? fmt::format("expr, column {}: {}", place.column, result.fault) : result.fault);
    }
    if (!has_type) variable.type = result.type;
    item.value = build_.CompiledExpression(text, item.line, result);
  }
  item.variable = build_.davit.AddVariable(std::move(variable));
}

// ---- invoke

void ContentReader::ReadInvoke(const tinyxml2::XMLElement& element, StateId state, std::size_t number) {
  build_.CheckAttributes(
      element, state, {"type", "typeexpr", "src", "srcexpr", "id", "idlocation", "namelist", "autoforward"});
  build_.CheckOneOf(element, state, "id", "idlocation");
  build_.SetScope(element);
  Invoke invoke;
  invoke.owner = state;
  invoke.line = element.GetLineNum();
  invoke.type = build_.TextOr(element, state, "type", "typeexpr");
  invoke.source = build_.TextOr(element, state, "src", "srcexpr");
  invoke.payload = ReadPayload(element, state);
  invoke.content = invoke.payload;
  invoke.content.values.clear();
  invoke.payload.has_content = false;
  invoke.payload.content_value = kNone;
  invoke.id =
      Event(ChartSource::Has(element, "id") ? ChartSource::Get(element, "id")
                                            : fmt::format("{}.invoke{}", chart_.names[state].id, number + 1));
  invoke.id_location = ChartSource::Get(element, "idlocation");
  if (!invoke.id_location.empty() && !build_.is_ecmascript()) {
    build_.Error(element, state,
                 "idlocation needs datamodel=\"ecmascript\"; give the <invoke> an id instead");
  }
  const std::string forward = ChartSource::Get(element, "autoforward");
  invoke.forwards = forward == "true";
  if (!forward.empty() && forward != "true" && forward != "false") {
    build_.Error(element, state, fmt::format("autoforward is {}; it is true or false", Quoted(forward)));
  }
  invoke.has_known_type = invoke.type.value != kNone || IsScxmlService(invoke.type.text);
  if (!invoke.has_known_type) {
    build_.Warning(element, state,
                   fmt::format("nothing of type {} can be invoked; leave the type out, or write scxml",
                               Quoted(invoke.type.text)));
  }
  for (const tinyxml2::XMLElement* child : build_.source.ChildrenOf(element)) {
    if (!build_.source.Is(*child, "finalize")) continue;
    if (invoke.has_finalize) build_.Error(*child, state, "a second <finalize>; keep one");
    invoke.has_finalize = true;
    invoke.finalize = ReadBlock(*child, state);
  }
  if (invoke.has_known_type) ReadChild(element, invoke, state);
  invoke.done_event = Event("done.invoke." + chart_.symbols->Text(invoke.id));
  chart_.invokes.push_back(std::move(invoke));
}

void ContentReader::ReadChild(const tinyxml2::XMLElement& element, Invoke& invoke, StateId state) {
  const bool has_content = invoke.content.has_content || invoke.content.content_value != kNone;
  if (invoke.source.is_given && has_content) {
    build_.Error(element, state, "<invoke> has a src and a <content>; keep one");
    return;
  }
  if (!invoke.source.is_given && !has_content) {
    build_.Error(element, state, "<invoke> names no chart; write <invoke src=\"file.scxml\"/>");
    return;
  }
  if (invoke.content.has_content) {
    for (const tinyxml2::XMLElement* child : build_.source.ChildrenOf(element)) {
      if (build_.source.Is(*child, "content")) LoadChild(element, invoke, state, child);
    }
  } else if (invoke.source.is_given && invoke.source.value == kNone) {
    LoadChild(element, invoke, state, nullptr);
  } else if (!build_.is_ecmascript()) {
    build_.Error(element, state,
                 "srcexpr and <content expr> need datamodel=\"ecmascript\"; write src=\"file.scxml\"");
  }
}

void ContentReader::LoadChild(const tinyxml2::XMLElement& element, Invoke& invoke, StateId state,
                              const tinyxml2::XMLElement* inline_chart) {
  if (build_.options.invoke_depth >= kMostInvokeLevels) {
    build_.Error(element, state,
                 fmt::format("charts invoke each other more than {} deep; perhaps one invokes itself",
                             kMostInvokeLevels));
    return;
  }
  ChartLoadOptions options = build_.options;
  options.symbols = chart_.symbols;
  options.default_data_model = chart_.data_model;
  options.namespaces = {};
  ++options.invoke_depth;
  if (inline_chart == nullptr) {
    const std::filesystem::path file =
        ResolveSource(build_.source.PartOf(element).file(), invoke.source.text);
    if (const TextResult text = ReadTextFile(file, "chart"); !text.fault.empty()) {
      build_.Error(element, state, text.fault);
      return;
    }
    if (options.cache->open.contains(std::filesystem::weakly_canonical(file))) {
      build_.Error(element, state, "the chart invokes itself; write the repetition as a transition");
      return;
    }
    invoke.child = LoadChart(file, options, build_.diagnostics);
    return;
  }
  options.namespaces = build_.source.PartOf(element).namespaces();
  if (!invoke.content.is_markup) return;  // text: whether it is a chart is seen when it is invoked
  // Blank lines before the text keep the line numbers of the file in messages.
  std::string text(static_cast<std::size_t>(std::max(inline_chart->GetLineNum() - 1, 0)), '\n');
  text += invoke.content.content;
  invoke.child =
      LoadChartText(std::move(text), build_.source.PartOf(element).file(), options, build_.diagnostics);
}

}  // namespace davit
