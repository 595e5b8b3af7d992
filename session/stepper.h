#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "session/real_time_record.h"
#include "session/recording_list.h"
#include "session/request_inbox.h"
#include "session/request_taker.h"
#include "session/run_host.h"
#include "session/state_saver.h"
#include "session/stop_signal.h"
#include "session/time_travel.h"
#include "simulator/energy/energy_balance.h"
#include "simulator/output_watch.h"

namespace davit {

/// The steps of a run with all that takes part in them: requests before a step; after it the check of outputs
/// of plug-ins, snapshots that are due, recordings. Each of these is there for whoever steps.
///
/// Used by the thread that drives the run; Post and RequestStop by any.
class Stepper {
 public:
  explicit Stepper(System& system);

  RequestInbox inbox;
  StopSignal stop;
  RecordingList recordings;
  StateSaver saver;
  RequestTaker requests;
  RealTimeRecord real_time;                  ///< since Begin
  std::unique_ptr<CauseLog> causes;          ///< null: nobody asks why
  std::unique_ptr<TimeTravel> travel;        ///< null: the run is not recorded
  std::unique_ptr<EnergyAccounting> energy;  ///< null: it is not accounted for

  SimulatorManager& manager() const { return manager_; }

  /// The run has just been initialised or loaded.
  void Begin();
  /// One TimeStep. Throws SimulationFailure where the run cannot continue. Throws on what a recording, or a
  /// snapshot that is due, throws, when the step is complete: the run can continue.
  void Step();
  /// Into the TimeStep; SimulatorManager::AdvanceTo.
  void AdvanceInside(double t);
  /// Requests that have come are checked, handed on and answered.
  void TakeRequests() {
    if (inbox.has_letters()) AnswerLetters();
  }
  /// Whoever still waits gets this refusal.
  void RefuseRequests(const std::string& why);
  /// Whether another step may follow: no stop is requested, no Stop message has come, time is left.
  bool IsGoingOn() const { return manager_.is_running() && !manager_.is_finished() && !stop.is_requested(); }
  /// Whether the code of models, or of somebody who watches, is running.
  bool is_stepping() const { return is_stepping_; }
  /// To be called when a run ends: why it did. A request to stop is taken with it.
  RunEnd End();
  /// After SimulationFailure: an output of a plug-in that is not a number, which may be the cause.
  std::optional<OutputWatch::Fault> FindFaultyOutput() const { return watch_.Find(); }

 private:
  void AnswerLetters();
  void AfterStep();

  SimulatorManager& manager_;
  OutputWatch watch_;
  bool is_stepping_ = false;
};

}  // namespace davit
