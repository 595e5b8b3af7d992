#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "framework/domain.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy/power_quadrature.h"
#include "simulator/energy_account.h"
#include "simulator/solution_watch.h"

namespace davit {

/// Power [W] that flows into the C side of a bond: effort times flow, but for compressed air its
/// available power.
double PowerInto(const Domain& domain, Bond& bond);

/// A term of a component over a run.
struct MeteredTerm {
  EnergyTerms::Kind kind;
  std::string_view name;
  double in = 0;               ///< of powers: integral of the positive part [J]
  double out = 0;              ///< the same of the negative part, positive [J]
  double start = 0;            ///< of kStored [J]
  double least = 0, most = 0;  ///< of kStored, at the ends of all pieces [J]
  double now = 0;              ///< as of the last look [W] or [J]
  double before = 0;           ///< as of the one before
  std::size_t place = 0;       ///< among the powers of its meter

  void StartRange() { least = most = now; }
  void WidenRange() {
    least = std::min(least, now);
    most = std::max(most, now);
  }
};

/// One component over a run.
struct MeteredComponent {
  struct End {
    Bond* bond;
    const Domain* domain;
    double sign;            ///< +1 for a C port
    double power = 0;       ///< into the component, as of the last look [W]
    std::size_t place = 0;  ///< among the powers of its meter
  };
  const DynamicSimComponent* component = nullptr;
  const EnergyAccount* account = nullptr;  ///< null: it has none, or another meter reads it
  std::vector<End> ends = {};
  std::vector<MeteredTerm> terms = {};
  bool is_partial = false;  ///< something is missing in its account
  double port = 0;          ///< energy that has come in through its ports [J]
  double port_size = 0;     ///< integral of the magnitudes at its ports [J]
  double continuous = 0;    ///< rise of what is stored, but for jumps [J]
  double jumps = 0;         ///< rise of what is stored at events, writes and switches [J]
  double stored = 0;        ///< as of the last look [J]
  double stored_end = 0;    ///< at the end of the last piece [J]
  double port_now = 0, port_before = 0, size_now = 0, size_before = 0;

  /// Those of the last look, too.
  double all_jumps() const { return jumps + (stored - stored_end); }
};

/// Integrates the powers of components that are advanced together.
///
/// What an island does is integrated over pieces on which its solution is smooth, each power to a tolerance
/// of its own (PowerQuadrature): the error of that is far below that of the solution. Energies are read at
/// both ends of a piece, so that what remains of a balance is the error of the run. Fixed-step components
/// have values at step points only: the trapezoidal rule, as their steps.
class EnergyMeter final : public SolutionWatch {
 public:
  void Add(MeteredComponent component);
  /// Forgets all energies: the run begins.
  void Begin();
  bool is_empty() const { return components_.empty(); }
  const std::vector<MeteredComponent>& components() const { return components_; }

  void OnPiece(double begin, double end, bool starts_anew, const std::function<void(double)>& show) override;
  /// Of an island, at a step point: the values that hold there, after all that has jumped since the last
  /// piece. Everything is evaluated.
  void LookNow();
  /// Of fixed-step components: everything is evaluated at the start, and at the next step point.
  void StartAt(double t);
  void StepTo(double t);

 private:
  void Look();
  /// As of the last look.
  PowerQuadrature::Powers CopyPowers() const;
  void AddEnergies(const PowerQuadrature::Powers& powers, double weight);
  /// Before a piece at `begin` of the length `h`, from what has passed so far.
  PowerQuadrature::Scale ScaleOf(double begin, double h) const;
  MeteredTerm& TermOf(MeteredComponent& one, const EnergyTerms::Term& term);

  std::vector<MeteredComponent> components_;
  EnergyTerms terms_;
  PowerQuadrature quadrature_;
  std::size_t power_count_ = 0;
  bool has_begun_ = false;
  double t_ = 0;
  double begin_ = 0;  ///< of the first piece
};

}  // namespace davit
