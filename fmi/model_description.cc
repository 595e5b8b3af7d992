#include "fmi/model_description.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "framework/version.h"
#include "results/display_unit.h"

namespace davit {
namespace {

using tinyxml2::XMLElement;

void Put(XMLElement& element, const char* name, const std::string& value) {
  element.SetAttribute(name, value.c_str());
}
void Put(XMLElement& element, const char* name, std::string_view value) {
  Put(element, name, std::string(value));
}
void Put(XMLElement& element, const char* name, const char* value) { element.SetAttribute(name, value); }
void Put(XMLElement& element, const char* name, bool value) {
  element.SetAttribute(name, value ? "true" : "false");
}
void Put(XMLElement& element, const char* name, std::size_t value) {
  Put(element, name, std::to_string(value));
}
/// The shortest text that reads back as the same double.
void Put(XMLElement& element, const char* name, double value) {
  Put(element, name, fmt::format("{}", value));
}

constexpr std::array<const char*, 4> kCausalities{"parameter", "input", "output", "local"};
constexpr std::array<const char*, 4> kVariabilities{"fixed", "tunable", "discrete", "continuous"};
constexpr std::array<const char*, 4> kInitials{"", "exact", "approx", "calculated"};

/// The unit of a variable; empty where it has none or may have any.
std::string UnitOf(const FmuVariable& variable) {
  if (variable.entry.type != FmuType::kReal) return {};
  const std::string unit = variable.unit();
  return unit == kAnyUnit || unit == "-" || unit == "1" ? std::string() : unit;
}

DisplayUnit DisplayOf(const FmuVariable& variable, const std::string& unit) {
  return FindDisplayUnit(unit, std::abs(variable.start ? *variable.start : variable.item->Read()));
}

class DescriptionWriter {
 public:
  DescriptionWriter(const FmuFacts& facts, const std::vector<FmuVariable>& variables, const UnitSystem& units)
      : facts_(facts), variables_(variables), units_(units), is_2_(facts.version == FmiVersion::k2) {}

  std::string Write() {
    document_.InsertEndChild(document_.NewDeclaration());
    XMLElement* const root = document_.NewElement("fmiModelDescription");
    document_.InsertEndChild(root);
    Put(*root, "fmiVersion", is_2_ ? "2.0" : "3.0");
    Put(*root, "modelName", facts_.name);
    Put(*root, is_2_ ? "guid" : "instantiationToken", facts_.token);
    if (!facts_.description.empty()) Put(*root, "description", facts_.description);
    Put(*root, "generationTool", fmt::format("davit {}", kVersion));
    Put(*root, "variableNamingConvention", "flat");
    if (is_2_ && facts_.has_model_exchange)
      Put(*root, "numberOfEventIndicators", facts_.structure->guards.size());
    if (facts_.has_model_exchange) WriteModelExchange(*root);
    if (facts_.has_co_simulation) WriteCoSimulation(*root);
    WriteUnits(*root);
    WriteTypes(*root);
    WriteLogCategories(*root);
    WriteExperiment(*root);
    if (is_2_) WriteUses(*root);
    WriteVariables(*root);
    WriteStructure(*root);
    if (!is_2_) WriteUses(*root);
    tinyxml2::XMLPrinter printer;
    document_.Print(&printer);
    return printer.CStr();
  }

 private:
  void WriteModelExchange(XMLElement& root) {
    XMLElement& element = *root.InsertNewChildElement("ModelExchange");
    Put(element, "modelIdentifier", facts_.model_identifier);
    Put(element, "needsExecutionTool", false);
    if (is_2_) Put(element, "completedIntegratorStepNotNeeded", !facts_.needs_completed_steps);
    Put(element, "canBeInstantiatedOnlyOncePerProcess", false);
    if (is_2_) {
      Put(element, "canNotUseMemoryManagementFunctions", true);
      Put(element, "canGetAndSetFMUstate", facts_.has_state);
      Put(element, "canSerializeFMUstate", facts_.has_state);
      Put(element, "providesDirectionalDerivative", true);
    } else {
      Put(element, "canGetAndSetFMUState", facts_.has_state);
      Put(element, "canSerializeFMUState", facts_.has_state);
      Put(element, "providesDirectionalDerivatives", true);
      Put(element, "providesAdjointDerivatives", false);
      Put(element, "needsCompletedIntegratorStep", facts_.needs_completed_steps);
      Put(element, "providesEvaluateDiscreteStates", false);
    }
  }

  void WriteCoSimulation(XMLElement& root) {
    XMLElement& element = *root.InsertNewChildElement("CoSimulation");
    Put(element, "modelIdentifier", facts_.model_identifier);
    Put(element, "needsExecutionTool", false);
    Put(element, "canHandleVariableCommunicationStepSize", facts_.has_variable_steps);
    Put(element, "canBeInstantiatedOnlyOncePerProcess", false);
    if (is_2_) {
      Put(element, "canInterpolateInputs", facts_.has_derivatives);
      Put(element, "maxOutputDerivativeOrder", facts_.has_derivatives ? "1" : "0");
      Put(element, "canRunAsynchronuously", false);
      Put(element, "canNotUseMemoryManagementFunctions", true);
      Put(element, "canGetAndSetFMUstate", facts_.has_state);
      Put(element, "canSerializeFMUstate", facts_.has_state);
      Put(element, "providesDirectionalDerivative", facts_.has_derivatives);
    } else {
      Put(element, "canGetAndSetFMUState", facts_.has_state);
      Put(element, "canSerializeFMUState", facts_.has_state);
      Put(element, "providesDirectionalDerivatives", facts_.has_derivatives);
      Put(element, "providesAdjointDerivatives", false);
      Put(element, "maxOutputDerivativeOrder", facts_.has_derivatives ? "1" : "0");
      Put(element, "providesIntermediateUpdate", true);
      Put(element, "mightReturnEarlyFromDoStep", true);
      Put(element, "canReturnEarlyAfterIntermediateUpdate", true);
      Put(element, "hasEventMode", true);
      if (!facts_.has_variable_steps) Put(element, "fixedInternalStepSize", facts_.step);
    }
  }

  void WriteUnits(XMLElement& root) {
    std::map<std::string, std::map<std::string, double>> displays;
    for (const FmuVariable& variable : variables_) {
      const std::string unit = UnitOf(variable);
      if (unit.empty()) continue;
      const DisplayUnit display = DisplayOf(variable, unit);
      displays[unit].emplace(display.plain, display.factor);
    }
    if (!is_2_) displays["s"];  // of time
    if (displays.empty()) return;
    XMLElement& element = *root.InsertNewChildElement("UnitDefinitions");
    for (const auto& [name, shown] : displays) WriteUnit(element, name, shown);
  }

  void WriteUnit(XMLElement& parent, const std::string& name, const std::map<std::string, double>& shown) {
    constexpr std::array<std::pair<const char*, std::size_t>, 6> kExponents{
        {{"kg", 1}, {"m", 0}, {"s", 2}, {"A", 3}, {"K", 4}, {"rad", 5}}};
    XMLElement& element = *parent.InsertNewChildElement("Unit");
    Put(element, "name", name);
    if (const std::optional<Unit> unit = units_.Find(name)) {
      XMLElement& base = *element.InsertNewChildElement("BaseUnit");
      for (const auto& [symbol, i] : kExponents) {
        const std::int8_t exponent = unit->dimension.exponents[i];
        if (exponent != 0) base.SetAttribute(symbol, exponent);
      }
    }
    for (const auto& [display, factor] : shown) {
      if (display == name) continue;
      XMLElement& other = *element.InsertNewChildElement("DisplayUnit");
      Put(other, "name", display);
      Put(other, "factor", factor);
    }
  }

  /// One type for each list of options.
  void WriteTypes(XMLElement& root) {
    XMLElement* element = nullptr;
    for (const FmuVariable& variable : variables_) {
      if (variable.entry.type != FmuType::kEnumeration) continue;
      const std::vector<std::string_view> options = variable.item->options();
      const auto [known, is_new] = types_.try_emplace({options.begin(), options.end()}, std::string());
      if (!is_new) continue;
      const bool is_level = variable.item->kind() == Item::Kind::kLevel;
      std::string name = is_level ? "Level" : "Options_" + std::string(variable.item->name());
      for (int i = 2; !type_names_.insert(name).second; ++i)
        name = fmt::format("{}_{}", is_level ? "Level" : "Options_" + std::string(variable.item->name()), i);
      known->second = name;
      if (element == nullptr) element = root.InsertNewChildElement("TypeDefinitions");
      XMLElement* type = element->InsertNewChildElement(is_2_ ? "SimpleType" : "EnumerationType");
      Put(*type, "name", name);
      if (is_2_) type = type->InsertNewChildElement("Enumeration");
      for (std::size_t i = 0; i < options.size(); ++i) {
        XMLElement& item = *type->InsertNewChildElement("Item");
        Put(item, "name", options[i]);
        Put(item, "value", i);
      }
    }
  }

  void WriteLogCategories(XMLElement& root) {
    constexpr std::array<std::pair<const char*, const char*>, 5> kCategories{{
        {"logEvents", "Events of the run: switches of levels, transitions of charts, commands"},
        {"logStatusWarning", "Warnings and alarms of components"},
        {"logStatusDiscard", "Reasons for refused or shortened communication steps"},
        {"logStatusError", "Errors: what is wrong and what would be right"},
        {"logAll", "All of them"},
    }};
    XMLElement& element = *root.InsertNewChildElement("LogCategories");
    for (const auto& [name, text] : kCategories) {
      XMLElement& category = *element.InsertNewChildElement("Category");
      Put(category, "name", name);
      Put(category, "description", text);
    }
  }

  void WriteExperiment(XMLElement& root) {
    XMLElement& element = *root.InsertNewChildElement("DefaultExperiment");
    Put(element, "startTime", facts_.start);
    Put(element, "stopTime", facts_.stop);
    if (facts_.tolerance > 0) Put(element, "tolerance", facts_.tolerance);
    Put(element, "stepSize", facts_.step);
  }

  /// What the standard has no place for: davit leaves states that are not in use out of the integration.
  void WriteUses(XMLElement& root) {
    if (facts_.structure == nullptr || facts_.structure->uses.empty()) return;
    XMLElement* element = root.InsertNewChildElement(is_2_ ? "VendorAnnotations" : "Annotations");
    element = element->InsertNewChildElement(is_2_ ? "Tool" : "Annotation");
    Put(*element, is_2_ ? "name" : "type", is_2_ ? kAnnotation2 : kAnnotation3);
    element = element->InsertNewChildElement(kStatesInUse);  // 2.0 allows one element only
    for (const FmuStructure::Use& use : facts_.structure->uses) {
      XMLElement& states = *element->InsertNewChildElement(kUse);
      Put(states, "valueReference", use.variable);
      std::string numbers;
      for (const std::size_t state : use.states)
        numbers += (numbers.empty() ? "" : " ") + std::to_string(state + 1);
      Put(states, "states", numbers);
    }
  }

  void WriteVariables(XMLElement& root) {
    XMLElement& element = *root.InsertNewChildElement("ModelVariables");
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      const FmuVariable& variable = variables_[i];
      XMLElement* scalar = element.InsertNewChildElement(is_2_ ? "ScalarVariable" : ElementOf3(variable));
      Put(*scalar, "name", variable.name);
      Put(*scalar, "valueReference", i);
      if (!variable.text.empty()) Put(*scalar, "description", variable.text);
      Put(*scalar, "causality", kCausalities[static_cast<std::size_t>(variable.causality)]);
      Put(*scalar, "variability", kVariabilities[static_cast<std::size_t>(variable.variability)]);
      if (variable.initial != FmuInitial::kNone)
        Put(*scalar, "initial", kInitials[static_cast<std::size_t>(variable.initial)]);
      if (is_2_) scalar = scalar->InsertNewChildElement(ElementOf2(variable));
      WriteValue(*scalar, variable);
    }
    if (is_2_) return;
    XMLElement& time = *element.InsertNewChildElement("Float64");
    Put(time, "name", "time");
    Put(time, "valueReference", variables_.size());
    Put(time, "description", "Simulation time");
    Put(time, "causality", "independent");
    Put(time, "variability", "continuous");
    Put(time, "unit", "s");
  }

  static const char* ElementOf2(const FmuVariable& variable) {
    constexpr std::array<const char*, 5> kNames{"Real", "Integer", "Boolean", "Enumeration", "String"};
    return kNames[static_cast<std::size_t>(variable.entry.type)];
  }
  static const char* ElementOf3(const FmuVariable& variable) {
    constexpr std::array<const char*, 5> kNames{"Float64", "Int32", "Boolean", "Enumeration", "String"};
    return kNames[static_cast<std::size_t>(variable.entry.type)];
  }

  void WriteValue(XMLElement& element, const FmuVariable& variable) {
    switch (variable.entry.type) {
      case FmuType::kReal: return WriteReal(element, variable);
      case FmuType::kEnumeration: {
        const std::vector<std::string_view> options = variable.item->options();
        Put(element, "declaredType", types_.at({options.begin(), options.end()}));
        break;
      }
      case FmuType::kString:
        if (variable.initial == FmuInitial::kCalculated) return;
        if (is_2_) return Put(element, "start", variable.start_text);
        return Put(*element.InsertNewChildElement("Start"), "value", variable.start_text);
      default: break;
    }
    if (!variable.start) return;
    if (variable.entry.type == FmuType::kBoolean) return Put(element, "start", *variable.start != 0);
    Put(element, "start", fmt::format("{:.0f}", *variable.start));
  }

  void WriteReal(XMLElement& element, const FmuVariable& variable) {
    if (const std::string unit = UnitOf(variable); !unit.empty()) {
      Put(element, "unit", unit);
      const DisplayUnit display = DisplayOf(variable, unit);
      if (display.plain != unit) Put(element, "displayUnit", display.plain);
    }
    const bool is_set =
        variable.causality == FmuCausality::kParameter || variable.causality == FmuCausality::kInput;
    if (is_set) {
      const Range range = variable.item->range();
      if (std::isfinite(range.low) && !range.low_open) Put(element, "min", range.low);
      if (std::isfinite(range.high) && !range.high_open) Put(element, "max", range.high);
    }
    if (variable.nominal != 1) Put(element, "nominal", variable.nominal);
    if (variable.start) Put(element, "start", *variable.start);
    if (variable.derivative_of) Put(element, "derivative", ReferenceOf(*variable.derivative_of));
    if (variable.is_continuous_state) Put(element, "reinit", true);
  }

  void WriteStructure(XMLElement& root) {
    for (const FmuVariable& variable : variables_) has_inputs_ |= variable.causality == FmuCausality::kInput;
    XMLElement& element = *root.InsertNewChildElement("ModelStructure");
    std::vector<std::size_t> outputs, unknowns;
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      if (variables_[i].causality == FmuCausality::kOutput) outputs.push_back(i);
      if (variables_[i].is_initial_unknown()) unknowns.push_back(i);
    }
    const FmuStructure none;
    const FmuStructure& structure = facts_.structure == nullptr ? none : *facts_.structure;
    WriteUnknowns(element, "Outputs", "Output", outputs, true);
    WriteUnknowns(element, "Derivatives", "ContinuousStateDerivative", structure.derivatives, true);
    WriteUnknowns(element, "InitialUnknowns", "InitialUnknown", unknowns, false);
    if (!is_2_) WriteUnknowns(element, nullptr, "EventIndicator", structure.indicators, false);
  }

  /// A list with a parent of its own in 2.0, single elements in 3.0.
  void WriteUnknowns(XMLElement& structure, const char* list, const char* single,
                     const std::vector<std::size_t>& unknowns, bool has_dependencies) {
    if (unknowns.empty()) return;
    XMLElement& parent = is_2_ ? *structure.InsertNewChildElement(list) : structure;
    for (const std::size_t i : unknowns) {
      XMLElement& unknown = *parent.InsertNewChildElement(is_2_ ? "Unknown" : single);
      Put(unknown, is_2_ ? "index" : "valueReference", ReferenceOf(i));
      if (has_dependencies) WriteDependencies(unknown, i);
    }
  }

  void WriteDependencies(XMLElement& unknown, std::size_t i) const {
    const bool has_states = facts_.structure != nullptr && !facts_.structure->states.empty();
    // Without inputs and states there is nothing that an output could depend on.
    if (!has_inputs_ && !has_states) return Put(unknown, "dependencies", "");
    if (facts_.structure == nullptr) return;
    const auto known = facts_.structure->dependencies.find(i);
    if (known == facts_.structure->dependencies.end()) return;
    std::string text;
    for (const std::size_t on : known->second)
      text += (text.empty() ? "" : " ") + std::to_string(ReferenceOf(on));
    Put(unknown, "dependencies", text);
  }

  /// 2.0 counts variables from 1, 3.0 uses value references.
  std::size_t ReferenceOf(std::size_t i) const { return is_2_ ? i + 1 : i; }

  const FmuFacts& facts_;
  const std::vector<FmuVariable>& variables_;
  const UnitSystem& units_;
  bool is_2_;
  bool has_inputs_ = false;
  tinyxml2::XMLDocument document_;
  std::map<std::vector<std::string>, std::string> types_;  ///< by options
  std::set<std::string> type_names_;
};

}  // namespace

std::string WriteModelDescription(const FmuFacts& facts, const std::vector<FmuVariable>& variables,
                                  const UnitSystem& units) {
  return DescriptionWriter(facts, variables, units).Write();
}

}  // namespace davit
