#include "components/hydraulic/laws/solve_orifices.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "components/hydraulic/laws/orifice_law.h"

namespace davit {
namespace {

using PortValues = std::array<double, kMostPorts>;
using OrificeValues = std::array<double, kMostOrifices>;

bool HasLeak(const OrificeBetweenPorts& orifice) {
  return orifice.leak != nullptr && orifice.leak->is_present();
}
double LeakConductance(const OrificeBetweenPorts& orifice) {
  return orifice.leak != nullptr ? orifice.leak->conductance() : 0;
}
bool IsOpen(const OrificeBetweenPorts& orifice) { return orifice.K > 0 || HasLeak(orifice); }

FlowAndSlope LawAt(const OrificeBetweenPorts& orifice, double dp) {
  const FlowAndSlope flow =
      orifice.law != nullptr ? orifice.law->FlowWithSlope(orifice.K, dp) : OrificeFlowAndSlope(orifice.K, dp);
  if (!HasLeak(orifice)) return flow;
  const FlowAndSlope past = orifice.leak->FlowWithSlope(dp);
  return {flow.q + past.q, flow.slope + past.slope};
}

/// q/dp [m3/s/Pa], roughly, of an orifice that is alone between waves with the difference dc.
double RoughConductance(const OrificeBetweenPorts& orifice, double dc, double Zs) {
  const double G = LeakConductance(orifice);
  if (!(orifice.K > 0)) return G;
  const double K = orifice.K;
  if (orifice.law == nullptr) return K / OrificeRootEstimate(K * Zs, dc) + G;
  const double q = std::abs(orifice.law->Flow(K, dc, Zs));
  return 1 / (orifice.law->LaminarResistance(K) + q / (K * K)) + G;
}

/// The flow of an orifice that is alone between waves.
double FlowAlone(const OrificeBetweenPorts& orifice, double dc, double Zs) {
  const double G = LeakConductance(orifice);
  if (!(orifice.K > 0) && orifice.leak->IsLaminar(dc / (1 + G * Zs))) return G * dc / (1 + G * Zs);
  if (G > 0) return SolveRestriction(dc, Zs, [&](double dp) { return LawAt(orifice, dp); });
  return orifice.law != nullptr ? orifice.law->Flow(orifice.K, dc, Zs) : OrificeFlow(orifice.K, dc, Zs);
}

/// The orifices that are solved together.
///
/// Unknown are the rises u = p - c of the ports with Zc > 0, which minimize the convex function
///   Psi(u) = sum u_i^2/(2*Zc_i) + sum over orifices of the integral of Law over dp.
/// Pressure differences are carried along instead of being formed from pressures: they may be smaller by many
/// orders.
class CoupledOrifices {
 public:
  CoupledOrifices(std::span<const HydraulicBond> bonds, std::span<OrificeBetweenPorts> orifices)
      : bonds_(bonds), orifices_(orifices) {
    for (std::size_t i = 0; i < bonds.size(); ++i) admittance_[i] = bonds[i].Zc > 0 ? 1 / bonds[i].Zc : 0;
    for (std::size_t e = 0; e < orifices.size(); ++e)
      dp_[e] = bonds[orifices[e].from].c - bonds[orifices[e].to].c;
  }

  bool Solve() {
    constexpr int kMostIterations = 60;
    // The error after an iteration is about the square of its change.
    constexpr double kTolerance = 1e-9;
    Begin();
    for (int iteration = 0; iteration < kMostIterations; ++iteration) {
      ComputeStep();
      const double descent = Descent();
      if (!std::isfinite(descent)) return false;
      if (IsStepBelow(kTolerance)) {
        for (std::size_t e = 0; e < orifices_.size(); ++e)
          orifices_[e].q = flow_[e].q + flow_[e].slope * dp_step_[e];
        return true;
      }
      Advance(descent);
    }
    return false;
  }

 private:
  bool IsFree(std::size_t i) const { return admittance_[i] > 0; }

  /// Moves to where the pressures would be if each orifice were linear, with q/dp as if it were alone.
  void Begin() {
    Evaluate(0);
    for (std::size_t e = 0; e < orifices_.size(); ++e) {
      const OrificeBetweenPorts& orifice = orifices_[e];
      if (!IsOpen(orifice)) continue;
      const double Zs = bonds_[orifice.from].Zc + bonds_[orifice.to].Zc;
      flow_[e].slope = RoughConductance(orifice, dp_[e], Zs);
      unbalanced_[orifice.from] += flow_[e].q - flow_[e].slope * dp_[e];
      unbalanced_[orifice.to] -= flow_[e].q - flow_[e].slope * dp_[e];
    }
    ComputeStep();
    Move(1);
    Evaluate(0);
  }

  /// Flows, slopes and the unbalanced flow of each port, -dPsi/du, at `share` of the step.
  void Evaluate(double share) {
    for (std::size_t i = 0; i < bonds_.size(); ++i)
      unbalanced_[i] = -(u_[i] + share * step_[i]) * admittance_[i];
    for (std::size_t e = 0; e < orifices_.size(); ++e) {
      const OrificeBetweenPorts& orifice = orifices_[e];
      if (!IsOpen(orifice)) continue;
      flow_[e] = LawAt(orifice, dp_[e] + share * dp_step_[e]);
      unbalanced_[orifice.from] -= flow_[e].q;
      unbalanced_[orifice.to] += flow_[e].q;
    }
  }

  /// How Psi falls along the step.
  double Descent() const {
    double sum = 0;
    for (std::size_t i = 0; i < bonds_.size(); ++i) sum += unbalanced_[i] * step_[i];
    return sum;
  }

  /// The Newton step: the rises that the unbalanced flows cause in a network of the present slopes. Port
  /// after port is replaced by conductances between its neighbours (star-mesh transform); nothing is
  /// subtracted, so no digits are lost however different slopes and impedances are.
  void ComputeStep() {
    PortValues to_fixed = admittance_;
    std::array<PortValues, kMostPorts> between{};
    for (std::size_t e = 0; e < orifices_.size(); ++e) {
      const std::size_t i = orifices_[e].from;
      const std::size_t j = orifices_[e].to;
      const double slope = flow_[e].slope;
      if (IsFree(i) && IsFree(j)) {
        between[i][j] += slope;
        between[j][i] += slope;
      } else {
        to_fixed[i] += slope;
        to_fixed[j] += slope;
      }
    }
    const std::size_t n = bonds_.size();
    PortValues flow = unbalanced_;
    PortValues total{};
    for (std::size_t k = 0; k < n; ++k) {
      if (!IsFree(k)) continue;
      total[k] = to_fixed[k];
      for (std::size_t j = k + 1; j < n; ++j) total[k] += between[k][j];
      for (std::size_t i = k + 1; i < n; ++i) {
        const double share = between[k][i] / total[k];
        flow[i] += share * flow[k];
        to_fixed[i] += share * to_fixed[k];
        for (std::size_t j = k + 1; j < n; ++j) between[i][j] += share * between[k][j];
      }
    }
    for (std::size_t k = n; k-- > 0;) {
      if (!IsFree(k)) continue;
      double sum = flow[k];
      for (std::size_t j = k + 1; j < n; ++j) sum += between[k][j] * step_[j];
      step_[k] = sum / total[k];
    }
    for (std::size_t e = 0; e < orifices_.size(); ++e)
      dp_step_[e] = step_[orifices_[e].from] - step_[orifices_[e].to];
  }

  bool IsStepBelow(double tolerance) const {
    for (std::size_t i = 0; i < bonds_.size(); ++i)
      if (std::abs(step_[i]) > tolerance * (std::abs(u_[i]) + kOrificeLinearPressure)) return false;
    for (std::size_t e = 0; e < orifices_.size(); ++e)
      if (std::abs(dp_step_[e]) > tolerance * (std::abs(dp_[e]) + kOrificeLinearPressure)) return false;
    return true;
  }

  /// Takes the step, or the share of it that does not leave the minimum far behind.
  void Advance(double descent) {
    double share = 1;
    Evaluate(share);
    for (double left = Descent(); left < -descent / 2; left = Descent()) {
      share *= std::max(0.1, descent / (descent - left));
      Evaluate(share);
    }
    Move(share);
  }
  void Move(double share) {
    for (std::size_t i = 0; i < bonds_.size(); ++i) u_[i] += share * step_[i];
    for (std::size_t e = 0; e < orifices_.size(); ++e) dp_[e] += share * dp_step_[e];
  }

  std::span<const HydraulicBond> bonds_;
  std::span<OrificeBetweenPorts> orifices_;
  PortValues admittance_{};
  PortValues u_{};
  PortValues unbalanced_{};
  PortValues step_{};
  OrificeValues dp_{};
  OrificeValues dp_step_{};
  std::array<FlowAndSlope, kMostOrifices> flow_{};
};

/// Whether two open orifices meet at a port with Zc > 0.
bool AreCoupled(std::span<const HydraulicBond> bonds, std::span<const OrificeBetweenPorts> orifices) {
  std::array<int, kMostPorts> meeting{};
  for (const OrificeBetweenPorts& orifice : orifices) {
    if (!IsOpen(orifice)) continue;
    ++meeting[orifice.from];
    ++meeting[orifice.to];
  }
  for (std::size_t i = 0; i < bonds.size(); ++i)
    if (meeting[i] > 1 && bonds[i].Zc > 0) return true;
  return false;
}

/// SolveOrifices without p_min.
bool SolveWaves(std::span<const HydraulicBond> bonds, std::span<OrificeBetweenPorts> orifices) {
  if (AreCoupled(bonds, orifices)) return CoupledOrifices(bonds, orifices).Solve();
  for (OrificeBetweenPorts& orifice : orifices) {
    const HydraulicBond& from = bonds[orifice.from];
    const HydraulicBond& to = bonds[orifice.to];
    orifice.q = IsOpen(orifice) ? FlowAlone(orifice, from.c - to.c, from.Zc + to.Zc) : 0;
  }
  return true;
}

/// Marks the ports as cavitating whose pressure would be below p_min, and the others not. Returns whether
/// that changed any.
bool MarkCavitating(std::span<const HydraulicBond> bonds, std::span<const OrificeBetweenPorts> orifices,
                    std::span<HydraulicBond> ends) {
  PortValues inflow{};
  for (const OrificeBetweenPorts& orifice : orifices) {
    inflow[orifice.from] -= orifice.q;
    inflow[orifice.to] += orifice.q;
  }
  bool has_changed = false;
  for (std::size_t i = 0; i < bonds.size(); ++i) {
    const HydraulicBond& bond = bonds[i];
    if (!(bond.Zc > 0)) continue;
    const bool is_cavitating = bond.c + bond.Zc * inflow[i] < bond.p_min;
    has_changed = has_changed || is_cavitating != (ends[i].Zc == 0);
    ends[i].c = is_cavitating ? bond.p_min : bond.c;
    ends[i].Zc = is_cavitating ? 0 : bond.Zc;
  }
  return has_changed;
}

}  // namespace

bool SolveOrifices(std::span<const HydraulicBond> bonds, std::span<OrificeBetweenPorts> orifices) {
  assert(bonds.size() <= kMostPorts && orifices.size() <= kMostOrifices);
  std::array<HydraulicBond, kMostPorts> copies;
  const std::span<HydraulicBond> ends(copies.data(), bonds.size());
  std::copy(bonds.begin(), bonds.end(), ends.begin());
  // Cavitating or not, that is at most one choice for each of the 2^n sets of ports.
  for (int choice = 0; choice < 1 << kMostPorts; ++choice) {
    if (!SolveWaves(ends, orifices)) return false;
    if (!MarkCavitating(bonds, orifices, ends)) break;
  }
  return true;
}

}  // namespace davit
