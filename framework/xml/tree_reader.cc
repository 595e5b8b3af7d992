#include "framework/xml/tree_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <new>

#include "framework/aspect.h"
#include "framework/nearest_name.h"
#include "framework/tree/file_described.h"
#include "framework/tree/foreign_name.h"
#include "framework/tree/item_element.h"
#include "framework/tree/operator_holder.h"
#include "framework/tree/snake_case.h"
#include "framework/tree/subsystem.h"
#include "framework/xml/element_kind.h"
#include "framework/xml/schedule_reader.h"
#include "framework/xml/xml_file.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using tinyxml2::XMLAttribute;
using tinyxml2::XMLElement;

constexpr std::size_t kMostElementsInAll = 4'000'000;  // of all uses of all files
constexpr std::size_t kMostSubsystemLevels = 32;
constexpr std::string_view kNamespace = "urn:davit:system:1";
constexpr std::string_view kManager = "SimulatorManager";
constexpr std::string_view kSubsystem = "Subsystem";
constexpr std::string_view kPlugin = "Plugin";
constexpr std::string_view kLayout = "Layout";
constexpr std::string_view kPanel = "Panel";
constexpr std::string_view kIntegration = "Integration";
constexpr const char* kTimeStep = "TimeStep";
constexpr const char* kLevel = "level";
constexpr const char* kLevelElement = "Level";
constexpr const char* kChart = "chart";
constexpr std::string_view kStatechart = "Statechart";
constexpr std::string_view kSchedule = "Schedule";  // the root of a schedule of levels
constexpr std::string_view kFor = "For";
constexpr std::string_view kOperatorDomain = "operator.";
constexpr const char* kSignal = "signal";

const ModelEntry& SubsystemEntry() {
  static constexpr ModelEntry entry{
      .info = &Subsystem::kInfo,
      .size = sizeof(Subsystem),
      .alignment = alignof(Subsystem),
      .construct = [](void* place) -> Component* { return new (place) Subsystem; },
      .holds_components = true};
  return entry;
}

const ModelEntry& PanelEntry() {
  static constexpr ModelEntry entry{
      .info = &OperatorPanel::kInfo,
      .size = sizeof(OperatorPanel),
      .alignment = alignof(OperatorPanel),
      .construct = [](void* place) -> Component* { return new (place) OperatorPanel; }};
  return entry;
}

fs::path Canonical(const fs::path& file) {
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(file, error);
  return error ? file : canonical;
}

/// Whether an element is a part of its owner, such as SimulatorManager, and not a model `domain.Type`.
bool IsPart(std::string_view element) { return element.find('.') == std::string_view::npos; }

/// Whether an attribute of a sub-system is none of the parameters handed down to it.
bool IsOwnAttribute(std::string_view name) { return GetElementKind(kSubsystem).Find(name) != nullptr; }

/// A plug-in was loaded before the tree is read (PluginLoader): here only its element is looked at.
void CheckPlugin(const Element& element, ElementReader& reader) {
  reader.CheckEmpty(element);
  reader.CheckAttributes(element);
  const std::optional<std::string> source = reader.Require(element, "src");
  if (source && source->empty()) {
    reader.Error(element, "src is empty; name the shared library of a plug-in, such as src=\"my_valves.so\"");
  }
}

/// Of a component that a file describes: its items. False where an attribute has no value, or the file has
/// faults: its attributes then mean nothing.
bool DeclareFromFile(const Element& element, ElementReader& reader, const UnitSystem& units,
                     const FileSource& files) {
  auto* const described = dynamic_cast<FileDescribed*>(element.scope);
  if (described == nullptr) return true;
  FileDescribed::Attributes attributes;
  for (const XMLAttribute* a = element.xml->FirstAttribute(); a != nullptr; a = a->Next()) {
    std::optional<std::string> value = reader.Value(element, *a);
    if (!value) return false;
    attributes.emplace(a->Name(), std::move(*value));
  }
  const std::string_view name = described->file_attribute();
  if (const auto file = attributes.find(name); file != attributes.end() && !file->second.empty()) {
    const std::string fault = files.FaultOf(reader.use(element.use).folder / file->second);
    if (!fault.empty()) {
      reader.Error(element, fmt::format("{}: {}", name, fault));
      reader.NoteRefused(element.scope->path());
      return false;
    }
  }
  Diagnostics faults;
  described->DeclareItems(attributes, units, faults);
  for (const Diagnostic& fault : faults.all()) {
    const SourceLocation& place = fault.location.file == nullptr ? element.scope->location() : fault.location;
    if (fault.severity == Severity::kError) {
      reader.ErrorAt(place, *element.scope, fault.fault);
    } else {
      reader.diagnostics().Warning(place, element.scope->DisplayPath(), fault.fault);
    }
  }
  if (faults.has_errors()) reader.NoteRefused(element.scope->path());
  return !faults.has_errors();
}

}  // namespace

bool TreeReader::Read(const SystemSource& source) {
  const fs::path& file = source.file;
  const fs::path key = Canonical(file);
  Component& top = system_.root();
  const XMLElement* const xml =
      source.description != nullptr ? &source.description->root()
      : source.text                 ? Parse(key, *source.text, file.string(), top)
                    : Open(file, {std::make_shared<const std::string>(file.string()), 0}, top);
  if (xml == nullptr) return false;
  const Element root{xml, &top, reader_.AddUse(file)};
  if (!CheckRoot(root)) return false;
  stack_.push_back(key);
  const std::string name = reader_.Find(root, "name").value_or("");
  top.Place(name.empty() ? file.stem().string() : name, nullptr, reader_.Place(root));
  reader_.CheckAttributes(root);
  ReadParameters(root, nullptr, top);
  ReadContent(root, top);
  if (manager_ == nullptr) AddManager();
  return !reader_.is_finished();
}

const XMLElement* TreeReader::Open(const fs::path& file, const SourceLocation& place,
                                   const Component& scope) {
  const fs::path key = Canonical(file);
  if (const auto known = documents_.find(key); known != documents_.end()) {
    return known->second == nullptr ? nullptr : known->second->RootElement();
  }
  const TextResult result = ReadTextFrom(system_.files(), file);
  if (result.fault.empty()) return Parse(key, result.text, file.string(), scope);
  reader_.ErrorAt(place, scope, result.fault);
  documents_.emplace(key, nullptr);
  return nullptr;
}

const XMLElement* TreeReader::Parse(const fs::path& key, std::string_view text, const std::string& name,
                                    const Component& scope) {
  XmlResult result = ParseXml(text);
  if (result.document == nullptr) {
    reader_.ErrorAt({std::make_shared<const std::string>(name), result.line}, scope, result.fault);
  }
  const XmlDocument& document = documents_.emplace(key, std::move(result.document)).first->second;
  return document == nullptr ? nullptr : document->RootElement();
}

bool TreeReader::CheckRoot(const Element& root) {
  const std::string_view name = root.xml->Name();
  if (name != "System") {
    reader_.Error(root, "the root element is " + Quoted(name) + "; " +
                            RemedyForForeignElement(name).value_or("it should be System"));
    return false;
  }
  const char* name_space = root.xml->Attribute("xmlns");
  if (name_space != nullptr && name_space != kNamespace) {
    reader_.Error(root,
                  "unknown namespace " + Quoted(name_space) + "; it should be " + std::string(kNamespace));
    return false;
  }
  return true;
}

void TreeReader::ReadContent(const Element& parent, Component& scope) {
  const Element inside{parent.xml, &scope, parent.use};
  reader_.CheckNoText(inside);
  ForEachInside(inside, [&](const Element& element) { ReadElement(element); });
}

void TreeReader::ForEachInside(const Element& parent, const Visit& visit) {
  for (const XMLElement* e = parent.xml->FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
    if (reader_.is_finished()) return;
    const Element element{e, parent.scope, parent.use};
    if (std::string_view(e->Name()) == kFor) {
      Repeat(element, visit);
    } else {
      visit(element);
    }
  }
}

std::vector<Element> TreeReader::ListInside(const Element& parent) {
  std::vector<Element> elements;
  ForEachInside(parent, [&](const Element& element) { elements.push_back(element); });
  return elements;
}

void TreeReader::Repeat(const Element& element, const Visit& visit) {
  reader_.CheckNoText(element);
  reader_.CheckAttributes(element);
  const XMLAttribute* const name = element.xml->FindAttribute("name");
  reader_.Require(element, "name");
  const std::optional<std::int64_t> from = ReadBound(element, "from");
  const std::optional<std::int64_t> to = ReadBound(element, "to");
  if (name == nullptr || !from || !to) return;
  if (!IsName(name->Value())) {
    return reader_.Error(element, *name,
                         Quoted(name->Value()) + " is not a name; use letters, digits and _, no digit first");
  }
  for (const NamedNumber& outer : reader_.VariablesOf(element.use)) {
    if (outer.name == name->Value()) {
      return reader_.Error(element, *name,
                           Quoted(name->Value()) + " is the name of a For around this one; choose another");
    }
  }
  for (std::int64_t i = *from; i <= *to; ++i) {
    if (reader_.is_finished() || !Count(element)) return;
    ForEachInside({element.xml, element.scope, reader_.AddRepetition(element.use, name->Value(), i)}, visit);
  }
}

std::optional<std::int64_t> TreeReader::ReadBound(const Element& element, const char* name) {
  constexpr double kLargest = 1e9;
  const std::optional<std::string> text = reader_.Require(element, name);
  if (!text) return std::nullopt;
  const ArithmeticResult number = EvaluateArithmetic(*text, reader_.VariablesOf(element.use));
  const XMLAttribute& attribute = *element.xml->FindAttribute(name);
  if (number.fault) {
    reader_.Error(element, attribute, std::string(name) + ": " + number.fault.ToText());
    return std::nullopt;
  }
  if (number.value != std::round(number.value) || std::abs(number.value) > kLargest) {
    reader_.Error(element, attribute,
                  std::string(name) + ": " + Quoted(*text) +
                      " is not a whole number between -1e9 and 1e9; write for example to=\"100\"");
    return std::nullopt;
  }
  return static_cast<std::int64_t>(number.value);
}

void TreeReader::ReadElement(const Element& element) {
  if (!Count(element)) return;
  const std::string_view kind = element.xml->Name();
  const auto keep = [&](std::vector<Element>& list) {
    reader_.CheckEmpty(element);
    list.push_back(element);
  };
  if (kind == "Connect") return keep(later_.connects);
  if (kind == "Route") return keep(later_.routes);
  if (kind == "Expose") return keep(later_.exposes);
  if (kind == "At") return keep(later_.ats);
  if (kind == "Record") return keep(later_.records);
  if (kind == "Parameter") return reader_.CheckEmpty(element);  // read when the file was entered
  if (kind == kPlugin) return CheckPlugin(element, reader_);
  if (kind == kSubsystem) return ReadSubsystem(element);
  if (kind == kLayout) return ReadLayout(element);
  if (kind == kPanel) return ReadPanel(element);
  if (const ElementKind* known = FindElementKind(kind); known && known->place == ElementKind::Place::kPanel) {
    return reader_.Error(element, std::string(kind) + " is not allowed here; put it inside Panel");
  }
  if (kind == "Start") {
    return reader_.Error(
        element, "Start is not allowed here; put it inside the element of the component that it is for");
  }
  ReadComponent(element);
}

bool TreeReader::Count(const Element& element) {
  if (++element_count_ <= kMostElementsInAll) return true;
  reader_.Finish(reader_.Place(element), *element.scope,
                 "the system has more than " + std::to_string(kMostElementsInAll) +
                     " elements; split it or look for a sub-system that multiplies itself");
  return false;
}

std::optional<std::string> TreeReader::NewName(const Element& element) {
  const std::string_view kind = element.xml->Name();
  std::string name(kind);  // of a part: there is one of a kind
  const bool has_name = element.xml->FindAttribute("name") != nullptr;
  const ModelEntry* const entry = system_.registry().Find(kind);
  const bool is_operator = entry != nullptr && entry->is_operator;
  const bool needs_name = !is_operator && (!IsPart(kind) || kind == kSubsystem || kind == kPanel ||
                                           (entry != nullptr && entry->stands_in_systems));
  if (is_operator) name = SnakeCase(kind.substr(kind.find('.') + 1));
  if (entry != nullptr && entry->holds_operators) {
    const std::optional<std::string> signal = reader_.Require(element, kSignal);
    if (!signal) return std::nullopt;
    if (IsName(*signal)) name = *signal + "_operators";
  }
  if (kind != kManager && (has_name || needs_name)) {
    const std::optional<std::string> given = reader_.Require(element, "name");
    if (!given) return std::nullopt;
    name = *given;
  }
  if (!IsName(name)) {
    reader_.Error(element, Quoted(name) + " is not a name; use letters, digits and _, no digit first");
    reader_.NoteRefused(FullPath(*element.scope, name));
    return std::nullopt;
  }
  std::string full = FullPath(*element.scope, name);
  const bool is_root = element.scope == &system_.root();
  if (is_root && name == kManager && kind != kManager) {
    reader_.Error(element,
                  "the name " + Quoted(name) + " belongs to the manager of the run; choose another name");
    reader_.NoteRefused(std::move(full));
    return std::nullopt;
  }
  if (const Component* first = system_.Find(full); first != nullptr) {
    // An ODE and a DAE integration have the same element, and so have parts of a component without a name;
    // whether there are too many is looked at when they are used.
    const bool is_part_of_component =
        element.scope->AcceptsChild(kind) && entry != nullptr && !entry->holds_operators;
    if (kind == kIntegration || (!has_name && (is_operator || is_part_of_component))) {
      std::size_t number = 2;
      if (is_part_of_component) {  // there may be thousands: from the last one on
        const std::vector<Component*>& children = element.scope->children();
        const auto is_alike = [&](const Component* child) { return child->model().name == kind; };
        const auto last = std::find_if(children.rbegin(), children.rend(), is_alike);
        if (last != children.rend() && (*last)->name().starts_with(name)) {
          number = 1;
          const std::string_view suffix = std::string_view((*last)->name()).substr(name.size());
          std::from_chars(suffix.data(), suffix.data() + suffix.size(), number);
          ++number;
        }
      }
      while (system_.Find(full + std::to_string(number)) != nullptr) ++number;
      return name + std::to_string(number);
    }
    reader_.Error(element, "the name " + Quoted(name) + " is taken by the " +
                               std::string(first->model().name) + " of line " +
                               std::to_string(first->location().line) + "; choose another name");
    reader_.NoteRefused(std::move(full));
    return std::nullopt;
  }
  if (system_.components().size() >= most_components_) {
    reader_.Finish(reader_.Place(element), *element.scope,
                   fmt::format("the system has more than {} components; split it or look for a sub-system "
                               "that multiplies itself",
                               most_components_));
    return std::nullopt;
  }
  return name;
}

void TreeReader::ReadComponent(const Element& element) {
  if (Component* component = MakeComponent(element)) FillComponent(element, *component);
}

bool TreeReader::CheckOperator(const Element& element, const ModelEntry& entry) {
  const std::string kind = element.xml->Name();
  const bool is_inside = element.scope->entry().holds_operators;
  if (entry.is_operator == is_inside) return true;
  reader_.Error(element, entry.is_operator
                             ? kind +
                                   " is an operator; put it inside <Operators signal=\"...\"> in the "
                                   "component whose signal it is for"
                             : kind + " is not an operator; davit list 'operator.*' shows those of davit");
  return false;
}

void TreeReader::ReadOperators(const Element& element, const std::vector<Element>& inside) {
  reader_.CheckNoText(element);
  std::vector<std::pair<Element, Component*>> made;
  for (const Element& inner : inside) {
    if (reader_.is_finished() || !Count(inner)) return;
    if (Component* component = MakeComponent(inner)) made.emplace_back(inner, component);
  }
  Diagnostics faults;
  // Where all operators were refused, that was said.
  if (!made.empty() || inside.empty())
    dynamic_cast<OperatorHolder&>(*element.scope).Attach(system_.units(), faults);
  for (const Diagnostic& fault : faults.all()) reader_.ErrorAt(fault.location, *element.scope, fault.fault);
  for (const auto& [inner, component] : made) FillComponent(inner, *component);
}

Component* TreeReader::MakeComponent(const Element& element) {
  const std::string_view kind = element.xml->Name();
  const ModelEntry* entry = system_.registry().Find(kind);
  const auto note_refused = [&] {
    const std::optional<std::string> name = reader_.Find(element, "name");
    if (name) reader_.NoteRefused(FullPath(*element.scope, *name));
  };
  if (entry == nullptr) {
    std::vector<std::string> names = system_.registry().names();
    if (IsPart(kind)) {
      for (const ElementKind& one : ElementKinds()) {
        if (one.place == ElementKind::Place::kSystem || one.place == ElementKind::Place::kComponent)
          names.emplace_back(one.name);
      }
    }
    const std::string as_operator = std::string(kOperatorDomain) + std::string(kind);
    const bool is_operator =
        element.scope->entry().holds_operators && system_.registry().Find(as_operator) != nullptr;
    const std::string remedy =
        is_operator ? "did you mean " + Quoted(as_operator) + "?"
        : FindNearest(kind, names)
            ? SuggestName("", kind, names)
            : RemedyForForeignElement(kind).value_or(
                  "see davit list for the available models, or name the plug-in that contains it");
    reader_.Error(element, (IsPart(kind) ? "no element " : "no model ") + Quoted(kind) + "; " + remedy);
    note_refused();
    return nullptr;
  }
  const bool is_manager = kind == kManager && element.scope == &system_.root();
  const bool is_in_component = element.scope != &system_.root() && element.scope->model().name != kSubsystem;
  const bool is_placed = is_manager || (is_in_component && element.scope->AcceptsChild(kind)) ||
                         (!is_in_component && entry->stands_in_systems);
  if (IsPart(kind) && !is_placed) {
    reader_.Error(
        element, std::string(kind) + " is not allowed here; " +
                     (kind == kManager         ? "it belongs at the top level of the main file"
                      : entry->holds_operators ? "it belongs inside the component whose signal it is for"
                                               : "it belongs inside SimulatorManager or inside a component"));
    note_refused();
    return nullptr;
  }
  if (!CheckOperator(element, *entry)) {
    note_refused();
    return nullptr;
  }
  if (is_manager && element.xml->FindAttribute("name") != nullptr) {
    reader_.Error(element, "SimulatorManager already has a name; leave out the attribute 'name'");
  }
  const std::optional<std::string> name = NewName(element);
  if (!name) return nullptr;
  Component& component = system_.Create(*entry, *name, *element.scope, reader_.Place(element));
  if (is_manager) manager_ = &component;
  return &component;
}

void TreeReader::FillComponent(const Element& element, Component& component) {
  const Element own{element.xml, &component, element.use};
  const std::vector<Element> inside = ListInside(own);
  if (!DeclareFromFile(own, reader_, system_.units(), *system_.files())) return;
  ReadItems(own, inside);
  ReadLevels(component, inside);
  // The level first: it sets all aspects, and each of them may be set alone after it.
  const XMLAttribute* const level = element.xml->FindAttribute(kLevel);
  if (level != nullptr) ReadAttribute(own, *level);
  for (const XMLAttribute* a = element.xml->FirstAttribute(); a != nullptr; a = a->Next()) {
    if (std::string_view(a->Name()) == "name" || a == level) continue;
    if (std::string_view(a->Name()) == kChart) {
      ReadChart(own, *a);
      continue;
    }
    ReadAttribute(own, *a);
  }
  if (!values_.empty()) TellUnit(std::exchange(values_, {}), component, system_, reader_);
  if (element.xml->FindAttribute(kChart) == nullptr) AddDefaultChart(own);
  if (component.entry().holds_operators) return ReadOperators(own, inside);
  ReadInnerElements(own, inside);
}

void TreeReader::AddDefaultChart(const Element& element) {
  Component& component = *element.scope;
  const ModelEntry* entry = system_.registry().Find(kStatechart);
  if (entry == nullptr || !component.has_behaviours()) return;
  system_.Create(*entry, std::string(kChart), component, component.location());
}

void TreeReader::ReadChart(const Element& element, const XMLAttribute& attribute) {
  const ModelEntry* entry = system_.registry().Find(kStatechart);
  if (entry == nullptr || IsPart(element.scope->model().name) || element.scope->entry().is_operator) {
    return reader_.Error(element, attribute,
                         "no chart can belong to this element; remove the attribute 'chart'");
  }
  const std::optional<std::string> file = reader_.Value(element, attribute);
  if (!file) return;
  const SourceLocation place = reader_.Place(element, attribute);
  Component& chart = system_.Create(*entry, std::string(kChart), *element.scope, place);
  Fault fault;
  if (const auto assignment = system_.FindAttribute(chart, "src", *file, &fault)) {
    system_.ApplyAtLoad(*assignment);
  } else {
    reader_.Error(element, attribute, fault);
  }
}

void TreeReader::ReadAttribute(const Element& element, const XMLAttribute& attribute) {
  const std::optional<std::string> value = reader_.Value(element, attribute);
  if (!value) return;
  const auto given = TranslateForeignAttribute(attribute.Name(), *value)
                         .value_or(ForeignAttribute{attribute.Name(), *value});
  Fault fault;
  if (const auto assignment = system_.FindAttribute(*element.scope, given.name, given.value, &fault)) {
    system_.ApplyAtLoad(*assignment);
    if (given.name != attribute.Name() || given.value != *value) {
      reader_.diagnostics().Warning(reader_.Place(element, attribute), element.scope->DisplayPath(),
                                    fmt::format("{}={} is as in CDP Studio; write {}=\"{}\"",
                                                attribute.Name(), Quoted(*value), given.name, given.value));
    } else if (assignment->item.name() != attribute.Name()) {
      reader_.diagnostics().Warning(
          reader_.Place(element, attribute), element.scope->DisplayPath(),
          Quoted(attribute.Name()) + " has a new name; write " + std::string(assignment->item.name()));
    }
    given_.insert(assignment->item.target());
    if (MayTellUnit(assignment->item))
      values_.push_back({assignment->item, *value, reader_.Place(element, attribute)});
    if (!assignment->item.when().is_always())
      conditional_.push_back({assignment->item, reader_.Place(element, attribute)});
  } else {
    // A value is reported as it was written.
    if (reader_.LeadsToRefused(*element.scope, attribute.Name())) return;
    if (given.name == attribute.Name())
      system_.FindAttribute(*element.scope, attribute.Name(), *value, &fault);
    reader_.Error(element, attribute, fault);
  }
}

void TreeReader::ReadLevels(const Component& component, const std::vector<Element>& inside) {
  if (component.declarations().aspects.empty()) return;
  for (const Element& element : inside) {
    if (std::string_view(element.xml->Name()) == kLevelElement) ReadLevel(element);
  }
}

void TreeReader::ReadLevel(const Element& element) {
  constexpr std::size_t kMostOwnLevels = 100;
  Component& component = *element.scope;
  const std::optional<std::string> name = reader_.Require(element, "name");
  const std::optional<std::string> base = reader_.Require(element, "base");
  if (!name || !base) return;
  const std::vector<std::string> known = component.LevelNames();
  if (!IsName(*name)) {
    return reader_.Error(element, Quoted(*name) + " is not a name for a level; write letters and digits");
  }
  if (component.FindLevel(*name)) {
    return reader_.Error(element, "a second level " + Quoted(*name) + "; give it another name");
  }
  if (known.size() >= kMostOwnLevels) {
    return reader_.Error(element, "more than 100 levels on one component; leave some out");
  }
  const std::optional<Level> found = component.FindLevel(*base);
  if (!found) {
    return reader_.Error(element,
                         "base: no level " + Quoted(*base) + "; " + SuggestName("it has", *base, known));
  }
  const std::vector<AspectBase*>& aspects = component.declarations().aspects;
  std::vector<std::uint32_t> options;
  options.reserve(aspects.size());
  for (std::size_t i = 0; i < aspects.size(); ++i) options.push_back(component.OptionAt(*found, i));
  for (const XMLAttribute* a = element.xml->FirstAttribute(); a != nullptr; a = a->Next()) {
    if (GetElementKind(kLevelElement).Find(a->Name()) != nullptr) continue;
    const auto aspect = std::find_if(aspects.begin(), aspects.end(),
                                     [&](const AspectBase* one) { return one->label().name == a->Name(); });
    if (aspect == aspects.end()) {
      std::vector<std::string> names;
      names.reserve(aspects.size());
      for (const AspectBase* one : aspects) names.emplace_back(one->label().name);
      reader_.Error(element, *a,
                    "no aspect " + Quoted(a->Name()) + "; " + SuggestName("it has", a->Name(), names));
      continue;
    }
    const std::optional<std::string> text = reader_.Value(element, *a);
    if (!text) continue;
    if (const Fault fault = (*aspect)->CheckText(*text, system_.units())) {
      reader_.Error(element, *a, std::string(a->Name()) + ": " + fault.ToText());
      continue;
    }
    options[static_cast<std::size_t>(aspect - aspects.begin())] =
        static_cast<std::uint32_t>((*aspect)->NumberOf(*text, system_.units()));
  }
  component.DefineLevel(*name, std::move(options));
}

void TreeReader::ReadItems(const Element& element, const std::vector<Element>& inside) {
  auto* const taker = dynamic_cast<ItemTaker*>(element.scope);
  if (taker == nullptr) return;
  const std::vector<std::string> kinds = taker->ItemKinds();
  std::vector<ItemElement> items;
  for (const Element& item : inside) {
    if (std::find(kinds.begin(), kinds.end(), item.xml->Name()) == kinds.end()) continue;
    items.push_back(ReadItem(item));
    if (reader_.is_finished()) return;
  }
  Diagnostics faults;
  taker->TakeItems(std::move(items), system_.units(), system_.registry(), faults);
  for (const Diagnostic& fault : faults.all()) {
    if (fault.severity == Severity::kError) {
      reader_.ErrorAt(fault.location, *element.scope, fault.fault);
    } else {
      reader_.diagnostics().Add(fault);
    }
  }
  for (const std::string& name : taker->refused_items()) reader_.NoteRefusedItem(*element.scope, name);
}

ItemElement TreeReader::ReadItem(const Element& element) {
  ItemElement item{element.xml->Name(), reader_.Place(element), {}, {}, {}};
  for (const XMLAttribute* a = element.xml->FirstAttribute(); a != nullptr; a = a->Next()) {
    if (auto value = reader_.Value(element, *a)) {
      item.attributes.push_back({a->Name(), std::move(*value), reader_.Place(element, *a)});
    }
  }
  reader_.CheckNoText(element);
  ForEachInside(element, [&](const Element& inner) {
    if (Count(inner)) item.inner.push_back(ReadItem(inner));
  });
  if (const ItemElement::Attribute* const src = item.Find("src")) {
    TextResult file = ReadTextFrom(system_.files(), reader_.use(element.use).folder / src->value, "file");
    if (file.fault.empty())
      item.file_text = std::make_shared<const std::string>(std::move(file.text));
    else
      reader_.ErrorAt(src->location, *element.scope, file.fault);
  }
  return item;
}

void TreeReader::ReadInnerElements(const Element& element, const std::vector<Element>& inside) {
  Component& component = *element.scope;
  reader_.CheckNoText(element);
  const auto* const taker = dynamic_cast<const ItemTaker*>(&component);
  std::vector<std::string> known = taker == nullptr ? std::vector<std::string>() : taker->ItemKinds();
  const std::size_t item_kinds = known.size();
  known.emplace_back("Start");
  const auto is_item = [&](std::string_view kind) {
    const auto end = known.begin() + static_cast<std::ptrdiff_t>(item_kinds);
    return std::find(known.begin(), end, kind) != end;
  };
  for (const Element& inner : inside) {
    if (reader_.is_finished() || !Count(inner)) return;
    const std::string_view kind = inner.xml->Name();
    if (is_item(kind)) continue;  // read before the attributes
    if (kind == "Start") {
      reader_.CheckEmpty(inner);
      later_.starts.push_back(inner);
    } else if (kind == kLevelElement && !component.declarations().aspects.empty()) {
      reader_.CheckEmpty(inner);  // read before the attributes
    } else if (component.AcceptsChild(kind)) {
      ReadComponent(inner);
    } else {
      const ElementKind* const known_kind = FindElementKind(kind);
      const bool is_element_of_files =
          !IsPart(kind) || system_.registry().Find(kind) != nullptr ||
          (known_kind != nullptr && known_kind->place == ElementKind::Place::kSystem);
      for (const std::string& name : system_.registry().names()) {
        if (IsPart(name) && component.AcceptsChild(name)) known.push_back(name);
      }
      const std::string remedy = is_element_of_files
                                     ? "close " + std::string(element.xml->Name()) + " before it"
                                     : SuggestName("it may have", kind, known);
      const bool is_near = is_element_of_files || FindNearest(kind, known);
      const std::string advice = taker == nullptr ? std::string() : taker->RemedyForElement(kind);
      reader_.Error(inner, "no element " + Quoted(kind) + " inside " + element.xml->Name() + "; " +
                               (!advice.empty() ? advice
                                : is_near       ? remedy
                                                : RemedyForForeignElement(kind).value_or(remedy)));
    }
  }
}

void TreeReader::ReadLayout(const Element& element) {
  reader_.CheckNoText(element);
  reader_.CheckAttributes(element);
  const XMLElement& parent = *element.xml->Parent()->ToElement();
  if (std::string_view(parent.Name()) == kFor) {
    return reader_.Error(element,
                         "Layout is inside For; move it behind, and repeat its places with a For in it");
  }
  const XMLElement* first = parent.FirstChildElement(element.xml->Name());
  if (first != element.xml) {
    return reader_.Error(
        element, "a second Layout; move its places into the one of line " + std::to_string(LineOf(*first)));
  }
  ForEachInside(element, [&](const Element& inner) {
    if (!Count(inner)) return;
    const std::string_view name = inner.xml->Name();
    if (name != "Place" && name != "Note") {
      return reader_.Error(inner, "no element " + Quoted(name) + " inside Layout; it may have " +
                                      "<Place name=\"...\" x=\"...\" y=\"...\"/> and <Note x=\"...\" "
                                      "y=\"...\" text=\"...\"/>");
    }
    reader_.CheckEmpty(inner);
    (name == "Place" ? later_.places : later_.notes).push_back(inner);
  });
}

void TreeReader::ReadPanel(const Element& element) {
  reader_.CheckNoText(element);
  reader_.CheckAttributes(element);
  std::vector<std::string> kinds;
  for (const ElementKind& one : ElementKinds()) {
    if (one.place == ElementKind::Place::kPanel) kinds.emplace_back(one.name);
  }
  if (element.xml->FirstChildElement() == nullptr) {
    reader_.Error(element, fmt::format("a panel without elements; put one or more of {} inside",
                                       fmt::join(kinds, ", ")));
  }
  const std::optional<std::string> name = NewName(element);
  if (!name) return;
  Component& panel = system_.Create(PanelEntry(), *name, *element.scope, reader_.Place(element));
  PanelSource source{{element.xml, &panel, element.use}, {}};
  ForEachInside(source.panel, [&](const Element& inner) {
    if (!Count(inner)) return;
    const std::string_view kind = inner.xml->Name();
    if (std::ranges::find(kinds, kind) == kinds.end()) {
      return reader_.Error(
          inner, "no element " + Quoted(kind) + " inside Panel; " + SuggestName("it may have", kind, kinds));
    }
    reader_.CheckEmpty(inner);
    source.inside.push_back(inner);
  });
  later_.panels.push_back(std::move(source));
}

void TreeReader::ReadSubsystem(const Element& element) {
  reader_.CheckEmpty(element);
  const std::optional<std::string> name = NewName(element);
  const std::optional<std::string> source = reader_.Require(element, "src");
  if (!name) return;
  const auto refuse = [&](const std::string& fault) {
    if (!fault.empty()) reader_.Error(element, fault);
    reader_.NoteRefused(FullPath(*element.scope, *name));
  };
  if (!source) return refuse({});
  const fs::path file = reader_.use(element.use).folder / *source;
  const fs::path key = Canonical(file);
  if (std::find(stack_.begin(), stack_.end(), key) != stack_.end()) {
    return refuse(Quoted(*source) +
                  " includes itself; a sub-system may not contain itself, directly or through others");
  }
  if (stack_.size() >= kMostSubsystemLevels) {
    return refuse("sub-systems are nested more than " + std::to_string(kMostSubsystemLevels) +
                  " deep; flatten them");
  }
  const XMLElement* xml = Open(file, reader_.Place(element), *element.scope);
  if (xml == nullptr) return refuse({});
  const Element root{xml, element.scope, reader_.AddUse(file)};
  if (!CheckRoot(root)) return refuse({});
  Component& component = system_.Create(SubsystemEntry(), *name, *element.scope, reader_.Place(element));
  const Element inside{xml, &component, root.use};
  reader_.CheckAttributes(inside);
  ReadParameters(inside, &element, component);
  const Element own{element.xml, &component, element.use};
  if (const XMLAttribute* time_step = element.xml->FindAttribute(kTimeStep)) ReadAttribute(own, *time_step);
  stack_.push_back(key);
  ReadContent(inside, component);
  stack_.pop_back();
}

void TreeReader::ReadParameters(const Element& root, const Element* includer, Component& component) {
  std::vector<std::string> names;
  for (const XMLElement* p = root.xml->FirstChildElement("Parameter"); p != nullptr;
       p = p->NextSiblingElement("Parameter")) {
    const Element parameter{p, root.scope, root.use};
    reader_.CheckAttributes(parameter);
    const char* name = p->Attribute("name");
    const XMLAttribute* value = p->FindAttribute("value");
    if (name == nullptr || value == nullptr || !IsName(name) || IsOwnAttribute(name)) {
      reader_.Error(parameter,
                    "Parameter needs a name (other than name, src and TimeStep) and a value; write for "
                    "example <Parameter "
                    "name=\"bore\" value=\"100 mm\"/>");
      continue;
    }
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      reader_.Error(parameter, "a second parameter " + Quoted(name) + "; each parameter needs a unique name");
      continue;
    }
    names.emplace_back(name);
    const XMLAttribute* given = includer == nullptr ? nullptr : includer->xml->FindAttribute(name);
    // A default may be made of the parameters above it; what is handed down, of those of the outer file.
    const std::optional<std::string> text =
        given == nullptr ? reader_.Value(parameter, *value) : reader_.Value(*includer, *given);
    reader_.use(root.use).parameters[name] = text;
  }
  if (includer == nullptr) return;
  const Element outer{includer->xml, &component, includer->use};
  for (const XMLAttribute* a = includer->xml->FirstAttribute(); a != nullptr; a = a->Next()) {
    const std::string_view name = a->Name();
    if (IsOwnAttribute(name) || std::find(names.begin(), names.end(), name) != names.end()) continue;
    reader_.Error(outer, *a,
                  "no parameter " + Quoted(name) + " in " + Quoted(*reader_.use(root.use).name) + "; " +
                      SuggestName("it has", name, names));
  }
}

void TreeReader::ReadOutsideLevels(const OutsideLevels& levels) {
  if (levels.schedule) ReadSchedule(*levels.schedule);
  if (levels.chart) AddLevelChart(*levels.chart);
}

void TreeReader::ReadSchedule(const fs::path& file) {
  Component& top = system_.root();
  const XMLElement* const xml = Open(file, OptionPlace("--schedule", file.string()), top);
  if (xml == nullptr) return;
  const Element root{xml, &top, reader_.AddUse(file)};
  if (std::string_view(xml->Name()) != kSchedule) {
    return reader_.Error(
        root, fmt::format("the root element is {}; a schedule of levels is <{}> with <At> elements",
                          Quoted(xml->Name()), kSchedule));
  }
  for (const Element& element : ListInside(root)) {
    if (std::string_view(element.xml->Name()) == "At") {
      later_.levels.push_back(element);
    } else {
      reader_.Error(element, fmt::format("a schedule of levels has no element {}; it has <At> elements",
                                         Quoted(element.xml->Name())));
    }
  }
}

void TreeReader::AddLevelChart(const fs::path& file) {
  constexpr std::string_view kName = "level_chart";
  Component& top = system_.root();
  const SourceLocation place = OptionPlace("--level-chart", file.string());
  if (top.FindChild(kName) != nullptr) {
    return reader_.ErrorAt(place, top,
                           fmt::format("the system has a component {}, as the one that runs this chart is "
                                       "called; rename it",
                                       Quoted(kName)));
  }
  const ModelEntry* const entry = system_.registry().Find(kStatechart);
  if (entry == nullptr) return;
  Component& chart = system_.Create(*entry, std::string(kName), top, place);
  const std::string path = fs::absolute(file).string();
  for (const auto& [name, value] :
       {std::pair<std::string_view, std::string_view>{"src", path}, {"chooses_levels", "true"}}) {
    Fault fault;
    if (const auto assignment = system_.FindAttribute(chart, name, value, &fault))
      system_.ApplyAtLoad(*assignment);
  }
}

void TreeReader::AddManager() {
  const ModelEntry* entry = system_.registry().Find(kManager);
  if (entry == nullptr) return;
  manager_ = &system_.Create(*entry, std::string(kManager), system_.root(), system_.root().location());
}

}  // namespace davit
