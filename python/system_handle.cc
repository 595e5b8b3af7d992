#include "python/system_handle.h"

#include <fmt/format.h>

#include "python/watched_call.h"

namespace davit {
void SystemHandle::Load(const SystemSource& source) {
  SimulationOptions options = source.options;
  options.log_entries = [log = log_](const RunLog::Entry& entry) { log->Take(entry); };
  LoadedSimulation loaded;
  {
    const py::gil_scoped_release release;
    loaded = source.text ? Simulation::LoadText(*source.text, source.file, *source.models, options)
                         : Simulation::Load(source.file, *source.models, options);
  }
  RaiseIfFaulty(loaded.diagnostics);
  source_ = source;
  result_.reset();
  warnings_.clear();
  for (const Diagnostic& fault : loaded.diagnostics.SortedByPlace()) warnings_.push_back(ToText(fault));
  simulation_ = std::move(loaded.simulation);
}

SystemHandle::~SystemHandle() {
  // In the child of a fork it is left: its threads, and the places in its files, are those of the parent.
  if (forks_ != ForkCount()) static_cast<void>(simulation_.release());
}

void SystemHandle::ComputeLong(const std::function<void(Simulation&)>& call) const {
  Simulation& simulation = get();
  try {
    CallWatched(
        [&] { call(simulation); },
        [&](bool is_urgent) { is_urgent ? simulation.RequestStopInside() : simulation.RequestStop(); });
  } catch (const SimulationFailure& failure) {
    RaiseSimulationError(simulation, failure);
  } catch (const py::error_already_set&) {
    // The request may have come too late for the call: it must not end the next one.
    if (simulation.is_initialized()) simulation.RunUntil(simulation.time());
    throw;
  }
}

void SystemHandle::CopyFrom(const SystemHandle& other) {
  // Not Simulation::Clone: the copy has a log of its own.
  const std::string snapshot =
      other.Compute([](Simulation& simulation) { return simulation.TakeSnapshot(); });
  Load(other.source_);
  RaiseIfFaulty(Compute([&](Simulation& simulation) { return simulation.LoadSnapshot(snapshot); }));
}

void SystemHandle::Run(std::optional<double> until, const RecordingOptions& recording,
                       std::optional<double> pace) {
  Simulation& simulation = get();
  if (until && *until > simulation.stop_time() * (1 + 1e-12)) {
    RaiseInputError(
        fmt::format("until: {:.9g} s is after StopTime; give a time up to {:.9g} s, or load the "
                    "system with stop=\"{:.9g} s\"",
                    *until, simulation.stop_time(), *until));
  }
  const bool is_new = !simulation.is_initialized() || simulation.is_finished();
  const std::uint64_t events_before = log_->count();
  std::shared_ptr<Result> result;
  std::vector<std::pair<double, std::vector<double>>> first;  // a row that comes before the columns are known
  RecordingOptions options = recording;
  options.has_row_now = !is_new;
  options.on_row = [&](double t, std::span<const double> values) {
    if (result == nullptr) {
      first.emplace_back(t, std::vector<double>(values.begin(), values.end()));
    } else {
      result->AddRow(t, values);
    }
  };
  const RecordingId id = Compute([&](Simulation& s) { return s.StartRecording(options); });
  result = std::make_shared<Result>(simulation.ColumnsOf(id));
  for (const auto& [t, values] : first) result->AddRow(t, values);
  result_ = result;
  const auto end = [&] {
    result->events = log_->After(events_before);
    Compute([&](Simulation& s) { s.StopRecording(id); });
  };
  try {
    ComputeLong([&](Simulation& s) {
      if (is_new) s.Initialize();
      if (until) {
        s.RunUntil(*until);
      } else if (pace) {
        RunHost nobody;
        s.Run(nobody, pace);
      } else {
        s.Run();
      }
    });
  } catch (...) {
    end();
    throw;
  }
  end();
}

}  // namespace davit
