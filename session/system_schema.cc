#include "session/system_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/item.h"
#include "framework/property.h"
#include "framework/tree/component_pool.h"
#include "framework/tree/file_described.h"
#include "framework/tree/item_element.h"
#include "framework/tree/item_list.h"
#include "framework/version.h"
#include "framework/xml/element_kind.h"
#include "framework/xml/escape_xml.h"
#include "session/model_description.h"

namespace davit {
namespace {

constexpr std::string_view kManager = "SimulatorManager";

/// Types of values. A `${parameter}` of the file may replace each of them.
constexpr std::string_view kTypes = R"xml(
  <xs:simpleType name="parameter">
    <xs:annotation><xs:documentation>A value with a ${parameter} of the file in it, or the {number} of a For</xs:documentation></xs:annotation>
    <xs:restriction base="xs:string"><xs:pattern value=".*[$][{][A-Za-z_][A-Za-z_0-9]*[}].*"/><xs:pattern value=".*[{][^{}]+[}].*"/></xs:restriction>
  </xs:simpleType>
  <xs:simpleType name="number">
    <xs:annotation><xs:documentation>A number with or without a unit: 250 bar, 1e-3</xs:documentation></xs:annotation>
    <xs:restriction base="xs:string">
      <xs:pattern value="\s*[+\-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+\-]?[0-9]+)?\s*([A-Za-z%&#176;&#181;&#937;'].*)?"/>
      <xs:pattern value="\s*[+\-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+\-]?[0-9]+)?\s*(1/.*|-)?\s*"/>
    </xs:restriction>
  </xs:simpleType>
  <xs:simpleType name="quantity"><xs:union memberTypes="d:number d:parameter"/></xs:simpleType>
  <xs:simpleType name="plainNumber">
    <xs:restriction base="xs:string"><xs:pattern value="\s*-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+\-]?[0-9]+)?\s*"/></xs:restriction>
  </xs:simpleType>
  <xs:simpleType name="coordinate"><xs:union memberTypes="d:plainNumber d:parameter"/></xs:simpleType>
  <xs:simpleType name="wholeNumber">
    <xs:restriction base="xs:string"><xs:pattern value="\s*[+\-]?[0-9]+\s*"/></xs:restriction>
  </xs:simpleType>
  <xs:simpleType name="integer"><xs:union memberTypes="d:wholeNumber d:parameter"/></xs:simpleType>
  <xs:simpleType name="truth">
    <xs:restriction base="xs:string"><xs:enumeration value="true"/><xs:enumeration value="false"/></xs:restriction>
  </xs:simpleType>
  <xs:simpleType name="boolean"><xs:union memberTypes="d:truth d:parameter"/></xs:simpleType>
  <xs:simpleType name="name">
    <xs:annotation><xs:documentation>Letters, digits and _, no digit first</xs:documentation></xs:annotation>
    <xs:restriction base="xs:string"><xs:pattern value="[A-Za-z_][A-Za-z_0-9]{0,127}"/></xs:restriction>
  </xs:simpleType>
  <xs:simpleType name="givenName"><xs:union memberTypes="d:name d:parameter"/></xs:simpleType>
  <xs:simpleType name="path">
    <xs:annotation><xs:documentation>Names joined by dots: boom.cylinder.rod</xs:documentation></xs:annotation>
    <xs:restriction base="xs:string"><xs:minLength value="1"/></xs:restriction>
  </xs:simpleType>
)xml";

std::string Annotation(std::string_view text) {
  return fmt::format("<xs:annotation><xs:documentation>{}</xs:documentation></xs:annotation>",
                     EscapeXml(text));
}

/// `Stroke; unit m; > 0; default 2`.
std::string NumberText(const Label& label, const Range& range, double default_value) {
  const std::string unit = label.unit == kAnyUnit ? "any unit"
                           : label.unit.empty()   ? "without unit"
                                                  : fmt::format("unit {}", label.unit);
  return fmt::format("{}; {}; range {}; default {:.6g}", label.text, unit, ToText(range, label.unit),
                     default_value);
}

std::string_view TypeOf(AttributeKind::Form form) {
  switch (form) {
    case AttributeKind::Form::kName: return "d:name";
    case AttributeKind::Form::kGivenName: return "d:givenName";
    case AttributeKind::Form::kPath: return "d:path";
    case AttributeKind::Form::kQuantity: return "d:quantity";
    case AttributeKind::Form::kCoordinate: return "d:coordinate";
    default: return "xs:string";
  }
}

std::string_view TypeOf(const Item& item) {
  switch (item.value_kind()) {
    case ValueKind::kCondition: return "d:boolean";
    case ValueKind::kInteger: return "d:integer";
    case ValueKind::kText: return "xs:string";
    default: return "d:quantity";
  }
}

std::string TextOf(const Item& item) {
  if (item.kind() == Item::Kind::kProperty) {
    const std::string default_text = item.property()->DefaultText();
    return fmt::format("{}; {}; default {}", MeaningOf(item), item.property()->Describe(),
                       default_text.empty() ? "none" : default_text);
  }
  const std::string unit = item.unit();
  const std::string meaning = MeaningOf(item);
  const std::string_view change = item.kind() == Item::Kind::kInput ? "while no route writes it"
                                  : item.is_structural()            ? "structural"
                                                                    : "live";
  return fmt::format("{}; {}", NumberText({item.name(), unit, meaning}, item.range(), *item.default_number()),
                     change);
}

/// Whether an attribute of the element of its component sets it.
bool IsAttribute(const Item& item) {
  using enum Item::Kind;
  return item.kind() == kParameter || item.kind() == kInput || item.kind() == kAspect ||
         item.kind() == kProperty;
}

/// The attributes of one element, each name once.
class Attributes {
 public:
  explicit Attributes(std::string_view margin) : margin_(margin) {}

  void Add(std::string_view name, std::string_view type, std::string_view text, bool is_required = false) {
    if (!names_.insert(std::string(name)).second) return;
    text_ += fmt::format("{}<xs:attribute name=\"{}\" type=\"{}\"{}>{}</xs:attribute>\n", margin_, name, type,
                         is_required ? " use=\"required\"" : "", Annotation(text));
  }
  void Add(const AttributeKind& attribute) {
    if (attribute.form == AttributeKind::Form::kChoice) {
      AddChoice(attribute.name, attribute.choices, attribute.text);
    } else {
      Add(attribute.name, TypeOf(attribute.form), attribute.text, attribute.is_required);
    }
  }
  /// A setting, an attribute of its component.
  void Add(const Item& item) {
    if (item.value_kind() == ValueKind::kOption) {
      AddChoice(item.name(), item.options(),
                fmt::format("{}; default {}", MeaningOf(item), item.default_text()));
    } else {
      Add(item.name(), TypeOf(item), TextOf(item));
    }
  }
  const std::string& text() const { return text_; }

 private:
  template <class Choices>
  void AddChoice(std::string_view name, const Choices& choices, std::string_view text) {
    if (!names_.insert(std::string(name)).second) return;
    std::string options;
    for (const std::string_view choice : choices)
      options += fmt::format("<xs:enumeration value=\"{}\"/>", EscapeXml(choice));
    text_ += fmt::format(
        "{}<xs:attribute name=\"{}\">{}<xs:simpleType><xs:union memberTypes=\"d:parameter\"><xs:simpleType>"
        "<xs:restriction base=\"xs:string\">{}</xs:restriction></xs:simpleType></xs:union></xs:simpleType>"
        "</xs:attribute>\n",
        margin_, name, Annotation(text), options);
  }

  std::string_view margin_;
  std::set<std::string> names_;
  std::string text_;
};

/// `<Start>` with the states and start values of a component; empty where it has none.
std::string StartElement(const Declarations& all) {
  Attributes attributes("            ");
  for (const StartDeclaration& start : all.starts)
    attributes.Add(start.label.name, "d:quantity", NumberText(start.label, start.range, start.default_value));
  for (const StateDeclaration& state : all.states) {
    if (state.is_array) continue;  // their elements have names that are not allowed in XML
    attributes.Add(state.label.name, "d:quantity",
                   NumberText(state.label, kAny, state.start.empty() ? 0 : state.start.front()));
  }
  if (attributes.text().empty()) return {};
  return fmt::format(
      "        <xs:element name=\"Start\">\n          <xs:complexType>\n{}          </xs:complexType>\n"
      "        </xs:element>\n",
      attributes.text());
}

bool IsAspect(const Item& item) { return item.kind() == Item::Kind::kAspect; }

/// `<Level>`: a level of its own from the aspects of a component; empty where it has none.
std::string LevelElement(const std::vector<Item>& items) {
  if (std::ranges::none_of(items, IsAspect)) return {};
  Attributes attributes("            ");
  for (const AttributeKind& attribute : GetElementKind("Level").attributes) attributes.Add(attribute);
  for (const Item& item : items) {
    if (IsAspect(item)) attributes.Add(item);
  }
  return fmt::format(
      "        <xs:element name=\"Level\">\n          <xs:complexType>\n{}          </xs:complexType>\n"
      "        </xs:element>\n",
      attributes.text());
}

constexpr std::string_view kAnyAttribute = R"(<xs:anyAttribute namespace="##local" processContents="skip"/>)";

/// Start values of states that the model does not know by itself.
std::string StartOfAnything() {
  return fmt::format("        <xs:element name=\"Start\"><xs:complexType>{}</xs:complexType></xs:element>\n",
                     kAnyAttribute);
}

/// What a component that is written in the file may have inside: its items, and start values for those.
std::string ItemElements(const ItemTaker& taker) {
  constexpr std::string_view kAnyInside =
      R"(<xs:sequence><xs:any minOccurs="0" maxOccurs="unbounded" processContents="skip"/></xs:sequence>)";
  std::string text;
  for (const std::string& kind : taker.ItemKinds()) {
    text +=
        fmt::format("        <xs:element name=\"{}\"><xs:complexType>{}{}</xs:complexType></xs:element>\n",
                    kind, kAnyInside, kAnyAttribute);
  }
  return text + StartOfAnything() + "        <xs:element ref=\"d:For\"/>\n";
}

/// Whether its element stands in systems and sub-systems.
bool StandsAlone(const ModelEntry& entry) {
  return (!IsPart(*entry.info) && !entry.is_operator) || entry.stands_in_systems;
}

/// What `<Operators>` may have inside.
std::string OperatorElements(const Registry& registry) {
  std::string text;
  for (const ModelEntry* entry : registry.entries()) {
    if (entry->is_operator) text += fmt::format("        <xs:element ref=\"d:{}\"/>\n", entry->info->name);
  }
  return text + "        <xs:element ref=\"d:For\"/>\n";
}

/// An element that is not a component.
std::string FixedElement(const ElementKind& kind) {
  Attributes attributes("      ");
  for (const AttributeKind& attribute : kind.attributes) attributes.Add(attribute);
  std::string content;
  if (kind.content == ElementKind::Content::kAnything) {
    content =
        "      <xs:sequence><xs:any minOccurs=\"0\" maxOccurs=\"unbounded\" processContents=\"lax\"/>"
        "</xs:sequence>\n";
  } else if (const auto place = PlaceInside(kind.content)) {
    content =
        "      <xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\">\n        <xs:element ref=\"d:For\"/>\n";
    for (const ElementKind& inner : ElementKinds()) {
      if (inner.place == *place) content += fmt::format("        <xs:element ref=\"d:{}\"/>\n", inner.name);
    }
    content += "      </xs:choice>\n";
  }
  return fmt::format(
      "  <xs:element name=\"{}\">\n    {}\n    <xs:complexType>\n{}{}{}    </xs:complexType>\n"
      "  </xs:element>\n",
      kind.name, Annotation(kind.text), content, attributes.text(),
      kind.is_open ? fmt::format("      {}\n", kAnyAttribute) : std::string());
}

std::string ModelElement(const ModelEntry& entry, const Registry& registry) {
  ComponentPool pool;
  Component& component = pool.Create(entry);
  Diagnostics ignored;  // a text without default, such as the points of a table, may be missing here
  component.Configure(ignored);
  const ModelInfo& info = component.model();
  const std::vector<Item> items = ListItems(component);
  const bool is_component = StandsAlone(entry);

  const auto* taker = dynamic_cast<const ItemTaker*>(&component);
  const bool is_open = taker != nullptr || dynamic_cast<const FileDescribed*>(&component) != nullptr;
  std::string children = taker != nullptr ? ItemElements(*taker)
                         : is_open        ? StartOfAnything()
                                          : StartElement(component.declarations());
  children += LevelElement(items);
  for (const ModelEntry* inner : registry.entries()) {
    if (component.AcceptsChild(inner->info->name))
      children += fmt::format("        <xs:element ref=\"d:{}\"/>\n", inner->info->name);
  }
  if (entry.holds_operators) children = OperatorElements(registry);
  Attributes attributes("      ");
  const ElementKind& common = ComponentElement();
  if (info.name != kManager) attributes.Add("name", "d:givenName", common.Find("name")->text, is_component);
  if (!info.levels.is_empty()) {
    std::string levels;
    for (const Level level : kBuiltInLevels) {
      if (info.levels.Contains(level)) levels.append(levels.empty() ? "" : ", ").append(ToText(level));
    }
    attributes.Add("level", "d:path",
                   fmt::format("{}: {}, or a separate Level", common.Find("level")->text, levels));
  }
  if (!IsPart(info) && !entry.is_operator) attributes.Add(*common.Find("chart"));
  for (const Item& item : items) {
    if (IsAttribute(item)) attributes.Add(item);
  }

  std::string text =
      fmt::format("  <xs:element name=\"{}\">\n    {}\n    <xs:complexType>\n", info.name,
                  Annotation(fmt::format("{}.\n{}", info.text, std::string_view(info.equations))));
  if (!children.empty()) {
    text += fmt::format("      <xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\">\n{}      </xs:choice>\n",
                        children);
  }
  text += attributes.text();
  if (is_open) text += "      <xs:anyAttribute namespace=\"##local\" processContents=\"skip\"/>\n";
  return text + "    </xs:complexType>\n  </xs:element>\n";
}

}  // namespace

std::string MakeSchema(const Registry& registry) {
  std::string elements;
  std::string choice;
  std::string named = "d:Subsystem|d:Panel";
  std::string fixed;
  for (const ElementKind& kind : ElementKinds()) {
    using enum ElementKind::Place;
    const bool is_in_system = kind.place == kSystem;
    if (is_in_system || kind.place == kLayout || kind.place == kPanel) fixed += FixedElement(kind);
    // A system has one Layout, which is not among its parts.
    if (is_in_system && kind.content != ElementKind::Content::kPlaces)
      choice += fmt::format("        <xs:element ref=\"d:{}\"/>\n", kind.name);
  }
  const ElementKind& file = GetElementKind("System");
  Attributes of_file("      ");
  for (const AttributeKind& attribute : file.attributes) of_file.Add(attribute);
  for (const ModelEntry* entry : registry.entries()) {
    const std::string_view name = entry->info->name;
    elements += ModelElement(*entry, registry);
    const bool is_component = StandsAlone(*entry);
    if (is_component) named += fmt::format("|d:{}", name);
    if (is_component || name == kManager) choice += fmt::format("        <xs:element ref=\"d:{}\"/>\n", name);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<!-- System files of davit {}; written by `davit schema`. Units, ranges and paths: `davit check`. "
      "-->\n"
      "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" xmlns:d=\"urn:davit:system:1\"\n"
      "           targetNamespace=\"urn:davit:system:1\" elementFormDefault=\"qualified\">\n"
      "{}\n  <xs:group name=\"part\">\n      <xs:choice>\n{}      </xs:choice>\n  </xs:group>\n"
      "  <xs:element name=\"System\">\n"
      "    {}\n    <xs:complexType>\n      <xs:sequence>\n"
      "        <xs:group ref=\"d:part\" minOccurs=\"0\" maxOccurs=\"unbounded\"/>\n"
      "        <xs:sequence minOccurs=\"0\">\n          <xs:element ref=\"d:Layout\"/>\n"
      "          <xs:group ref=\"d:part\" minOccurs=\"0\" maxOccurs=\"unbounded\"/>\n"
      "        </xs:sequence>\n      </xs:sequence>\n{}    </xs:complexType>\n"
      "    <xs:unique name=\"componentName\">\n      <xs:selector xpath=\"{}\"/>\n"
      "      <xs:field xpath=\"@name\"/>\n    </xs:unique>\n  </xs:element>\n{}\n{}</xs:schema>\n",
      kVersion, kTypes, choice, Annotation(file.text), of_file.text(), named, fixed, elements);
}

}  // namespace davit
