#include "hopsan/stub.h"

#include <array>
#include <sstream>

#include "framework/nearest_name.h"

namespace davit::hopsan {

void Stub::DeclareItems(const Attributes& attributes, const UnitSystem& /*units*/, Diagnostics& diagnostics) {
  static constexpr std::array kDomains = {&HydraulicNode::kDomain, &PneumaticNode::kDomain,
                                          &MechanicNode::kDomain,  &RotationalNode::kDomain,
                                          &ElectricNode::kDomain,  &SignalNode2D::kDomain};
  const auto given = attributes.find("ports");
  std::istringstream list(given == attributes.end() ? std::string() : given->second);
  for (std::string port; list >> port;) {
    const std::size_t first = port.find(':');
    const std::size_t second = first == std::string::npos ? first : port.find(':', first + 1);
    const std::string kind =
        first == std::string::npos ? std::string() : port.substr(first + 1, second - first - 1);
    const Text name = Keep(port.substr(0, first));
    if (kind == "out") {
      outputs_.emplace_back(this, name, kAnyUnit, "");
      continue;
    }
    const Domain* domain = nullptr;
    for (const Domain* one : kDomains) {
      if (second != std::string::npos && port.substr(second + 1) == one->name) domain = one;
    }
    if (domain == nullptr || (kind != "C" && kind != "Q")) {
      diagnostics.Error(
          location(), DisplayPath(),
          "ports: " + Quoted(port) + " is not a port; write NAME:out, NAME:C:DOMAIN or NAME:Q:DOMAIN");
    } else {
      power_.emplace_back(this, name, *domain, kind == "C" ? Role::kC : Role::kQ, "");
    }
  }
}

}  // namespace davit::hopsan
