#include "tests/support/killed_run.h"

#include <stdlib.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "results/load_result.h"
#include "tests/support/child_program.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

}  // namespace

KilledRun::KilledRun(std::string program) : program_(std::move(program)) {
  std::string pattern = (fs::temp_directory_path() / "davit_killed_XXXXXX").string();
  folder_ = mkdtemp(pattern.data());
  std::ofstream(folder_ / "clock.scxml")
      << "<scxml xmlns='http://www.w3.org/2005/07/scxml' version='1.0'><state id='s'><onentry>"
         "<log expr='time'/><send event='tick' delay='10ms'/></onentry>"
         "<transition event='tick' target='s'/></state></scxml>";
  std::ofstream(folder_ / "system.xml")
      << "<System name='s' xmlns='urn:davit:system:1'><SimulatorManager TimeStep='10 ms' StopTime='1e7 s'/>"
         "<mechanical.MassSpringDamper name='mass'><Start x='1 m'/></mechanical.MassSpringDamper>"
         "<Statechart name='clock' src='clock.scxml'/>"
         "<Record signals='mass.*' interval='10 ms'/></System>";
  for (const char* kind : {"csv", "mat", "h5"}) files_.push_back(folder_ / (std::string("run.") + kind));
}

KilledRun::~KilledRun() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

bool KilledRun::RunAndKill(std::vector<std::string> options, milliseconds wait) {
  constexpr milliseconds kBetweenLooks{20};
  for (const fs::path& file : files_) {
    fs::remove(file);
    options.insert(options.end(), {"-o", file.string()});
  }
  fs::remove(folder_ / "log");
  options.insert(options.end(), {"--log", (folder_ / "log").string()});
  options.insert(options.begin(), {program_, "run", (folder_ / "system.xml").string(), "--quiet"});
  samples_.clear();
  ChildProgram program(options);
  const Clock::time_point latest = Clock::now() + std::chrono::minutes(1);
  while (!HasFirstRow()) {
    if (Clock::now() > latest) return false;  // it has ended, or was never there
    std::this_thread::sleep_for(milliseconds(1));
  }
  const Clock::time_point end = Clock::now() + wait;
  while (Clock::now() < end) {
    samples_.push_back({Clock::now(), TimeReached()});
    std::this_thread::sleep_until(std::min(end, Clock::now() + kBetweenLooks));
  }
  killed_ = Clock::now();
  program.Send(SIGKILL);
  return program.Finish() == -1;
}

bool KilledRun::HasFirstRow() const {
  std::ifstream csv(files_.front());
  std::string header, row;
  return static_cast<bool>(std::getline(csv, header) && std::getline(csv, row));
}

ResultTable KilledRun::Load(const fs::path& file, std::string& fault) {
  Diagnostics diagnostics;
  std::optional<ResultTable> table = LoadResult(file, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all()) {  // a torn last line of a CSV is a warning
    if (diagnostic.severity == Severity::kError) fault += ToText(diagnostic);
  }
  return table ? *std::move(table) : ResultTable{};
}

double KilledRun::TimeASecondBefore() const {
  double time = -1;
  for (const Sample& sample : samples_) {
    if (sample.when <= killed_ - std::chrono::seconds(1)) time = sample.time;
  }
  return time;
}

double KilledRun::TimeReached() const {
  // The last whole line; the log of a free run is long.
  constexpr std::streamoff kTail = 4096;
  std::ifstream log(folder_ / "log", std::ios::binary | std::ios::ate);
  if (!log) return 0;
  const std::streamoff size = log.tellg();
  log.seekg(std::max<std::streamoff>(0, size - kTail));
  std::string text(static_cast<std::size_t>(std::min(size, kTail)), '\0');
  log.read(text.data(), static_cast<std::streamsize>(text.size()));
  constexpr std::string_view kBegin = "\nt = ";
  const std::size_t end = text.rfind('\n');
  const std::size_t begin = end == std::string::npos || end == 0 ? end : text.rfind(kBegin, end - 1);
  return begin == std::string::npos ? 0 : std::stod(text.substr(begin + kBegin.size()));
}

}  // namespace davit
