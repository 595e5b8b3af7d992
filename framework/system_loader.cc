#include "framework/system_loader.h"

#include <tinyxml2.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

#include "framework/glob.h"
#include "framework/nearest_name.h"
#include "framework/property.h"
#include "framework/quantity.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using tinyxml2::XMLAttribute;
using tinyxml2::XMLElement;

constexpr std::size_t kLargestFile = 64U << 20;
constexpr std::size_t kMostComponents = 500'000;
constexpr std::size_t kMostSubsystemLevels = 32;
constexpr std::size_t kLongestName = 128;
constexpr double kNoTime = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view kNamespace = "urn:davit:system:1";
constexpr std::string_view kManager = "SimulatorManager";

constexpr ModelInfo kSubsystemInfo{"Subsystem", "Components of another file under one name"};
const ModelEntry& SubsystemEntry() {
  static constexpr ModelEntry entry{.info = &kSubsystemInfo,
                                    .size = sizeof(Component),
                                    .alignment = alignof(Component),
                                    .construct = [](void* place) { return new (place) Component; }};
  return entry;
}

bool IsName(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && text.size() <= kLongestName && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return is_letter(c) || is_digit(c); });
}

std::vector<std::string> SplitWords(std::string_view text) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  while ((begin = text.find_first_not_of(" \t\r\n", begin)) != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(" \t\r\n", begin), text.size());
    words.emplace_back(text.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

/// What tinyxml2 found wrong, in plain words.
std::string XmlFault(const tinyxml2::XMLDocument& document) {
  switch (document.ErrorID()) {
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "an element is closed that was not opened, or not closed at all; close each element by its own name";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute cannot be read; write name=\"value\" with each name once";
    case tinyxml2::XML_ERROR_PARSING_ELEMENT:
      return "an element cannot be read; write <name attribute=\"value\"/>";
    case tinyxml2::XML_ERROR_PARSING_TEXT:
    case tinyxml2::XML_ERROR_PARSING_COMMENT:
    case tinyxml2::XML_ERROR_PARSING_CDATA:
    case tinyxml2::XML_ERROR_PARSING:
      return "the file ends in the middle of an element or comment; it seems to be cut off";
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      return "the file has no element; it should have a <System>";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return "elements are nested too deeply; a system file needs about three levels";
    default:
      return std::string("not well-formed XML (") + document.ErrorName() + "); check the file with an XML editor";
  }
}

/// An element that can only be understood once the whole tree stands.
struct Pending {
  const XMLElement* element;
  Component* scope;
  std::size_t file;  ///< index into the values and places of its file
};

/// One inclusion of a file: where it stands and the parameters handed down to it.
struct FileUse {
  std::shared_ptr<const std::string> name;
  fs::path directory;
  std::map<std::string, std::string, std::less<>> parameters;
};

class Loader {
 public:
  Loader(const Registry& registry, const LoadOptions& options, Diagnostics& diagnostics)
      : options_(options), diagnostics_(diagnostics), system_(std::make_unique<System>(registry)) {}

  std::unique_ptr<System> Load(const fs::path& file, std::optional<std::string_view> text) {
    const auto name = std::make_shared<const std::string>(file.string());
    const tinyxml2::XMLDocument* document = text ? Parse(file.string(), std::string(*text), {name, 0}, "/")
                                                 : Open(file, {name, 0}, "/");
    if (document == nullptr) return nullptr;
    stack_.push_back(Canonical(file));
    uses_.push_back({name, file.parent_path(), {}});
    const XMLElement* root = document->RootElement();
    if (!CheckRoot(*root, 0, "/")) return nullptr;
    const std::string system_name = Text(*root, "name", 0);
    if (!system_name.empty()) system_->root().Place(system_name, nullptr, Place(*root, 0));
    else system_->root().Place(file.stem().string(), nullptr, Place(*root, 0));
    CheckAttributes(*root, 0, system_->root(), {"name", "xmlns"});
    ReadContent(*root, system_->root(), 0);
    CompleteManager();
    ApplyOptions();
    for (Component* component : system_->components()) component->Configure(diagnostics_);
    ApplyStarts();
    ApplyExposes();
    ApplyConnects();
    ApplyRoutes();
    CheckMandatory();
    for (Component* component : system_->components()) component->ParametersChanged();
    for (Component* component : system_->components()) component->CheckConnections(diagnostics_);
    ApplySchedule();
    ApplyRecords();
    return std::move(system_);
  }

 private:
  SourceLocation Place(const XMLElement& element, std::size_t use) const {
    return {uses_[use].name, element.GetLineNum()};
  }
  SourceLocation Place(const XMLAttribute& attribute, std::size_t use) const {
    return {uses_[use].name, attribute.GetLineNum()};
  }

  static fs::path Canonical(const fs::path& file) {
    std::error_code error;
    const fs::path canonical = fs::weakly_canonical(file, error);
    return error ? file : canonical;
  }

  const tinyxml2::XMLDocument* Open(const fs::path& file, const SourceLocation& place, const std::string& path) {
    const fs::path canonical = Canonical(file);
    if (const auto known = documents_.find(canonical); known != documents_.end()) return known->second.get();
    std::error_code error;
    if (!fs::is_regular_file(file, error)) {
      diagnostics_.Error(place, path, "cannot read " + Quoted(file.string()) + ": " +
                                          (fs::exists(file, error) ? "not a file" : "no such file") +
                                          "; name a readable system file");
      return nullptr;
    }
    const std::uintmax_t size = fs::file_size(file, error);
    if (!error && size > kLargestFile) {
      diagnostics_.Error(place, path, Quoted(file.string()) + " has " + std::to_string(size >> 20U) +
                                          " MiB; a system file has at most " + std::to_string(kLargestFile >> 20U) + " MiB");
      return nullptr;
    }
    std::ifstream stream(file, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(stream), {});
    if (!stream) {
      diagnostics_.Error(place, path, "cannot read " + Quoted(file.string()) + "; check its permissions");
      return nullptr;
    }
    return Parse(canonical, text, {std::make_shared<const std::string>(file.string()), 0}, path);
  }

  const tinyxml2::XMLDocument* Parse(const fs::path& key, const std::string& text, SourceLocation place,
                                     const std::string& path) {
    auto document = std::make_unique<tinyxml2::XMLDocument>();
    document->Parse(text.data(), text.size());
    if (document->Error()) {
      place.line = document->ErrorLineNum();
      diagnostics_.Error(place, path, XmlFault(*document));
      return nullptr;
    }
    for (const tinyxml2::XMLNode* node = document->FirstChild(); node != nullptr; node = node->NextSibling()) {
      if (node->ToUnknown() == nullptr) continue;
      place.line = node->GetLineNum();
      diagnostics_.Error(place, path, "document types and entities are not allowed in a system file; remove the <!...>");
      return nullptr;
    }
    if (document->RootElement() == nullptr) {
      diagnostics_.Error(place, path, "the file has no element; it should have a <System>");
      return nullptr;
    }
    return documents_.emplace(key, std::move(document)).first->second.get();
  }

  bool CheckRoot(const XMLElement& root, std::size_t use, const std::string& path) {
    if (std::string_view(root.Name()) != "System") {
      diagnostics_.Error(Place(root, use), path, "the root element is " + Quoted(root.Name()) + "; it should be System");
      return false;
    }
    const char* name_space = root.Attribute("xmlns");
    if (name_space != nullptr && name_space != kNamespace) {
      diagnostics_.Error(Place(root, use), path,
                         "unknown namespace " + Quoted(name_space) + "; it should be " + std::string(kNamespace));
      return false;
    }
    return true;
  }

  /// The value of an attribute with `${parameter}` replaced.
  std::string Expand(const XMLAttribute& attribute, std::size_t use, const std::string& path) {
    std::string_view rest = attribute.Value();
    std::string text;
    std::size_t begin = 0;
    while ((begin = rest.find("${")) != std::string_view::npos) {
      const std::size_t end = rest.find('}', begin);
      if (end == std::string_view::npos) break;
      const std::string_view name = rest.substr(begin + 2, end - begin - 2);
      text += rest.substr(0, begin);
      const auto it = uses_[use].parameters.find(name);
      if (it == uses_[use].parameters.end()) {
        std::vector<std::string> names;
        for (const auto& [known, value] : uses_[use].parameters) names.push_back(known);
        diagnostics_.Error(Place(attribute, use), path,
                           "no parameter " + Quoted(name) + " in this file; " + SuggestName("it has", name, names));
      } else {
        text += it->second;
      }
      rest.remove_prefix(end + 1);
    }
    return text.append(rest);
  }

  /// The value of the attribute `name`, or nothing.
  std::optional<std::string> Find(const XMLElement& element, const char* name, std::size_t use, const std::string& path) {
    const XMLAttribute* attribute = element.FindAttribute(name);
    if (attribute == nullptr) return std::nullopt;
    return Expand(*attribute, use, path);
  }
  std::string Text(const XMLElement& element, const char* name, std::size_t use) {
    return Find(element, name, use, "/").value_or("");
  }

  /// The value of an attribute that must be there.
  std::optional<std::string> Require(const Pending& at, const char* name) {
    std::optional<std::string> value = Find(*at.element, name, at.file, at.scope->DisplayPath());
    if (!value) {
      diagnostics_.Error(Place(*at.element, at.file), at.scope->DisplayPath(),
                         std::string(at.element->Name()) + " has no attribute '" + name + "'; it needs one");
    }
    return value;
  }

  void CheckAttributes(const XMLElement& element, std::size_t use, const Component& scope,
                       const std::vector<std::string>& allowed) {
    for (const XMLAttribute* a = element.FirstAttribute(); a != nullptr; a = a->Next()) {
      if (std::find(allowed.begin(), allowed.end(), a->Name()) != allowed.end()) continue;
      diagnostics_.Error(Place(*a, use), scope.DisplayPath(),
                         "no attribute " + Quoted(a->Name()) + " on " + element.Name() + "; " +
                             SuggestName("it has", a->Name(), allowed));
    }
  }

  void ReadContent(const XMLElement& parent, Component& scope, std::size_t use) {
    for (const tinyxml2::XMLNode* node = parent.FirstChild(); node != nullptr; node = node->NextSibling()) {
      if (const tinyxml2::XMLText* text = node->ToText(); text != nullptr) {
        diagnostics_.Error({uses_[use].name, text->GetLineNum()}, scope.DisplayPath(),
                           "unexpected text " + Quoted(text->Value()) + "; values are written as attributes");
      }
    }
    for (const XMLElement* e = parent.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      ReadElement(*e, scope, use);
    }
  }

  void ReadElement(const XMLElement& element, Component& scope, std::size_t use) {
    const std::string_view kind = element.Name();
    const Pending pending{&element, &scope, use};
    if (kind == "Connect") connects_.push_back(pending);
    else if (kind == "Route") routes_.push_back(pending);
    else if (kind == "Expose") exposes_.push_back(pending);
    else if (kind == "At") ats_.push_back(pending);
    else if (kind == "Record") records_.push_back(pending);
    else if (kind == "Parameter") return;  // read when the file was entered
    else if (kind == "Subsystem") ReadSubsystem(pending);
    else ReadComponent(pending);
  }

  /// The name of a new child of `at.scope`, or nothing after an error.
  std::optional<std::string> NewName(const Pending& at) {
    std::string name;
    if (const XMLAttribute* attribute = at.element->FindAttribute("name")) {
      name = Expand(*attribute, at.file, at.scope->DisplayPath());
    } else if (std::string_view kind = at.element->Name(); kind.find('.') == std::string_view::npos && kind != "Subsystem") {
      name = kind;  // a part of its owner such as SimulatorManager: one of a kind
    } else {
      diagnostics_.Error(Place(*at.element, at.file), at.scope->DisplayPath(),
                         std::string(at.element->Name()) + " has no attribute 'name'; give it one");
      return std::nullopt;
    }
    if (!IsName(name)) {
      diagnostics_.Error(Place(*at.element, at.file), at.scope->DisplayPath(),
                         Quoted(name) + " is not a name; use letters, digits and _, beginning with a letter");
      return std::nullopt;
    }
    if (std::string full = at.scope->path(); system_->Find(full.empty() ? name : full + '.' + name) != nullptr) {
      if (std::string_view(at.element->Name()) == "Integration") {
        int number = 2;
        const std::string stem = full + '.' + name;
        while (system_->Find(stem + std::to_string(number)) != nullptr) ++number;
        return name + std::to_string(number);
      }
      const Component& first = *system_->Find(full.empty() ? name : full + '.' + name);
      diagnostics_.Error(Place(*at.element, at.file), at.scope->DisplayPath(),
                         "the name " + Quoted(name) + " is taken by the " + std::string(first.model().name) +
                             " of line " + std::to_string(first.location().line) + "; choose another name");
      return std::nullopt;
    }
    if (system_->components().size() >= kMostComponents) {
      if (!std::exchange(is_full_, true)) {
        diagnostics_.Error(Place(*at.element, at.file), at.scope->DisplayPath(),
                           "the system has more than " + std::to_string(kMostComponents) +
                               " components; split it or look for a sub-system that multiplies itself");
      }
      return std::nullopt;
    }
    return name;
  }

  void ReadComponent(const Pending& at) {
    const XMLElement& element = *at.element;
    const ModelEntry* entry = system_->registry().Find(element.Name());
    if (entry == nullptr) {
      std::vector<std::string> names = system_->registry().names();
      if (std::string_view(element.Name()).find('.') == std::string_view::npos) {
        names.insert(names.end(), {"Connect", "Route", "Expose", "At", "Record", "Parameter", "Subsystem"});
      }
      const std::string suggestion = FindNearest(element.Name(), names) ? SuggestName("", element.Name(), names)
                                                                        : "see davit list for the models there are";
      diagnostics_.Error(Place(element, at.file), at.scope->DisplayPath(),
                         "no model " + Quoted(element.Name()) + "; " + suggestion);
      return;
    }
    const bool is_part = entry->info->name.find('.') == std::string_view::npos;
    const bool is_manager = entry->info->name == kManager && at.scope == &system_->root();
    if (is_part && !is_manager && !at.scope->AcceptsChild(entry->info->name)) {
      diagnostics_.Error(Place(element, at.file), at.scope->DisplayPath(),
                         std::string(element.Name()) + " cannot stand here; SimulatorManager stands in the root of "
                                                       "the system, Integration inside it or inside a component");
      return;
    }
    const std::optional<std::string> name = NewName(at);
    if (!name) return;
    Component& component = system_->Create(*entry, *name, *at.scope, Place(element, at.file));
    if (is_manager) manager_ = &component;
    for (const XMLAttribute* a = element.FirstAttribute(); a != nullptr; a = a->Next()) {
      ReadAttribute(component, *a, at.file);
    }
    for (const XMLElement* e = element.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      const Pending inner{e, &component, at.file};
      if (std::string_view(e->Name()) == "Start") {
        starts_.push_back(inner);
      } else if (component.AcceptsChild(e->Name())) {
        ReadComponent(inner);
      } else {
        diagnostics_.Error(Place(*e, at.file), component.DisplayPath(),
                           "no element " + Quoted(e->Name()) + " inside " + element.Name() + "; it may have Start");
      }
    }
  }

  void ReadAttribute(Component& component, const XMLAttribute& attribute, std::size_t use) {
    const std::string_view name = attribute.Name();
    if (name == "name") return;
    if (name == "chart") {
      diagnostics_.Error(Place(attribute, use), component.DisplayPath(),
                         "statecharts are not there yet; remove the attribute 'chart'");
      return;
    }
    std::string fault;
    const std::string value = Expand(attribute, use, component.DisplayPath());
    if (const auto assignment = system_->FindAttribute(component, name, value, &fault)) {
      system_->ApplyAtLoad(*assignment);
    } else {
      diagnostics_.Error(Place(attribute, use), component.DisplayPath(), fault);
    }
  }

  void ReadSubsystem(const Pending& at) {
    const XMLElement& element = *at.element;
    const std::optional<std::string> name = NewName(at);
    const std::optional<std::string> source = Require(at, "src");
    if (!name || !source) return;
    const fs::path file = uses_[at.file].directory / *source;
    const fs::path canonical = Canonical(file);
    const std::string path = at.scope->DisplayPath();
    if (std::find(stack_.begin(), stack_.end(), canonical) != stack_.end()) {
      diagnostics_.Error(Place(element, at.file), path,
                         Quoted(*source) + " includes itself; a sub-system may not contain itself, directly or through others");
      return;
    }
    if (stack_.size() >= kMostSubsystemLevels) {
      diagnostics_.Error(Place(element, at.file), path,
                         "sub-systems are nested more than " + std::to_string(kMostSubsystemLevels) + " deep; flatten them");
      return;
    }
    const tinyxml2::XMLDocument* document = Open(file, Place(element, at.file), path);
    if (document == nullptr) return;
    const XMLElement& root = *document->RootElement();
    const std::size_t use = uses_.size();
    uses_.push_back({std::make_shared<const std::string>(file.string()), file.parent_path(), {}});
    if (!CheckRoot(root, use, path)) return;
    Component& component = system_->Create(SubsystemEntry(), *name, *at.scope, Place(element, at.file));
    ReadParameters(at, root, use, component);
    stack_.push_back(canonical);
    ReadContent(root, component, use);
    stack_.pop_back();
  }

  /// The `<Parameter>` elements of an included file, with the values that the `<Subsystem>` element hands down.
  void ReadParameters(const Pending& at, const XMLElement& root, std::size_t use, const Component& component) {
    std::vector<std::string> names;
    for (const XMLElement* p = root.FirstChildElement("Parameter"); p != nullptr; p = p->NextSiblingElement("Parameter")) {
      CheckAttributes(*p, use, component, {"name", "value", "text"});
      const char* name = p->Attribute("name");
      const char* value = p->Attribute("value");
      if (name == nullptr || value == nullptr || !IsName(name)) {
        diagnostics_.Error(Place(*p, use), component.DisplayPath(),
                           "Parameter needs a name and a value; write for example <Parameter name=\"bore\" value=\"100 mm\"/>");
        continue;
      }
      names.emplace_back(name);
      uses_[use].parameters[name] = value;
    }
    for (const XMLAttribute* a = at.element->FirstAttribute(); a != nullptr; a = a->Next()) {
      const std::string_view name = a->Name();
      if (name == "name" || name == "src") continue;
      const auto it = uses_[use].parameters.find(name);
      if (it == uses_[use].parameters.end()) {
        diagnostics_.Error(Place(*a, at.file), component.DisplayPath(),
                           "no parameter " + Quoted(name) + " in " + Quoted(*uses_[use].name) + "; " +
                               SuggestName("it has", name, names));
      } else {
        it->second = Expand(*a, at.file, component.DisplayPath());
      }
    }
  }

  void CompleteManager() {
    if (manager_ != nullptr) return;
    const ModelEntry* entry = system_->registry().Find(kManager);
    if (entry != nullptr) {
      system_->Create(*entry, std::string(kManager), system_->root(), system_->root().location());
    }
  }

  /// Where an option of the command line stands in diagnostics.
  static SourceLocation OptionPlace(std::string_view option, std::string_view text) {
    return {std::make_shared<const std::string>(std::string(option) + ' ' + std::string(text)), 0};
  }

  void ApplyOptions() {
    for (const std::string& text : options_.set) {
      const SourceLocation place = OptionPlace("--set", text);
      const std::size_t equal = text.find('=');
      if (equal == std::string::npos) {
        diagnostics_.Error(place, "/", "no '='; write --set PATH=VALUE, for example --set load.mass='5 t'");
        continue;
      }
      std::string fault;
      const auto assignment = system_->FindAssignment(system_->root(), std::string_view(text).substr(0, equal),
                                                      std::string_view(text).substr(equal + 1), &fault);
      if (!assignment) {
        diagnostics_.Error(place, "/", fault);
      } else if (assignment->target == Assignment::Target::kState || assignment->target == Assignment::Target::kStart) {
        late_sets_.push_back(*assignment);  // after <Start>
      } else {
        system_->ApplyAtLoad(*assignment);
      }
    }
    for (const std::string& text : options_.level) ApplyLevelOption(text);
  }

  void ApplyLevelOption(const std::string& text) {
    const SourceLocation place = OptionPlace("--level", text);
    const std::size_t equal = text.find('=');
    if (equal == std::string::npos) {
      diagnostics_.Error(place, "/", "no '='; write --level GLOB=LEVEL, for example --level '*=Ideal'");
      return;
    }
    const std::string_view glob = std::string_view(text).substr(0, equal);
    const std::string_view level = std::string_view(text).substr(equal + 1);
    bool is_matched = false;
    for (Component* component : system_->components()) {
      if (component->model().levels.is_empty() || !MatchesGlob(component->path(), glob)) continue;
      is_matched = true;
      std::string fault;
      if (const auto assignment = system_->FindAttribute(*component, "level", level, &fault)) {
        system_->ApplyAtLoad(*assignment);
      } else {
        diagnostics_.Error(place, component->DisplayPath(), fault);
      }
    }
    if (!is_matched) {
      diagnostics_.Error(place, "/", "no component with levels matches " + Quoted(glob) + "; see davit graph for the paths");
    }
  }

  void ApplyStarts() {
    for (const Pending& start : starts_) {
      for (const XMLAttribute* a = start.element->FirstAttribute(); a != nullptr; a = a->Next()) {
        std::string fault;
        const std::string value = Expand(*a, start.file, start.scope->DisplayPath());
        if (const auto assignment = system_->FindStart(*start.scope, a->Name(), value, &fault)) {
          system_->ApplyAtLoad(*assignment);
        } else {
          diagnostics_.Error(Place(*a, start.file), start.scope->DisplayPath(), fault);
        }
      }
    }
    for (const Assignment& assignment : late_sets_) system_->ApplyAtLoad(assignment);
  }

  void ApplyExposes() {
    for (const Pending& expose : exposes_) {
      CheckAttributes(*expose.element, expose.file, *expose.scope, {"port", "as"});
      const std::optional<std::string> port = Require(expose, "port");
      const std::optional<std::string> as = Require(expose, "as");
      if (!port || !as) continue;
      const std::string above = expose.scope->path();
      const std::string prefix = above.empty() ? std::string() : above + '.';
      if (!IsName(*as) || expose.scope->FindChild(*as) != nullptr) {
        diagnostics_.Error(Place(*expose.element, expose.file), expose.scope->DisplayPath(),
                           "cannot expose as " + Quoted(*as) + "; choose a name that no component here has");
        continue;
      }
      system_->Expose(prefix + *as, prefix + *port);
    }
    for (const Pending& expose : exposes_) {  // only now all names are known, also those of inner files
      const std::optional<std::string> port = Find(*expose.element, "port", expose.file, "/");
      std::string fault;
      std::string input_fault;
      if (!port || system_->FindPort(*expose.scope, *port, &fault) ||
          system_->FindRouteTarget(*expose.scope, *port, &input_fault) ||
          system_->FindVariable(*expose.scope, *port, &input_fault)) {
        continue;
      }
      diagnostics_.Error(Place(*expose.element, expose.file), expose.scope->DisplayPath(), fault);
    }
  }

  void ApplyConnects() {
    for (const Pending& connect : connects_) {
      CheckAttributes(*connect.element, connect.file, *connect.scope, {"from", "to"});
      std::optional<PortRef> ends[2];
      const char* names[2] = {"from", "to"};
      for (int i = 0; i < 2; ++i) {
        const std::optional<std::string> path = Require(connect, names[i]);
        if (!path) continue;
        std::string fault;
        ends[i] = system_->FindPort(*connect.scope, *path, &fault);
        if (!ends[i]) {
          diagnostics_.Error(Place(*connect.element, connect.file), connect.scope->DisplayPath(), fault);
        }
      }
      if (!ends[0] || !ends[1]) {
        for (const auto& end : ends) {
          if (end) excused_.insert(end->port->port);
        }
        continue;
      }
      const std::size_t before = diagnostics_.error_count();
      system_->Connect(*ends[0], *ends[1], Place(*connect.element, connect.file), *connect.scope, diagnostics_);
      if (diagnostics_.error_count() != before) excused_.insert({ends[0]->port->port, ends[1]->port->port});
    }
  }

  void ApplyRoutes() {
    for (const Pending& pending : routes_) {
      CheckAttributes(*pending.element, pending.file, *pending.scope, {"from", "to", "hold"});
      const std::optional<std::string> from = Require(pending, "from");
      const std::optional<std::string> to = Require(pending, "to");
      if (!from || !to) continue;
      const SourceLocation place = Place(*pending.element, pending.file);
      std::string fault;
      std::optional<Route> route = system_->FindRouteTarget(*pending.scope, *to, &fault);
      if (!route) diagnostics_.Error(place, pending.scope->DisplayPath(), fault);
      std::optional<Variable> source = system_->FindVariable(*pending.scope, *from, &fault);
      if (!source) diagnostics_.Error(place, pending.scope->DisplayPath(), fault);
      if (route && !source) excused_inputs_.insert(route->to);
      if (!route || !source) continue;
      const std::string hold = Find(*pending.element, "hold", pending.file, "/").value_or("");
      if (hold == "none") {
        route->hold = Hold::kNone;
      } else if (hold == "step") {
        route->hold = Hold::kStep;
      } else if (!hold.empty()) {
        diagnostics_.Error(place, pending.scope->DisplayPath(),
                           "no option " + Quoted(hold) + " of hold; it has none, step");
        continue;
      }
      route->from = *source;
      route->location = place;
      system_->AddRoute(std::move(*route), *pending.scope, diagnostics_);
    }
  }

  void CheckMandatory() {
    std::unordered_set<const PortBase*> connected;
    for (const Connection& connection : system_->connections()) {
      connected.insert({connection.c.port->port, connection.q.port->port});
    }
    std::unordered_set<const InputDeclaration*> routed;
    for (const Route& route : system_->routes()) routed.insert(route.to);
    for (const Component* component : system_->components()) {
      for (const PortDeclaration& port : component->declarations().ports) {
        if (!port.is_mandatory || connected.contains(port.port) || excused_.contains(port.port)) continue;
        diagnostics_.Error(component->location(), component->DisplayPath(),
                           "port '" + std::string(port.label.name) + "' (" + std::string(ToText(port.domain)) + ", " +
                               std::string(ToText(port.role)) + ") is not connected; connect it to a " +
                               std::string(ToText(port.role == Role::kC ? Role::kQ : Role::kC)) + " port with <Connect>");
      }
      for (const InputDeclaration& input : component->declarations().inputs) {
        if (!input.is_mandatory || routed.contains(&input) || excused_inputs_.contains(&input)) continue;
        diagnostics_.Error(component->location(), component->DisplayPath(),
                           "input '" + std::string(input.label.name) + "' has no signal; give it one with <Route>");
      }
    }
  }

  void ApplySchedule() {
    for (const Pending& at : ats_) {
      CheckAttributes(*at.element, at.file, *at.scope, {"time", "set", "value", "message", "to"});
      const std::optional<std::string> time_text = Require(at, "time");
      const SourceLocation place = Place(*at.element, at.file);
      const double time = time_text ? ParseTime(*time_text, place, *at.scope) : kNoTime;
      if (at.element->FindAttribute("message") != nullptr) {
        const std::optional<std::string> to = Require(at, "to");
        if (!to || std::isnan(time)) continue;
        std::string fault;
        auto message = system_->FindMessage(*at.scope, *to, Find(*at.element, "message", at.file, "/").value_or(""), &fault);
        if (!message) {
          diagnostics_.Error(place, at.scope->DisplayPath(), fault);
          continue;
        }
        message->time = time;
        system_->AddCommand(*message);
        continue;
      }
      const std::optional<std::string> path = Require(at, "set");
      const std::optional<std::string> value = Require(at, "value");
      if (path && value) Schedule(time, *path, *value, place, *at.scope);
    }
    for (const std::string& text : options_.at) {
      const SourceLocation place = OptionPlace("--at", text);
      const std::size_t colon = text.find(':');
      const std::size_t equal = text.find('=');
      if (colon == std::string::npos || equal == std::string::npos || equal < colon) {
        diagnostics_.Error(place, "/", "not of the form T:PATH=VALUE; write for example --at 12:load.mass='5 t'");
        continue;
      }
      Schedule(ParseTime(text.substr(0, colon), place, system_->root()), text.substr(colon + 1, equal - colon - 1),
               text.substr(equal + 1), place, system_->root());
    }
  }

  /// A time [s] from 0 on, or kNoTime after an error.
  double ParseTime(std::string_view text, const SourceLocation& place, const Component& scope) {
    const QuantityResult result = ParseQuantity(text, "s", system_->units());
    if (result.value && result.value->si >= 0) return result.value->si;
    diagnostics_.Error(place, scope.DisplayPath(),
                       "time: " + (result.value ? Quoted(text) + " is negative; times count from 0" : result.error));
    return kNoTime;
  }

  void Schedule(double time, const std::string& path, const std::string& value,
                const SourceLocation& place, const Component& scope) {
    std::string fault;
    const std::optional<Assignment> assignment = system_->FindAssignment(scope, path, value, &fault);
    if (!assignment) {
      diagnostics_.Error(place, scope.DisplayPath(), fault);
    } else if (assignment->is_structural) {
      diagnostics_.Error(place, scope.DisplayPath(),
                         assignment->path + " is structural and cannot change during a run; set it in the element or with --set");
    } else if (!std::isnan(time)) {
      system_->AddCommand(ScheduledAssignment{time, *assignment});
    }
  }

  void ApplyRecords() {
    RecordPlan& plan = system_->record_plan();
    std::unordered_set<std::string> recorded;
    for (const Pending& record : records_) {
      CheckAttributes(*record.element, record.file, *record.scope, {"signals", "interval", "times"});
      const SourceLocation place = Place(*record.element, record.file);
      const std::optional<std::string> interval = Find(*record.element, "interval", record.file, "/");
      const std::optional<std::string> times = Find(*record.element, "times", record.file, "/");
      if (interval && !options_.interval) {
        AddInterval(*interval, place, *record.scope);
      } else if (!times && !options_.interval) {
        plan.intervals.push_back(0);
      }
      if (times) AddTimes(*times, place, *record.scope);
      const std::optional<std::string> signals = Require(record, "signals");
      if (!signals || !options_.signals.empty()) continue;
      for (const std::string& word : SplitWords(*signals)) AddColumns(word, place, *record.scope, recorded);
    }
    for (const std::string& text : options_.signals) {
      for (const std::string& word : SplitWords(text)) {
        AddColumns(word, OptionPlace("--signals", text), system_->root(), recorded);
      }
    }
    if (options_.interval) AddInterval(*options_.interval, OptionPlace("--interval", *options_.interval), system_->root());
    if (records_.empty() && options_.signals.empty()) {
      AddColumns("*", system_->root().location(), system_->root(), recorded);
    }
    if (plan.intervals.empty() && plan.times.empty()) plan.intervals.push_back(0);
    std::sort(plan.times.begin(), plan.times.end());
  }

  void AddInterval(const std::string& text, const SourceLocation& place, const Component& scope) {
    const QuantityResult result = ParseQuantity(text, "s", system_->units());
    if (!result.value || !(result.value->si > 0)) {
      diagnostics_.Error(place, scope.DisplayPath(),
                         "interval: " + (result.value ? Quoted(text) + " is out of range; it must be > 0 s" : result.error));
      return;
    }
    system_->record_plan().intervals.push_back(result.value->si);
  }

  /// `8 s, 20 s` or `8 20`.
  void AddTimes(std::string text, const SourceLocation& place, const Component& scope) {
    std::vector<std::string> parts;
    if (text.find(',') != std::string::npos) {
      for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t comma = std::min(text.find(',', begin), text.size());
        parts.push_back(text.substr(begin, comma - begin));
        begin = comma + 1;
      }
    } else {
      const std::vector<std::string> words = SplitWords(text);
      const bool is_one_with_unit = words.size() == 2 && !ParseQuantity(words[1], system_->units()).value;
      parts = is_one_with_unit ? std::vector<std::string>{text} : words;
    }
    for (const std::string& part : parts) {
      const double time = ParseTime(part, place, scope);
      if (!std::isnan(time)) system_->record_plan().times.push_back(time);
    }
  }

  void AddColumns(const std::string& pattern, const SourceLocation& place, const Component& scope,
                  std::unordered_set<std::string>& recorded) {
    RecordPlan& plan = system_->record_plan();
    if (!IsGlob(pattern)) {
      std::string fault;
      const std::optional<Variable> variable = system_->FindVariable(scope, pattern, &fault);
      if (!variable) {
        diagnostics_.Error(place, scope.DisplayPath(), fault);
      } else if (recorded.insert(variable->path).second) {
        plan.columns.push_back(*variable);
      }
      return;
    }
    const std::string above = scope.path();
    const std::string full = above.empty() ? pattern : above + '.' + pattern;
    const std::string_view last = std::string_view(full).substr(full.rfind('.') + 1);
    const bool is_last_named = full.find('.') != std::string::npos && !IsGlob(last);
    bool is_matched = false;
    for (Component* component : system_->components()) {
      if (component == manager_ || !MayMatch(component->path(), full)) continue;
      for (const Variable& variable : system_->VariablesOf(*component)) {
        if ((!variable.is_primary && !is_last_named) || !MatchesGlob(variable.path, full)) continue;
        is_matched = true;
        if (recorded.insert(variable.path).second) plan.columns.push_back(variable);
      }
    }
    if (!is_matched && pattern != "*") {
      diagnostics_.Error(place, scope.DisplayPath(),
                         "nothing matches " + Quoted(pattern) + "; write for example component.* or *.p");
    }
  }

  /// A quick refusal: the part of `glob` before its first wildcard must agree with `path`.
  static bool MayMatch(const std::string& path, std::string_view glob) {
    const std::string_view fixed = glob.substr(0, glob.find_first_of("*?"));
    const std::size_t common = std::min(path.size(), fixed.size());
    return std::string_view(path).substr(0, common) == fixed.substr(0, common);
  }

  const LoadOptions& options_;
  Diagnostics& diagnostics_;
  std::unique_ptr<System> system_;
  Component* manager_ = nullptr;
  std::map<fs::path, std::unique_ptr<tinyxml2::XMLDocument>> documents_;
  std::vector<fs::path> stack_;  ///< files being read, outermost first
  std::vector<FileUse> uses_;
  std::vector<Pending> starts_, exposes_, connects_, routes_, ats_, records_;
  std::vector<Assignment> late_sets_;
  std::unordered_set<const PortBase*> excused_;  ///< ports whose connection was refused with an error of its own
  std::unordered_set<const InputDeclaration*> excused_inputs_;
  bool is_full_ = false;
};

}  // namespace

std::unique_ptr<System> LoadSystem(const fs::path& file, const Registry& registry, const LoadOptions& options,
                                   Diagnostics& diagnostics) {
  return Loader(registry, options, diagnostics).Load(file, std::nullopt);
}

std::unique_ptr<System> LoadSystemText(std::string_view text, const fs::path& name, const Registry& registry,
                                       const LoadOptions& options, Diagnostics& diagnostics) {
  return Loader(registry, options, diagnostics).Load(name, text);
}

}  // namespace davit
