#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "fmi/fmu_description.h"
#include "fmi/import/fmu_value_list.h"

namespace davit {

enum class FmuKind : std::uint8_t { kCoSimulation, kModelExchange };

/// An FMU did not do what it was asked to. The text says which function has failed and what the FMU has
/// logged.
class FmuFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What the events of an FMU have changed.
struct FmuEvents {
  bool is_terminated = false;  ///< the FMU wants to end the run
  bool has_new_states = false;
  bool has_new_nominals = false;
  double next_time = std::numeric_limits<double>::infinity();  ///< of the next time event [s]

  void ArchiveMemory(Archive& archive) {
    archive(is_terminated, has_new_states, has_new_nominals, next_time);
  }
};

/// Where an FMU lies and what is made of it.
struct ForeignFmuSource {
  std::filesystem::path folder;  ///< where it is unpacked
  FmuKind kind = FmuKind::kCoSimulation;
  std::string name;  ///< of the instance
  bool is_logging = false;
  /// Called several times a second while another process computes; what it throws ends that process.
  std::function<void()> while_waiting = {};
};

/// A line that an FMU has logged.
struct FmuLogLine {
  bool is_error = false;
  std::string text;

  void ArchiveMemory(Archive& archive) { archive(is_error, text); }
};

/// An instance of an FMU of either version and kind, in this process or in one of its own. It is foreign
/// code: in this process, what it does wrong can end the program.
///
/// Call sequence: Configure; SetValues and SetText of parameters and start values; EnterInitialization;
/// SetValues of inputs; ExitInitialization. Then a co-simulation FMU takes SetValues, DoStep and GetValues in
/// turns. One for model exchange is in event mode first: UpdateDiscreteStates and EnterContinuousTime, then
/// SetPoint, SetValues and GetDerivatives in turns, CompleteStep at the end of each step of the solver, and
/// for each event EnterEventMode, UpdateDiscreteStates, EnterContinuousTime. All functions throw FmuFailure.
class ForeignFmu {
 public:
  virtual ~ForeignFmu() = default;

  /// Structural parameters of FMI 3.0.
  virtual void Configure(const FmuValueList& list, std::span<const double> values) = 0;
  virtual void SetValues(const FmuValueList& list, std::span<const double> values) = 0;
  virtual void GetValues(const FmuValueList& list, std::span<double> values) = 0;
  virtual void SetText(std::uint32_t reference, const std::string& text) = 0;

  virtual void EnterInitialization(double start, std::optional<double> stop,
                                   std::optional<double> tolerance) = 0;
  virtual void ExitInitialization() = 0;

  // Co-simulation.
  /// Derivatives of Real inputs (2.0), which hold for the next step.
  virtual void SetInputDerivatives(const std::vector<std::uint32_t>& references,
                                   std::span<const double> values) = 0;
  /// False where the FMU has ended its run.
  virtual bool DoStep(double t, double h) = 0;

  // Model exchange.
  virtual void EnterEventMode() = 0;
  /// Until the discrete states rest.
  virtual FmuEvents UpdateDiscreteStates() = 0;
  virtual void EnterContinuousTime() = 0;
  /// False where the FMU discards the point.
  virtual bool SetPoint(double t, std::span<const double> states) = 0;
  /// The same.
  virtual bool GetDerivatives(std::span<double> derivatives) = 0;
  /// The changes of unknowns that changes `seed` of knowns mean, at the present point; scalars of type
  /// Float64, by their references. False where the FMU does not say.
  virtual bool GetDirectionalDerivatives(const std::vector<std::uint32_t>& unknowns,
                                         const std::vector<std::uint32_t>& knowns,
                                         std::span<const double> seed, std::span<double> changes) = 0;
  virtual void GetStates(std::span<double> states) = 0;
  virtual void GetNominals(std::span<double> nominals) = 0;
  virtual void GetIndicators(std::span<double> indicators) = 0;
  /// Whether the FMU wants event mode.
  virtual bool CompleteStep(bool* is_terminated) = 0;

  // The state as bytes.
  virtual std::string SaveState() = 0;
  virtual void LoadState(const std::string& bytes) = 0;

  /// What it has logged since the last call.
  virtual std::vector<FmuLogLine> TakeLog() = 0;
};

/// Where the library of an FMU for this machine lies, below `folder`; it need not exist.
std::filesystem::path LibraryOf(const FmuDescription& description, FmuKind kind,
                                const std::filesystem::path& folder);

/// Why none of the files in the `binaries/` of an FMU is for this machine, with those that it has instead.
/// Empty: one is.
std::string FindBinaryFault(const FmuDescription& description, FmuKind kind,
                            const std::vector<std::string>& binaries);

/// The same of an FMU that is unpacked in a folder; further its library that cannot be loaded, or has not the
/// functions that it must have. Loads the library.
std::string FindLibraryFault(const FmuDescription& description, FmuKind kind,
                             const std::filesystem::path& folder);

/// An instance in this process.
std::unique_ptr<ForeignFmu> MakeForeignFmu(const FmuDescription& description, const ForeignFmuSource& source);

}  // namespace davit
