// Transitions that lead through connectors: the actions and conditions of all elements on the way, joined.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "statecharts/content_reader.h"

namespace davit {

void ContentReader::ReadPath(const StateReader::PendingTransition& pending) {
  const StateId source = chart_.transitions[pending.transition].source;
  std::vector<std::string> guards{ChartSource::Get(*pending.element, "cond")};
  for (const ConnectorReader::Step& step : pending.path) guards.push_back(GuardOf(*step.branch));
  const Index cond = ReadPathCondition(pending, guards);

  const auto first_segment = static_cast<Index>(chart_.segments.size());
  IndexRange block{static_cast<Index>(chart_.instructions.size()), 0};
  for (std::size_t i = 0; i < guards.size(); ++i) {
    const bool is_stem = i == 0;
    const tinyxml2::XMLElement& element = is_stem ? *pending.element : *pending.path[i - 1].branch;
    const std::size_t errors = build_.diagnostics.error_count();
    IndexRange actions{static_cast<Index>(chart_.instructions.size()), 0};
    build_.SetScope(element);
    if (!faulty_.contains(&element)) ReadContent(element, source);
    if (build_.diagnostics.error_count() > errors) faulty_.insert(&element);
    actions.end = static_cast<Index>(chart_.instructions.size());
    const Index number = pending.first - chart_.states[source].transitions.begin + 1;
    chart_.segments.push_back({is_stem ? kNoIndex : pending.path[i - 1].connector,
                               is_stem ? number : pending.path[i - 1].number, guards[i], actions});
  }
  block.end = static_cast<Index>(chart_.instructions.size());

  Transition& transition = chart_.transitions[pending.transition];
  transition.cond = cond;
  transition.segments = {first_segment, static_cast<Index>(chart_.segments.size())};
  if (block.is_empty()) return;
  transition.block = static_cast<Index>(chart_.blocks.size());
  chart_.blocks.push_back(block);
}

/// The condition of a branch; empty where it is taken otherwise.
std::string ContentReader::GuardOf(const tinyxml2::XMLElement& branch) const {
  const tinyxml2::XMLElement& connector = *branch.Parent()->ToElement();
  if (build_.source.DavitNameOf(connector) == "choice") return ChartSource::Get(branch, "cond");
  const char* value = build_.source.FindDavit(branch, "is");
  if (value == nullptr) return {};
  return fmt::format("({}) == ({})", ChartSource::Get(connector, "expr"), value);
}

Index ContentReader::ReadPathCondition(const StateReader::PendingTransition& pending,
                                       const std::vector<std::string>& guards) {
  const auto& scopes = build_.source.PartOf(*pending.element).scopes();
  for (const ConnectorReader::Step& step : pending.path) {
    if (build_.source.PartOf(*step.branch).scopes() == scopes) continue;
    build_.Error(*pending.element, chart_.transitions[pending.transition].source,
                 "the connector is in a file with another prefix; put a state between");
    return kNoIndex;
  }
  std::string text;
  const auto count = guards.size() - static_cast<std::size_t>(std::ranges::count(guards, std::string()));
  for (const std::string& guard : guards) {
    if (guard.empty()) continue;
    if (!text.empty()) text += build_.is_ecmascript() ? " && " : " and ";
    text += count == 1 ? guard : "(" + guard + ")";
  }
  if (count == 0) return kNoIndex;
  const int line = pending.element->GetLineNum();
  if (build_.is_ecmascript()) return build_.PlainExpression(std::move(text), line);
  build_.SetScope(*pending.element);
  const StateId source = chart_.transitions[pending.transition].source;
  const ExpressionCompiler::Result result = build_.davit.Compile(text, ValueType::kBoolean, source);
  if (result.fault) ReportPathFault(pending, result.fault);
  return build_.CompiledExpression(std::move(text), line, result);
}

/// Looks for the fault of a condition in the attributes it is made from; each is reported once, however many
/// ways it lies on.
void ContentReader::ReportPathFault(const StateReader::PendingTransition& pending, const Fault& fault) {
  const StateId source = chart_.transitions[pending.transition].source;
  bool is_found = false;
  const auto check = [&](const tinyxml2::XMLElement& element, const char* attribute, ValueType type) {
    if (faulty_.contains(&element)) {
      is_found = true;
    } else if (ChartSource::Has(element, attribute) &&
               build_.Expression(element, attribute, type, source, true) == kNoIndex) {
      faulty_.insert(&element);
      is_found = true;
    }
  };
  check(*pending.element, "cond", ValueType::kBoolean);
  for (const ConnectorReader::Step& step : pending.path) {
    const tinyxml2::XMLElement& connector = *step.branch->Parent()->ToElement();
    check(*step.branch, "cond", ValueType::kBoolean);
    check(connector, "expr", ValueType::kAnyType);
    const tinyxml2::XMLAttribute* value = build_.source.FindDavitAttribute(*step.branch, "is");
    if (is_found || value == nullptr) continue;
    const ExpressionCompiler::Result result =
        build_.davit.Compile(GuardOf(*step.branch), ValueType::kBoolean, source);
    if (result.fault.is_empty()) continue;
    const XmlPlaces::Place place =
        build_.source.PlacesOf(*step.branch).OfAttribute(*step.branch, value->Name(), 0);
    build_.Error(*step.branch, source,
                 fmt::format("davit:is, column {}: {}", place.column, result.fault.ToText()));
    faulty_.insert(step.branch);
    is_found = true;
  }
  if (!is_found) build_.Error(*pending.element, source, "cond: " + fault.ToText());
}

}  // namespace davit
