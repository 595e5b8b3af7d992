#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "python/binding.h"
#include "python/event_log.h"
#include "python/failures.h"
#include "python/result.h"
#include "session/simulation.h"

namespace davit {

/// Where a system comes from, and how it is loaded.
struct SystemSource {
  std::string file;                 ///< or the name that diagnostics show for `text`
  std::optional<std::string> text;  ///< of the system, in place of the file
  SimulationOptions options = {};
  std::shared_ptr<const Registry> models = {};
};

/// A simulation that Python owns, with what it needs to live. What is computed is computed without the
/// interpreter's lock; all functions are called with it.
class SystemHandle {
 public:
  /// Without a simulation, until Load or CopyFrom: Python may see what its constructor has left behind.
  SystemHandle() = default;
  ~SystemHandle();
  SystemHandle(const SystemHandle&) = delete;
  SystemHandle& operator=(const SystemHandle&) = delete;

  /// Raises davit.InputError; then it is as it was. Warnings are in `warnings`.
  void Load(const SystemSource& source);
  /// The same system at the same point of its run.
  void CopyFrom(const SystemHandle& other);

  /// The simulation; raises davit.StateError without one, davit.ForkError in the child of a fork.
  Simulation& get() const {
    if (simulation_ == nullptr) [[unlikely]]
      throw std::logic_error("the system was not loaded; load it with davit.load");
    if (forks_ != ForkCount()) [[unlikely]]
      RaiseForkError();
    return *simulation_;
  }
  /// Calls `call(simulation)` without the interpreter's lock. A run that fails raises davit.SimulationError.
  template <class Call>
  auto Compute(Call call) const {
    Simulation& simulation = get();
    try {
      const py::gil_scoped_release release;
      return call(simulation);
    } catch (const SimulationFailure& failure) {
      RaiseSimulationError(simulation, failure);
    }
  }
  /// The same for what takes long: Ctrl-C ends it at the next step point, half a second later also inside a
  /// TimeStep, and raises KeyboardInterrupt.
  void ComputeLong(const std::function<void(Simulation&)>& call) const;

  /// To `until` [s], or to StopTime; the rows go to the result, and to files.
  void Run(std::optional<double> until, const RecordingOptions& recording, std::optional<double> pace);

  const SystemSource& source() const { return source_; }
  const EventLog& log() const { return *log_; }
  /// The curves of the last Run, also of one that has failed; null before.
  const std::shared_ptr<Result>& result() const { return result_; }
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  SystemSource source_;
  std::shared_ptr<EventLog> log_ = std::make_shared<EventLog>();
  std::unique_ptr<Simulation> simulation_;
  std::shared_ptr<Result> result_;
  std::vector<std::string> warnings_;
  unsigned forks_ = ForkCount();
};

}  // namespace davit
