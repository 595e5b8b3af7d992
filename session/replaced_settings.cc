#include "session/replaced_settings.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "framework/tree/glob.h"
#include "framework/xml/element_reader.h"
#include "framework/xml/schedule_reader.h"

namespace davit {

ReplacedSettings::ReplacedSettings(const System& system, const LoadOptions& options) {
  const auto target_of = [](std::string_view option) { return Trim(option.substr(0, option.find('='))); };
  for (const std::string& option : options.set)
    Keep(system, "--set", option, system.root(), target_of(option));
  for (const std::string& option : options.level) {
    for (const Component* component : system.components()) {
      if (!component->model().levels.is_empty() && MatchesGlob(component->path(), target_of(option)))
        Keep(system, "--level", option, *component, "level");
    }
  }
}

void ReplacedSettings::Keep(const System& system, std::string_view option, const std::string& text,
                            const Component& scope, std::string_view name) {
  Fault ignored;
  if (const std::optional<Item> item = system.FindSetting(scope, name, &ignored))
    settings_.push_back({OptionPlace(option, text), *item, item->ReadText()});
}

void ReplacedSettings::Check(Diagnostics& diagnostics, Severity severity) const {
  for (const Setting& setting : settings_) {
    const std::string present = setting.item.ReadText();
    if (present == setting.text) continue;
    diagnostics.Add(
        {severity,
         setting.place,
         {},
         {fmt::format("has no effect: the run continues with {} = {}", setting.item.path(), present),
          "set it with <At> or --at at the time where the run continues, or later"}});
  }
}

}  // namespace davit
