#pragma once

#include "components/mechanical/spring_waves.h"
#include "framework/archive.h"
#include "simulator/tlm_component.h"

namespace davit {

/// Elastic shaft with a damper in parallel, TLM variant (wave variables).
class ShaftC final : public TlmComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.ShaftC",
      .text = "Elastic shaft, TLM variant (wave variables) with a delay of one TimeStep",
      .equations = R"(
T = stiffness*(angle_a + angle_b) + preload + damping*(w_a + w_b)
angle and w of the ends are positive into the shaft: a shaft that turns without twisting has w_a = -w_b.
The inertia connected with its side b at a is pushed back by a positive T, the one connected with
its side a at b is driven on.
Waves as in mechanical.SpringC with angle, w and T for x, v and F. Turned without twisting, it has the
inertia stiffness*h^2/(1 - filter)^2 + 2*damping*h.
)",
  };

  void ParametersChanged() override { UpdateWaves(); }
  void Reset() override {
    TlmComponent::Reset();
    UpdateWaves();
  }
  void InitializeWaves() override { Offer(waves_.Start(Torque(), Velocities()), Velocities()); }
  bool SettleWaves() override {
    InitializeWaves();
    return true;
  }
  void RestartWaves(bool has_moved) override {
    if (has_moved) InitializeWaves();
  }

  void SimulateOneTimestep(double /*t*/) override {
    const SpringWaves::Ends w = Velocities();
    Offer(waves_.Advance(Torque(), w), w);
  }
  void ArchiveMemory(Archive& archive) override { archive(waves_); }

 private:
  SpringWaves::Ends Velocities() const { return {a->w, b->w}; }
  /// Of the elastic shaft without the damper.
  double Torque() const { return stiffness * (a->angle + b->angle) + preload; }
  void UpdateWaves() { waves_.Set(stiffness, damping, filter, h(), Velocities()); }
  void Offer(SpringWaves::Ends c, SpringWaves::Ends w) {
    a->c = c.a;
    b->c = c.b;
    a->Zc = b->Zc = waves_.Zc();
    torque = (c.a + c.b + waves_.Zc() * (w.a + w.b)) / 2;
  }

  RotationalPort a{this, "a", Role::kC, "One end"};
  RotationalPort b{this, "b", Role::kC, "Other end"};
  Parameter stiffness{this, "stiffness", "N.m/rad", "Torsional stiffness", 1000.0, kNonNegative};
  Parameter preload{this, "preload", "N.m", "Torque at angle_a + angle_b = 0", 0.0};
  Parameter damping{this, "damping", "N.m.s/rad", "Damping coefficient", 0.0, kNonNegative};
  Parameter filter{this, "filter", "", "How much the ringing of the waves is damped; 0: not at all",
                   Number{.value = 0.1, .range = Range{.low = 0, .high = 1, .high_open = true}}};
  Output torque{this, "torque", "N.m", "Torque in the shaft; the mean of both ends"};

  SpringWaves waves_;
};

}  // namespace davit
