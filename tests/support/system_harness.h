#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/registry.h"
#include "session/simulation.h"

namespace davit {

/// One recorded row: time and values.
struct RecordedRow {
  double t = 0;
  std::vector<double> values;
  friend bool operator==(const RecordedRow&, const RecordedRow&) = default;
};

/// A whole system under test: the text of a system file in a Simulation, with all of davit's models and
/// further ones.
///
///     SystemHarness system("<System>...</System>", [](Registry& registry) { registry.Add<VanDerPol>(); });
///     system.RunTo(2);
///     EXPECT_NEAR(system.Read("oscillator.x"), ..., ...);
///
/// All values are in SI. A failure of the run throws SimulationFailure.
class SystemHarness {
 public:
  using AddModels = std::function<void(Registry&)>;

  /// Loads, checks and builds; not yet initialized. Throws std::invalid_argument with all diagnostics when
  /// something is wrong with the text.
  explicit SystemHarness(const std::string& text, const AddModels& add_models = {});

  Simulation& simulation() { return *simulation_; }
  System& system() { return simulation_->system(); }
  SimulatorManager& manager() { return simulation_->manager(); }
  /// The variable `path`, as in a `<Record>`; throws std::out_of_range when there is none.
  Item Find(std::string_view path) const;
  double Read(std::string_view path) const { return Find(path).Read(); }

  /// Initializes and runs to the StopTime.
  void Run();
  /// Runs on, from the start the first time, to the first step point at or after t. Throws std::out_of_range
  /// for a time after the StopTime, or before the one it has reached.
  void RunTo(double t);
  /// From now on rows are kept, as the `<Record>` elements of the system want.
  void StartRecording();
  /// Initializes, runs to the end and returns what was recorded in this run.
  std::vector<RecordedRow> RunAndRecord();
  std::vector<RecordedRow> TakeRows() { return std::exchange(rows_, {}); }

  /// Everything that is wrong with a system, one text for each fault; empty when it can run.
  static std::vector<std::string> FaultsOf(const std::string& text, const AddModels& add_models = {});

 private:
  std::unique_ptr<Registry> registry_;
  std::unique_ptr<Simulation> simulation_;
  std::vector<RecordedRow> rows_;
  bool is_recording_ = false;
  bool is_started_ = false;
};

}  // namespace davit
