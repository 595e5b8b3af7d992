// <data>.

#include <fmt/format.h>

#include <utility>

#include "framework/nearest_name.h"
#include "statecharts/content_reader.h"

namespace davit {

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
            build_.Error(*data, state,
                         fmt::format("<{}> is not allowed in <datamodel>; it has <data>",
                                     build_.source.NameOf(*data)));
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
        ReadTextFrom(FilesOf(build_.options.host),
                     ResolveSource(build_.source.PartOf(element).file(), ChartSource::Get(element, "src")),
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
                   fmt::format("no type {}; use one of number, boolean, string", Quoted(name)));
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
    if (result.fault) {
      const XmlPlaces::Place place =
          build_.source.PlacesOf(element).OfAttribute(element, "expr", result.offset);
      build_.diagnostics.Error(
          chart_.At(place.line, build_.source.PartOf(element).number()), chart_.PathOf(state),
          (has_expr ? fmt::format("expr, column {}: ", place.column) : "") + result.fault.ToText());
    }
    if (!has_type) variable.type = result.type;
    if (variable.type == ValueType::kNumber) variable.dimension = result.unit.known();
    item.value = build_.CompiledExpression(text, item.line, result);
  }
  item.variable = build_.davit.AddVariable(std::move(variable));
}

}  // namespace davit
