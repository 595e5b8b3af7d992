#include "framework/tree/component_archive.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "framework/alarm.h"
#include "framework/aspect.h"
#include "framework/indicator.h"
#include "framework/port.h"
#include "framework/property.h"

namespace davit {
namespace {

void ArchiveProperty(Archive& archive, PropertyBase& property, const UnitSystem& units) {
  std::string text = property.ToText();
  archive(text);
  if (!archive.is_loading() || !archive.is_good()) return;
  if (const Fault fault = property.CheckText(text, units)) {
    return archive.Refuse(std::string(property.label().name) + ": " + fault.ToText());
  }
  property.SetFromText(text, units);
}

void ArchiveBehaviour(Archive& archive, Component& component) {
  const std::vector<AspectBase*>& aspects = component.declarations().aspects;
  BehaviourSetting setting = component.behaviour();
  if (setting.level) archive(*setting.level);
  archive(setting.is_modified, setting.options);
  if (!archive.is_loading() || !archive.is_good()) return;
  if (setting.level && !component.HasLevel(*setting.level)) return archive.Refuse("it has no such level");
  for (std::size_t i = 0; i < aspects.size(); ++i) {
    if (i < setting.options.size() && setting.options[i] < aspects[i]->options().size()) continue;
    return archive.Refuse(std::string(aspects[i]->label().name) + " has no such option");
  }
  component.SetBehaviour(setting);
}

void ArchiveBond(Archive& archive, const Domain& domain, Bond& bond) {
  archive(bond.c, bond.Zc);
  for (const DomainVariable& variable : domain.variables) archive(variable.of(bond));
}

}  // namespace

void ArchiveValues(Archive& archive, Component& component, const UnitSystem& units) {
  Declarations& d = component.mutable_declarations();
  for (ParameterDeclaration& parameter : d.parameters) {
    if (parameter.tunability == Tunability::kLive) archive(*parameter.value);
  }
  for (PropertyBase* property : d.properties) {
    if (dynamic_cast<AspectBase*>(property) != nullptr) continue;  // below, all of them together
    if (property->tunability() == Tunability::kLive) ArchiveProperty(archive, *property, units);
  }
  for (InputDeclaration& input : d.inputs) {
    if (!input.is_array) archive(*input.own_value);
  }
  for (StartDeclaration& start : d.starts) archive(*start.value, *start.is_given);
  for (StateDeclaration& state : d.states) archive(state.start, state.is_start_given);
  ArchiveBehaviour(archive, component);
}

void ArchiveRun(Archive& archive, Component& component, std::unordered_set<const void*>& bonds) {
  Declarations& d = component.mutable_declarations();
  // Indicators that nothing in the run reads may be older or newer.
  bool has_indicators = d.are_indicators_read || component.chooses_its_level();
  archive(has_indicators);
  for (OutputDeclaration& output : d.outputs) {
    if (has_indicators || !output.is_indicator) archive(*output.value);
  }
  for (PortDeclaration& port : d.ports) {
    for (std::size_t i = 0; i < port.port->bond_count(); ++i) {
      Bond& bond = port.port->bond(i);
      if (bonds.insert(&bond).second) ArchiveBond(archive, *port.domain, bond);
    }
  }
  for (ObservedRate* rate : d.observed_rates) {
    if (has_indicators) {
      archive(*rate);
    } else if (archive.is_loading()) {
      rate->Start();
    }
  }
  for (Alarm* alarm : d.alarms) archive(*alarm);
  component.ArchiveMemory(archive);
}

void JoinAlarms(Archive& archive, Component& component) {
  for (Alarm* alarm : component.mutable_declarations().alarms) {
    bool is_set = alarm->is_set(), is_acknowledged = alarm->is_acknowledged();
    std::uint64_t count = alarm->count();
    archive(is_set, is_acknowledged, count);
    if (!archive.is_loading() || !archive.is_good()) continue;
    // Where one of them is set, it is its acknowledgement that counts.
    if (is_set == alarm->is_set()) {
      is_acknowledged = is_acknowledged && alarm->is_acknowledged();
    } else if (alarm->is_set()) {
      is_acknowledged = alarm->is_acknowledged();
    }
    is_set = is_set || alarm->is_set();
    count = std::max(count, alarm->count());
    Archive joined;
    joined(is_set, is_acknowledged, count);  // as Alarm::ArchiveMemory
    Archive memory(joined.Take());
    alarm->ArchiveMemory(memory);
  }
}

}  // namespace davit
