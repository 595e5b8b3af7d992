#include "hopsan/run/hopsan_run.h"

#include <algorithm>
#include <cmath>

#include "hopsan/scheduler.h"
#include "hopsan/subsystem.h"

namespace davit::hopsan {

std::uint64_t RunAsHopsan(Simulation& simulation, const HmfImport& import,
                          const std::vector<HopsanVariable>& variables, const HopsanRow& row) {
  const System& system = simulation.system();
  const Scheduler* scheduler = nullptr;
  for (const Component* component : system.components()) {
    if (const auto* const one = dynamic_cast<const Scheduler*>(component)) scheduler = one;
  }
  std::vector<std::string> paths;
  std::vector<std::size_t> places;
  std::vector<std::pair<std::size_t, const Subsystem*>> times;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].path.empty()) {
      times.emplace_back(i, dynamic_cast<const Subsystem*>(system.Find(variables[i].system)));
    } else {
      paths.push_back(variables[i].path);
      places.push_back(i);
    }
  }
  const ItemList items = simulation.Items(paths);
  std::vector<double> read(paths.size()), values(variables.size());
  simulation.Initialize();
  const auto time_of = [&](std::uint64_t step) {
    return std::min(import.start + static_cast<double>(step) * import.time_step, simulation.stop_time());
  };
  const auto step_now = [&] {
    return static_cast<std::uint64_t>(std::round((simulation.time() - import.start) / import.time_step));
  };
  for (const std::uint64_t step : import.log_steps) {
    if (step > 0 && simulation.RunUntil(time_of(step)) != RunEnd::kReached) return step_now();
    simulation.Read(items, read);
    for (std::size_t i = 0; i < places.size(); ++i) values[places[i]] = read[i];
    for (const auto& [place, subsystem] : times) values[place] = scheduler->TimeOf(subsystem);
    row(simulation.time(), values);
  }
  simulation.RunUntil(simulation.stop_time());
  return step_now();
}

}  // namespace davit::hopsan
