#include "fmi/fmu_description.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tinyxml2.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "fmi/xml_encoding.h"
#include "fmi/zip_reader.h"
#include "framework/nearest_name.h"
#include "framework/xml/xml_file.h"

namespace davit {
namespace {

using tinyxml2::XMLElement;

constexpr std::array<std::string_view, 15> kTypeNames3{"Float64", "Float32",     "Int8",   "UInt8",  "Int16",
                                                       "UInt16",  "Int32",       "UInt32", "Int64",  "UInt64",
                                                       "Boolean", "Enumeration", "String", "Binary", "Clock"};

/// Largest number of elements of one array that is given in numbers.
constexpr std::uint64_t kMostElements = 1'000'000;

constexpr std::string_view kNoun = "model description";

class DescriptionReader {
 public:
  /// `platforms`: those that the FMU has binaries for.
  DescriptionReader(std::string name, std::vector<std::string> platforms, Diagnostics& diagnostics)
      : name_(std::make_shared<const std::string>(std::move(name))),
        platforms_(std::move(platforms)),
        diagnostics_(diagnostics) {}

  FmuDescription Read(TextResult file) {
    if (!file.fault.empty()) return Fail(0, file.fault);
    const Utf8Text text = ToUtf8(std::move(file.text));
    if (!text.fault.empty()) return Fail(1, text.fault);
    if (!text.warning.empty()) diagnostics_.Warning({name_, 1}, {}, text.warning);
    const XmlResult xml = ParseXml(text.text, {.noun = "modelDescription.xml",
                                               .root = "fmiModelDescription",
                                               .remedy = "a model description needs about four levels"});
    if (xml.document == nullptr) return Fail(xml.line, xml.fault);
    const XMLElement& root = *xml.document->RootElement();
    if (std::string_view(root.Name()) != "fmiModelDescription")
      return Fail(root.GetLineNum(),
                  fmt::format("the root element is <{}>; it should be <fmiModelDescription>", root.Name()));
    const std::string version = Text(root, "fmiVersion");
    const bool is_draft = version.find('-') != std::string::npos;  // whose functions are others
    if (is_draft || !(version.starts_with("2.0") || version.starts_with("3.0"))) {
      return Fail(root.GetLineNum(),
                  fmt::format("fmiVersion is '{}'{}; davit reads 2.0 and 3.0{}", version,
                              is_draft ? ", a draft of the standard" : "", Contents(root)));
    }
    is_2_ = version.starts_with("2.0");
    description_.version = is_2_ ? FmiVersion::k2 : FmiVersion::k3;
    description_.model_name = Text(root, "modelName");
    description_.text = Text(root, "description");
    description_.token = Text(root, is_2_ ? "guid" : "instantiationToken");
    description_.tool = Text(root, "generationTool");
    ReadKinds(root);
    ReadExperiment(root);
    ReadUnits(root);
    has_no_units_ = description_.units.empty();
    ReadTypes(root);
    ReadVariables(root);
    WarnOfUnits(root);
    if (!diagnostics_.has_errors()) ReadStructure(root);
    if (!diagnostics_.has_errors()) ReadUses(root);
    return std::move(description_);
  }

 private:
  using Type = DescribedVariable;

  FmuDescription Fail(int line, const std::string& what) {
    Report(line, what);
    return {};
  }
  void Report(int line, const std::string& what) { diagnostics_.Error({name_, line}, {}, what); }

  /// What an FMU of another version is and has; one of 1.0 with an <Implementation> is for co-simulation.
  std::string Contents(const XMLElement& root) const {
    const bool is_1 = Text(root, "fmiVersion") == "1.0";
    const bool is_cs = root.FirstChildElement("Implementation") != nullptr;
    return fmt::format("{}{}{}",
                       is_1 ? is_cs ? "; it is for co-simulation" : "; it is for model exchange" : "",
                       platforms_.empty() ? "" : "; it has binaries for ", fmt::join(platforms_, ", "));
  }

  static std::string Text(const XMLElement& element, const char* attribute) {
    const char* const value = element.Attribute(attribute);
    return value == nullptr ? "" : value;
  }

  static bool Flag(const XMLElement& element, const char* attribute) {
    const std::string text = Text(element, attribute);
    return text == "true" || text == "1";
  }

  /// It becomes a file name, so it must not be a path.
  std::string Identifier(const XMLElement& element) {
    const std::string text = Text(element, "modelIdentifier");
    if (text.empty() || text.find_first_of("/\\") != std::string::npos)
      Report(element.GetLineNum(),
             fmt::format("modelIdentifier '{}' is not a C identifier; the maker of the FMU must "
                         "name the library",
                         text));
    return text;
  }

  void ReadKinds(const XMLElement& root) {
    const auto read = [&](const char* name, std::string& identifier, FmuCapabilities& can) {
      const XMLElement* const kind = root.FirstChildElement(name);
      if (kind == nullptr) return;
      identifier = Identifier(*kind);
      can.has_state = Flag(*kind, is_2_ ? "canGetAndSetFMUstate" : "canGetAndSetFMUState");
      can.has_serialized_state =
          can.has_state && Flag(*kind, is_2_ ? "canSerializeFMUstate" : "canSerializeFMUState");
      can.is_once_per_process = Flag(*kind, "canBeInstantiatedOnlyOncePerProcess");
      can.needs_tool = Flag(*kind, "needsExecutionTool");
      can.has_variable_steps = Flag(*kind, "canHandleVariableCommunicationStepSize");
      can.interpolates_inputs = is_2_ && Flag(*kind, "canInterpolateInputs");
      can.has_directional_derivatives =
          Flag(*kind, is_2_ ? "providesDirectionalDerivative" : "providesDirectionalDerivatives");
      can.needs_completed_steps = is_2_ ? !Flag(*kind, "completedIntegratorStepNotNeeded")
                                        : Flag(*kind, "needsCompletedIntegratorStep");
      Number(*kind, "fixedInternalStepSize", can.fixed_step);
    };
    read("CoSimulation", description_.co_simulation, description_.as_co_simulation);
    read("ModelExchange", description_.model_exchange, description_.as_model_exchange);
    description_.has_scheduled_execution = !is_2_ && root.FirstChildElement("ScheduledExecution") != nullptr;
    if (is_2_) {
      double count = 0;
      Number(root, "numberOfEventIndicators", count);
      if (!(count >= 0 && count <= kMostElements && count == std::floor(count))) {
        Report(root.GetLineNum(),
               fmt::format("numberOfEventIndicators: {} is not a number of indicators", count));
        count = 0;
      }
      description_.event_indicators = static_cast<std::size_t>(count);
    }
  }

  void ReadExperiment(const XMLElement& root) {
    const XMLElement* const experiment = root.FirstChildElement("DefaultExperiment");
    if (experiment == nullptr) return;
    Number(*experiment, "startTime", description_.start);
    description_.stop = description_.start + 1;
    description_.has_stop = experiment->FindAttribute("stopTime") != nullptr;
    Number(*experiment, "stopTime", description_.stop);
    Number(*experiment, "stepSize", description_.step);
    Number(*experiment, "tolerance", description_.tolerance);
  }

  std::optional<double> ParseNumber(std::string_view text) const {
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
      return std::nullopt;
    return value;
  }

  void Number(const XMLElement& element, const char* attribute, double& number) {
    const std::string text = Text(element, attribute);
    if (text.empty()) return;
    if (const std::optional<double> value = ParseNumber(text)) {
      number = *value;
    } else {
      Report(element.GetLineNum(),
             fmt::format("{}: '{}' is not a number; write one such as 0.01", attribute, text));
    }
  }
  void Number(const XMLElement& element, const char* attribute, std::optional<double>& number) {
    const std::string text = Text(element, attribute);
    // 2.0 and 3.0 allow limits that are none.
    if (text.empty() || text == "INF" || text == "-INF") return;
    double value = 0;
    Number(element, attribute, value);
    number = value;
  }

  void ReadUnits(const XMLElement& root) {
    const XMLElement* const list = root.FirstChildElement("UnitDefinitions");
    if (list == nullptr) return;
    for (const XMLElement* e = list->FirstChildElement("Unit"); e != nullptr;
         e = e->NextSiblingElement("Unit")) {
      DescribedUnit unit;
      unit.name = Text(*e, "name");
      if (description_.FindUnit(unit.name) != nullptr) {
        Report(e->GetLineNum(), fmt::format("there are two units '{}'; names must be unique", unit.name));
        continue;
      }
      if (const XMLElement* const base = e->FirstChildElement("BaseUnit")) {
        unit.has_base = true;
        for (std::size_t i = 0; i < kFmiBaseUnits.size(); ++i) {
          double exponent = 0;
          Number(*base, kFmiBaseUnits[i], exponent);
          if (exponent != std::round(exponent) || std::abs(exponent) > 99) {
            Report(base->GetLineNum(),
                   fmt::format("{}: {} is not an exponent of a unit; it is a whole number", kFmiBaseUnits[i],
                               exponent));
            exponent = 0;
          }
          unit.exponents[i] = static_cast<int>(exponent);
        }
        Number(*base, "factor", unit.factor);
        Number(*base, "offset", unit.offset);
        if (unit.factor == 0) {
          Report(base->GetLineNum(), "factor: 0 makes a unit of nothing; write the factor to SI");
          unit.factor = 1;
        }
      }
      description_.units.push_back(std::move(unit));
    }
  }

  /// Some tools name units and declare none at all.
  void WarnOfUnits(const XMLElement& root) {
    if (!has_no_units_ || description_.units.empty()) return;
    std::vector<std::string> names;
    names.reserve(description_.units.size());
    for (const DescribedUnit& unit : description_.units) names.push_back(unit.name);
    diagnostics_.Warning(
        {name_, root.GetLineNum()}, {},
        fmt::format("no <UnitDefinitions> declares the units of its variables: {}; values in "
                    "those that are not SI units of davit are taken as plain numbers",
                    fmt::join(names, ", ")));
  }

  std::optional<FmuBaseType> TypeOf(std::string_view name) const {
    if (is_2_) {
      if (name == "Real") return FmuBaseType::kFloat64;
      if (name == "Integer") return FmuBaseType::kInt32;
      if (name != "Boolean" && name != "Enumeration" && name != "String") return std::nullopt;
    }
    const auto* const found = std::ranges::find(kTypeNames3, name);
    if (found == kTypeNames3.end()) return std::nullopt;
    return static_cast<FmuBaseType>(found - kTypeNames3.begin());
  }

  static FmuType ScalarType(FmuBaseType base) {
    switch (base) {
      case FmuBaseType::kFloat64:
      case FmuBaseType::kFloat32: return FmuType::kReal;
      case FmuBaseType::kBoolean: return FmuType::kBoolean;
      case FmuBaseType::kEnumeration: return FmuType::kEnumeration;
      case FmuBaseType::kString:
      case FmuBaseType::kBinary:
      case FmuBaseType::kClock: return FmuType::kString;
      default: return FmuType::kInteger;
    }
  }

  /// What types and variables both may say.
  void ReadCommon(const XMLElement& element, Type& type) {
    if (const char* const unit = element.Attribute("unit")) {
      type.unit = unit;
      if (description_.FindUnit(type.unit) == nullptr && has_no_units_) {
        description_.units.push_back({.name = type.unit});
      } else if (description_.FindUnit(type.unit) == nullptr) {
        std::vector<std::string> names;
        names.reserve(description_.units.size());
        for (const DescribedUnit& known : description_.units) names.push_back(known.name);
        Report(element.GetLineNum(), fmt::format("no unit '{}' in <UnitDefinitions>; {}", type.unit,
                                                 names.empty() ? "the FMU must declare it"
                                                               : SuggestName("it has", type.unit, names)));
        type.unit.clear();
      }
    }
    Number(element, "min", type.min);
    Number(element, "max", type.max);
    Number(element, "nominal", type.nominal);
    for (const XMLElement* item = element.FirstChildElement("Item"); item != nullptr;
         item = item->NextSiblingElement("Item")) {
      double value = static_cast<double>(type.options.size() + 1);
      Number(*item, "value", value);
      type.options.emplace_back(Text(*item, "name"), static_cast<std::int64_t>(value));
    }
  }

  void ReadTypes(const XMLElement& root) {
    const XMLElement* const list = root.FirstChildElement("TypeDefinitions");
    if (list == nullptr) return;
    for (const XMLElement* e = list->FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      const XMLElement* const content = is_2_ ? e->FirstChildElement() : e;
      Type type;
      if (content != nullptr) ReadCommon(*content, type);
      if (!types_.emplace(Text(*e, "name"), std::move(type)).second) {
        Report(e->GetLineNum(),
               fmt::format("there are two types '{}'; names must be unique", Text(*e, "name")));
      }
    }
  }

  void ReadVariables(const XMLElement& root) {
    const XMLElement* const list = root.FirstChildElement("ModelVariables");
    if (list == nullptr)
      return Report(root.GetLineNum(), "there is no <ModelVariables>; the FMU must list its variables");
    std::set<std::string> names;
    for (const XMLElement* e = list->FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      DescribedVariable variable;
      // A faulty one keeps its place: 2.0 counts them.
      if (ReadVariable(*e, names, variable)) names.insert(variable.name);
      by_reference_.emplace(variable.reference, description_.variables.size());  // the first of aliases
      description_.variables.push_back(std::move(variable));
      if (!is_2_) ReadAliases(*e, names);
    }
  }

  /// Other names of the last variable (3.0): local variables of the same value.
  void ReadAliases(const XMLElement& variable, std::set<std::string>& names) {
    for (const XMLElement* e = variable.FirstChildElement("Alias"); e != nullptr;
         e = e->NextSiblingElement("Alias")) {
      DescribedVariable alias = description_.variables.back();
      alias.name = Text(*e, "name");
      alias.text = Text(*e, "description");
      alias.line = e->GetLineNum();
      alias.causality = "local";
      alias.derivative_of.reset();
      if (alias.name.empty() || !names.insert(alias.name).second) {
        Report(alias.line, fmt::format("there are two variables '{}'; names must be unique", alias.name));
        continue;
      }
      description_.variables.push_back(std::move(alias));
    }
  }

  bool ReadVariable(const XMLElement& e, const std::set<std::string>& names, DescribedVariable& variable) {
    const XMLElement* content = &e;
    if (is_2_) {
      content = e.FirstChildElement();
      while (content != nullptr && !TypeOf(content->Name())) content = content->NextSiblingElement();
    }
    variable.line = e.GetLineNum();
    variable.name = Text(e, "name");
    variable.text = Text(e, "description");
    variable.declared = content == nullptr ? "" : content->Name();
    const auto fail = [&](const std::string& what) {
      Report(e.GetLineNum(), what);
      return false;
    };
    if (variable.name.empty()) return fail("a variable has no name; the FMU must give it one");
    if (names.contains(variable.name))
      return fail(fmt::format("there are two variables '{}'; names must be unique", variable.name));
    const std::string reference = Text(e, "valueReference");
    const auto [end, error] =
        std::from_chars(reference.data(), reference.data() + reference.size(), variable.reference);
    if (error != std::errc() || end != reference.data() + reference.size() || reference.empty())
      return fail(fmt::format("valueReference: '{}' is not a whole number from 0 on", reference));
    const std::optional<FmuBaseType> type = content == nullptr ? std::nullopt : TypeOf(variable.declared);
    if (!type) {
      return fail(fmt::format("variable '{}' has the type '{}', which FMI {}.0 does not have", variable.name,
                              variable.declared, is_2_ ? 2 : 3));
    }
    variable.base = *type;
    variable.type = ScalarType(*type);
    if (!TakeDeclaredType(*content, variable)) return false;
    ReadCommon(*content, variable);
    variable.causality = Text(e, "causality");
    if (variable.causality.empty()) variable.causality = "local";
    variable.variability = Text(e, "variability");
    if (variable.variability.empty()) {
      const bool is_parameter = variable.causality == "parameter" ||
                                variable.causality == "calculatedParameter" ||
                                variable.causality == "structuralParameter";
      variable.variability = is_parameter ? "fixed" : variable.is_float() ? "continuous" : "discrete";
    }
    variable.initial = Text(e, "initial");
    variable.is_clocked = !Text(e, "clocks").empty();
    ReadDerivative(*content, variable);
    ReadDimensions(e, variable);
    ReadStart(*content, variable);
    return true;
  }

  bool TakeDeclaredType(const XMLElement& content, DescribedVariable& variable) {
    const std::string name = Text(content, "declaredType");
    if (name.empty()) return true;
    const auto type = types_.find(name);
    if (type == types_.end()) {
      std::vector<std::string> known;
      known.reserve(types_.size());
      for (const auto& [one, ignored] : types_) known.push_back(one);
      Report(content.GetLineNum(),
             fmt::format("declaredType: no type '{}' in <TypeDefinitions>; {}", name,
                         known.empty() ? "the FMU must declare it" : SuggestName("it has", name, known)));
      return false;
    }
    variable.unit = type->second.unit;
    variable.min = type->second.min;
    variable.max = type->second.max;
    variable.nominal = type->second.nominal;
    variable.options = type->second.options;
    return true;
  }

  void ReadDerivative(const XMLElement& content, DescribedVariable& variable) {
    const std::string text = Text(content, "derivative");
    if (text.empty()) return;
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || (is_2_ && number == 0))
      return Report(content.GetLineNum(), fmt::format("derivative: '{}' names no variable", text));
    variable.derivative_of = is_2_ ? number - 1 : number;
  }

  void ReadDimensions(const XMLElement& e, DescribedVariable& variable) {
    for (const XMLElement* d = e.FirstChildElement("Dimension"); d != nullptr && !is_2_;
         d = d->NextSiblingElement("Dimension")) {
      DescribedDimension dimension;
      const bool is_number = d->FindAttribute("start") != nullptr;
      const std::string text = Text(*d, is_number ? "start" : "valueReference");
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), dimension.size);
      if (error != std::errc() || end != text.data() + text.size() || text.empty() ||
          dimension.size > (is_number ? kMostElements : UINT32_MAX)) {
        Report(d->GetLineNum(),
               fmt::format("Dimension: '{}' is not a size; give start=\"3\", or the valueReference of a "
                           "structural parameter",
                           text));
        continue;
      }
      if (!is_number) dimension.reference = static_cast<std::uint32_t>(dimension.size);
      variable.dimensions.push_back(dimension);
    }
  }

  void ReadStart(const XMLElement& content, DescribedVariable& variable) {
    if (variable.base == FmuBaseType::kString || variable.base == FmuBaseType::kBinary) {
      const XMLElement* const start = content.FirstChildElement("Start");
      variable.has_start = start != nullptr || content.FindAttribute("start") != nullptr;
      variable.start_text = start != nullptr ? Text(*start, "value") : Text(content, "start");
      return;
    }
    const char* const text = content.Attribute("start");
    variable.has_start = text != nullptr;
    if (text == nullptr) return;
    std::string_view rest = text;
    while (true) {
      const std::size_t begin = rest.find_first_not_of(kXmlSpaces);
      if (begin == std::string_view::npos) break;
      rest.remove_prefix(begin);
      const std::string_view word = rest.substr(0, rest.find_first_of(kXmlSpaces));
      rest.remove_prefix(word.size());
      std::optional<double> value = ParseNumber(word);
      if (variable.base == FmuBaseType::kBoolean && word == "true") value = 1;
      if (variable.base == FmuBaseType::kBoolean && word == "false") value = 0;
      if (!value) {
        return Report(content.GetLineNum(),
                      fmt::format("start: '{}' is not a value of variable '{}'", word, variable.name));
      }
      variable.start.push_back(*value);
    }
    if (variable.start.empty() || (!variable.is_array() && variable.start.size() > 1))
      Report(content.GetLineNum(), fmt::format("start: '{}' is not one value", text));
  }

  // ---- <ModelStructure> ----

  /// The number of the variable that an element of the structure names.
  std::optional<std::size_t> Named(const XMLElement& e) {
    const std::string text = Text(e, is_2_ ? "index" : "valueReference");
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    std::optional<std::size_t> found;
    if (error == std::errc() && end == text.data() + text.size() && !text.empty()) {
      if (is_2_) {
        if (number >= 1 && number <= description_.variables.size()) found = number - 1;
      } else {
        found = FindReference(static_cast<std::uint32_t>(number));
      }
    }
    if (!found) {
      Report(e.GetLineNum(),
             fmt::format("{} {}='{}' names no variable", e.Name(), is_2_ ? "index" : "valueReference", text));
    }
    return found;
  }

  std::optional<std::size_t> FindReference(std::uint32_t reference) const {
    const auto found = by_reference_.find(reference);
    return found == by_reference_.end() ? std::nullopt : std::optional<std::size_t>(found->second);
  }

  template <class Visit>
  void ForEachOf(const XMLElement& structure, const char* name2, const char* name3, const Visit& visit) {
    const XMLElement* const list = is_2_ ? structure.FirstChildElement(name2) : &structure;
    const char* const name = is_2_ ? "Unknown" : name3;
    for (const XMLElement* e = list == nullptr ? nullptr : list->FirstChildElement(name); e != nullptr;
         e = e->NextSiblingElement(name)) {
      if (const std::optional<std::size_t> variable = Named(*e)) visit(*e, *variable);
    }
  }

  void ReadStructure(const XMLElement& root) {
    const XMLElement* const structure = root.FirstChildElement("ModelStructure");
    if (structure == nullptr) return;
    ForEachOf(*structure, "Outputs", "Output", [&](const XMLElement& e, std::size_t variable) {
      description_.variables[variable].dependencies = Dependencies(e);
    });
    ForEachOf(*structure, "Derivatives", "ContinuousStateDerivative",
              [&](const XMLElement& e, std::size_t variable) { AddState(e, variable); });
    if (!is_2_) {
      ForEachOf(*structure, "", "EventIndicator", [&](const XMLElement&, std::size_t variable) {
        description_.indicator_variables.push_back(variable);
      });
    }
  }

  /// Whole numbers, separated by spaces; nothing where there is another word.
  static std::optional<std::vector<std::uint32_t>> Numbers(std::string_view text) {
    std::vector<std::uint32_t> numbers;
    while (true) {
      const std::size_t begin = text.find_first_not_of(kXmlSpaces);
      if (begin == std::string_view::npos) return numbers;
      text.remove_prefix(begin);
      const std::string_view word = text.substr(0, text.find_first_of(kXmlSpaces));
      text.remove_prefix(word.size());
      std::uint32_t number = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
      if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
      numbers.push_back(number);
    }
  }

  /// Nothing where an element does not say what it reads, or names no variable.
  std::optional<std::vector<std::size_t>> Dependencies(const XMLElement& e) const {
    if (e.FindAttribute("dependencies") == nullptr) return std::nullopt;
    const auto numbers = Numbers(Text(e, "dependencies"));
    if (!numbers) return std::nullopt;
    std::vector<std::size_t> variables;
    for (const std::uint32_t number : *numbers) {
      const std::optional<std::size_t> variable =
          is_2_ ? std::optional<std::size_t>(number - std::size_t{1}) : FindReference(number);
      if (!variable || *variable >= description_.variables.size()) return std::nullopt;
      variables.push_back(*variable);
    }
    std::ranges::sort(variables);
    const auto doubled = std::ranges::unique(variables);
    variables.erase(doubled.begin(), doubled.end());
    return variables;
  }

  /// An annotation: what does not fit is passed over.
  void ReadUses(const XMLElement& root) {
    const XMLElement* const all = root.FirstChildElement(is_2_ ? "VendorAnnotations" : "Annotations");
    const char* const name = is_2_ ? "Tool" : "Annotation";
    for (const XMLElement* e = all == nullptr ? nullptr : all->FirstChildElement(name); e != nullptr;
         e = e->NextSiblingElement(name)) {
      if (Text(*e, is_2_ ? "name" : "type") != (is_2_ ? kAnnotation2 : kAnnotation3)) continue;
      const XMLElement* const uses = e->FirstChildElement(kStatesInUse);
      for (const XMLElement* use = uses == nullptr ? nullptr : uses->FirstChildElement(kUse); use != nullptr;
           use = use->NextSiblingElement(kUse))
        ReadUse(*use);
    }
  }

  void ReadUse(const XMLElement& e) {
    const auto reference = Numbers(Text(e, "valueReference"));
    const auto states = Numbers(Text(e, "states"));
    if (!reference || reference->size() != 1 || !states) return;
    // Of 2.0, aliases of other types may have the same reference.
    const auto variable = std::ranges::find_if(description_.variables, [&](const DescribedVariable& one) {
      return one.reference == reference->front() && one.base == FmuBaseType::kBoolean && !one.is_array();
    });
    if (variable == description_.variables.end()) return;
    DescribedUse use;
    use.variable = static_cast<std::size_t>(variable - description_.variables.begin());
    for (const std::uint32_t number : *states) {
      const std::size_t state = number - std::size_t{1};
      if (state >= description_.states.size() || is_used_.contains(state)) return;
      use.states.push_back(state);
    }
    is_used_.insert(use.states.begin(), use.states.end());
    description_.uses.push_back(std::move(use));
  }

  void AddState(const XMLElement& e, std::size_t number) {
    // Lists of FMUs for co-simulation only, which nobody needs, are often wrong.
    if (description_.model_exchange.empty()) return;
    DescribedVariable& derivative = description_.variables[number];
    std::optional<std::size_t> state;
    if (derivative.derivative_of) {
      state = is_2_ ? std::optional<std::size_t>(*derivative.derivative_of)
                    : FindReference(*derivative.derivative_of);
    }
    if (!state || *state >= description_.variables.size()) {
      return Report(
          e.GetLineNum(),
          fmt::format("'{}' is listed as a derivative, but its attribute 'derivative' names no state",
                      derivative.name));
    }
    derivative.dependencies = Dependencies(e);
    description_.states.push_back(*state);
    description_.derivatives.push_back(number);
  }

  std::shared_ptr<const std::string> name_;
  std::vector<std::string> platforms_;
  Diagnostics& diagnostics_;
  FmuDescription description_;
  std::map<std::string, Type, std::less<>> types_;
  std::unordered_map<std::uint32_t, std::size_t> by_reference_;
  std::set<std::size_t> is_used_;  ///< numbers of states that have a use
  bool is_2_ = true;
  bool has_no_units_ = false;  ///< it declares none
};

}  // namespace

const DescribedVariable* FmuDescription::Find(std::string_view name) const {
  const auto found = std::ranges::find(variables, name, &DescribedVariable::name);
  return found == variables.end() ? nullptr : &*found;
}

bool FmuDescription::DependsOnInputs(const DescribedVariable& variable) const {
  return !variable.dependencies || std::ranges::any_of(*variable.dependencies, [this](std::size_t i) {
    return variables[i].causality == "input";
  });
}

const DescribedUnit* FmuDescription::FindUnit(std::string_view name) const {
  const auto found = std::ranges::find(units, name, &DescribedUnit::name);
  return found == units.end() ? nullptr : &*found;
}

FmuDescription ReadFmuDescription(const std::filesystem::path& file, Diagnostics& diagnostics,
                                  const std::string& shown) {
  return DescriptionReader(shown.empty() ? file.string() : shown, PlatformsOf(BinariesOf(file.parent_path())),
                           diagnostics)
      .Read(ReadTextFile(file, kNoun));
}

FmuDescription ReadFmuDescription(const ZipReader& fmu, Diagnostics& diagnostics, const std::string& shown) {
  return DescriptionReader(shown, PlatformsOf(fmu.FilesBelow(kBinaries)), diagnostics)
      .Read(fmu.ReadText(kFmuDescription, kNoun));
}

std::vector<std::string> BinariesOf(const std::filesystem::path& folder) {
  const std::filesystem::path binaries = folder / kBinaries;
  std::vector<std::string> names;
  std::error_code fault;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(binaries, fault)) {
    if (entry.is_regular_file(fault)) names.push_back(entry.path().lexically_relative(binaries).string());
  }
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> PlatformsOf(const std::vector<std::string>& binaries) {
  std::set<std::string> platforms;
  for (const std::string& name : binaries) platforms.insert(name.substr(0, name.find('/')));
  return {platforms.begin(), platforms.end()};
}

}  // namespace davit
