#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tests/fmi/exported_fmu.h"

namespace davit {

/// What a master of model exchange calls, of either version of FMI. Calls that fail fail the test.
class ModelExchange {
 public:
  struct Events {
    bool is_terminated = false;
    bool has_changed_states = false;
    double next = 0;  ///< infinity for none
  };

  /// `fmu` is exported for model exchange and outlives it.
  static std::unique_ptr<ModelExchange> Make(const ExportedFmu& fmu, FmiVersion version);
  virtual ~ModelExchange() = default;

  virtual void Initialize(double start, double stop) = 0;
  virtual Events UpdateDiscreteStates() = 0;
  virtual void EnterContinuousTime() = 0;
  virtual void EnterEvent() = 0;
  virtual bool CompleteStep() = 0;
  virtual void SetTime(double t) = 0;
  virtual void SetStates(std::span<const double> x) = 0;
  virtual void GetStates(std::span<double> x) = 0;
  virtual void GetDerivatives(std::span<double> ddt) = 0;
  virtual void GetIndicators(std::span<double> z) = 0;
  virtual void GetNominals(std::span<double> nominals) = 0;
  virtual double Real(const std::string& variable) = 0;
  virtual void SetReal(const std::string& variable, double value) = 0;
  virtual void SetWhole(const std::string& variable, int value) = 0;
  /// d(unknown)/d(known) seed.
  virtual std::vector<double> Directional(const std::vector<std::string>& unknowns,
                                          const std::vector<std::string>& knowns,
                                          std::span<const double> seed) = 0;
  virtual std::string SaveState() = 0;
  virtual void LoadState(const std::string& bytes) = 0;

  std::size_t state_count() const { return states_; }
  std::size_t indicator_count() const { return indicators_; }

 protected:
  std::size_t states_ = 0;
  std::size_t indicators_ = 0;
};

/// How a master runs.
struct MasterOptions {
  double start = 0;
  double stop = 1;
  double interval = 0.01;  ///< of rows
  std::string method = "rosenbrock4";
  double tolerance = 1e-7;
  bool has_state_events = true;  ///< looks at event indicators; else only completed steps tell of events
  /// Called in event mode at the beginning, and at each row, before discrete states are updated.
  std::function<void(ModelExchange& fmu, double t)> at_row = {};
};

/// Runs an FMU with a solver of davit's and event location of its own: a row of `outputs` at each interval.
std::vector<std::vector<double>> RunModelExchange(ModelExchange& fmu, const std::vector<std::string>& outputs,
                                                  const MasterOptions& options);

}  // namespace davit
