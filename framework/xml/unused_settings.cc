#include "framework/xml/unused_settings.h"

#include <string>

namespace davit {

void WarnOfUnusedSettings(const std::vector<GivenSetting>& given, ElementReader& reader) {
  for (const GivenSetting& setting : given) {
    const OptionCondition& when = setting.item.when();
    if (!when.is_ruled_out()) continue;
    reader.diagnostics().Warning(setting.location, setting.item.owner().DisplayPath(),
                                 std::string(setting.item.name()) + " has no effect: it is used only with " +
                                     when.ToText() + ", but " + when.PresentText() +
                                     "; leave it out, or choose that option");
  }
}

}  // namespace davit
