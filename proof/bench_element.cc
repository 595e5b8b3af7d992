#include "proof/bench_element.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "framework/version.h"
#include "framework/xml/escape_xml.h"

namespace davit {
namespace {

using enum AttributeKind::Form;
using Place = ElementKind::Place;
using Attributes = std::vector<AttributeKind>;

AttributeKind ConditionAttribute(std::string_view text) {
  return {.name = "expr", .text = text, .is_required = true};
}
AttributeKind SignalAttribute() {
  return {.name = "signal", .text = "Expression of signals: crane.q1 - 20 deg", .is_required = true};
}

/// `own` and what every expectation has.
Attributes ExpectationAttributes(Attributes own) {
  own.push_back({"from", "Start of the window; default: start of the case", kQuantity});
  own.push_back({"to", "End of the window; default: end of the case", kQuantity});
  own.push_back({"after", "Condition: the window starts when it first becomes true"});
  own.push_back({"text", "Requirement, for reports"});
  return own;
}

/// `own` and what a command does.
Attributes CommandAttributes(Attributes own) {
  own.push_back({.name = "set", .text = "What gets a value", .form = kPath, .with = {"set"}});
  own.push_back({.name = "value", .text = "The value", .with = {"set", "message"}});
  own.push_back({.name = "message", .text = "Name of the message", .with = {"message"}});
  own.push_back({.name = "event", .text = "Name of the event", .with = {"event"}});
  own.push_back({.name = "to",
                 .text = "Component that gets the message or event; an event without it: all charts",
                 .with = {"message", "event"}});
  return own;
}

Attributes StartAttributes() {
  return {{"system", "System file, relative to the bench", kPath},
          {"snapshot", "Snapshot to start from, relative to the bench", kPath},
          {"stop", "End of the run; default: StopTime of the system", kQuantity},
          {"text", "Requirement, for reports"}};
}

std::vector<ElementKind> MakeKinds() {
  Attributes of_case{{"name", "Name of the case, unique in the bench", kText, true}};
  std::ranges::copy(StartAttributes(), std::back_inserter(of_case));
  std::vector<ElementKind> kinds{
      {.name = "Bench",
       .text =
           "Test cases of one or more systems; system, snapshot and stop apply to cases without their own",
       .place = Place::kFile,
       .attributes = StartAttributes(),
       .content = ElementKind::Content::kBenchElements},
      {.name = "Cover",
       .text = "A chart that counts for coverage; without any, all charts that have a file",
       .place = Place::kBench,
       .attributes = {{"chart", "The statechart, or the component that has it", kPath, true}}},
      {.name = "Case",
       .text = "One run of a system with expectations",
       .place = Place::kBench,
       .attributes = of_case,
       .content = ElementKind::Content::kCaseElements}};
  for (const Place place : {Place::kBench, Place::kCase}) {
    kinds.push_back({.name = "Set",
                     .text = "A value that the run starts with, as davit run --set",
                     .place = place,
                     .attributes = {{"path", "The item", kPath, true},
                                    {.name = "value", .text = "The value", .is_required = true}}});
    kinds.push_back({.name = "Level",
                     .text = "A level that the run starts with, as davit run --level",
                     .place = place,
                     .attributes = {{"path", "Glob of components", kPath, true},
                                    {"level", "Name of the level", kText, true}}});
  }
  std::vector<ElementKind> of_cases{
      {.name = "At",
       .text = "Sets a value, sends a message or an event at a time",
       .attributes = CommandAttributes({{"time", "Simulated time", kQuantity, true}})},
      {.name = "When",
       .text = "Does the same once, when a condition first becomes true; the case fails if it never does",
       .attributes = CommandAttributes(
           {ConditionAttribute("Condition"), {"delay", "Time after that; default 0", kQuantity}})},
      {.name = "Always",
       .text = "A condition holds",
       .attributes = ExpectationAttributes({ConditionAttribute("Condition")})},
      {.name = "Never",
       .text = "A condition does not hold",
       .attributes = ExpectationAttributes({ConditionAttribute("Condition")})},
      {.name = "Eventually",
       .text = "A condition holds at least once",
       .attributes = ExpectationAttributes({ConditionAttribute("Condition")})},
      {.name = "Within",
       .text = "A condition holds at the latest a time after the start of the window",
       .attributes = ExpectationAttributes(
           {ConditionAttribute("Condition"), {"time", "The longest wait", kQuantity, true}})},
      {.name = "Settles",
       .text = "A signal stays within a band around a value to the end of the window",
       .attributes = ExpectationAttributes(
           {SignalAttribute(),
            {.name = "value", .text = "Expression: the final value", .is_required = true},
            {"band", "Largest deviation", kQuantity, true},
            {"time", "When it stays at the latest, from the start of the window; default: at its end",
             kQuantity}})},
      {.name = "Overshoot",
       .text = "A signal exceeds its final value by at most a fraction of the way to it",
       .attributes = ExpectationAttributes(
           {SignalAttribute(),
            {.name = "most", .text = "The fraction: 5 %", .form = kQuantity, .is_required = true},
            {"value", "Expression: the final value; default: the value at the end of the window"}})},
      {.name = "Monotone",
       .text = "A signal only rises, or only falls",
       .attributes = ExpectationAttributes({SignalAttribute(),
                                            {.name = "direction",
                                             .text = "Default rising",
                                             .form = kChoice,
                                             .choices = {"rising", "falling"}},
                                            {"slack", "How far it may turn back; default 0", kQuantity}})},
      {.name = "Order",
       .text = "Conditions become true one after the other",
       .attributes =
           ExpectationAttributes({{.name = "of",
                                   .text = "The conditions, with ; between; two may become true together",
                                   .is_required = true}})},
      {.name = "Follows",
       .text = "A signal stays within a tube around a reference curve",
       .attributes = ExpectationAttributes(
           {SignalAttribute(),
            {.name = "file",
             .text = "Result (.csv, .mat or .h5), relative to the bench",
             .form = kPath,
             .is_required = true},
            {"column", "Its signal; default: that of the expectation"},
            {.name = "tube", .text = "Largest deviation", .form = kQuantity, .is_required = true},
            {"time_tube", "How far the curve may be early or late; default 0", kQuantity}})},
      {.name = "Reaches",
       .text = "A chart reaches a state, or a component a level",
       .attributes =
           ExpectationAttributes({{"of", "The statechart or component", kPath, true},
                                  {.name = "state", .text = "Id of the state", .with = {"state"}},
                                  {.name = "level", .text = "Name of the level", .with = {"level"}},
                                  {"time", "The longest wait from the start of the window", kQuantity}})}};
  for (ElementKind& kind : of_cases) {
    kind.place = Place::kCase;
    kinds.push_back(std::move(kind));
  }
  return kinds;
}

std::string Annotation(std::string_view text) {
  return fmt::format("<xs:annotation><xs:documentation>{}</xs:documentation></xs:annotation>",
                     EscapeXml(text));
}

std::string SchemaElement(const ElementKind& kind) {
  std::string text =
      fmt::format("<xs:element name=\"{}\">{}<xs:complexType>\n", kind.name, Annotation(kind.text));
  if (const auto inside = PlaceInside(kind.content)) {
    text += "<xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\">\n";
    for (const ElementKind& inner : BenchElementKinds()) {
      if (inner.place == *inside) text += SchemaElement(inner);
    }
    text += "</xs:choice>\n";
  }
  for (const AttributeKind& attribute : kind.attributes) {
    std::string choices;
    for (const std::string_view choice : attribute.choices)
      choices += fmt::format("<xs:enumeration value=\"{}\"/>", choice);
    text += fmt::format("<xs:attribute name=\"{}\"{}{}>{}{}</xs:attribute>\n", attribute.name,
                        attribute.is_required ? " use=\"required\"" : "",
                        choices.empty() ? " type=\"xs:string\"" : "", Annotation(attribute.text),
                        choices.empty() ? std::string()
                                        : fmt::format("<xs:simpleType><xs:restriction base=\"xs:string\">{}"
                                                      "</xs:restriction></xs:simpleType>",
                                                      choices));
  }
  return text + "</xs:complexType></xs:element>\n";
}

}  // namespace

std::span<const ElementKind> BenchElementKinds() {
  static const std::vector<ElementKind> kKinds = MakeKinds();
  return kKinds;
}

const ElementKind* FindBenchElement(Place place, std::string_view name) {
  for (const ElementKind& kind : BenchElementKinds()) {
    if (kind.place == place && kind.name == name) return &kind;
  }
  return nullptr;
}

std::string MakeBenchSchema() {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<!-- Bench files of davit {}; written by `davit schema`. -->\n"
      "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">\n{}</xs:schema>\n",
      kVersion, SchemaElement(BenchElementKinds().front()));
}

}  // namespace davit
