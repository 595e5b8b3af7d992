#include "analysis/frequency/excited_system.h"

#include <fmt/format.h>

#include <numbers>

namespace davit {
namespace {

constexpr double kRoundAngle = 2 * std::numbers::pi;

tinyxml2::XMLElement* AddSource(tinyxml2::XMLElement& root, const char* model, const std::string& name) {
  tinyxml2::XMLElement* const element = root.GetDocument()->NewElement(model);
  if (!name.empty()) element->SetAttribute("name", name.c_str());
  if (tinyxml2::XMLElement* const manager = root.FirstChildElement("SimulatorManager")) {
    root.InsertAfterChild(manager, element);
  } else {
    root.InsertFirstChild(element);
  }
  return element;
}

void AddRouteElement(tinyxml2::XMLElement& root, const std::string& from, const std::string& to) {
  tinyxml2::XMLElement* const route = root.GetDocument()->NewElement("Route");
  route->SetAttribute("from", from.c_str());
  route->SetAttribute("to", to.c_str());
  tinyxml2::XMLElement* const layout = root.LastChildElement("Layout");
  if (layout == nullptr) {
    root.InsertEndChild(route);
  } else {
    root.InsertAfterChild(layout->PreviousSibling(), route);
  }
}

void RemoveRoutes(tinyxml2::XMLElement& root, const std::string& to) {
  for (tinyxml2::XMLElement* route = root.FirstChildElement("Route"); route != nullptr;) {
    tinyxml2::XMLElement* const next = route->NextSiblingElement("Route");
    if (const char* target = route->Attribute("to"); target != nullptr && target == to)
      root.DeleteChild(route);
    route = next;
  }
}

}  // namespace

std::string ExcitationName(std::size_t sine, std::size_t count) {
  return count == 1 ? "davit_excitation" : fmt::format("davit_excitation_{}", sine + 1);
}

std::shared_ptr<const SystemDescription> MakeExcitedSystem(const SystemDescription& system,
                                                           const Excitation& excitation) {
  auto excited = std::make_shared<SystemDescription>(system.Copy());
  tinyxml2::XMLElement& root = excited->root();
  RemoveRoutes(root, excitation.input);
  const std::size_t count = excitation.sines.size();
  for (std::size_t i = 0; i < count; ++i) {
    const ExcitationSine& sine = excitation.sines[i];
    const double omega = kRoundAngle * sine.frequency;
    tinyxml2::XMLElement* const source = AddSource(root, "signal.Sine", ExcitationName(i, count));
    source->SetAttribute("amplitude", fmt::format("{}", sine.amplitude).c_str());
    source->SetAttribute("frequency", fmt::format("{}", omega).c_str());
    source->SetAttribute("phase", fmt::format("{}", sine.phase - omega * excitation.start).c_str());
    source->SetAttribute("offset", fmt::format("{}", i == 0 ? excitation.offset : 0.0).c_str());
    source->SetAttribute("start_time", fmt::format("{}", excitation.start).c_str());
  }
  if (count == 1) {
    AddRouteElement(root, ExcitationName(0, 1) + ".y", excitation.input);
  } else {
    AddSource(root, "signal.Sum", "davit_excitation");
    for (std::size_t i = 0; i < count; ++i)
      AddRouteElement(root, ExcitationName(i, count) + ".y", "davit_excitation.u");
    AddRouteElement(root, "davit_excitation.y", excitation.input);
  }
  return excited;
}

}  // namespace davit
