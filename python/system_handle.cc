#include "python/system_handle.h"

#include <fmt/format.h>

#include "python/watched_call.h"

namespace davit {

void SystemHandle::Load(const LoadRequest& source) {
  const auto pass = guard_.Enter("load");
  if (simulation_ != nullptr) throw std::logic_error("load: the system is loaded already");
  SimulationOptions options = source.options;
  options.log_entries = [log = log_](const RunLog::Entry& entry) { log->Take(entry); };
  LoadedSimulation loaded;
  {
    const py::gil_scoped_release release;
    loaded = Simulation::Load({.file = source.file, .text = source.text}, *source.models, options);
  }
  RaiseIfFaulty(loaded.diagnostics);
  source_ = source;
  for (const Diagnostic& fault : loaded.diagnostics.SortedByPlace()) warnings_.push_back(ToText(fault));
  simulation_ = std::move(loaded.simulation);
}

SystemHandle::~SystemHandle() {
  // In the child of a fork it is left: its threads, and the places in its files, are those of the parent.
  if (forks_ != ForkCount()) static_cast<void>(simulation_.release());
}

void SystemHandle::Use::ComputeLong(const std::function<void(Simulation&)>& call) const {
  Leave();
  try {
    CallWatched(
        [&] { ComputeHere(call); },
        [&](bool is_urgent) { is_urgent ? simulation_.RequestStopInside() : simulation_.RequestStop(); });
  } catch (const SimulationFailure& failure) {
    RaiseSimulationError(simulation_, failure);
  } catch (const py::error_already_set&) {
    // The request may have come too late for the call: it must not end the next one.
    if (simulation_.is_initialized()) simulation_.RunUntil(simulation_.time());
    throw;
  }
}

void SystemHandle::CopyFrom(const SystemHandle& other) {
  // Not Simulation::Clone: the copy has a log of its own.
  const std::string snapshot =
      other.Enter("clone").Compute([](Simulation& simulation) { return simulation.TakeSnapshot(); });
  Load(other.source_);
  RaiseIfFaulty(
      Enter("clone").Compute([&](Simulation& simulation) { return simulation.LoadSnapshot(snapshot); }));
}

void SystemHandle::Run(const Use& use, std::optional<double> until, RecordingOptions recording,
                       std::optional<double> pace) {
  if (until && *until > use->stop_time() * (1 + 1e-12)) {
    RaiseInputError(
        fmt::format("until: {:.9g} s is after StopTime; give a time up to {:.9g} s, or load the "
                    "system with stop=\"{:.9g} s\"",
                    *until, use->stop_time(), *until));
  }
  const bool is_new = !use->is_initialized() || use->is_finished();
  const std::uint64_t events_before = log_->count();
  std::shared_ptr<Result> result;
  std::vector<std::pair<double, std::vector<double>>> first;  // a row that comes before the columns are known
  recording.has_row_now = !is_new;
  recording.on_row = [&](double t, std::span<const double> values) {
    if (result == nullptr) {
      first.emplace_back(t, std::vector<double>(values.begin(), values.end()));
    } else {
      result->AddRow(t, values);
    }
  };
  const RecordingId id = use.Compute([&](Simulation& s) { return s.StartRecording(recording); });
  result = std::make_shared<Result>(use->ColumnsOf(id));
  for (const auto& [t, values] : first) result->AddRow(t, values);
  const auto end = [&] {
    result->events = log_->After(events_before);
    result_ = result;  // not before: rows that come would move the columns that Python has
    use.Compute([&](Simulation& s) { s.StopRecording(id); });
  };
  try {
    use.ComputeLong([&](Simulation& s) {
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
