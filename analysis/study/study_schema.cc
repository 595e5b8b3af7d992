#include "analysis/study/study_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "analysis/study/study_element_kind.h"
#include "framework/version.h"

namespace davit {
namespace {

std::string SchemaText(std::string_view text) {
  return fmt::format("<xs:annotation><xs:documentation>{}</xs:documentation></xs:annotation>", text);
}

std::string SchemaAttribute(const std::string& element, const std::string& name, bool is_required) {
  const StudyAttribute attribute = FindStudyAttribute(element, name);
  std::string text =
      fmt::format("      <xs:attribute name=\"{}\"{}", name, is_required ? " use=\"required\"" : "");
  std::string type;
  switch (attribute.form) {
    case StudyAttribute::Form::kWhole: text += " type=\"xs:nonNegativeInteger\""; break;
    case StudyAttribute::Form::kNumber: text += " type=\"xs:double\""; break;
    case StudyAttribute::Form::kText: text += " type=\"xs:string\""; break;
    case StudyAttribute::Form::kChoice:
      for (const std::string& choice : attribute.choices)
        type += fmt::format("<xs:enumeration value=\"{}\"/>", choice);
      type =
          "<xs:simpleType><xs:restriction base=\"xs:string\">" + type + "</xs:restriction></xs:simpleType>";
      break;
  }
  return text + ">" + SchemaText(attribute.text) + type + "</xs:attribute>\n";
}

std::string SchemaElement(const StudyElementKind& kind) {
  std::string text = fmt::format("  <xs:element name=\"{}\">\n    {}\n    <xs:complexType>\n", kind.name,
                                 SchemaText(kind.text));
  if (!kind.children.empty()) {
    text += "      <xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\">\n";
    for (const std::string& child : kind.children)
      text += fmt::format("        <xs:element ref=\"{}\"/>\n", child);
    text += "      </xs:choice>\n";
  }
  for (const std::string& name : kind.required) text += SchemaAttribute(kind.name, name, true);
  for (const std::string& name : kind.optional) text += SchemaAttribute(kind.name, name, false);
  return text + "    </xs:complexType>\n  </xs:element>\n";
}

}  // namespace

std::string MakeStudySchema() {
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<!-- Study files of davit {}; written by `davit schema`. -->\n"
      "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">\n"
      "  <xs:element name=\"Study\">\n    {}\n    <xs:complexType>\n"
      "      <xs:choice maxOccurs=\"unbounded\">\n",
      kVersion, SchemaText("Studies that run one after the other"));
  for (const std::string& name : StudyKinds())
    text += fmt::format("        <xs:element ref=\"{}\"/>\n", name);
  text += "      </xs:choice>\n    </xs:complexType>\n  </xs:element>\n";
  for (const StudyElementKind& kind : StudyElementKinds()) text += SchemaElement(kind);
  return text + "</xs:schema>\n";
}

}  // namespace davit
