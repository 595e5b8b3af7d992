#include "session/system_builder.h"

#include <fmt/format.h>

#include <map>
#include <stdexcept>
#include <utility>

#include "framework/nearest_name.h"
#include "framework/xml/system_description.h"

namespace davit {

struct SystemBuilder::Parts {
  SystemDescription description;
  std::map<std::string, tinyxml2::XMLElement*, std::less<>> components;  ///< by name
};

namespace {

void SetAttributes(tinyxml2::XMLElement& element, const SystemBuilder::Attributes& attributes) {
  for (const Attribute& attribute : attributes)
    element.SetAttribute(attribute.name.c_str(), attribute.value.c_str());
}

tinyxml2::XMLElement& Put(tinyxml2::XMLElement& parent, std::string_view name,
                          const SystemBuilder::Attributes& attributes) {
  tinyxml2::XMLElement& element = AddElement(parent, name);
  SetAttributes(element, attributes);
  return element;
}

SystemBuilder::Attributes Joined(SystemBuilder::Attributes first, const SystemBuilder::Attributes& others) {
  first.insert(first.end(), others.begin(), others.end());
  return first;
}

}  // namespace

std::string Attribute::ToText(double number) { return fmt::format("{}", number); }

SystemBuilder::SystemBuilder(std::string_view name) : parts_(new Parts{SystemDescription(name), {}}) {}

SystemBuilder::~SystemBuilder() = default;
SystemBuilder::SystemBuilder(SystemBuilder&&) noexcept = default;
SystemBuilder& SystemBuilder::operator=(SystemBuilder&&) noexcept = default;

SystemBuilder& SystemBuilder::Manager(const Attributes& attributes) {
  tinyxml2::XMLElement& root = parts_->description.root();
  tinyxml2::XMLElement* manager = root.FirstChildElement("SimulatorManager");
  if (manager == nullptr) {
    manager = root.GetDocument()->NewElement("SimulatorManager");
    root.InsertFirstChild(manager);
  }
  SetAttributes(*manager, attributes);
  return *this;
}

SystemBuilder& SystemBuilder::Integration(const Attributes& attributes) {
  Manager({});
  Put(*parts_->description.root().FirstChildElement("SimulatorManager"), "Integration", attributes);
  return *this;
}

SystemBuilder& SystemBuilder::Add(std::string_view model, std::string_view name,
                                  const Attributes& attributes) {
  tinyxml2::XMLElement& element =
      Put(parts_->description.root(), model, Joined({{"name", name}}, attributes));
  parts_->components.emplace(name, &element);
  return *this;
}

SystemBuilder& SystemBuilder::Inside(std::string_view name, std::string_view element,
                                     const Attributes& attributes) {
  const auto found = parts_->components.find(name);
  if (found == parts_->components.end()) {
    std::vector<std::string> names;
    for (const auto& [known, xml] : parts_->components) names.push_back(known);
    throw std::invalid_argument(fmt::format("SystemBuilder::Inside: no component {}; {}", Quoted(name),
                                            SuggestName("use one of", name, names)));
  }
  Put(*found->second, element, attributes);
  return *this;
}

SystemBuilder& SystemBuilder::Connect(std::string_view from, std::string_view to) {
  Put(parts_->description.root(), "Connect", {{"from", from}, {"to", to}});
  return *this;
}

SystemBuilder& SystemBuilder::Route(std::string_view from, std::string_view to,
                                    const Attributes& attributes) {
  Put(parts_->description.root(), "Route", Joined({{"from", from}, {"to", to}}, attributes));
  return *this;
}

SystemBuilder& SystemBuilder::At(const Attributes& attributes) {
  Put(parts_->description.root(), "At", attributes);
  return *this;
}

SystemBuilder& SystemBuilder::Record(std::string_view signals, const Attributes& attributes) {
  Put(parts_->description.root(), "Record", Joined({{"signals", signals}}, attributes));
  return *this;
}

std::shared_ptr<const SystemDescription> SystemBuilder::Describe() const {
  return std::make_shared<const SystemDescription>(parts_->description.Copy());
}

std::string SystemBuilder::ToXml() const { return parts_->description.ToXml(); }

}  // namespace davit
