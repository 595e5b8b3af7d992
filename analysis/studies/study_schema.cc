#include "analysis/studies/study_schema.h"

#include <fmt/format.h>

#include <string_view>

#include "analysis/studies/study_kinds.h"
#include "framework/version.h"
#include "framework/xml/escape_xml.h"

namespace davit {
namespace {

std::string SchemaText(std::string_view text) {
  return fmt::format("<xs:annotation><xs:documentation>{}</xs:documentation></xs:annotation>",
                     EscapeXml(text));
}

std::string SchemaAttribute(std::string_view name, std::string_view text, bool is_required,
                            std::string_view type = "xs:string", std::string_view more = {}) {
  return fmt::format(
      "<xs:attribute name=\"{}\"{}{}>{}{}</xs:attribute>\n", name, is_required ? " use=\"required\"" : "",
      type.empty() ? std::string() : fmt::format(" type=\"{}\"", type), SchemaText(text), more);
}

std::string SchemaOption(const StudyOption& option) {
  using enum StudyOption::Kind;
  const bool is_required = option.is_required && option.element.empty();
  const std::string text = option.Text();
  switch (option.kind) {
    case kWhole: return SchemaAttribute(option.name, text, is_required, "xs:nonNegativeInteger");
    case kNumber: return SchemaAttribute(option.name, text, is_required, "xs:double");
    case kText:
    case kFile: return SchemaAttribute(option.name, text, is_required);
    case kFlag:
    case kChoice: break;
  }
  std::string choices;
  for (const std::string& choice :
       option.kind == kFlag ? std::vector<std::string>{"true", "false"} : option.choices)
    choices += fmt::format("<xs:enumeration value=\"{}\"/>", choice);
  return SchemaAttribute(
      option.name, text, is_required, "",
      fmt::format("<xs:simpleType><xs:restriction base=\"xs:string\">{}</xs:restriction></xs:simpleType>",
                  choices));
}

/// The element that holds a value of an option, with `inside` as its content.
std::string SchemaElement(std::string_view name, std::string_view text, std::string_view pattern,
                          std::string_view inside) {
  std::string element =
      fmt::format("<xs:element name=\"{}\">{}<xs:complexType>\n{}", name, SchemaText(text), inside);
  for (const PatternPart& part : SplitPattern(pattern))
    element += SchemaAttribute(part.attribute, TextOfStudyAttribute(part.attribute), !part.is_optional);
  return element + "</xs:complexType></xs:element>\n";
}

constexpr std::string_view kAnyNumber = "<xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\">\n";

std::string SchemaStudy(const StudyKind& kind) {
  std::string text = fmt::format("<xs:element name=\"{}\">{}<xs:complexType>\n{}", kind.element,
                                 SchemaText(fmt::format("davit {}: {}", kind.name, kind.text)), kAnyNumber);
  for (const StudyOption& option : kind.options) {
    if (option.element.empty()) continue;
    std::string inside;
    if (option.name == "data")
      inside = fmt::format("{}{}</xs:choice>\n", kAnyNumber,
                           SchemaElement("Set", "A value in the runs for these data", "path=value", {}));
    text += SchemaElement(option.element, option.text, option.pattern, inside);
  }
  text += "</xs:choice>\n" + SchemaAttribute("system", "System file, relative to the study file", true);
  for (const StudyOption& option : kind.options) {
    if (IsAttribute(option)) text += SchemaOption(option);
  }
  return text + "</xs:complexType></xs:element>\n";
}

}  // namespace

std::string MakeStudySchema() {
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<!-- Study files of davit {}; written by `davit schema`. -->\n"
      "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">\n"
      "<xs:element name=\"Study\">{}<xs:complexType>\n<xs:choice maxOccurs=\"unbounded\">\n",
      kVersion, SchemaText("Studies that run one after the other"));
  for (const StudyKind& kind : StudyKinds()) text += SchemaStudy(kind);
  return text + "</xs:choice></xs:complexType></xs:element>\n</xs:schema>\n";
}

}  // namespace davit
