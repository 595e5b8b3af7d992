#include "app/save_state_option.h"

#include <optional>
#include <stdexcept>
#include <string_view>

#include "framework/xml/schedule_reader.h"

namespace davit {

std::filesystem::path FileOfSaveState(const std::string& text) { return text.substr(0, text.rfind('@')); }

std::vector<std::filesystem::path> ReadSaveStateOptions(const std::vector<std::string>& texts,
                                                        Simulation& simulation, Diagnostics& diagnostics) {
  std::vector<std::filesystem::path> at_end;
  for (const std::string& text : texts) {
    const SourceLocation place = OptionPlace("--save-state", text);
    const std::size_t at = text.rfind('@');
    const std::filesystem::path file = FileOfSaveState(text);
    if (file.empty()) {
      diagnostics.Error(place, {}, "no file; write FILE or FILE@T, for example state.snap@12.5");
      continue;
    }
    if (at == std::string::npos) {
      at_end.push_back(file);
      continue;
    }
    Fault fault;
    const std::optional<double> time = ParseTime(simulation.system(), text.substr(at + 1), &fault);
    if (!time) {
      diagnostics.Error(place, {},
                        fault.ToText() + " (what follows @ is a time; a name with @ needs one, too)");
      continue;
    }
    try {
      simulation.SaveStateAt(*time, file);
    } catch (const std::invalid_argument& wrong) {
      diagnostics.Error(place, {}, wrong.what());
    }
  }
  return at_end;
}

}  // namespace davit
