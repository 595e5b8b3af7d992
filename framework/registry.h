#pragma once

#include <concepts>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "framework/component.h"
#include "framework/system_importer.h"

namespace davit {

class PartialDerivatives;

/// Evaluates `count` components of one type, one after the other, without virtual calls.
using BatchEvaluation = void (*)(Component* const* components, std::size_t count, double t);

/// Advances `count` components of one type by one TimeStep to t, one after the other, without virtual calls.
using BatchStep = void (*)(Component* const* components, std::size_t count, double t);

/// A model that evaluates several of its components at once, faster than one after the other. Besides the
/// evaluations of a single component, which must give the same bits, it has:
///
///     static void EvaluateEffortsOf(Component* const* components, std::size_t count, double t);
///     static void EvaluateDiffEquationsOf(Component* const* components, std::size_t count, double t);
///     /// Whether EvaluateEfforts does anything for this component.
///     static bool HasEfforts(const Component& component);
///     /// Components of another kind do not come into one batch.
///     static std::size_t KindOfBatch(const Component& component);
///     /// What will be evaluated as one batch. None of them reads what another of them writes. Called when
///     /// all inputs, ports and states have their places.
///     static void PrepareBatch(Component* const* components, std::size_t count);
template <class Model>
concept EvaluatesBatches = requires(Component* const* components, const Component& component,
                                    std::size_t count, double t) {
  Model::EvaluateEffortsOf(components, count, t);
  Model::EvaluateDiffEquationsOf(components, count, t);
  { Model::HasEfforts(component) } -> std::same_as<bool>;
  { Model::KindOfBatch(component) } -> std::same_as<std::size_t>;
  Model::PrepareBatch(components, count);
};

/// A model that evaluates its components together where none of them reads what another one writes, with the
/// bits of single evaluations. Fixed-step schedules use it, for Q components without states:
///
///     static void EvaluateIndependentFlows(Component* const* components, std::size_t count, double t);
///
/// Where a base class has it for several models, it gets components of all of them, one model after the
/// other.
template <class Model>
concept EvaluatesIndependentFlows = requires(Component* const* components, std::size_t count, double t) {
  Model::EvaluateIndependentFlows(components, count, t);
};

/// A registered model: how to make it, and which hooks of a run it overrides.
struct ModelEntry {
  const ModelInfo* info = nullptr;
  std::size_t size = 0;
  std::size_t alignment = 0;
  Component* (*construct)(void* place) = nullptr;
  BatchEvaluation evaluate_efforts = nullptr;    ///< null when the model does not override it
  BatchEvaluation evaluate_flows = nullptr;      ///< EvaluateDiffEquations; null when not overridden
  BatchEvaluation evaluate_algebraic = nullptr;  ///< EvaluateAlgebraicEquations; null when not overridden
  /// EvaluateDiffEquations of components that do not read each other; null when they are not faster together.
  BatchEvaluation evaluate_independent_flows = nullptr;
  // Of a model that EvaluatesBatches, else null.
  bool (*has_efforts)(const Component&) = nullptr;
  std::size_t (*kind_of_batch)(const Component&) = nullptr;
  void (*prepare_batch)(Component* const*, std::size_t) = nullptr;
  BatchStep simulate_one_timestep = nullptr;  ///< the model's own, or the default of all models
  bool has_own_timestep = false;              ///< whether the model overrides SimulateOneTimestep
  bool stands_in_systems = false;             ///< though its name has no domain: a Statechart
  bool holds_components = false;  ///< it contains components: it has `using HoldsComponents = void`
  bool is_operator = false;       ///< an Operator: it stands inside `<Operators>` only
  bool holds_operators = false;   ///< it is `<Operators>` itself
  bool is_tlm = false;            ///< a TlmComponent: it is nothing else
  /// Another component calls its steps, not the network: it has `using SteppedByAnother = void`.
  bool is_stepped_by_another = false;
  /// Its parameters of any unit (`kAnyUnit`) are values of its outputs of any unit, so all have one
  /// dimension, that of the values given: it has `static constexpr bool kValuesShareUnit = true`.
  bool values_share_unit = false;
  bool has_pre_integrate = false;
  bool has_post_integrate = false;
  /// PostIntegrate of a TlmComponent is needed only after steps that have asked for it
  /// (TlmComponent::AskForPostIntegrate): it has `static constexpr bool kPostIntegratesWhenAsked = true`.
  bool post_integrates_when_asked = false;
  /// Whether PreIntegrate and PostIntegrate do anything for a component with fixed steps: not where the model
  /// has `static constexpr bool kHasHooksInFixedSteps = false`.
  bool has_hooks_in_fixed_steps = true;
  bool has_break_times = false;
  bool has_process = false;
  bool has_partials = false;         ///< it overrides WritePartials
  std::string_view chart = {};       ///< the default chart that a plug-in brings: an SCXML document
  std::string_view chart_file = {};  ///< where that text is written, for messages
};

/// The models and domains of a program. Filled by explicit calls: `RegisterHydraulic(registry)`.
class Registry {
 public:
  /// Registers models; each type has `static constexpr ModelInfo kInfo`. A name registered twice is a logic
  /// error.
  template <class... Models>
  void Add() {
    (AddEntry(MakeEntry<Models>()), ...);
  }

  const ModelEntry* Find(std::string_view name) const;
  void Add(const SystemImporter& importer) { importers_.push_back(importer); }
  /// Null: files of this extension are system files.
  const SystemImporter* FindImporter(std::string_view extension) const;
  /// Makes a domain known to models written in XML, which bring kStandardDomains along. It must outlive the
  /// registry. One of the same name is replaced.
  void AddDomain(const Domain& domain);
  /// In the order they were added.
  const std::vector<const Domain*>& domains() const { return domains_; }
  /// Gives a model a default chart; both texts must outlive the registry. Pre: there is such a model.
  void SetChart(std::string_view model, std::string_view text, std::string_view file);
  /// Sorted by name.
  std::vector<const ModelEntry*> entries() const;
  std::vector<std::string> names() const;

 private:
  void AddEntry(const ModelEntry& entry);

  template <class Entered>
  static ModelEntry MakeEntry() {
    static_assert(std::is_base_of_v<Component, Entered>);
    ModelEntry entry;
    entry.info = &Entered::kInfo;
    entry.size = sizeof(Entered);
    entry.alignment = alignof(Entered);
    entry.construct = [](void* place) -> Component* { return new (place) Entered; };
    entry.stands_in_systems = requires { typename Entered::StandsInSystems; };
    entry.is_operator = requires { typename Entered::OperatorBase; };
    entry.holds_operators = requires { typename Entered::HoldsOperators; };
    entry.holds_components = requires { typename Entered::HoldsComponents; };
    entry.is_stepped_by_another = requires { typename Entered::SteppedByAnother; };
    if constexpr (requires { Entered::kValuesShareUnit; })
      entry.values_share_unit = Entered::kValuesShareUnit;
    if constexpr (requires { typename Entered::SimulationBase; }) {
      using Base = typename Entered::SimulationBase;
      using Evaluation = void (Base::*)(double);
      if constexpr (!std::is_same_v<decltype(&Entered::EvaluateEfforts), Evaluation>) {
        entry.evaluate_efforts = [](Component* const* components, std::size_t count, double t) {
          for (std::size_t i = 0; i < count; ++i)
            static_cast<Entered*>(components[i])->Entered::EvaluateEfforts(t);
        };
      }
      if constexpr (!std::is_same_v<decltype(&Entered::EvaluateDiffEquations), Evaluation>) {
        entry.evaluate_flows = [](Component* const* components, std::size_t count, double t) {
          for (std::size_t i = 0; i < count; ++i)
            static_cast<Entered*>(components[i])->Entered::EvaluateDiffEquations(t);
        };
      }
      if constexpr (!std::is_same_v<decltype(&Entered::EvaluateAlgebraicEquations), Evaluation>) {
        entry.evaluate_algebraic = [](Component* const* components, std::size_t count, double t) {
          for (std::size_t i = 0; i < count; ++i)
            static_cast<Entered*>(components[i])->Entered::EvaluateAlgebraicEquations(t);
        };
      }
      if constexpr (EvaluatesIndependentFlows<Entered>)
        entry.evaluate_independent_flows = &Entered::EvaluateIndependentFlows;
      if constexpr (EvaluatesBatches<Entered>) {
        entry.evaluate_efforts = &Entered::EvaluateEffortsOf;
        entry.evaluate_flows = &Entered::EvaluateDiffEquationsOf;
        entry.has_efforts = &Entered::HasEfforts;
        entry.kind_of_batch = &Entered::KindOfBatch;
        entry.prepare_batch = &Entered::PrepareBatch;
      }
      entry.simulate_one_timestep = [](Component* const* components, std::size_t count, double t) {
        for (std::size_t i = 0; i < count; ++i)
          static_cast<Entered*>(components[i])->Entered::SimulateOneTimestep(t);
      };
      entry.has_own_timestep = !std::is_same_v<decltype(&Entered::SimulateOneTimestep), Evaluation>;
      entry.is_tlm = requires { typename Entered::TlmBase; };
      entry.has_pre_integrate = !std::is_same_v<decltype(&Entered::PreIntegrate), void (Base::*)()>;
      entry.has_post_integrate = !std::is_same_v<decltype(&Entered::PostIntegrate), void (Base::*)()>;
      if constexpr (requires { Entered::kPostIntegratesWhenAsked; })
        entry.post_integrates_when_asked = Entered::kPostIntegratesWhenAsked;
      if constexpr (requires { Entered::kHasHooksInFixedSteps; })
        entry.has_hooks_in_fixed_steps = Entered::kHasHooksInFixedSteps;
      entry.has_process = !std::is_same_v<decltype(&Entered::Process), void (Base::*)()>;
      entry.has_partials =
          !std::is_same_v<decltype(&Entered::WritePartials), bool (Base::*)(PartialDerivatives&) const>;
      entry.has_break_times =
          !std::is_same_v<decltype(&Entered::NextBreakTime), double (Base::*)(double) const>;
    }
    return entry;
  }

  std::map<std::string, ModelEntry, std::less<>> entries_;
  std::vector<const Domain*> domains_;
  std::vector<SystemImporter> importers_;
};

/// Whether `component` contains components, as in a system or sub-system, rather than items of a model.
bool IsContainer(const Component& component);
/// Whether a component is a part of the run, such as SimulatorManager, and not of the machine.
bool IsSettingOfRun(const Component& component);

}  // namespace davit
