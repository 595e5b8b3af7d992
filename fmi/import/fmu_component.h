#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fmi/fmu_description.h"
#include "fmi/import/fmu_items.h"
#include "fmi/import/fmu_jacobian.h"
#include "fmi/import/fmu_ports.h"
#include "fmi/import/foreign_call.h"
#include "fmi/import/foreign_fmu.h"
#include "framework/tree/file_described.h"
#include "framework/xml/file_source.h"
#include "simulator/break_reaction.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/left_limit.h"
#include "simulator/shown_outputs.h"
#include "simulator/start_reaction.h"
#include "simulator/step_reaction.h"

namespace davit {

class Island;
class SimulatorManager;

/// An FMU of any maker as a component.
///
/// For co-simulation: the FMU advances in PostIntegrate, from the values its inputs had at the beginning of
/// the TimeStep; its outputs are held until the next one. For model exchange: its states are states of the
/// component, its event indicators guards, its time events break times; inputs that are discrete are taken at
/// step points.
///
/// Wave ports (co-simulation only): a Q FMU takes the waves of the end of a step, advances in PostIntegrate,
/// and its flows answer then, as in the Q phase of fixed steps. A C FMU advances in PreIntegrate from the
/// flows of the beginning, and offers the waves of the end, as in the C phase.
///
/// Reset makes a new instance and initialises it. A co-simulation FMU stays in initialization mode until the
/// start is complete: so its outputs follow its inputs. One for model exchange is initialised again when its
/// first inputs are known, if they are others.
class FmuComponent final : public DynamicSimComponent,
                           public FileDescribed,
                           public BreakReaction,
                           public ShownOutputs,
                           public StartReaction,
                           public StepReaction {
 public:
  static constexpr ModelInfo kInfo{
      .name = "fmi.Fmu",
      .text = "Functional mock-up unit (FMU) from any tool, FMI 2.0 and 3.0",
      .equations = R"(
Parameters, inputs, outputs and states are those of the FMU: davit describe engine.fmu (docs/fmi-import.md)
co-simulation:   the FMU computes y(t + h) from u(t), h = TimeStep
model exchange:  x' = f(x, u, t), y = g(x, u, t), with state, time and step events
Wave ports, by terminals or by ports: p = c + Zc*q, as at a line
Example: file="engine.fmu"
)",
  };

  FmuComponent();
  ~FmuComponent() override;

  void DeclareItems(const Attributes& attributes, const UnitSystem& units, Diagnostics& diagnostics) override;
  bool has_sampled_signals() const override { return is_co_simulation(); }
  std::string_view file_attribute() const override { return "file"; }

  void Configure(Diagnostics& diagnostics) override;
  void Link(System& system, Diagnostics& diagnostics) override;
  void CheckTimeStep(double h, Diagnostics& diagnostics) const override;
  void ParametersChanged() override;
  void Reset() override;
  void ArchiveMemory(Archive& archive) override;
  void PreIntegrate() override;
  void PostIntegrate() override;
  void EvaluateEfforts(double t) override;
  void EvaluateDiffEquations(double t) override;
  bool WritePartials(PartialDerivatives& partials) const override;
  double NextBreakTime(double t) const override;
  bool ReactAtBreak(double t) override;
  void ShowOutputs(double t) override;
  bool TakeFirstInputs(double t) override;
  bool CompleteStart(double t) override;
  bool wants_solver_steps() const override;
  bool CompleteSolverStep(double t) override;
  void ReactAfterSolverStep(double t) override { RunEvents(t, false); }
  bool TakeChange() override { return std::exchange(has_changed_, false); }
  bool SampleInSteadyState() override;

  /// Of the FMU; null where it could not be read.
  const FmuDescription* description() const { return description_.get(); }
  /// Those that it has binaries for.
  std::vector<std::string> platforms() const { return PlatformsOf(binaries_); }
  FmuKind fmu_kind() const { return source_.kind; }
  const FmuItems& items() const { return items_; }
  const FmuPorts& ports() const { return ports_; }

 private:
  enum class KindChoice : std::uint8_t { kAutomatic, kCoSimulation, kModelExchange };
  static constexpr std::array<std::string_view, 3> kKindNames{"Automatic", "CoSimulation", "ModelExchange"};

  /// Where the states lie in the vectors of the solver, while these are arranged as they were then.
  struct Block {
    struct Used {
      std::uint32_t state;
      std::uint32_t offset;
    };
    const StateMemory* memory = nullptr;
    std::uint32_t arrangement = 0;
    bool are_si = false;     ///< so they are in the FMU
    bool is_one = false;     ///< all lie there side by side, as in the FMU
    std::vector<Used> used;  ///< those that lie there; the others keep their values
  };

  bool is_co_simulation() const { return source_.kind == FmuKind::kCoSimulation; }
  const FmuCapabilities& capabilities() const {
    return is_co_simulation() ? description_->as_co_simulation : description_->as_model_exchange;
  }
  /// Empty, or why it cannot be run as what is asked for.
  std::string ChooseKind(const Attributes& attributes);
  void DeclarePorts(const Attributes& attributes, const UnitSystem& units,
                    const std::optional<TextResult>& terminals, Diagnostics& diagnostics);
  /// Runs `call`; what the FMU fails to do ends the run at `t`.
  template <class Call>
  void Run(double t, const Call& call) {
    const ForeignCall running(shown_fmu_);
    try {
      call();
    } catch (const FmuFailure& failure) {
      Fail(t, failure);
    }
  }
  [[noreturn]] void Fail(double t, const FmuFailure& failure);
  void PassLog();

  // fmu_start.cc
  /// Before anything is evaluated, routed inputs are not known: the FMU begins with its own start values.
  void Start(double t, bool knows_inputs);
  /// All inputs that are no waves; the start values of those that are routed, unless `with_routes`.
  void SendInputs(bool with_routes);
  /// Continuous ones, then discrete ones.
  std::vector<double> SentInputs() const;
  /// Of co-simulation: until everything has been evaluated once, inputs keep their start values. What they
  /// read is not known yet, and an FMU may fail with that.
  void HoldInputs();
  void ReleaseInputs();
  void SendParameters(double t, bool is_start);
  void SendTexts();
  void SendStarts();
  void FindSlopeSources();
  void FindRoutedOutputs();
  /// Divides inputs, with the values that have been sent, for the run.
  FmuItems::RunInputs ForRun(const std::vector<FmuItems::InputLink>& links, const FmuValues& values) const;

  // fmu_values.cc
  /// Returns whether a value differs from the one sent last.
  static bool FetchInputs(const std::vector<FmuItems::InputLink>& links, FmuValues& values);
  static bool FetchInputs(FmuItems::RunInputs& inputs);
  /// After FetchInputs.
  void SendInputs(FmuItems::RunInputs& inputs);
  void ReadOutputs(const std::vector<FmuItems::OutputLink>& links, FmuValues& values);
  static void HideOutputs(const std::vector<FmuItems::OutputLink>& links);
  static const FmuItems::OutputLink* FindNotFinite(const std::vector<FmuItems::OutputLink>& links);
  /// One that is not finite ends the run if a route leads from it; else the log tells once.
  void CheckOutputs(double t);
  /// Makes the FMU know t and the present states; false where it discards them.
  bool BringTo(double t);
  /// Finds where the states lie in the vectors of the solver, as these are arranged now.
  void FindBlock();
  const Block& block() {
    if (block_.memory == nullptr || block_.arrangement != block_.memory->arrangement) [[unlikely]]
      FindBlock();
    return block_;
  }
  /// Which states take part, after an event.
  void TakeUses();
  /// Writes the derivatives of the FMU at the present point to those of the states; false where it discards
  /// it.
  bool TakeDerivatives();
  double Indicator(std::size_t i);
  void TakeStates();
  void TakeNominals();

  void Advance(double t);
  bool has_c_ports() const { return !ports_.is_empty() && ports_.role() == Role::kC; }
  /// Of C ports: to the next step point.
  void StepFromFlows();
  void SendPorts();
  void ReadPorts();
  /// Of the step that ends at t.
  void SendSlopes(double t);
  /// Whether the solver tells of its steps; else step points take their place.
  bool IsToldOfSteps();
  /// The FMU is told that a step has ended at t, where an event begins, if it has not been told.
  void CompleteBeforeEvent(double t);
  /// Whether the FMU has not been told of a step that ends at t.
  bool IsNewStep(double t) const;
  /// Returns whether the FMU wants event mode.
  bool CompleteStep(double t);
  /// Whether an evaluation or an indicator, after an event at t, is another than `before`.
  bool HasJumped(double t, const std::vector<double>& before);
  /// What evaluations and indicators have brought last.
  std::vector<double> LastValues() const;
  /// Pre: the FMU is in event mode or enters it here.
  void RunEvents(double t, bool has_entered);
  void End();

  Property<std::string> file_{this, "file", "File of the FMU, relative to the folder of the system file"};
  Property<KindChoice> kind_{this, "kind", "FMU kind to run; Automatic: co-simulation if available",
                             KindChoice::kAutomatic, kKindNames};
  Property<std::string> locals_{this, "locals",
                                "Local variables that are outputs too: names and globs, separated by spaces"};
  Property<std::string> ports_text_{this, "ports",
                                    "Wave ports as Hopsan writes them: NodeHydraulic:PA,q,p,T,c,Zc,Q;...; "
                                    "empty: those of its terminals; none: signals instead"};
  Property<bool> isolated_{this, "isolated", "Runs it in a separate process, whose crash ends the run only",
                           false, Tunability::kStructural};
  Property<bool> log_{this, "log", "Writes all that the FMU logs into the log of the run", false,
                      Tunability::kStructural};
  /// Never watched: it says that the component remembers something.
  Guard memory_{this, "memory", "Not in use", Guard::Direction::kBoth, [] { return 1.0; }, [](double) {}};

  std::unique_ptr<FmuDescription> description_;
  ForeignFmuSource source_;  ///< its folder is known when the FMU is to be run
  std::filesystem::path file_path_;
  std::vector<std::string> binaries_;
  std::string declared_file_;  ///< what the items follow from
  std::string shown_fmu_;      ///< as messages begin
  FmuItems items_;
  FmuPorts ports_;
  std::unique_ptr<ForeignFmu> fmu_;
  System* system_ = nullptr;
  SimulatorManager* manager_ = nullptr;

  std::vector<double> states_, derivatives_, indicators_;
  std::vector<double> first_inputs_;  ///< of the initialisation
  std::vector<FmuItems::InputLink> held_continuous_, held_discrete_;
  bool is_holding_ = false;
  Block block_;
  mutable FmuJacobian jacobian_;
  Island* island_ = nullptr;  ///< of model exchange
  std::string method_;        ///< that is_told_ is of
  bool is_told_ = false;      ///< of the steps of the solver
  // Of co-simulation: inputs whose derivatives the FMU takes.
  struct Slope {
    std::size_t link;              ///< of those that are routed
    std::function<double()> read;  ///< the value at the end of the step
    const LeftLimit* before_break = nullptr;
  };
  std::vector<Slope> slopes_;
  std::vector<std::uint32_t> slope_references_;
  std::vector<double> slope_values_;
  bool has_slopes_ = false;  ///< they have been looked for

  bool is_running_ = false;       ///< initialised
  bool is_initializing_ = false;  ///< of co-simulation: until the start is complete
  bool is_first_step_ = true;
  bool has_ended_ = false;        ///< the FMU has ended the run
  bool has_point_ = false;        ///< the FMU is at point_time_ with states_
  bool is_refused_ = false;       ///< and has discarded that point
  bool has_derivatives_ = false;  ///< the last evaluation was possible
  bool has_indicators_ = false;   ///< those of that point are known
  bool has_warned_ = false;
  bool has_warned_of_output_ = false;
  bool has_changed_ = false;     ///< events at a step point have changed it, or what it says at its ports
  bool has_new_values_ = false;  ///< the last event has changed states or nominal values
  double point_time_ = 0;
  double time_ = 0;       ///< of co-simulation: the communication point reached
  double last_time_ = 0;  ///< of the last evaluation
  double completed_time_ = -std::numeric_limits<double>::infinity();  ///< of the last step told to the FMU
  double event_time_ = -std::numeric_limits<double>::infinity();
  double next_event_ = std::numeric_limits<double>::infinity();
};

class Registry;

/// Registers fmi.Fmu, fmi.PortC and fmi.PortQ.
void RegisterFmi(Registry& registry);

}  // namespace davit
