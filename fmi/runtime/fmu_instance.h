#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fmi/manifest/fmu_manifest.h"
#include "fmi/runtime/fmu_state.h"
#include "framework/registry.h"
#include "framework/run_log.h"
#include "session/simulation.h"

namespace davit {

/// How a communication step has ended.
enum class FmuStep : std::uint8_t {
  kDone,
  kRefused,     ///< this step size is not possible, nothing has happened
  kTerminated,  ///< the system has ended its run
};

/// A system inside an FMU: what both versions of FMI share.
///
/// Call sequence: constructor; Set, Setup; EnterInitialization; Set, Get; ExitInitialization; then DoStep,
/// Set and Get in turns. SaveState, LoadState and Reset at any time. Values are in SI, or the number of an
/// option, and are addressed by value reference. One thread at a time uses an instance; two instances share
/// nothing.
///
/// Failures: std::invalid_argument and std::logic_error for wrong calls and values, nothing has changed then;
/// std::runtime_error where the system fails, the phase is kError then. Texts say what would be right.
class FmuInstance {
 public:
  using Log = std::function<void(RunLog::Severity severity, std::string_view line)>;

  /// `resources`: the folder of the unpacked FMU. Throws std::runtime_error where the system cannot be
  /// loaded.
  FmuInstance(const std::filesystem::path& resources, Log log);
  ~FmuInstance();

  const FmuManifest& manifest() const { return manifest_; }
  FmuPhase phase() const { return phase_; }
  /// The time reached [s].
  double time() const;

  void Setup(const FmuExperiment& experiment);
  void EnterInitialization();
  void ExitInitialization();
  void Terminate();
  void Reset();

  /// The number of a variable of one of the `types`.
  double Get(std::uint32_t reference, std::initializer_list<FmuType> types);
  /// Of a String; valid until the next call.
  const std::string& GetText(std::uint32_t reference);
  void Set(std::uint32_t reference, double value, std::initializer_list<FmuType> types);
  void SetText(std::uint32_t reference, std::string_view text);

  /// From `time`, the time reached, to time + size. `reason` says why it was refused or has ended.
  FmuStep DoStep(double time, double size, std::string& reason);

  FmuState SaveState();
  void LoadState(const FmuState& state);

 private:
  struct Variable {
    std::optional<Item> read;
    ItemList write;  ///< empty where it is only set before the run
  };

  const FmuEntry& Entry(std::uint32_t reference, std::initializer_list<FmuType> types) const;
  void RequirePhase(std::string_view call, std::initializer_list<FmuPhase> phases) const;
  /// Loads the system again where settings ask for it, and begins the run where values are wanted that need
  /// it.
  void MakeReady();
  void Load();
  void Bind();
  void WriteNow(std::uint32_t reference, double value);
  /// Runs what may fail inside the system; then the phase is kError.
  template <class Call>
  auto Guarded(Call call);
  /// `end`, or the step point that it means.
  double NearStepPoint(double end) const;

  std::filesystem::path resources_;
  Log log_;
  FmuManifest manifest_;
  Registry registry_;
  std::unique_ptr<Simulation> simulation_;
  std::vector<Variable> variables_;
  FmuExperiment of_file_;  ///< start and stop of the system file
  FmuPhase phase_ = FmuPhase::kInstantiated;
  std::optional<FmuExperiment> experiment_;
  FmuSettings settings_;
  bool is_stale_ = false;        ///< settings or experiment ask for another load
  bool is_initialized_ = false;  ///< the values of the run are those of the settings
  std::string text_;             ///< what GetText gave
};

}  // namespace davit
