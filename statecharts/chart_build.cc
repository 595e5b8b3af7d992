#include "statecharts/chart_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "framework/nearest_name.h"

namespace davit {

ChartBuild::ChartBuild(Chart& new_chart, const ChartSource& new_source, const ChartLoadOptions& new_options,
                       Diagnostics& new_diagnostics)
    : chart(new_chart),
      source(new_source),
      options(new_options),
      diagnostics(new_diagnostics),
      davit(new_chart.program, *new_chart.symbols,
            {.host = new_options.host,
             .states = this,
             .is_null_model = new_chart.data_model == DataModelKind::kNull}) {}

void ChartBuild::Error(const tinyxml2::XMLElement& element, StateId state, std::string_view message) const {
  diagnostics.Error(source.At(element), chart.PathOf(state), message);
}

void ChartBuild::Warning(const tinyxml2::XMLElement& element, StateId state, std::string_view message) const {
  diagnostics.Warning(source.At(element), chart.PathOf(state), message);
}

void ChartBuild::CheckAttributes(const tinyxml2::XMLElement& element, StateId state,
                                 std::initializer_list<std::string_view> known) const {
  for (const auto* attribute = element.FirstAttribute(); attribute != nullptr;
       attribute = attribute->Next()) {
    const std::string_view name = attribute->Name();
    if (name.starts_with("xmlns") || name.find(':') != std::string_view::npos) continue;
    if (std::ranges::find(known, name) != known.end()) continue;
    const std::vector<std::string> names(known.begin(), known.end());
    const std::string text = fmt::format("no attribute {} on <{}>; {}", Quoted(name), source.NameOf(element),
                                         SuggestName("it has", name, names));
    if (FindNearest(name, names)) {
      Error(element, state, text);
    } else {
      Warning(element, state, text);
    }
  }
}

bool ChartBuild::Require(const tinyxml2::XMLElement& element, StateId state, const char* attribute) const {
  if (ChartSource::Has(element, attribute)) return true;
  Error(element, state,
        fmt::format("<{0}> has no {1}; write <{0} {1}=\"...\">", source.NameOf(element), attribute));
  return false;
}

void ChartBuild::CheckOneOf(const tinyxml2::XMLElement& element, StateId state, const char* a,
                            const char* b) const {
  if (!ChartSource::Has(element, a) || !ChartSource::Has(element, b)) return;
  Error(element, state, fmt::format("<{}> has both {} and {}; keep one", source.NameOf(element), a, b));
}

void ChartBuild::SetScope(const tinyxml2::XMLElement& element) {
  scopes_ = &source.PartOf(element).scopes();
  davit.SetScopes(*scopes_);
}

StateId ChartBuild::FindState(std::string_view id) const {
  for (const std::string& scope : *scopes_) {
    const auto found = chart.state_of_id.find(scope + std::string(id));
    if (found != chart.state_of_id.end()) return found->second;
  }
  return kNoState;
}

std::string ChartBuild::SuggestState(std::string_view id) const {
  constexpr std::size_t kMostSuggestions = 100;  // each looks at all ids
  if (diagnostics.error_count() > kMostSuggestions) return "see the ids of the states";
  std::vector<std::string> ids;
  for (const StateName& name : chart.names) {
    if (name.has_own_id) ids.push_back(name.id);
  }
  return SuggestName("use one of", id, ids);
}

Index ChartBuild::AddExpression(const tinyxml2::XMLElement& element, const char* attribute, StateId state,
                                const std::string& text, const ExpressionCompiler::Result& result) {
  const XmlPlaces::Place place = source.PlacesOf(element).OfAttribute(element, attribute, result.offset);
  if (result.fault) {
    diagnostics.Error(chart.At(place.line, source.PartOf(element).number()), chart.PathOf(state),
                      fmt::format("{}, column {}: {}", attribute, place.column, result.fault.ToText()));
    return kNoIndex;
  }
  return CompiledExpression(text, place.line, result);
}

Index ChartBuild::CompiledExpression(std::string text, int line, const ExpressionCompiler::Result& result) {
  chart.expressions.push_back({std::move(text), line, {result.range.begin, result.range.end}, result.type});
  return static_cast<Index>(chart.expressions.size() - 1);
}

Index ChartBuild::Expression(const tinyxml2::XMLElement& element, const char* attribute, ValueType expected,
                             StateId state, bool is_transition) {
  const std::string text = ChartSource::Get(element, attribute);
  if (is_ecmascript()) return PlainExpression(text, element.GetLineNum());
  return AddExpression(element, attribute, state, text,
                       davit.Compile(text, expected, is_transition ? state : kNoState));
}

Index ChartBuild::ExpressionFor(const ExpressionVariable& variable, const tinyxml2::XMLElement& element,
                                const char* attribute, StateId state) {
  const std::string text = ChartSource::Get(element, attribute);
  return AddExpression(element, attribute, state, text, davit.CompileFor(variable, text));
}

Index ChartBuild::PlainExpression(std::string text, int line) {
  chart.expressions.push_back({std::move(text), line, {}, ValueType::kAnyType});
  return static_cast<Index>(chart.expressions.size() - 1);
}

TextOrExpression ChartBuild::TextOr(const tinyxml2::XMLElement& element, StateId state, const char* name,
                                    const char* expression_name, ValueType expected) {
  CheckOneOf(element, state, name, expression_name);
  TextOrExpression result;
  result.is_given = ChartSource::Has(element, name) || ChartSource::Has(element, expression_name);
  if (ChartSource::Has(element, expression_name)) {
    result.value = Expression(element, expression_name, expected, state);
  } else {
    result.text = ChartSource::Get(element, name);
  }
  return result;
}

std::vector<std::string> SplitWords(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace davit
