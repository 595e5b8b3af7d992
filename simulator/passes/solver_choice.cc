#include "simulator/passes/solver_choice.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "simulator/passes/component_traits.h"

namespace davit {
namespace {

class SolverChooser {
 public:
  SolverChooser(const SystemIndex& index, Diagnostics& diagnostics)
      : index_(index), diagnostics_(diagnostics) {}

  SolverTypes Choose() {
    for (std::uint32_t i = 0; i < index_.size(); ++i) {
      CheckRequest(i);
      solvers_.push_back(SolverInUse(index_.component(i), SolverOf(i)));
    }
    for (std::uint32_t i = 0; i < index_.size(); ++i) {
      if (IsSourceOfTlm(i)) solvers_[i] = SolverInUse(index_.component(i), SolverType::kTlm);
    }
    return std::move(solvers_);
  }

 private:
  bool IsTlmModel(std::uint32_t i) const { return index_.component(i).entry().is_tlm; }
  SolverType Requested(std::uint32_t i) const { return index_.component(i).requested_solver(); }

  /// The solver of a component, without a look at which neighbours are Tlm.
  SolverType SolverOf(std::uint32_t i) const {
    if (IsTlmModel(i)) return SolverType::kTlm;
    if (Requested(i) == SolverType::kAlgebraic || index_.component(i).is_algebraic_model()) {
      return SolverType::kAlgebraic;
    }
    return IsBetweenDelays(i) ? SolverType::kTlm : SolverType::kDifferential;
  }

  /// Reports an attribute `solver` that the component cannot have.
  void CheckRequest(std::uint32_t i) const {
    const DynamicSimComponent& component = index_.component(i);
    const SolverType requested = Requested(i);
    const std::string name(component.model().name);
    if (component.entry().is_tlm) {
      if (requested == SolverType::kAlgebraic || requested == SolverType::kDifferential) {
        Refuse(i,
               "a " + name + " supports fixed-step (TLM) integration only; leave out the attribute 'solver'");
      }
    } else if (requested == SolverType::kAlgebraic || component.is_algebraic_model()) {
      CheckAlgebraic(i, name);
    } else if (requested == SolverType::kTlm && HasRole(component, Role::kQ) && !NeighboursAreDelayed(i)) {
      Refuse(i,
             "solver Tlm needs a transmission delay at every port; connect each port to a TLM component such "
             "as hydraulic.Line, hydraulic.VolumeC or mechanical.SpringC, or leave out the "
             "attribute 'solver'");
    }
  }

  void CheckAlgebraic(std::uint32_t i, const std::string& name) const {
    const DynamicSimComponent& component = index_.component(i);
    const SolverType requested = Requested(i);
    if (requested != SolverType::kAlgebraic && requested != SolverType::kAutomatic) {
      Refuse(i,
             "a " + name + " has algebraic variables; leave out the attribute 'solver', or write Algebraic");
    }
    if (component.is_algebraic_model() && component.entry().evaluate_algebraic == nullptr) {
      Refuse(i, "a " + name +
                    " has algebraic variables but no EvaluateAlgebraicEquations, which must write their "
                    "residuals");
    }
  }

  bool NeighboursAreDelayed(std::uint32_t i) const {
    const auto& connections = index_.ConnectionsOf(i);
    return std::all_of(connections.begin(), connections.end(), [&](std::uint32_t c) {
      const Component& partner = index_.component(index_.Partner(c, i));
      return partner.entry().is_tlm || IsConstant(partner) || IsSource(partner);
    });
  }

  /// A lone Q component that can take fixed steps and has at least one true delay beside it.
  bool IsBetweenDelays(std::uint32_t i) const {
    const DynamicSimComponent& component = index_.component(i);
    if (Requested(i) != SolverType::kAutomatic || !index_.HasPorts(i)) return false;
    const auto& connections = index_.ConnectionsOf(i);
    const bool offers_effort = std::any_of(connections.begin(), connections.end(),
                                           [&](std::uint32_t c) { return index_.CSide(c) == i; });
    if (offers_effort || (!component.entry().has_own_timestep && HasStates(component))) return false;
    const bool has_delay = std::any_of(connections.begin(), connections.end(),
                                       [&](std::uint32_t c) { return IsTlmModel(index_.Partner(c, i)); });
    return has_delay && NeighboursAreDelayed(i);
  }

  /// A source whose efforts change and whose neighbours are all Tlm.
  bool IsSourceOfTlm(std::uint32_t i) const {
    const Component& component = index_.component(i);
    const bool is_open = solvers_[i] == SolverType::kDifferential;
    if (!is_open || !index_.HasPorts(i) || !IsSource(component) || IsConstant(component)) return false;
    const auto& connections = index_.ConnectionsOf(i);
    return !connections.empty() && std::all_of(connections.begin(), connections.end(), [&](std::uint32_t c) {
      return solvers_[index_.Partner(c, i)] == SolverType::kTlm;
    });
  }

  void Refuse(std::uint32_t i, std::string_view text) const { index_.Refuse(i, text, diagnostics_); }

  const SystemIndex& index_;
  Diagnostics& diagnostics_;
  SolverTypes solvers_;
};

}  // namespace

SolverTypes ChooseSolvers(const SystemIndex& index, Diagnostics& diagnostics) {
  return SolverChooser(index, diagnostics).Choose();
}

SolverType SolverInUse(const DynamicSimComponent& component, SolverType chosen) {
  const SolverType requested = component.requested_solver();
  return requested == SolverType::kAutomatic ? chosen : requested;
}

}  // namespace davit
