#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "framework/tree/item_element.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/step_point_hooks.h"

namespace davit {

/// Base of models whose items and equations are written in the system file. docs/no-code.md describes the
/// elements.
///
/// All expressions are compiled while the file is read, and sorted by what they read: those of parameters
/// alone are evaluated when a parameter changes; what ports show early, and outputs that follow from states
/// and time, in EvaluateEfforts; the rest in EvaluateDiffEquations. An evaluation allocates nothing.
///
/// Components of equal equations that an island evaluates as one batch have their values side by side in an
/// EquationBlock, and are evaluated together. Each has the bits it would have alone.
class EquationComponent : public DynamicSimComponent, public StepPointHooks, public ItemTaker {
 public:
  ~EquationComponent() override;

  void TakeItems(std::vector<ItemElement> items, const UnitSystem& units, const Registry& registry,
                 Diagnostics& diagnostics) override;
  const std::vector<ItemElement>& items() const override;

  void ParametersChanged() override;
  void Reset() override;
  void ArchiveMemory(Archive& archive) override;
  /// Ends the run where an expression has no finite value.
  void PostIntegrate() override;
  StepPointUse step_point_use() const override { return StepPointUse::kLook; }
  void EvaluateEfforts(double t) override;
  void EvaluateDiffEquations(double t) override;

  // A model that EvaluatesBatches.
  static void EvaluateEffortsOf(Component* const* components, std::size_t count, double t);
  static void EvaluateDiffEquationsOf(Component* const* components, std::size_t count, double t);
  static bool HasEfforts(const Component& component);
  static std::size_t KindOfBatch(const Component& component);
  static void PrepareBatch(Component* const* components, std::size_t count);
  /// How many components are evaluated together with this one, itself included.
  std::size_t lanes() const;

 protected:
  EquationComponent();

 private:
  friend class EquationBlock;
  friend class EquationReader;
  struct Equations;

  static void EvaluateOf(std::size_t step, Component* const* components, std::size_t count, double t);

  std::unique_ptr<Equations> equations_;
};

}  // namespace davit
