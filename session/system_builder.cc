#include "session/system_builder.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <map>
#include <stdexcept>
#include <utility>

#include "framework/nearest_name.h"

namespace davit {

struct SystemBuilder::Document {
  tinyxml2::XMLDocument xml;
  tinyxml2::XMLElement* root = nullptr;
  std::map<std::string, tinyxml2::XMLElement*, std::less<>> components;  ///< by name
};

namespace {

void SetAttributes(tinyxml2::XMLElement& element, const SystemBuilder::Attributes& attributes) {
  for (const Attribute& attribute : attributes)
    element.SetAttribute(attribute.name.c_str(), attribute.value.c_str());
}

tinyxml2::XMLElement& AddElement(tinyxml2::XMLElement& parent, std::string_view name,
                                 const SystemBuilder::Attributes& attributes) {
  tinyxml2::XMLElement& element = *parent.InsertNewChildElement(std::string(name).c_str());
  SetAttributes(element, attributes);
  return element;
}

SystemBuilder::Attributes Joined(SystemBuilder::Attributes first, const SystemBuilder::Attributes& others) {
  first.insert(first.end(), others.begin(), others.end());
  return first;
}

}  // namespace

std::string Attribute::ToText(double number) { return fmt::format("{}", number); }

SystemBuilder::SystemBuilder(std::string_view name) : document_(std::make_unique<Document>()) {
  document_->root = document_->xml.NewElement("System");
  document_->xml.InsertEndChild(document_->root);
  document_->root->SetAttribute("name", std::string(name).c_str());
}

SystemBuilder::~SystemBuilder() = default;
SystemBuilder::SystemBuilder(SystemBuilder&&) noexcept = default;
SystemBuilder& SystemBuilder::operator=(SystemBuilder&&) noexcept = default;

SystemBuilder& SystemBuilder::Manager(const Attributes& attributes) {
  tinyxml2::XMLElement* manager = document_->root->FirstChildElement("SimulatorManager");
  if (manager == nullptr) {
    manager = document_->xml.NewElement("SimulatorManager");
    document_->root->InsertFirstChild(manager);
  }
  SetAttributes(*manager, attributes);
  return *this;
}

SystemBuilder& SystemBuilder::Integration(const Attributes& attributes) {
  Manager({});
  AddElement(*document_->root->FirstChildElement("SimulatorManager"), "Integration", attributes);
  return *this;
}

SystemBuilder& SystemBuilder::Add(std::string_view model, std::string_view name,
                                  const Attributes& attributes) {
  tinyxml2::XMLElement& element = AddElement(*document_->root, model, Joined({{"name", name}}, attributes));
  document_->components.emplace(name, &element);
  return *this;
}

SystemBuilder& SystemBuilder::Inside(std::string_view name, std::string_view element,
                                     const Attributes& attributes) {
  const auto found = document_->components.find(name);
  if (found == document_->components.end()) {
    std::vector<std::string> names;
    for (const auto& [known, xml] : document_->components) names.push_back(known);
    throw std::invalid_argument(fmt::format("SystemBuilder::Inside: no component {}; {}", Quoted(name),
                                            SuggestName("use one of", name, names)));
  }
  AddElement(*found->second, element, attributes);
  return *this;
}

SystemBuilder& SystemBuilder::Connect(std::string_view from, std::string_view to) {
  AddElement(*document_->root, "Connect", {{"from", from}, {"to", to}});
  return *this;
}

SystemBuilder& SystemBuilder::Route(std::string_view from, std::string_view to,
                                    const Attributes& attributes) {
  AddElement(*document_->root, "Route", Joined({{"from", from}, {"to", to}}, attributes));
  return *this;
}

SystemBuilder& SystemBuilder::At(const Attributes& attributes) {
  AddElement(*document_->root, "At", attributes);
  return *this;
}

SystemBuilder& SystemBuilder::Record(std::string_view signals, const Attributes& attributes) {
  AddElement(*document_->root, "Record", Joined({{"signals", signals}}, attributes));
  return *this;
}

std::string SystemBuilder::ToXml() const {
  tinyxml2::XMLPrinter printer;
  document_->xml.Print(&printer);
  return printer.CStr();
}

}  // namespace davit
