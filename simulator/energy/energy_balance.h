#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simulator/step_observer.h"

namespace davit {

class EnergyMeter;
class SimulatorManager;
class System;

/// An energy of a component [J].
struct EnergyOf {
  std::string component;  ///< its path
  std::string name;       ///< of what is stored, a cause of loss, a source; empty where there is only one
  double energy = 0;
  double power = 0;  ///< at the end [W]; 0 of what is stored
};

/// Where the energy of a run came from and where it went [J]:
///
///     in = out + stored + lost + unaccounted, but for the errors
struct EnergyBalance {
  double begin = 0, end = 0;  ///< [s]
  double in = 0;              ///< that crossed the boundary of the system inwards
  double out = 0;             ///< and outwards
  double stored = 0;          ///< rise of the stored energy
  double lost = 0;
  double unaccounted = 0;  ///< that went into models without an account and did not come out again
  double error = 0;  ///< sum of the magnitudes of what does not close, of all components and between them
  /// What `error` is compared with: the largest of the energies above, and of the ranges of the stores. At
  /// least as much as the range of a store has gone into it or out of it: energy that moved, also where all
  /// of it has come back.
  double turnover = 0;
  /// The same at the end [W]. What partial accounts do not state counts as stored.
  double power_in = 0, power_out = 0, power_stored = 0, power_lost = 0, power_unaccounted = 0;
  /// The largest first.
  std::vector<EnergyOf> ins = {}, outs = {}, stores = {}, losses = {}, strangers = {}, errors = {};

  /// The error of a balance that closes, at most.
  static constexpr double kClosed = 1e-6;

  /// Nothing moved: 0.
  double balance_error() const { return turnover > 0 ? error / turnover : 0; }
  bool closes() const { return balance_error() <= kClosed; }
  /// What came in or was taken from stores.
  double supplied() const { return in + (stored < 0 ? -stored : 0); }
  /// Share of it that went out or into stores; NaN where nothing was supplied.
  double efficiency() const;
  /// Losses of one name each: by component where `by_component`, else by cause.
  std::vector<EnergyOf> LossesBy(bool by_component) const;
};

/// Draws up the balance of energy of a run, from where it begins: StartTime, or the time of the snapshot that
/// was loaded last.
///
/// Call sequence: made for a loaded system, before the run is initialised or at a step point, from which it
/// counts then; the run, in which Balance may be called at each step point.
class EnergyAccounting final : public StepObserver {
 public:
  /// Both must outlive it.
  EnergyAccounting(System& system, SimulatorManager& manager);
  ~EnergyAccounting() override;
  /// Up to now, which is a step point. Changes nothing of the run. In the thread that drives.
  EnergyBalance Balance();

  void OnStart(double t) override;
  void OnContinue(double start, double t_before, double t) override;
  void OnStep(double t) override;

 private:
  SimulatorManager& manager_;
  double begin_ = 0;
  std::vector<std::unique_ptr<EnergyMeter>> meters_;  ///< by island; the last one is of all else
};

}  // namespace davit
