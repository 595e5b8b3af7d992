#pragma once

#include "components/mechanical/spring_waves.h"
#include "framework/archive.h"
#include "simulator/energy_account.h"
#include "simulator/tlm_component.h"

namespace davit {

/// A linear spring with a damper in parallel in the domain of the bond B as a TLM component (wave variables):
/// its effort rises with the sum of the `displacement` of both ends, whose rate is `flow`.
template <class B, double B::*displacement, double B::*flow>
class ElasticC : public TlmComponent, public EnergyAccount {
 public:
  void ParametersChanged() override { UpdateWaves(); }
  void Reset() override {
    TlmComponent::Reset();
    UpdateWaves();
  }
  void InitializeWaves() override { Offer(waves_.Start(Effort(), Velocities()), Velocities()); }
  bool SettleWaves() override {
    InitializeWaves();
    return true;
  }
  void RestartWaves(bool has_moved) override {
    if (has_moved) InitializeWaves();
  }
  void SimulateOneTimestep(double /*t*/) override {
    const SpringWaves::Ends v = Velocities();
    Offer(waves_.Advance(Effort(), v), v);
  }
  void ArchiveMemory(Archive& archive) override { archive(waves_); }
  void AccountEnergy(EnergyTerms& terms) const override {
    const SpringWaves::Ends v = Velocities();
    const double deformation = Deformation(), s = v.a + v.b, r = v.a - v.b;
    const double in_ports = (a->c + a->Zc * v.a) * v.a + (b->c + b->Zc * v.b) * v.b;
    const double in_waves = waves_.DifferenceForce(v) * r, filtered = waves_.DifferenceLoss(v);
    terms.Stored("spring", (stiffness * deformation / 2 + preload) * deformation);
    terms.Stored("waves", stiffness * h() * h() / 8 * s * s + waves_.DifferenceEnergy(h()) +
                              h() / 2 * (in_waves - filtered));
    terms.Lost("damping", in_ports - Effort() * s - in_waves + filtered);
  }

 protected:
  /// What the domain calls the stiffness, the preload and the effort.
  struct Names {
    Text stiffness_unit, stiffness_text;
    Text stiffness_formerly = {};
    Text preload_text;
    Text effort, effort_text;
  };
  explicit ElasticC(const Names& names)
      : stiffness{this, "stiffness", names.stiffness_unit, names.stiffness_text,
                  Number{.value = 1000.0, .range = kNonNegative, .formerly = names.stiffness_formerly}},
        preload{this, "preload", kUnit, names.preload_text, 0.0},
        effort{this, names.effort, kUnit, names.effort_text} {}

 private:
  static constexpr Text kUnit = Text::Static(B::kDomain.effort.unit);

  SpringWaves::Ends Velocities() const { return {(*a).*flow, (*b).*flow}; }
  /// Of the spring without the damper.
  double Effort() const { return stiffness * Deformation() + preload; }
  double Deformation() const { return (*a).*displacement + (*b).*displacement; }
  void UpdateWaves() { waves_.Set(stiffness, damping, filter, h(), Velocities()); }
  void Offer(SpringWaves::Ends c, SpringWaves::Ends v) {
    a->c = c.a;
    b->c = c.b;
    a->Zc = b->Zc = waves_.Zc();
    effort = (c.a + c.b + waves_.Zc() * (v.a + v.b)) / 2;
  }

  Port<B> a{this, "a", Role::kC, "One end"};
  Port<B> b{this, "b", Role::kC, "Other end"};
  Parameter stiffness, preload;
  Parameter damping{this, "damping",   Text::Static(B::kDomain.impedance_unit), "Damping coefficient",
                    0.0,  kNonNegative};
  Parameter filter{this, "filter", "", "Damping of the ringing of the waves; 0: none",
                   Number{.value = 0.1, .range = Range{.low = 0, .high = 1, .high_open = true}}};
  Output effort;

  SpringWaves waves_;
};

}  // namespace davit
