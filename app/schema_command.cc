#include "app/schema_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <ostream>
#include <set>
#include <string_view>
#include <vector>

#include "analysis/studies/study_schema.h"
#include "app/exit_code.h"
#include "framework/diagnostics.h"
#include "framework/exception_text.h"
#include "framework/item.h"
#include "framework/property.h"
#include "framework/tree/component_pool.h"
#include "framework/tree/file_described.h"
#include "framework/tree/item_element.h"
#include "framework/tree/item_list.h"
#include "framework/version.h"
#include "results/output_file.h"
#include "session/escape_xml.h"
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

/// Elements that are no components.
constexpr std::string_view kFixedElements = R"xml(
  <xs:element name="Connect">
    <xs:annotation><xs:documentation>Joins a C and a Q port of the same domain</xs:documentation></xs:annotation>
    <xs:complexType>
      <xs:attribute name="from" type="d:path" use="required"/>
      <xs:attribute name="to" type="d:path" use="required"/>
    </xs:complexType>
  </xs:element>
  <xs:element name="Route">
    <xs:annotation><xs:documentation>Leads a signal to an input</xs:documentation></xs:annotation>
    <xs:complexType>
      <xs:attribute name="from" type="d:path" use="required"/>
      <xs:attribute name="to" type="d:path" use="required"/>
      <xs:attribute name="hold">
        <xs:annotation><xs:documentation>none: continuous coupling, both ends in one island; step: zero-order hold, sampled at step points</xs:documentation></xs:annotation>
        <xs:simpleType>
          <xs:union memberTypes="d:parameter">
            <xs:simpleType>
              <xs:restriction base="xs:string"><xs:enumeration value="none"/><xs:enumeration value="step"/></xs:restriction>
            </xs:simpleType>
          </xs:union>
        </xs:simpleType>
      </xs:attribute>
    </xs:complexType>
  </xs:element>
  <xs:element name="Expose">
    <xs:annotation><xs:documentation>Gives an inner port or item a name outside of the sub-system</xs:documentation></xs:annotation>
    <xs:complexType>
      <xs:attribute name="port" type="d:path" use="required"/>
      <xs:attribute name="as" type="d:givenName" use="required"/>
    </xs:complexType>
  </xs:element>
  <xs:element name="At">
    <xs:annotation><xs:documentation>Sets a value, sends a message or an event at a time</xs:documentation></xs:annotation>
    <xs:complexType>
      <xs:attribute name="time" type="d:quantity" use="required"/>
      <xs:attribute name="set" type="d:path"/>
      <xs:attribute name="value" type="xs:string"/>
      <xs:attribute name="message" type="xs:string"/>
      <xs:attribute name="event" type="xs:string"/>
      <xs:attribute name="to" type="xs:string"/>
    </xs:complexType>
  </xs:element>
  <xs:element name="Record">
    <xs:annotation><xs:documentation>What is written to results: globs, at an interval or at times</xs:documentation></xs:annotation>
    <xs:complexType>
      <xs:attribute name="signals" type="xs:string" use="required"/>
      <xs:attribute name="interval" type="d:quantity"/>
      <xs:attribute name="times" type="xs:string"/>
    </xs:complexType>
  </xs:element>
  <xs:element name="Parameter">
    <xs:annotation><xs:documentation>A value of the file, used as ${name}; given by the Subsystem that includes it</xs:documentation></xs:annotation>
    <xs:complexType>
      <xs:attribute name="name" type="d:name" use="required"/>
      <xs:attribute name="value" type="xs:string" use="required"/>
      <xs:attribute name="text" type="xs:string"/>
    </xs:complexType>
  </xs:element>
  <xs:element name="For">
    <xs:annotation><xs:documentation>Repeats what is inside for name = from, from+1, ... to; {name} and formulas such as {name+1} stand for the number</xs:documentation></xs:annotation>
    <xs:complexType>
      <xs:sequence><xs:any minOccurs="0" maxOccurs="unbounded" processContents="lax"/></xs:sequence>
      <xs:attribute name="name" type="d:name" use="required"/>
      <xs:attribute name="from" type="xs:string" use="required"/>
      <xs:attribute name="to" type="xs:string" use="required"/>
    </xs:complexType>
  </xs:element>
  <xs:element name="Layout">
    <xs:annotation><xs:documentation>Where drawings show components of this file</xs:documentation></xs:annotation>
    <xs:complexType>
      <xs:choice minOccurs="0" maxOccurs="unbounded">
        <xs:element ref="d:For"/>
        <xs:element ref="d:Place"/>
      </xs:choice>
    </xs:complexType>
  </xs:element>
  <xs:element name="Place">
    <xs:annotation><xs:documentation>The middle of a symbol, in units of the drawing: x to the right, y down</xs:documentation></xs:annotation>
    <xs:complexType>
      <xs:attribute name="name" type="d:givenName" use="required"/>
      <xs:attribute name="x" type="d:coordinate" use="required"/>
      <xs:attribute name="y" type="d:coordinate" use="required"/>
      <xs:attribute name="rotation">
        <xs:annotation><xs:documentation>Clockwise, in degrees; default 0</xs:documentation></xs:annotation>
        <xs:simpleType>
          <xs:union memberTypes="d:parameter">
            <xs:simpleType>
              <xs:restriction base="xs:string"><xs:enumeration value="0"/><xs:enumeration value="90"/><xs:enumeration value="180"/><xs:enumeration value="270"/></xs:restriction>
            </xs:simpleType>
          </xs:union>
        </xs:simpleType>
      </xs:attribute>
      <xs:attribute name="mirror" type="d:boolean">
        <xs:annotation><xs:documentation>Left and right change sides, before the rotation; default false</xs:documentation></xs:annotation>
      </xs:attribute>
    </xs:complexType>
  </xs:element>
  <xs:element name="Plugin">
    <xs:annotation><xs:documentation>A shared library with further models, relative to this file</xs:documentation></xs:annotation>
    <xs:complexType>
      <xs:attribute name="src" type="d:path" use="required"/>
    </xs:complexType>
  </xs:element>
  <xs:element name="Subsystem">
    <xs:annotation><xs:documentation>Includes another system file; further attributes are its parameters</xs:documentation></xs:annotation>
    <xs:complexType>
      <xs:attribute name="name" type="d:givenName" use="required"/>
      <xs:attribute name="src" type="d:path" use="required"/>
      <xs:attribute name="TimeStep" type="d:quantity"/>
      <xs:anyAttribute namespace="##local" processContents="skip"/>
    </xs:complexType>
  </xs:element>
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
  const std::string_view change = item.kind() == Item::Kind::kInput ? "while nothing is routed to it"
                                  : item.is_structural()            ? "structural"
                                                                    : "live";
  return fmt::format("{}; {}", NumberText({item.name(), unit, meaning}, item.range(), *item.default_number()),
                     change);
}

/// Whether an attribute of the element of its component sets it.
bool IsAttribute(const Item& item) {
  using Kind = Item::Kind;
  return item.kind() == Kind::kParameter || item.kind() == Kind::kInput || item.kind() == Kind::kAspect ||
         item.kind() == Kind::kProperty;
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
  /// A setting, an attribute of its component.
  void Add(const Item& item) {
    if (item.value_kind() == ValueKind::kOption) {
      AddChoice(item);
    } else {
      Add(item.name(), TypeOf(item), TextOf(item));
    }
  }
  void AddChoice(const Item& item) {
    if (!names_.insert(std::string(item.name())).second) return;
    std::string options;
    for (const std::string_view option : item.options())
      options += fmt::format("<xs:enumeration value=\"{}\"/>", EscapeXml(option));
    text_ += fmt::format(
        "{}<xs:attribute name=\"{}\">{}<xs:simpleType><xs:union memberTypes=\"d:parameter\"><xs:simpleType>"
        "<xs:restriction base=\"xs:string\">{}</xs:restriction></xs:simpleType></xs:union></xs:simpleType>"
        "</xs:attribute>\n",
        margin_, item.name(), Annotation(fmt::format("{}; default {}", MeaningOf(item), item.default_text())),
        options);
  }
  const std::string& text() const { return text_; }

 private:
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
  attributes.Add("name", "d:givenName", "Name of the new level", true);
  attributes.Add("base", "d:path", "Level that gives the options not set here", true);
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
  if (info.name != kManager) attributes.Add("name", "d:givenName", "Name of the component", is_component);
  if (!info.levels.is_empty()) {
    std::string levels;
    for (const Level level : kBuiltInLevels) {
      if (info.levels.Contains(level)) levels.append(levels.empty() ? "" : ", ").append(ToText(level));
    }
    attributes.Add("level", "d:path", fmt::format("Level of detail: {}, or a Level of its own", levels));
  }
  if (!IsPart(info) && !entry.is_operator)
    attributes.Add("chart", "d:path", "File of a statechart for this component");
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
  std::string named = "d:Subsystem";
  for (const std::string_view name :
       {"Connect", "Route", "Expose", "At", "Record", "Parameter", "Plugin", "Subsystem", "For"}) {
    choice += fmt::format("        <xs:element ref=\"d:{}\"/>\n", name);
  }
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
      "    <xs:annotation><xs:documentation>A machine, or a part of one that others "
      "include</xs:documentation>"
      "</xs:annotation>\n"
      "    <xs:complexType>\n      <xs:sequence>\n"
      "        <xs:group ref=\"d:part\" minOccurs=\"0\" maxOccurs=\"unbounded\"/>\n"
      "        <xs:sequence minOccurs=\"0\">\n          <xs:element ref=\"d:Layout\"/>\n"
      "          <xs:group ref=\"d:part\" minOccurs=\"0\" maxOccurs=\"unbounded\"/>\n"
      "        </xs:sequence>\n      </xs:sequence>\n"
      "      <xs:attribute name=\"name\" type=\"xs:string\"/>\n    </xs:complexType>\n"
      "    <xs:unique name=\"componentName\">\n      <xs:selector xpath=\"{}\"/>\n"
      "      <xs:field xpath=\"@name\"/>\n    </xs:unique>\n  </xs:element>\n{}\n{}</xs:schema>\n",
      kVersion, kTypes, choice, named, kFixedElements, elements);
}

namespace {

/// Writes a schema, and tells what is in it.
int WriteSchema(const std::string& schema, const std::string& content, const std::filesystem::path& output,
                std::ostream& out, std::ostream& err) {
  if (output.empty()) {
    out << schema;
    return kDone;
  }
  try {
    OutputFile file(output);
    file.Write(schema);
    file.Close();
  } catch (const std::exception& failure) {
    err << "error: " << Explain(failure) << '\n';
    return kRunFailed;
  }
  out << fmt::format("{}: {}\n", output.string(), content);
  return kDone;
}

}  // namespace

int RunSchema(const std::filesystem::path& output, const Registry& registry, std::ostream& out,
              std::ostream& err) {
  return WriteSchema(MakeSchema(registry), fmt::format("{} models", registry.entries().size()), output, out,
                     err);
}

int RunStudySchema(const std::filesystem::path& output, std::ostream& out, std::ostream& err) {
  return WriteSchema(MakeStudySchema(), "study files", output, out, err);
}

void AddSchemaCommand(CLI::App& program, CommandContext& context) {
  CLI::App& command =
      *program.add_subcommand("schema", "Writes the XML schema (XSD) of system files, with all models");
  const auto file = std::make_shared<std::filesystem::path>();
  command.add_option("-o,--output", *file, "File to write; standard output if none is given")
      ->type_name("FILE");
  const auto is_of_studies = std::make_shared<bool>(false);
  command.add_flag("--study", *is_of_studies, "The schema of study files (davit study) instead");
  AddPluginOption(command, context);
  command.callback([&context, file, is_of_studies] {
    if (*is_of_studies) {
      context.exit_code = RunStudySchema(*file, context.out, context.err);
      return;
    }
    context.exit_code =
        context.LoadPlugins() ? RunSchema(*file, context.registry, context.out, context.err) : kWrongInput;
  });
}

}  // namespace davit
