#pragma once

#include "components/mechanical/spring_waves.h"
#include "framework/archive.h"
#include "simulator/tlm_component.h"

namespace davit {

/// Linear spring with a damper in parallel, TLM variant (wave variables).
class SpringC final : public TlmComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.SpringC",
      .text = "Linear spring, TLM variant (wave variables) with a delay of one TimeStep",
      .equations = R"(
F = stiffness*(x_a + x_b) + preload + damping*(v_a + v_b)
F is positive in compression; x and v are positive into the spring.
Waves, h = TimeStep, ' = one step ago, s = v_a + v_b:
  Zk = stiffness*h/(1 - filter),  Zc = Zk + damping
  c_a = m + e + damping*v_b',  c_b = m - e + damping*v_a'
  m = stiffness*(x_a' + x_b') + preload + Zk/2*(1 - 2*filter)*s'
  e = -(1 - 2*filter)*e' - stiffness*h*(v_a' - v_b')
The stiffness is exact for slow motion, and the spring never gives more energy than it took. With
filter = 0 it is a line without losses; a filter above 0 takes energy from motions of a few steps
only. Of second order in h, with damping of first (where both ends move).
Carried along, both ends together are as heavy as stiffness*h^2/(1 - filter)^2 + 2*damping*h.
)",
  };

  void ParametersChanged() override { UpdateWaves(); }
  void Reset() override {
    TlmComponent::Reset();
    UpdateWaves();
  }
  void InitializeWaves() override { Offer(waves_.Start(Force(), Velocities()), Velocities()); }
  bool SettleWaves() override {
    InitializeWaves();
    return true;
  }
  void RestartWaves(bool has_moved) override {
    if (has_moved) InitializeWaves();
  }

  void SimulateOneTimestep(double /*t*/) override {
    const SpringWaves::Ends v = Velocities();
    Offer(waves_.Advance(Force(), v), v);
  }
  void ArchiveMemory(Archive& archive) override { archive(waves_); }

 private:
  SpringWaves::Ends Velocities() const { return {a->v, b->v}; }
  /// Of the spring alone.
  double Force() const { return stiffness * (a->x + b->x) + preload; }
  void UpdateWaves() { waves_.Set(stiffness, damping, filter, h(), Velocities()); }
  void Offer(SpringWaves::Ends c, SpringWaves::Ends v) {
    a->c = c.a;
    b->c = c.b;
    a->Zc = b->Zc = waves_.Zc();
    force = (c.a + c.b + waves_.Zc() * (v.a + v.b)) / 2;
  }

  TranslationalPort a{this, "a", Role::kC, "One end"};
  TranslationalPort b{this, "b", Role::kC, "Other end"};
  Parameter stiffness{this, "stiffness", "N/m", "Stiffness",
                      Number{.value = 1000.0, .range = kNonNegative, .formerly = "rate"}};
  Parameter preload{this, "preload", "N", "Force at x_a + x_b = 0, positive in compression", 0.0};
  Parameter damping{this, "damping", "N.s/m", "Damping coefficient", 0.0, kNonNegative};
  Parameter filter{this, "filter", "", "How much the ringing of the waves is damped; 0: not at all",
                   Number{.value = 0.1, .range = Range{.low = 0, .high = 1, .high_open = true}}};
  Output force{this, "force", "N", "Force, positive in compression; the mean of both ends"};

  SpringWaves waves_;
};

}  // namespace davit
