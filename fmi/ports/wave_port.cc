#include "fmi/ports/wave_port.h"

#include <fmt/format.h>

#include <string_view>

#include "framework/domains/standard.h"
#include "framework/nearest_name.h"
#include "framework/registry.h"

namespace davit {
namespace {

constexpr double kRoomTemperature = 293.15;  // [K]

}  // namespace

WavePort::WavePort(DynamicSimComponent& component, Role role)
    : component_(component),
      role_(role),
      domain_name_(&component, "domain", "Domain of the port: hydraulic, translational, rotational, ..."),
      outside_(&component, "outside", "Name of the port outside; empty: that of the component") {}

std::string WavePort::NameOutside() const {
  return outside_.value().empty() ? component_.path() : outside_.value();
}

void WavePort::DeclareItems(const Attributes& attributes, const UnitSystem& /*units*/,
                            Diagnostics& diagnostics) {
  const auto given = attributes.find("domain");
  const std::string name = given == attributes.end() ? std::string() : given->second;
  const Domain* const domain = FindStandardDomain(name);
  if (domain == nullptr) {
    std::vector<std::string> names;
    names.reserve(kStandardDomains.size());
    for (const Domain* known : kStandardDomains) names.emplace_back(known->name);
    return diagnostics.Error(
        {}, {}, fmt::format("domain: no domain '{}'; {}", name, SuggestName("use one of", name, names)));
  }
  domain_ = domain;
  port_.emplace(&component_, "port", *domain, role_, "The open port of the system");
  std::vector<const void*> early;
  const auto add_output = [&](std::string_view output, std::string_view unit, const char* text) -> Output* {
    variables_.push_back({std::string(output), std::string(output), false});
    return &outputs_.emplace_back(&component_, component_.Keep(std::string(output)),
                                  component_.Keep(std::string(unit)), component_.Keep(text));
  };
  for (const PortMember& member : MembersOf(*domain)) {
    const bool is_input = member.side == role_;
    if (is_input) {
      const Input& input = inputs_.emplace_back(
          &component_, component_.Keep(std::string(member.name)), component_.Keep(std::string(member.unit)),
          component_.Keep(fmt::format("{} at the port, from outside", member.name)), member.start);
      input_links_.push_back({member, &input});
      if (member.is_early) early.push_back(input.id());
      variables_.push_back({std::string(member.name), std::string(member.name), true});
    } else if (member.is_recorded) {
      variables_.push_back({std::string(member.name), fmt::format("port.{}", member.name), false});
    } else {
      Output* const output = add_output(member.name, member.unit, "At the port, from inside");
      output_links_.push_back({member, output});
    }
  }
  component_.mutable_declarations().effort_reads = std::move(early);
  if (role_ != Role::kC) return;
  variables_.push_back(
      {std::string(domain->effort.name), fmt::format("port.{}", domain->effort.name), false});
  // Hopsan's node has them; its connections must name a variable for each.
  if (domain != &HydraulicBond::kDomain) return;
  temperature_ = add_output("T", "K", "Temperature for Hopsan; davit has none at a hydraulic port");
  add_output("Q", "W", "Heat flow for Hopsan; davit has none at a hydraulic port");
}

void WavePort::Tell(bool only_early) {
  if (!port_) return;
  Bond& bond = port_->bond(0);
  for (const InputLink& link : input_links_) {
    if (!only_early || link.member.is_early) link.member.of(bond) = InfiniteOf(*link.input);
  }
}

void WavePort::Show() {
  if (!port_) return;
  Bond& bond = port_->bond(0);
  for (const OutputLink& link : output_links_) *link.output = FiniteOf(link.member.of(bond));
  if (temperature_ != nullptr) *temperature_ = kRoomTemperature;
}

void RegisterWavePorts(Registry& registry) { registry.Add<WavePortC, WavePortQ>(); }

}  // namespace davit
