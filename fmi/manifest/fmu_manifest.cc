#include "fmi/manifest/fmu_manifest.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <sstream>
#include <stdexcept>

#include "framework/xml/xml_file.h"

namespace davit {
namespace {

constexpr std::array<std::string_view, 5> kTypeNames{"Real", "Integer", "Boolean", "Enumeration", "String"};
constexpr std::array<std::string_view, 4> kWriteNames{"never", "load", "start", "live"};
constexpr std::array<std::string_view, 4> kSourceNames{"item", "guard", "event", "use"};

/// Shortest text that reads back as the same double.
std::string Exact(double value) { return fmt::format("{}", value); }

/// Reads the attributes of one file, or throws what is wrong.
class AttributeReader {
 public:
  explicit AttributeReader(std::string file) : file_(std::move(file)) {}

  std::string Text(const tinyxml2::XMLElement& element, const char* name) const {
    const char* const text = element.Attribute(name);
    if (text == nullptr) Fail(element, fmt::format("no attribute '{}'", name));
    return text;
  }

  double Number(const tinyxml2::XMLElement& element, const char* name) const {
    const std::string text = Text(element, name);
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
      Fail(element, fmt::format("{}: '{}' is not a number", name, text));
    return number;
  }

  template <std::size_t N>
  std::size_t Choice(const tinyxml2::XMLElement& element, const char* name,
                     const std::array<std::string_view, N>& names) const {
    const std::string text = Text(element, name);
    for (std::size_t i = 0; i < N; ++i) {
      if (names[i] == text) return i;
    }
    Fail(element, fmt::format("{}: '{}' is none of {}", name, text, fmt::join(names, ", ")));
  }

  [[noreturn]] void Fail(const tinyxml2::XMLElement& element, const std::string& what) const {
    throw std::runtime_error(
        fmt::format("{}:{}: error: {}; export the FMU again", file_, element.GetLineNum(), what));
  }

 private:
  std::string file_;
};

KnownUnit ReadUnit(const tinyxml2::XMLElement& element, const AttributeReader& reader) {
  KnownUnit known{reader.Text(element, "text"), std::nullopt};
  if (element.Attribute("scale") == nullptr) return known;
  Unit unit{reader.Number(element, "scale"), reader.Number(element, "offset"), {}};
  std::istringstream exponents(reader.Text(element, "dimension"));
  for (std::int8_t& exponent : unit.dimension.exponents) {
    int number = 0;
    if (!(exponents >> number)) reader.Fail(element, "dimension: six whole numbers are needed");
    exponent = static_cast<std::int8_t>(number);
  }
  known.unit = unit;
  return known;
}

}  // namespace

std::string WriteManifest(const FmuManifest& manifest) {
  tinyxml2::XMLDocument document;
  document.InsertEndChild(document.NewDeclaration());
  tinyxml2::XMLElement* const root = document.NewElement("DavitFmu");
  document.InsertEndChild(root);
  root->SetAttribute("system", manifest.system.c_str());
  root->SetAttribute("token", manifest.token.c_str());
  root->SetAttribute("co_simulation", manifest.has_co_simulation);
  root->SetAttribute("model_exchange", manifest.has_model_exchange);
  root->SetAttribute("tolerance", Exact(manifest.tolerance).c_str());
  root->SetAttribute("tolerance_paths", manifest.tolerance_paths.c_str());
  for (const FmuEntry& variable : manifest.variables) {
    tinyxml2::XMLElement* const element = root->InsertNewChildElement("Variable");
    element->SetAttribute("path", variable.path.c_str());
    element->SetAttribute("type", std::string(kTypeNames[static_cast<std::size_t>(variable.type)]).c_str());
    element->SetAttribute("write",
                          std::string(kWriteNames[static_cast<std::size_t>(variable.write)]).c_str());
    if (variable.source != FmuSource::kItem)
      element->SetAttribute("source",
                            std::string(kSourceNames[static_cast<std::size_t>(variable.source)]).c_str());
  }
  for (const std::string& state : manifest.states)
    root->InsertNewChildElement("State")->SetAttribute("name", state.c_str());
  for (const std::string& guard : manifest.guards)
    root->InsertNewChildElement("Guard")->SetAttribute("name", guard.c_str());
  for (const std::string& setting : manifest.settings)
    root->InsertNewChildElement("Set")->SetAttribute("text", setting.c_str());
  for (const std::string& plugin : manifest.plugins)
    root->InsertNewChildElement("Plugin")->SetAttribute("file", plugin.c_str());
  for (const KnownUnit& known : manifest.units) {
    tinyxml2::XMLElement* const element = root->InsertNewChildElement("Unit");
    element->SetAttribute("text", known.text.c_str());
    if (!known.unit) continue;
    element->SetAttribute("scale", Exact(known.unit->scale).c_str());
    element->SetAttribute("offset", Exact(known.unit->offset).c_str());
    std::string dimension;
    for (const std::int8_t exponent : known.unit->dimension.exponents)
      dimension += (dimension.empty() ? "" : " ") + std::to_string(exponent);
    element->SetAttribute("dimension", dimension.c_str());
  }
  tinyxml2::XMLPrinter printer;
  document.Print(&printer);
  return printer.CStr();
}

FmuManifest ReadManifest(const std::filesystem::path& file) {
  const TextResult text = ReadTextFile(file, "file of the FMU");
  if (!text.fault.empty()) throw std::runtime_error(file.string() + ": error: " + text.fault);
  const XmlResult xml = ParseXml(text.text, {.noun = "davit.xml of an FMU", .root = "DavitFmu"});
  if (xml.document == nullptr)
    throw std::runtime_error(fmt::format("{}:{}: error: {}", file.string(), xml.line, xml.fault));
  const AttributeReader reader(file.string());
  const tinyxml2::XMLElement& root = *xml.document->RootElement();
  FmuManifest manifest;
  manifest.system = reader.Text(root, "system");
  manifest.token = reader.Text(root, "token");
  manifest.has_co_simulation = reader.Text(root, "co_simulation") == "true";
  manifest.has_model_exchange = reader.Text(root, "model_exchange") == "true";
  manifest.tolerance = reader.Number(root, "tolerance");
  manifest.tolerance_paths = reader.Text(root, "tolerance_paths");
  for (const tinyxml2::XMLElement* e = root.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
    const std::string_view kind = e->Name();
    if (kind == "Unit") {
      manifest.units.push_back(ReadUnit(*e, reader));
    } else if (kind == "Set") {
      manifest.settings.push_back(reader.Text(*e, "text"));
    } else if (kind == "Plugin") {
      manifest.plugins.push_back(reader.Text(*e, "file"));
    } else if (kind == "State") {
      manifest.states.push_back(reader.Text(*e, "name"));
    } else if (kind == "Guard") {
      manifest.guards.push_back(reader.Text(*e, "name"));
    } else {
      const bool has_source = e->Attribute("source") != nullptr;
      manifest.variables.push_back(
          {reader.Text(*e, "path"), static_cast<FmuType>(reader.Choice(*e, "type", kTypeNames)),
           static_cast<FmuWrite>(reader.Choice(*e, "write", kWriteNames)),
           has_source ? static_cast<FmuSource>(reader.Choice(*e, "source", kSourceNames))
                      : FmuSource::kItem});
    }
  }
  return manifest;
}

}  // namespace davit
