#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "framework/item_element.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Base of models whose items and equations stand in the system file. What elements there are is told in
/// docs/no-code.md.
///
/// All expressions are compiled while the file is read, and sorted by what they read: those of parameters
/// alone are evaluated when a parameter changes; what ports show early, and outputs that follow from states
/// and time, in EvaluateEfforts; the rest in EvaluateDiffEquations. An evaluation takes no memory.
class EquationComponent : public DynamicSimComponent, public ItemTaker {
 public:
  ~EquationComponent() override;

  void TakeItems(std::vector<ItemElement> items, const UnitSystem& units, Diagnostics& diagnostics) override;
  const std::vector<ItemElement>& items() const override;

  void ParametersChanged() override;
  void Reset() override;
  void ArchiveMemory(Archive& archive) override;
  /// Ends the run where an expression has no finite value.
  void PostIntegrate() override;
  void EvaluateEfforts(double t) override {
    if (has_early_) Evaluate(Phase::kEarly, t);
  }
  void EvaluateDiffEquations(double t) override {
    if (has_late_) Evaluate(Phase::kLate, t);
  }

 protected:
  EquationComponent();

 private:
  friend class EquationReader;
  struct Equations;
  enum class Phase : std::uint8_t { kEarly, kLate };

  void Evaluate(Phase phase, double t);

  std::unique_ptr<Equations> equations_;
  bool has_early_ = false;  ///< whether there is something to do in EvaluateEfforts
  bool has_late_ = false;
};

}  // namespace davit
