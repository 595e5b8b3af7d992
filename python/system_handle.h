#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "python/binding.h"
#include "python/event_log.h"
#include "python/failures.h"
#include "python/result.h"
#include "session/call_guard.h"
#include "session/simulation.h"

namespace davit {

/// Where a system comes from, and how it is loaded.
struct LoadRequest {
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

  /// Once. Raises davit.InputError; then it is as it was. Warnings are in `warnings`.
  void Load(const LoadRequest& source);
  /// The same system at the same point of its run.
  void CopyFrom(const SystemHandle& other);

  /// One call of Python, from its first look at the simulation to its last. Another thread that calls
  /// meanwhile gets davit.StateError, and so does a handler of signals; callbacks may read.
  class Use {
   public:
    /// Raises davit.StateError without a simulation or during another call, davit.ForkError in the child of a
    /// fork. `call`: its name for the message.
    Use(const SystemHandle& handle, std::string_view call, bool only_reads)
        : simulation_(handle.get()),
          pass_(only_reads ? handle.guard_.EnterToRead(call) : handle.guard_.Enter(call)) {}

    Simulation& operator*() const { return simulation_; }
    Simulation* operator->() const { return &simulation_; }

    /// Calls `call(simulation)` without the interpreter's lock. A run that fails raises
    /// davit.SimulationError.
    template <class Call>
    auto Compute(Call call) const {
      try {
        const py::gil_scoped_release release;
        return call(simulation_);
      } catch (const SimulationFailure& failure) {
        RaiseSimulationError(simulation_, failure);
      }
    }
    /// The same for what takes long: Ctrl-C ends it at the next step point, half a second later also inside a
    /// TimeStep, and raises KeyboardInterrupt.
    void ComputeLong(const std::function<void(Simulation&)>& call) const;

    /// The call continues in other threads.
    void Leave() const { pass_.Leave(); }
    /// Calls `call(simulation)`, in any thread. Pre: Leave.
    template <class Call>
    void ComputeHere(const Call& call) const {
      struct Stay {
        const CallGuard::Pass& pass;
        ~Stay() { pass.Leave(); }
      };
      pass_.Continue();
      const Stay stay{pass_};
      call(simulation_);
    }

   private:
    Simulation& simulation_;
    CallGuard::Pass pass_;
  };
  Use Enter(std::string_view call) const { return {*this, call, false}; }
  /// For calls that change nothing; callbacks may make them, too.
  Use EnterToRead(std::string_view call) const { return {*this, call, true}; }

  /// From any thread, also during a call.
  void RequestStop() const { get().RequestStop(); }

  /// To `until` [s], or to StopTime; the rows go to the result, and to files.
  void Run(const Use& use, std::optional<double> until, RecordingOptions recording,
           std::optional<double> pace);

  const LoadRequest& source() const { return source_; }
  const EventLog& log() const { return *log_; }
  /// The curves of the last Run that has ended, also of one that has failed; null before.
  const std::shared_ptr<Result>& result() const { return result_; }
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  Simulation& get() const {
    if (simulation_ == nullptr) [[unlikely]]
      throw std::logic_error("the system was not loaded; load it with davit.load");
    if (forks_ != ForkCount()) [[unlikely]]
      RaiseForkError();
    return *simulation_;
  }

  LoadRequest source_;
  std::shared_ptr<EventLog> log_ = std::make_shared<EventLog>();
  std::unique_ptr<Simulation> simulation_;
  std::shared_ptr<Result> result_;
  std::vector<std::string> warnings_;
  unsigned forks_ = ForkCount();
  mutable CallGuard guard_;
};

}  // namespace davit
