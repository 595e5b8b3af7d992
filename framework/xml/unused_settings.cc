#include "framework/xml/unused_settings.h"

#include <algorithm>

#include "framework/property.h"

namespace davit {
namespace {

/// Whether a chart that somebody wrote runs in the system: it may set any level and aspect. The default chart
/// of a component has no file, and only follows.
bool HasWrittenChart(const System& system) {
  return std::ranges::any_of(system.components(), [](const Component* component) {
    const Declarations& all = component->declarations();
    return all.event_receiver != nullptr && std::ranges::any_of(all.properties, [](const auto* property) {
             return property->label().name == "src" && !property->ToText().empty();
           });
  });
}

/// Whether the schedule may change options of `owner`: by a write, a message or an event.
bool MayChange(const System& system, const Component& owner) {
  return std::ranges::any_of(system.schedule(), [&](const Command& command) {
    if (command.event() != nullptr) return true;
    if (command.message() != nullptr) return command.message()->owner == &owner;
    return &command.write()->item.owner() == &owner;
  });
}

}  // namespace

void WarnOfUnusedSettings(const System& system, const std::vector<GivenSetting>& given,
                          ElementReader& reader) {
  const bool has_chart = HasWrittenChart(system);
  for (const GivenSetting& setting : given) {
    const OptionCondition& when = setting.item.when();
    const Component& owner = setting.item.owner();
    if (when.holds()) continue;
    if (!when.is_ruled_out() && (has_chart || MayChange(system, owner))) continue;
    reader.diagnostics().Warning(setting.location, owner.DisplayPath(),
                                 std::string(setting.item.name()) + " has no effect: it is used only with " +
                                     when.ToText() + ", but " + when.PresentText() +
                                     "; leave it out, or choose that option");
  }
}

}  // namespace davit
