#pragma once

#include <memory>
#include <vector>

#include "framework/system.h"
#include "simulator/building_blocks/compensated_sum.h"

namespace davit {

/// Energy balance of a passive network of fixed-step (TLM) components.
///
/// The power at a port is effort times flow at the step point, worth one TimeStep h. With that, every model
/// below has a store of energy of which nothing is lost but what is listed beside it, exactly, however large
/// h is (al = filter, ' = one step ago, sums over the n ports):
///
///   Line, no friction   h/(4 Zc) sum(w^2) over the waves w on their way. Where it reads between two steps,
///                       y = (1 - f) w1 + f w2, it loses h/(4 Zc) f (1 - f) (w1 - w2)^2
///   VolumeC             V P^2/(2 beta) + h/(4 Zc (1 - al)) sum(d^2),  d = c - P
///                       it loses h al Zc n mean(q)^2 + h al/Zc sum((d + Zc (q - mean(q)))^2)
///   SpringC, undamped   (F + k h s/2)^2/(2 k) + h al Zk s^2/4 + h/(2 Zk (1 - al)) e^2
///                       with Zk = k h/(1 - al), s = v_a + v_b, r = v_a - v_b, e = (c_a - c_b)/2
///                       it loses h al Zk (s - s')^2/4 + 2 h al/Zk (e + Zk r/2)^2
///   Mass                m/2 (v + h/2 a)^2;  it loses h B v^2
///   Orifice             nothing;  it loses h (p_a - p_b) q
///
/// Sources of flow, velocity and pressure supply energy, tanks too. The constructor refuses other models
/// with ports by std::invalid_argument. Nothing may reach its limits: no stops, no cavitation.
class EnergyAudit {
 public:
  /// After SimulatorManager::Initialize. `system` must outlive the audit.
  EnergyAudit(System& system, double h);
  ~EnergyAudit();
  EnergyAudit(const EnergyAudit&) = delete;
  EnergyAudit& operator=(const EnergyAudit&) = delete;

  /// After each SimulatorManager::Step.
  void Observe();

  /// What was in the network before the ports of the present step point did their work [J].
  double stored() const { return stored_; }
  /// What rounding may change of `stored` and `closure` in one step [J], at most. Each step rounds what the
  /// stores are told from (positions, waves, quantities) some ten times, u = 1.1e-16 of it each: of a store
  /// E, 20 u E. What tells a spring or a mass is a sum that may cancel: x_a + x_b + h s/2, v + h a/2. An
  /// error u of its terms changes E by 2 u sqrt(E G), where G is E with the terms' absolute values.
  double rounding_of_step() const { return rounding_of_step_; }
  /// stored + dissipated + lost - supplied, less what was stored first [J], at the same moment: 0.
  double closure() const { return closure_; }

  // From the first Observe to the last one [J].
  double supplied() const { return flows_.supplied.value(); }
  /// Absolute values of what the sources supplied or took.
  double turnover() const { return flows_.turnover.value(); }
  double dissipated() const { return flows_.dissipated.value(); }
  /// In lines whose delay is no whole number of steps.
  double lost_between_steps() const { return flows_.lost_between_steps.value(); }
  /// In the filters of volumes and springs.
  double lost_in_filters() const { return flows_.lost_in_filters.value(); }

  struct Flows {
    building_blocks::CompensatedSum supplied, turnover, dissipated, lost_between_steps, lost_in_filters;
  };
  class Account;

 private:
  std::vector<std::unique_ptr<Account>> accounts_;
  Flows flows_;
  bool has_begun_ = false;
  double first_ = 0;
  double stored_ = 0;
  double closure_ = 0;
  double gross_ = 0;  ///< the most of sum(G)
  double rounding_of_step_ = 0;
};

}  // namespace davit
