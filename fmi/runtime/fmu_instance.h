#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fmi/manifest/fmu_manifest.h"
#include "fmi/runtime/continuous_model.h"
#include "fmi/runtime/fmu_state.h"
#include "framework/registry.h"
#include "framework/run_log.h"
#include "session/simulation.h"

namespace davit {

/// How a communication step has ended.
enum class FmuStep : std::uint8_t {
  kDone,
  kEarly,       ///< an event has happened, or the master has asked for it: the time reached is `time()`
  kRefused,     ///< this step size is not possible, nothing has happened
  kTerminated,  ///< the system has ended its run
};

/// What a master may do during a communication step (FMI 3.0).
struct FmuStepOptions {
  /// Ends the step at the first step point after an event.
  bool ends_at_events = false;
  /// Called at each step point inside of the step; may read values. Returns the time at which the step is to
  /// end early, or nothing.
  std::function<std::optional<double>(double t)> on_step_point = {};
};

/// Some phases.
class FmuPhases {
 public:
  constexpr FmuPhases(std::initializer_list<FmuPhase> phases) {  // NOLINT(google-explicit-constructor)
    for (const FmuPhase phase : phases) bits_ |= 1U << static_cast<unsigned>(phase);
  }
  constexpr bool Contain(FmuPhase phase) const { return (bits_ >> static_cast<unsigned>(phase) & 1U) != 0; }

  /// Those in which a master of model exchange may move in time, and read what equations give.
  static const FmuPhases kMoving, kReadable;

 private:
  std::uint32_t bits_ = 0;
};
inline constexpr FmuPhases FmuPhases::kMoving{FmuPhase::kEvent, FmuPhase::kContinuous};
inline constexpr FmuPhases FmuPhases::kReadable{FmuPhase::kInitialization, FmuPhase::kEvent,
                                                FmuPhase::kContinuous, FmuPhase::kTerminated};

/// A system inside an FMU: what both versions of FMI share.
///
/// Call sequence: constructor; Set, Setup; EnterInitialization; Set, Get; ExitInitialization; then, for
/// co-simulation, DoStep, Set and Get in turns; for model exchange UpdateDiscreteStates, EnterContinuousTime,
/// the calls of `continuous()`, EnterEvent and so on. SaveState, LoadState and Reset at any time. Values are
/// in SI, or the number of an option, and are addressed by value reference. One thread at a time uses an
/// instance; two instances share nothing.
///
/// Failures: std::invalid_argument and std::logic_error for wrong calls and values, nothing has changed then;
/// std::runtime_error where the system fails, the phase is kError then. Texts say what would be right.
class FmuInstance {
 public:
  using Log = std::function<void(RunLog::Severity severity, std::string_view line)>;

  /// `resources`: the folder of the unpacked FMU. Throws std::runtime_error where the system cannot be
  /// loaded.
  FmuInstance(const std::filesystem::path& resources, FmuKind kind, Log log);
  ~FmuInstance();

  const FmuManifest& manifest() const { return manifest_; }
  FmuPhase phase() const { return phase_; }
  /// The time reached [s].
  double time() const;
  /// Whether the last step has ended the run of the system.
  bool has_ended() const { return has_ended_; }

  void Setup(const FmuExperiment& experiment);
  void EnterInitialization();
  void ExitInitialization();
  void Terminate();
  void Reset();

  /// The number of a variable of one of the `types`.
  double Get(std::uint32_t reference, std::initializer_list<FmuType> types);
  /// Of a String; valid until the next call.
  const std::string& GetText(std::uint32_t reference);
  /// The same for many variables of type kReal. Pre: room for as many values as references.
  void GetReals(std::span<const std::uint32_t> references, double* values);
  void Set(std::uint32_t reference, double value, std::initializer_list<FmuType> types);
  void SetText(std::uint32_t reference, std::string_view text);
  // Whether that would be refused: they throw what Set and SetText throw, and change nothing.
  void CheckSet(std::uint32_t reference, double value, std::initializer_list<FmuType> types) const;
  void CheckSetText(std::uint32_t reference, std::string_view text) const;

  // Of model exchange.
  void EnterEvent();
  FmuEventInfo UpdateDiscreteStates();
  void EnterContinuousTime();
  void SetTime(double t) {
    ContinuousModel& model = RequireModel("setting the time", FmuPhases::kMoving);
    if (!(t >= model.earliest() && t <= std::numeric_limits<double>::max())) [[unlikely]]
      RefuseTime(t);
    model.SetTime(t);
  }
  void SetStates(std::span<const double> states) {
    ContinuousModel& model = RequireModel("setting continuous states", FmuPhases::kMoving);
    if (states.size() != model.state_count()) [[unlikely]]
      RefuseCount(states.size());
    model.SetStates(states);
  }
  // Valid until the next call.
  const std::vector<double>& States();
  const std::vector<double>& Derivatives() {
    RequireModel("reading derivatives", FmuPhases::kReadable);
    if (is_stale_ || !is_initialized_) [[unlikely]]
      MakeReady();
    // What cannot be evaluated there is no reason to give up the run: a solver may have tried too far.
    return model_->Derivatives();
  }
  const std::vector<double>& Indicators();
  std::vector<double> Nominals();
  /// Returns whether there is an event.
  bool CompleteStep();

  /// From `time`, the time reached, to time + size. `reason` says why it was refused or has ended,
  /// `has_event` whether anything has happened at the time reached that a master may want to look at.
  FmuStep DoStep(double time, double size, const FmuStepOptions& options, bool& has_event,
                 std::string& reason);
  /// Of co-simulation: the mode between two steps, and back.
  void EnterEventMode();
  void EnterStepMode();
  /// From now on the initialisation ends in event mode.
  void UseEventMode() { uses_event_mode_ = true; }
  /// The derivative of an input that the next step begins with; order 1 to 3.
  void SetInputDerivative(std::uint32_t reference, int order, double value);
  std::vector<double> OutputDerivatives(std::span<const std::uint32_t> references,
                                        std::span<const int> orders);
  /// The change of the unknowns that a change `seed` of the knowns (continuous states of
  /// model exchange, inputs) means.
  std::vector<double> DirectionalDerivative(std::span<const std::uint32_t> unknowns,
                                            std::span<const std::uint32_t> knowns,
                                            std::span<const double> seed);

  FmuState SaveState();
  void LoadState(const FmuState& state);

 private:
  struct Variable {
    std::optional<Item> read;
    ItemList write;  ///< empty where it is only set before the run
  };
  /// Where the number of a real variable lies, if it is in one place.
  struct Place {
    const double* value = nullptr;    ///< of an output or a parameter
    const StateSlot* slot = nullptr;  ///< of a state or a derivative
    bool is_derivative = false;
  };

  static constexpr std::uint32_t kNoState = 0xFFFFFFFF;

  const FmuEntry& Entry(std::uint32_t reference, std::initializer_list<FmuType> types) const;
  void RequirePhase(std::string_view call, FmuPhases phases) const {
    if (!phases.Contain(phase_)) [[unlikely]]
      RefusePhase(call);
  }
  [[noreturn]] void RefusePhase(std::string_view call) const;
  /// Loads the system again where settings ask for it, and begins the run where values are wanted that need
  /// it.
  void MakeReady();
  void Load();
  void Bind();
  void WriteNow(std::uint32_t reference, double value);
  /// How often the event is to be sent so that its counter becomes `count`.
  double EventsUntil(std::uint32_t reference, double count) const;
  /// What SetText assigns.
  void CheckAssignment(const FmuEntry& entry, const std::string& text) const;
  /// Throws std::logic_error where the instance is not for model exchange, or the phase is none of `phases`.
  ContinuousModel& RequireModel(std::string_view call, FmuPhases phases) const {
    if (model_ == nullptr) [[unlikely]]
      RefuseKind(call);
    RequirePhase(call, phases);
    return *model_;
  }
  [[noreturn]] void RefuseTime(double t) const;
  [[noreturn]] void RefuseCount(std::size_t states) const;
  [[noreturn]] static void RefuseKind(std::string_view call);
  void CheckStructure() const;
  /// The position of an event indicator among those of the manifest.
  std::size_t NumberOfGuard(std::uint32_t reference) const;
  /// The value of an event indicator at the present time.
  double ReadGuard(std::size_t number) const;
  /// Runs what may fail inside the system; then the phase is kError.
  template <class Call>
  auto Guarded(Call call);
  FmuStep AdvanceInSteps(double end, const FmuStepOptions& options, bool& has_event, std::string& reason);
  /// What has happened so far that a master may want to look at.
  std::uint64_t CountOfEvents() const;
  void StartRamps();
  /// Whether it is a real input that nothing is routed to.
  bool IsFreeInput(std::uint32_t reference) const;
  /// The Items of variables; throws std::invalid_argument for those without one.
  std::vector<Item> ItemsOf(std::span<const std::uint32_t> references) const;
  void ListStates();
  std::vector<double> Differences(std::span<const std::uint32_t> unknowns,
                                  std::span<const std::uint32_t> knowns, std::span<const double> seed);
  /// Writes the changes of those unknowns that are derivatives, by the Jacobian that the solvers use. Pre:
  /// the knowns are continuous states.
  void UseJacobian(std::span<const std::uint32_t> unknowns, std::span<const std::uint32_t> knowns,
                   std::span<const double> seed, std::span<double> change);
  void RequireDerivatives(std::string_view call) const;
  /// The states of all islands as the master sees them.
  std::vector<double> PresentStates() const;
  /// `end`, or the step point that it means.
  double NearStepPoint(double end) const;
  Place PlaceOf(std::uint32_t reference) const;
  /// Which continuous state, or derivative of one, a variable is; kNoState: neither. Of model exchange.
  std::uint32_t StateOf(std::uint32_t reference) const {
    return reference < states_of_.size() ? states_of_[reference] : kNoState;
  }
  bool IsDerivative(std::uint32_t reference) const {
    return StateOf(reference) != kNoState && places_[reference].is_derivative;
  }
  bool IsState(std::uint32_t reference) const {
    return StateOf(reference) != kNoState && !places_[reference].is_derivative;
  }

  std::filesystem::path resources_;
  FmuKind kind_;
  Log log_;
  FmuManifest manifest_;
  std::vector<std::shared_ptr<void>> plugins_;  ///< outlive what is made of their models
  Registry registry_;
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<ContinuousModel> model_;  ///< of model exchange
  std::vector<Variable> variables_;
  std::vector<Place> places_;               ///< by value reference
  std::vector<std::uint32_t> states_of_;    ///< by value reference, see StateOf
  std::map<std::uint32_t, double> events_;  ///< counters of events, by value reference
  FmuExperiment of_file_;                   ///< start and stop of the system file
  FmuPhase phase_ = FmuPhase::kInstantiated;
  std::optional<FmuExperiment> experiment_;
  FmuSettings settings_;
  bool is_stale_ = false;        ///< settings or experiment ask for another load
  bool is_initialized_ = false;  ///< the values of the run are those of the settings
  std::string text_;             ///< what GetText gave
  std::vector<double> indicators_;
  bool uses_event_mode_ = false;
  bool has_ended_ = false;
  std::map<std::uint32_t, FmuRamp> ramps_;  ///< for the next step
};

}  // namespace davit
