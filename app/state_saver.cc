#include "app/state_saver.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "framework/nearest_name.h"
#include "framework/xml/schedule_reader.h"

namespace davit {
StateSaver::StateSaver(const std::vector<std::string>& texts, System& system, Diagnostics& diagnostics)
    : manager_(SimulatorManager::Of(system)) {
  for (const std::string& text : texts) Read(text, system, diagnostics);
  std::stable_sort(timed_.begin(), timed_.end(),
                   [](const Timed& a, const Timed& b) { return a.time < b.time; });
}

void StateSaver::Read(const std::string& text, const System& system, Diagnostics& diagnostics) {
  const SourceLocation place = OptionPlace("--save-state", text);
  const std::size_t at = text.rfind('@');
  const std::filesystem::path file = text.substr(0, at);
  if (file.empty()) {
    return diagnostics.Error(place, {}, "no file; write FILE or FILE@T, for example state.snap@12.5");
  }
  if (at == std::string::npos) return at_end_.push_back(file);
  std::string fault;
  const std::optional<double> time = ParseTime(system, text.substr(at + 1), &fault);
  if (!time) {
    return diagnostics.Error(place, {}, fault + " (what follows @ is a time; a name with @ needs one, too)");
  }
  if (*time < manager_.begin_time() || *time > manager_.stop_time()) {
    return diagnostics.Error(place, {},
                             fmt::format("the run goes from {:.9g} s to {:.9g} s; write a time between",
                                         manager_.begin_time(), manager_.stop_time()));
  }
  timed_.push_back({file, *time});
}

std::vector<std::string> StateSaver::SaveAtEnd() {
  for (const std::filesystem::path& file : at_end_) Save(file);
  std::vector<std::string> warnings;
  for (; next_ < timed_.size(); ++next_) {
    warnings.push_back(fmt::format("{}: warning: not written, the run has ended before t = {:.9g} s",
                                   timed_[next_].file.string(), timed_[next_].time));
  }
  return warnings;
}

void StateSaver::Save(const std::filesystem::path& file) {
  // A snapshot that is there stays until the new one is complete.
  std::filesystem::path part = file;
  part += ".part";
  std::ofstream stream(part, std::ios::binary);
  manager_.SaveState(stream);
  stream.close();
  std::error_code fault;
  if (stream) std::filesystem::rename(part, file, fault);
  if (!stream || fault) {
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    throw std::runtime_error(file.string() +
                             ": cannot write the snapshot; check the path and the space left");
  }
}

}  // namespace davit
