#include "fmi/fmu_description.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <system_error>

#include "framework/xml/xml_file.h"

namespace davit {
namespace {

using tinyxml2::XMLElement;

class DescriptionReader {
 public:
  DescriptionReader(const std::filesystem::path& file, Diagnostics& diagnostics)
      : name_(std::make_shared<const std::string>(file.string())), diagnostics_(diagnostics) {}

  FmuDescription Read() {
    const TextResult text = ReadTextFile(*name_, "model description");
    if (!text.fault.empty()) return Fail(0, text.fault);
    const XmlResult xml = ParseXml(text.text, {.noun = "modelDescription.xml",
                                               .root = "fmiModelDescription",
                                               .remedy = "a model description needs about four levels"});
    if (xml.document == nullptr) return Fail(xml.line, xml.fault);
    const XMLElement& root = *xml.document->RootElement();
    if (std::string_view(root.Name()) != "fmiModelDescription")
      return Fail(root.GetLineNum(),
                  fmt::format("the root element is <{}>; it should be <fmiModelDescription>", root.Name()));
    const std::string version = Text(root, "fmiVersion");
    if (version != "2.0" && !version.starts_with("3.0")) {
      return Fail(root.GetLineNum(), fmt::format("fmiVersion is '{}'; davit reads 2.0 and 3.0", version));
    }
    is_2_ = version == "2.0";
    description_.version = is_2_ ? FmiVersion::k2 : FmiVersion::k3;
    description_.model_name = Text(root, "modelName");
    description_.token = Text(root, is_2_ ? "guid" : "instantiationToken");
    description_.tool = Text(root, "generationTool");
    if (const XMLElement* kind = root.FirstChildElement("CoSimulation"))
      description_.co_simulation = Identifier(*kind);
    if (const XMLElement* kind = root.FirstChildElement("ModelExchange"))
      description_.model_exchange = Identifier(*kind);
    if (const XMLElement* experiment = root.FirstChildElement("DefaultExperiment")) {
      Number(*experiment, "startTime", description_.start);
      description_.stop = description_.start + 1;
      Number(*experiment, "stopTime", description_.stop);
      Number(*experiment, "stepSize", description_.step);
      Number(*experiment, "tolerance", description_.tolerance);
    }
    ReadVariables(root);
    return std::move(description_);
  }

 private:
  FmuDescription Fail(int line, const std::string& what) {
    Report(line, what);
    return {};
  }
  void Report(int line, const std::string& what) { diagnostics_.Error({name_, line}, {}, what); }

  static std::string Text(const XMLElement& element, const char* attribute) {
    const char* const value = element.Attribute(attribute);
    return value == nullptr ? "" : value;
  }

  /// It becomes a file name, so it must not be a path.
  std::string Identifier(const XMLElement& element) {
    const std::string text = Text(element, "modelIdentifier");
    if (text.empty() || text.find_first_of("/\\") != std::string::npos)
      Report(element.GetLineNum(),
             fmt::format("modelIdentifier '{}' is no C identifier; the maker of the FMU must "
                         "name the library",
                         text));
    return text;
  }

  void Number(const XMLElement& element, const char* attribute, double& number) {
    const std::string text = Text(element, attribute);
    if (text.empty()) return;
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && std::isfinite(value)) {
      number = value;
    } else {
      Report(element.GetLineNum(),
             fmt::format("{}: '{}' is not a number; write one such as 0.01", attribute, text));
    }
  }

  std::optional<FmuType> TypeOf(std::string_view name) const {
    if (name == (is_2_ ? "Real" : "Float64")) return FmuType::kReal;
    if (name == (is_2_ ? "Integer" : "Int32")) return FmuType::kInteger;
    if (name == "Enumeration" || (!is_2_ && name == "Int64")) return FmuType::kEnumeration;
    if (name == "Boolean") return FmuType::kBoolean;
    if (name == "String") return FmuType::kString;
    return std::nullopt;
  }

  void ReadVariables(const XMLElement& root) {
    const XMLElement* const list = root.FirstChildElement("ModelVariables");
    if (list == nullptr)
      return Report(root.GetLineNum(), "there is no <ModelVariables>; the FMU must list its variables");
    std::set<std::string> names;
    for (const XMLElement* e = list->FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      const XMLElement* const kind = is_2_ ? e->FirstChildElement() : e;
      DescribedVariable variable;
      variable.name = Text(*e, "name");
      variable.causality = Text(*e, "causality");
      variable.declared = kind == nullptr ? "" : kind->Name();
      if (!names.insert(variable.name).second) {
        Report(e->GetLineNum(),
               fmt::format("there are two variables '{}'; names must be unique", variable.name));
        continue;
      }
      const std::string reference = Text(*e, "valueReference");
      const auto [end, error] =
          std::from_chars(reference.data(), reference.data() + reference.size(), variable.reference);
      if (error != std::errc() || end != reference.data() + reference.size()) {
        Report(e->GetLineNum(),
               fmt::format("valueReference: '{}' is not a whole number from 0 on", reference));
        continue;
      }
      const std::optional<FmuType> type = TypeOf(variable.declared);
      if (!type || e->FirstChildElement("Dimension") != nullptr) {
        ++description_.others;
        continue;
      }
      variable.type = *type;
      description_.variables.push_back(std::move(variable));
    }
  }

  std::shared_ptr<const std::string> name_;
  Diagnostics& diagnostics_;
  FmuDescription description_;
  bool is_2_ = true;
};

}  // namespace

const DescribedVariable* FmuDescription::Find(std::string_view name) const {
  const auto found = std::ranges::find(variables, name, &DescribedVariable::name);
  return found == variables.end() ? nullptr : &*found;
}

FmuDescription ReadFmuDescription(const std::filesystem::path& file, Diagnostics& diagnostics) {
  return DescriptionReader(file, diagnostics).Read();
}

}  // namespace davit
